"""The transcripts of a run that can be stressed: those with a number known to be the answer."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from grader.errors import UserError
from grader.grader_names import CASCADE
from grader.numbers import Quantity
from grader.records import Transcript
from grader.run import RunDirectory
from grader.run.grade_index import GradeIndex

from .cases import reference


def transcripts_with_answers(
    source: RunDirectory, limit: int
) -> tuple[list[tuple[Transcript, Quantity]], int]:
    """(transcript, reference answer) pairs, at most `limit`, and how many had no reference. The run
    is read twice, so that only these are held in memory. Raises `UserError`, with the remedy, if
    none has one."""
    grades = GradeIndex(source)
    known: list[int] = []
    count, numerical, published = 0, False, False
    for count, (transcript, answer) in enumerate(_answers(source, grades), 1):
        if transcript.task.wants_number:
            numerical = True
            published = published or bool((transcript.task.ground_truth or "").strip())
        if answer is not None:
            known.append(count)
    if not known:
        graded = CASCADE in grades.graders
        reason = _nothing_known(
            source.path, numerical=numerical, published=published, graded=graded
        )
        raise UserError(f"{source.path}: {reason}")
    used = min(limit, len(known))
    chosen = {known[i * len(known) // used] for i in range(used)}
    pairs = [
        (transcript, answer)
        for number, (transcript, answer) in enumerate(_answers(source, grades), 1)
        if number in chosen and answer is not None
    ]
    return pairs, count - len(known)


def _answers(
    source: RunDirectory, grades: GradeIndex
) -> Iterator[tuple[Transcript, Quantity | None]]:
    """Every transcript of a run with its reference answer, if one is known."""
    with grades.open() as grades_of:
        for transcript in source.transcripts():
            found = {grade.grader: grade for grade in grades_of(transcript.transcript_id)}
            yield transcript, reference(transcript, found)


def _nothing_known(run: Path, *, numerical: bool, published: bool, graded: bool) -> str:
    """The reason why no transcript of a run has a known answer, and the remedy."""
    if not numerical:
        return "no task asks for a number, and the stress test can alter only numbers"
    if not published:
        return (
            "no task that asks for a number has a published answer, without which nothing is "
            f"graded. Give the answers: grader grade {run} --run NEW_RUN --tasks TASKS"
        )
    if not graded:
        return f"no answer is known yet. Grade all its steps first: grader grade {run}"
    return (
        "no numerical answer is known: the cascade passed none and no LLM judge read one. Have "
        f"the failures judged: grader grade {run} --lenient auto --model MODEL --base-url URL"
    )
