"""Does hostile input cost more than its size? Doubles every input and compares the time.

    python -m tests.bench.adversarial [--size 100000] [--only NAME] [--limit 2.2]

Each family in `hostile_texts.HOSTILE` is a text of a given length built to hurt one part of the
strict path: markup that never closes, numbers without end, what a regular expression would
backtrack on. It is graded whole (split, instrumented, three graders) at three sizes, each twice
the last, and CPU seconds are compared: the better of three runs each, so that other processes
do not count. The ratio shown is the second doubling's. Peak memory is traced at the first size,
as a multiple of the text's. Exits 1 if a ratio is beyond the limit (small times are not judged:
< 20 ms).
"""

from __future__ import annotations

import argparse
import gc
import sys
import time
import tracemalloc

from grader.cascade import strict_grades
from grader.passes.strict_pass import complete
from grader.reading import Reading
from grader.records import AnswerKind, Step, Task, Transcript
from grader.settings import GradeSettings
from grader.strict import STRICT_GRADERS
from tests.bench.hostile_texts import HOSTILE

SETTINGS = GradeSettings()
QUESTION = "What is the mean rate? Round to two decimals. (A) low (B) high"
UNMEASURABLE = 0.02  # CPU seconds
RUNS = 3

COUNT = "How many rates are there?"
TASKS: dict[str, tuple[str, AnswerKind, str]] = {  # question, kind of answer, published answer
    "number": (QUESTION, "number", "0.25"),
    "count": (COUNT, "number", "3"),
    "adjusted": (
        "What is the mean rate per study hour, adjusted for age, of the 90th percentile?",
        "number",
        "0.25",
    ),
    "range": (QUESTION, "number", "0.2-0.3"),
    "choice": (QUESTION, "choice", "B"),
    "yes_no": ("Is the mean rate high?", "choice", "no"),
    "true_false": ("Is it so?", "choice", "true"),
    "numbered": ('Is it "low"' + "\n\n1." * 99 + ' x "high"?', "choice", "low"),
    "difference": ('"there is difference" or "no difference"?', "choice", "no difference"),
    "quality": (
        '"positive correlation" or "negative correlation"?',
        "choice",
        "positive correlation",
    ),
    "text": (QUESTION, "text", "B"),
    "values": (QUESTION, "text", "Mean: 45.8, SD: 3.1"),
    "names": (QUESTION, "text", "Chad, Mali"),
    "labels": (QUESTION, "text", "Winner: red, Loser: blue"),
    "fields": (QUESTION, "text", "@mean[45.8] @trend[linear]"),
    "list": (QUESTION, "text", "[1, 2, 7]"),
    "pair": (QUESTION, "text", "Chad, 2010"),
    "direction": (
        'Which? "rain causes harvest" or "harvest causes rain"',
        "choice",
        "rain causes harvest",
    ),
}


def task_of(kind: str) -> Task:
    """A task of one of the kinds in `TASKS`."""
    question, answer_kind, truth = TASKS[kind]
    return Task(task_id="t", question=question, ground_truth=truth, answer_kind=answer_kind)


def seconds(text: str, kind: str) -> float:
    """CPU time of grading one text, the best of a few runs."""
    transcript = Transcript(transcript_id="x", task=task_of(kind), steps=(Step(raw_output=text),))
    best = float("inf")
    for _ in range(RUNS):
        gc.collect()
        started = time.process_time()
        strict_grades(complete(Reading(transcript, SETTINGS)), STRICT_GRADERS, SETTINGS)
        best = min(best, time.process_time() - started)
    return best


def memory_multiple(text: str) -> float:
    """Peak memory while grading a text, over the text's own size in memory."""
    tracemalloc.start()
    seconds(text, "number")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / sys.getsizeof(text)


def main() -> int:
    """Measure every family; print a line each and the worst."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=100_000, help="characters, first of three")
    parser.add_argument("--only", choices=HOSTILE, help="one family")
    parser.add_argument("--limit", type=float, default=2.2)
    parser.add_argument("--memory", action="store_true", help="trace memory too (slow)")
    options = parser.parse_args()
    beyond = []
    for name in [options.only] if options.only else HOSTILE:
        for kind in TASKS:
            times = [seconds(HOSTILE[name](options.size * k), kind) for k in (1, 2, 4)]
            ratio = times[2] / times[1]
            judged = times[2] >= UNMEASURABLE
            if judged and ratio > options.limit:
                beyond.append(f"{name}/{kind} {ratio:.2f}")
            line = f"{name:22} {kind:10}" + "".join(f"{t * 1e3:9.1f} ms" for t in times)
            line += f"   x{ratio:.2f}" + ("" if judged else " (too small)")
            if options.memory and kind == "number":
                line += f"   memory x{memory_multiple(HOSTILE[name](options.size)):.0f}"
            sys.stdout.write(line + "\n")
            sys.stdout.flush()
    sys.stdout.write(f"beyond x{options.limit}: {', '.join(beyond) or 'none'}\n")
    return 1 if beyond else 0


if __name__ == "__main__":
    sys.exit(main())
