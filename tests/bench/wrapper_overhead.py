"""What the wrapper adds to a step: `python -m tests.bench.wrapper_overhead [--json]`.

A scripted agent answers at once, so all the time of a task is the wrapper's: prompts, the two
loops, instrumentation, and the way of the step to the parent process and to the disk. Outputs
of three sizes; the bound is 20 ms per step for outputs as long as recorded runs have them.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

from grader.records import Task, Transcript
from grader.run import RunDirectory
from tests.shared_data import ROOT
from wrappers.assignment import Assignment
from wrappers.plan import make_plan
from wrappers.scheduler import run_assignments

TASKS, STEPS, BOUND_MS = 40, 4, 20.0
SIZES = {"short": 0, "typical": 3_000, "long": 30_000}  # characters of output per step
ROW = "Flowers: petal length 4.2 cm or 4.7 cm or 5.3 cm, sepal width 3.1 cm or 2.9 cm.\n\n"


def measure(size: int) -> list[float]:
    """Milliseconds per step of each task, each of whose `STEPS` steps ends unclear."""
    os.environ["PYTHONPATH"] = str(ROOT)
    text = ROW * (size // len(ROW)) + "I have looked at the flowers."
    plan = make_plan("tests.wrappers.scripted.agent", {"turns": {"*": [text]}})
    question = "What proportion of the flowers have a petal length greater than 5.0 cm?"
    tasks = [Assignment(Task(task_id=f"t{i}", question=question)) for i in range(TASKS)]
    per_step = []
    with tempfile.TemporaryDirectory() as folder:
        run = RunDirectory.create(Path(folder))
        results = run_assignments(plan, tasks, run.path, 1)
        with run.append_transcripts() as transcripts:
            before = None
            for result in results:
                assert isinstance(result, Transcript) and len(result.steps) == STEPS
                transcripts.add(result)
                now = time.perf_counter()
                if before is not None:
                    per_step.append((now - before) * 1000 / STEPS)
                before = now
    return per_step


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    as_json = parser.parse_args().json
    found = {}
    for name, size in SIZES.items():
        times = measure(size)
        found[name] = {
            "characters": size,
            "tasks": len(times),
            "median_ms_per_step": round(statistics.median(times), 2),
            "p90_ms_per_step": round(statistics.quantiles(times, n=10)[-1], 2),
        }
    if as_json:
        sys.stdout.write(json.dumps(found) + "\n")
    else:
        for name, row in found.items():
            sys.stdout.write(f"{name}: {row}\n")
    return int(found["typical"]["median_ms_per_step"] > BOUND_MS)


if __name__ == "__main__":
    sys.exit(main())
