"""Fifty tasks, five of which hang: `python -m tests.bench.wrapper_hangs`.

With W tasks at the same time and a limit of T seconds per task, a run takes at most
    T * ceil(5 / W)  +  45 tasks / W  +  6 worker starts,
and leaves no process behind. A hang is, in turn: a model that never replies, a cell in an endless
loop, a cell that ignores interrupts, a model that falls silent after a reply, a process that
escaped into its own session. The first is no failure of the agent: its task counts as not run.
"""

from __future__ import annotations

import argparse
import json
import math
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.wrappers.conftest import GraderRun
from tests.wrappers.scripted.llm import Reply, serving
from tests.wrappers.scripted.scenarios import code

TASKS, TIMEOUT, AT_ONCE = 50, 6.0, 2
ESCAPE = (
    "import subprocess\nsubprocess.Popen(['sleep', '3600'], start_new_session=True)\n"
    "while True: pass"
)
STUBBORN = "import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\nwhile True: pass"
HANGS: dict[str, list[Reply | str]] = {
    "(h0)": [Reply(hang=600)],
    "(h1)": [code("while True: pass")],
    "(h2)": [code(STUBBORN)],
    "(h3)": [code("print(1)"), Reply(hang=600)],
    "(h4)": [code(ESCAPE)],
}
NOT_RUN = ["h0"]


def main() -> int:
    argparse.ArgumentParser(description=__doc__).parse_args()
    names = [f"h{i // 10}" if i % 10 == 5 else f"t{i}" for i in range(TASKS)]
    with (
        tempfile.TemporaryDirectory() as folder,
        serving({**HANGS, "(t": [code("print(4.4)"), "The mean of x is 4.4."]}) as server,
    ):
        run = GraderRun(Path(folder))
        run.tasks(*names)
        command = run.command(
            *("--model", "m", "--base-url", server.base_url, "--json"),
            *("--timeout", str(TIMEOUT), "--concurrency", str(AT_ONCE)),
            agent="chat",
        )
        began = time.monotonic()
        done = subprocess.run(
            command, env=run.environment, capture_output=True, text=True, check=False
        )
        seconds = time.monotonic() - began
        summary = json.loads(done.stdout)
        left = run.strays()
        stops = [r["metadata"]["stop_reason"] for r in run.records().values()]
    waits = TIMEOUT * math.ceil(len(HANGS) / AT_ONCE)
    report = {
        "seconds": round(seconds, 1),
        "of_which_waiting_for_timeouts": waits,
        "outcomes": summary["outcomes"],
        "not_run": [entry["transcript_id"] for entry in summary["not_run"]],
        "timeouts": stops.count("timeout"),
        "processes_left": left,
    }
    sys.stdout.write(json.dumps(report) + "\n")
    expected = {"clean": TASKS - len(HANGS), "failed": len(HANGS) - len(NOT_RUN)}
    as_expected = report["outcomes"] == expected and report["not_run"] == NOT_RUN
    return int(not as_expected or bool(left))


if __name__ == "__main__":
    sys.exit(main())
