"""150 labels by scripted keyboard in a real browser while the server is killed 10 times.

python -m tests.bench.annotate_kills [LABELS] [KILLS]
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from annotate.labels import LabelStore
from tests.annotate.live import label_with_kills
from tests.annotate.runs import make_run, transcript


def measure(labels: int, kills: int) -> int:
    """The exit code: 1 if a label was lost or stored twice. Prints the counts."""
    with tempfile.TemporaryDirectory() as folder:
        run = make_run(Path(folder) / "run", [transcript(i) for i in range(labels)])
        begun = time.monotonic()
        done = label_with_kills(run.path, labels, kills)
        history = LabelStore.open(run.labels_path).history()
    counts = Counter(label.transcript_id for label in history)
    lost = labels - len(counts)
    doubled = sum(count > 1 for count in counts.values())
    sys.stdout.write(
        f"{done['given']} labels given, {done['kills']} kills, {len(history)} stored, "
        f"{lost} lost, {doubled} doubled, {time.monotonic() - begun:.0f} s\n"
    )
    return int(bool(lost or doubled))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("labels", type=int, nargs="?", default=150)
    parser.add_argument("kills", type=int, nargs="?", default=10)
    options = parser.parse_args()
    return measure(options.labels, options.kills)


if __name__ == "__main__":
    sys.exit(main())
