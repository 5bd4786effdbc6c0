"""What the LLM benchmarks share: transcripts that fail strict grading, a server process, and
`grader grade` in a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

REPOSITORY = Path(__file__).parents[2]
SERVER = REPOSITORY / "tests" / "grader" / "llm" / "server.py"


def write_failures(path: Path, count: int) -> None:
    """Transcripts whose last number is far from the truth, so that all are judged."""
    with path.open("w", encoding="utf-8") as file:
        for number in range(count):
            record = {
                "transcript_id": f"t{number:05}",
                "task_id": f"task{number}",
                "question": f"What is the mean of column {number}?",
                "ground_truth": "123456",
                "steps": [{"raw_output": f"<pre>{number}.5</pre>\nThe mean is {number}.5."}],
            }
            file.write(json.dumps(record) + "\n")


@contextmanager
def server(latency: float, log: Path, limit: Path | None = None) -> Iterator[str]:
    """The base URL of a scripted server in another process; it logs every request it gets, and
    answers none beyond the number that the file `limit` holds, while there is one."""
    command = [sys.executable, str(SERVER), "--latency", str(latency), "--log", str(log)]
    command += ["--limit", str(limit)] if limit else []
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
    finally:
        process.kill()
        process.wait()


def grade_command(source: Path, run: Path, url: str, concurrency: int) -> list[str]:
    """The command line a user would type."""
    return [
        *(sys.executable, "-m", "grader", "grade", str(source), "--run", str(run)),
        *("--model", "scripted", "--base-url", url, "--concurrency", str(concurrency), "--json"),
    ]


def grades_of(run: Path) -> dict[tuple[str, str], tuple[str, str | None]]:
    """(transcript, grader) -> (verdict, value); the last line of each counts."""
    found = {}
    for line in (run / "grades.jsonl").read_text(encoding="utf-8").splitlines():
        grade = json.loads(line)
        found[grade["transcript_id"], grade["grader"]] = (grade["verdict"], grade["value"])
    return found


def answered_keys(run: Path) -> list[str]:
    """Keys of the calls that were paid for and answered, in order; a torn last line is none."""
    path = run / "llm_calls.jsonl"
    lines = path.read_bytes().split(b"\n")[:-1] if path.exists() else []
    calls = [json.loads(line) for line in lines]
    return [c["key"] for c in calls if c["source"] == "server" and c["reply"] is not None]
