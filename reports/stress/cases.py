"""Cases of the stress test: changes that must, or must not, change a verdict.

Three families of cases, all made from the run's own transcripts:
swapped    another number of the transcript becomes the published answer: a pass is false.
noise      the response is altered without touching its answer: a changed verdict is a flip.
tolerance  the published answer is set just inside or outside the tolerance of the answer given.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from grader.criterion import criterion_of
from grader.grader_names import CASCADE, LENIENT
from grader.numbers import Quantity, find_numbers, parse_number
from grader.reading import Reading, problem_with
from grader.records import Grade, Transcript
from grader.settings import GradeSettings
from grader.strict import grade_reading
from grader.text import split_output
from grader.tolerance import agree, same_value

from .perturb import NOISES, read_response

Family = Literal["swapped", "noise", "tolerance"]
SWAPS = 10
MARGIN = 0.01  # how far inside or outside the bound, relative to the bound


class StressCase(NamedTuple):
    """One altered transcript graded by one grader. `before` is its verdict on the original;
    `violated` says that the verdict is not what the test demands."""

    family: Family
    test: str
    grader: str
    transcript: Transcript
    detail: str
    before: str
    grade: Grade
    violated: bool


def reference(transcript: Transcript, grades: Mapping[str, Grade]) -> Quantity | None:
    """The assumed answer of a transcript: the value that the cascade passed, else the one that the
    LLM judge read. None if neither is known; such a transcript is left out."""
    task = transcript.task
    if not task.wants_number or problem_with(transcript):
        return None
    cascade, lenient = grades.get(CASCADE), grades.get(LENIENT)
    if cascade is not None and cascade.verdict == "correct":
        return parse_number(cascade.value or "")
    if lenient is not None and lenient.verdict == "incorrect":
        return parse_number(lenient.value or "")
    return None


def stress(
    transcripts: Iterable[tuple[Transcript, Quantity]],
    graders: Sequence[str],
    settings: GradeSettings,
) -> Iterator[StressCase]:
    """Every case of every transcript with its reference answer, for each strict grader."""
    for transcript, answer in transcripts:
        reading = Reading(transcript, settings)
        before = {name: grade_reading(reading, name) for name in graders}
        yield from swapped_cases(reading, answer, before)
        yield from noise_cases(transcript, answer, before, settings)
        yield from tolerance_cases(reading, before)


def swapped_cases(
    reading: Reading, answer: Quantity, before: Mapping[str, Grade]
) -> Iterator[StressCase]:
    """Up to `SWAPS` other numbers of the transcript, each as the published answer."""
    for number in other_numbers(reading.transcript, answer, reading.settings):
        truth = as_truth(number)
        altered = reading.with_truth(truth)
        yield from _grade("swapped", "swapped truth", altered, f"truth {truth}", before)


def noise_cases(
    transcript: Transcript, answer: Quantity, before: Mapping[str, Grade], settings: GradeSettings
) -> Iterator[StressCase]:
    """Each alteration of `NOISES` that applies. Alterations that rewrite the answer look for the
    response's own spelling of it."""
    last, task = transcript.steps[-1], transcript.task
    criterion = criterion_of(task, settings)
    response = read_response(
        last.raw_output,
        _as_written(last.raw_output, answer),
        task.question,
        lambda number: criterion is not None and criterion.is_met_by(number),
    )
    for name, alter in NOISES.items():
        raw = alter(response)
        if raw is not None and raw != last.raw_output:
            altered = Reading(with_response(transcript, raw), settings)
            yield from _grade("noise", name, altered, name, before)


def tolerance_cases(reading: Reading, before: Mapping[str, Grade]) -> Iterator[StressCase]:
    """For each grader that passed: the truth moved so that the value it compared lies just
    inside, and just outside, the tolerance. None for a tolerance of 0, which has no inside."""
    tolerance = reading.settings.relative_tolerance
    if tolerance == 0:
        return
    for name, grade in before.items():
        value = parse_number(grade.value or "")
        if grade.verdict != "correct" or value is None or value.value == 0:
            continue
        for test, factor, demand in (
            ("truth just inside tolerance", 1 - MARGIN, "pass"),
            ("truth just outside tolerance", 1 + MARGIN, "fail"),
        ):
            truth = value.value / (1 + tolerance * factor)
            text = as_truth(value._replace(value=truth))
            altered = reading.with_truth(text)
            found = grade_reading(altered, name)
            wrong = (found.verdict == "correct") != (demand == "pass")
            yield StressCase(
                "tolerance",
                test,
                name,
                altered.transcript,
                f"truth {text}",
                "correct",
                found,
                wrong,
            )


def other_numbers(
    transcript: Transcript, answer: Quantity | None, settings: GradeSettings
) -> list[Quantity]:
    """Different numbers of a transcript, of all its steps, that are not its answer in any reading,
    within tolerance and percent form; at most `SWAPS`, spread evenly over the text. Zero and
    one-sided numbers (`p < 0.05`) do not count as answers."""
    found: list[Quantity] = []
    for step in transcript.steps:
        for number in find_numbers(step.raw_output):
            if number.bounded or number.value == 0:
                continue
            if answer is not None and in_any_form(number, answer, settings):
                continue
            if not any(same_value(number, one) for one in found):
                found.append(number)
    if len(found) <= SWAPS:
        return found
    # The middle of each of `SWAPS` even parts, so that the last numbers are drawn like any others.
    return [found[(2 * place + 1) * len(found) // (2 * SWAPS)] for place in range(SWAPS)]


def in_any_form(number: Quantity, answer: Quantity, settings: GradeSettings) -> bool:
    """Whether a number is an answer within tolerance, as both are written or with the answer in
    percent form."""
    forms = [answer, Quantity(answer.value, is_percent=True)]
    if not answer.is_percent:
        forms.append(Quantity(100 * answer.value))
    return any(agree(number, form, settings) for form in forms)


def as_truth(number: Quantity) -> str:
    """A number as a published answer would write it, in full."""
    if number.is_percent:
        return f"{number.value:.12g}%"
    return f"{number.value * number.scale:.12g}"


def with_response(transcript: Transcript, raw: str) -> Transcript:
    """The transcript with another final response."""
    last = transcript.steps[-1].model_copy(update={"raw_output": raw})
    return transcript.model_copy(update={"steps": (*transcript.steps[:-1], last)})


def _grade(
    family: Family,
    test: str,
    altered: Reading,
    detail: str,
    before: Mapping[str, Grade],
) -> Iterator[StressCase]:
    for name, original in before.items():
        grade = grade_reading(altered, name)
        changed = (grade.verdict == "correct") != (original.verdict == "correct")
        wrong = changed if family == "noise" else grade.verdict == "correct"
        yield StressCase(
            family, test, name, altered.transcript, detail, original.verdict, grade, wrong
        )


def _as_written(raw: str, answer: Quantity) -> Quantity:
    """The last number of the response that equals the answer, in its own spelling."""
    written = [n for n in find_numbers(split_output(raw).verbal) if same_value(n, answer)]
    return written[-1] if written else answer
