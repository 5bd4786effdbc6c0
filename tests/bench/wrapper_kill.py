"""SIGKILL at random moments: `python -m tests.bench.wrapper_kill [SEED]`.

A run of 40 tasks, two at a time, is killed and started again until it is whole. After each kill
at most the tasks in flight may be lost: a task whose last turn had begun to answer, and which is
not in the record, counts as lost.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.wrappers.conftest import GraderRun

TASKS, AT_ONCE, GONE_SECONDS = 40, 2, 5.0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("seed", type=int, nargs="?", default=1, help="of the moments")
    moments = random.Random(parser.parse_args().seed)
    lost: list[int] = []
    strays = 0
    with tempfile.TemporaryDirectory() as folder:
        run = GraderRun(Path(folder))
        marks = Path(folder) / "marks"
        marks.mkdir()
        names = [f"t{number}" for number in range(TASKS)]
        run.tasks(*names)
        run.settings({"*": [{"text": "The mean of x is 4.4.", "sleep": 0.3, "mark": str(marks)}]})
        recorded: set[str] = set()
        while len(recorded) < TASKS:
            process = subprocess.Popen(
                run.command("--concurrency", str(AT_ONCE)),
                env=run.environment,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            time.sleep(moments.uniform(1.2, 2.4))
            process.kill()
            process.wait()
            limit = time.monotonic() + GONE_SECONDS
            while run.strays() and time.monotonic() < limit:
                time.sleep(0.05)
            strays += len(run.strays())
            lines = (
                (run.directory / "transcripts.jsonl").read_bytes().split(b"\n")[:-1]
                if (run.directory / "transcripts.jsonl").exists()
                else []
            )
            ids = [json.loads(line)["transcript_id"] for line in lines]
            assert len(ids) == len(set(ids))
            recorded = set(ids)
            finished = {path.name for path in marks.iterdir()}
            lost.append(len(finished - recorded))
            for name in finished - recorded:
                (marks / name).unlink()
    report = {"kills": len(lost), "lost_per_kill": lost, "at_once": AT_ONCE, "strays": strays}
    sys.stdout.write(json.dumps(report) + "\n")
    return int(max(lost) > AT_ONCE or strays > 0)


if __name__ == "__main__":
    sys.exit(main())
