"""How fast is the strict pass? Ratios in one run, on one recorded run.

    python -m tests.bench.speed [RUN] [--repeat N]

Measures, per transcript: the whole strict pass (split, both parsers, three graders); one scan with
a number pattern compiled by `regex`, once with this project's number grammar and once with a bare
`[-+]?digits` pattern; Math-Verify's parse + verify, if `math-verify` is installed
(extra `bench`); inspect_ai's `match(numeric=True)` on a 2 kB answer against `verify`, if
`inspect-ai` is installed. First figures are cold (every question and text seen for the first
time), best-of-N after that.
"""

from __future__ import annotations

import argparse
import importlib.util
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from grader import strict, verify
from grader.cascade import strict_grades
from grader.numbers import _TIGHT
from grader.readers import read
from grader.records import Transcript
from grader.settings import GradeSettings
from grader.strict import STRICT_GRADERS
from tests.shared_data import FIXTURES, SHARED

BARE = r"[-+−]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:[eE][-+]?\d+)?%?"


def is_compiled() -> bool:
    """True if the strict path was built as C."""
    return not (strict.__file__ or "").endswith(".py")


def timed(work: Callable[[], object], repeat: int) -> tuple[float, float]:
    """Seconds of the first run, and of the best run after it."""
    runs = []
    for _ in range(repeat + 1):
        start = time.perf_counter()
        work()
        runs.append(time.perf_counter() - start)
    return runs[0], min(runs[1:])


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    default = SHARED / "data/lambda_run/dsgym_results.json"
    parser.add_argument(
        "run", type=Path, nargs="?",
        default=default if default.exists() else FIXTURES / "transcripts.jsonl",
    )  # fmt: skip
    parser.add_argument("--repeat", type=int, default=20)
    options = parser.parse_args()
    transcripts = [t for t in read(options.run) if t.steps]
    texts = [t.steps[-1].raw_output for t in transcripts]
    count, settings = len(transcripts), GradeSettings()
    out = sys.stdout.write
    out(f"{count} transcripts, {sum(map(len, texts)) / count:.0f} characters each on average; ")
    out("compiled\n" if is_compiled() else "not compiled (see `make compiled`)\n")
    cold, best = timed(
        lambda: [strict_grades(t, STRICT_GRADERS, settings) for t in transcripts], options.repeat
    )
    show("strict pass (three graders)", cold, best, count)
    for name, first, later in others(transcripts, texts, options.repeat):
        show(name, first, later, count)
        out(f"{'':34}strict pass / this: {cold / first:.2f} cold, {best / later:.2f} best\n")
    compare_verify(options.repeat)


def others(
    transcripts: list[Transcript], texts: list[str], repeat: int
) -> list[tuple[str, float, float]]:
    """What the strict pass is compared with: name, cold and best seconds."""
    results: list[tuple[str, float, float]] = []
    if importlib.util.find_spec("regex"):
        import regex

        grammar, bare = regex.compile(_TIGHT.pattern, regex.VERBOSE), regex.compile(BARE)
        for name, pattern in (("regex scan, full grammar", grammar), ("regex scan, bare", bare)):
            scan = timed(lambda p=pattern: [list(p.finditer(text)) for text in texts], repeat)
            results.append((name, *scan))
    if importlib.util.find_spec("math_verify"):
        from math_verify import parse
        from math_verify import verify as math_verify

        truths = [t.task.ground_truth or "" for t in transcripts]
        run = timed(
            lambda: [math_verify(parse(a), parse(b)) for a, b in zip(truths, texts, strict=True)],
            min(repeat, 3),
        )
        results.append(("Math-Verify parse + verify", *run))
    return results


def compare_verify(repeat: int) -> None:
    """`verify` against inspect_ai's numeric match on one 2 kB answer, for a truth that it matches
    and for one that it does not."""
    prose = "The model was fitted on the cleaned data and its residuals were checked. " * 27
    answer = f"{prose}\n\nThe proportion of homes is 0.61 (61%)."
    question = "What proportion of the loans is for a home?"
    calls = 200
    truths = {"right": "0.61", "wrong": "0.72"}

    def verify_many(truth: str) -> None:
        for _ in range(calls):
            verify(answer, truth, question)

    ours = {name: timed(partial(verify_many, t), repeat)[1] for name, t in truths.items()}
    for name, best in ours.items():
        show(f"verify, 2 kB answer, {name}", best, best, calls)
    if not importlib.util.find_spec("inspect_ai"):
        return
    import asyncio

    from inspect_ai.model import ModelOutput
    from inspect_ai.scorer import Target, match
    from inspect_ai.solver import TaskState

    score = match(numeric=True)
    state = TaskState(
        model="mockllm/model", sample_id=1, epoch=1, input=question, messages=[],
        output=ModelOutput.from_content("mockllm/model", answer),
    )  # fmt: skip

    async def score_many(truth: str) -> None:
        for _ in range(calls):
            await score(state, Target(truth))

    def match_many(truth: str) -> None:
        asyncio.run(score_many(truth))

    for name, truth in truths.items():
        theirs = timed(partial(match_many, truth), repeat)[1]
        show(f"inspect_ai match(numeric), {name}", theirs, theirs, calls)
        sys.stdout.write(f"{'':34}verify / this: {ours[name] / theirs:.2f}\n")


def show(name: str, cold: float, best: float, count: int) -> None:
    cells = f"cold {1e6 * cold / count:8.1f} us   best {1e6 * best / count:8.1f} us"
    sys.stdout.write(f"{name:34}{cells}   per call\n")


if __name__ == "__main__":
    main()
