"""What a fuzzer throws bytes at: reader -> extract -> instrument -> grade, on one input.

The first line of the input is the question, the second the truth, its first byte chooses the
answer kind; the rest is the output. The same bytes are also read as a JSON line.
"""

from __future__ import annotations

import json
import math

from grader.api import extract, verify
from grader.cascade import combine, strict_grades
from grader.numbers import find_numbers, parse_number
from grader.passes.strict_pass import complete
from grader.readers.native import from_native, to_native
from grader.reading import Reading
from grader.records import Grade, Step, Task, Transcript
from grader.settings import GradeSettings
from grader.strict import STRICT_GRADERS
from grader.text import split_output

KINDS = ("number", "percent", "choice", "text")
SETTINGS = GradeSettings()


def check_input(data: bytes) -> None:
    """Run everything the strict path does on `data`. Raises whatever is wrong with it."""
    transcript = transcript_of(data)
    check_transcript(transcript)
    _check_record(data)


def transcript_of(data: bytes) -> Transcript:
    """The transcript that an input stands for. Lone surrogates come through."""
    kind = KINDS[data[0] % len(KINDS)] if data else "number"
    text = data[1:].decode("utf-8", errors="surrogateescape")
    question, _, rest = text.partition("\n")
    truth, _, output = rest.partition("\n")
    steps = tuple(Step(raw_output=part) for part in output.split("\x1e"))
    task = Task(task_id="t", question=question, ground_truth=truth or None, answer_kind=kind)
    return Transcript(transcript_id="x", task=task, steps=steps)


def check_transcript(transcript: Transcript) -> list[Grade]:
    """Grade one transcript and check what must hold for any; returns the grades."""
    prepared = complete(Reading(transcript, SETTINGS))
    if transcript.problem is None or transcript.steps:
        assert prepared.outcome is not None
    grades = strict_grades(prepared, STRICT_GRADERS, SETTINGS)
    grades.append(combine(grades))
    for grade in grades:
        json.dumps(grade.model_dump(mode="json"))
    assert strict_grades(transcript, STRICT_GRADERS, SETTINGS) == grades[:-1]
    json.dumps(to_native(prepared))
    for step in transcript.steps:
        _check_text(step.raw_output, transcript.task)
    return grades


def _check_text(text: str, task: Task) -> None:
    for block in split_output(text).blocks:
        assert 0 <= block.start <= block.end <= len(text), "a block lies outside its text"
    for number in find_numbers(text):
        assert 0 <= number.start < number.end <= len(text), "a number lies outside its text"
        assert not math.isnan(number.value), "nan is no number"
    for parser in ("blind", "keyword", "heuristic"):
        found = extract(text, task.question, parser=parser)
        assert found.confidence is None or 0.0 <= found.confidence <= 1.0
    assert verify(text, task.ground_truth or "", task.question) in (0.0, 1.0)
    parse_number(text[:200])


def _check_record(data: bytes) -> None:
    try:
        record = json.loads(data.decode("utf-8", errors="replace").replace("\x00", ""))
    except (ValueError, RecursionError):
        return
    if isinstance(record, dict):
        transcript = from_native(record, "fallback")
        check_transcript(transcript)
        json.dumps(to_native(transcript))
