"""The worked example of grader/extraction/README.md."""

from __future__ import annotations

import re
import textwrap

from grader.extraction.evidence import weigh_candidates
from grader.reading import Reading
from grader.records import Task
from grader.strict import grade_reading
from tests.grader.transcripts import transcript
from tests.shared_data import ROOT

README = (ROOT / "grader/extraction/README.md").read_text(encoding="utf-8")
OUTPUT = textwrap.dedent(README[README.index("    The model was") : README.index("**1. The")])
TASK = Task(
    task_id="t",
    question="What is the coefficient of dose? Round to two decimals.",
    ground_truth="-1.29",
)
READING = Reading(transcript(OUTPUT, TASK))


def test_the_question() -> None:
    question = READING.source.scan.question
    assert question.target == {"coefficient", "dose"}
    assert question.topics == {"coefficient"}
    assert question.decimals == 2


def test_the_marks() -> None:
    scan = READING.source.scan
    assert [block.kind for block in READING.output.blocks] == [
        "prose", "code", "execution", "prose"
    ]  # fmt: skip
    assert [
        (mark.number.value, mark.rule.name if mark.rule else None)
        for block in READING.output.blocks
        for mark in scan.marks(block)
    ] == [
        (240, "counted"), (-1.2931, None), (10, "counted"), (-1.29, None),
        (95, "confidence_level"), (0.81, "open_interval"), (1.77, "open_interval"), (-1.29, None),
    ]  # fmt: skip


def test_the_evidence() -> None:
    rows = re.findall(r"^\| (-?[0-9.]+)[^|]*\| ([^|]*`[^|]*) \| ([0-9.]+) \|$", README, re.M)
    weighed = sorted(
        weigh_candidates(READING.source.scan), key=lambda found: -sum(found.evidence.values())
    )
    assert len(rows) == 3
    for (number, evidence, total), (mark, _, _, found) in zip(rows, weighed, strict=False):
        assert mark.number.value == float(number)
        assert round(sum(found.values()), 1) == float(total)
        for name, weight in re.findall(r"`(\w+)` (-?[0-9.]+)", evidence):
            assert round(found[name], 1) == float(weight)


def test_the_grades() -> None:
    for grader in ("strict_keyword", "strict_blind"):
        grade = grade_reading(READING, grader)
        assert (grade.verdict, grade.value) == ("correct", "-1.29")
        assert grade.evidence["region"] == "So the coefficient of dose is -1.29."
        assert grade.evidence["half"] == "verbal"
