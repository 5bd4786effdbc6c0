"""The page of one transcript: steps are numbered from 1, calls stand in an order of their own."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest

from annotate.labels.rows import StoredLabel
from grader.cascade import combine, strict_grades
from grader.grader_names import STRICT
from grader.llm.calls import LlmCall
from grader.records import Grade, Step, Task, Transcript
from grader.settings import GradeSettings
from reports.build import calls_by_transcript
from reports.html import evidence_text
from reports.transcript_page import facts, transcript_page

from .published import call

ROW = {"outcome": "clean", "human": None, "snippet": None, "disagreements": ""}


def test_steps_are_numbered_from_1() -> None:
    steps = (Step(raw_output="1"), Step(instruction_type="nudge_generic", raw_output="2"))
    made = Transcript(transcript_id="x", task=Task(task_id="t"), steps=steps)
    page = transcript_page(made, ROW, [], [])
    assert '<section class="step" id="step1"><h2>Step 1: original prompt' in page
    assert '<section class="step" id="step2"><h2>Step 2: nudge generic' in page
    assert "Step 0" not in page


def test_evidence_counts_steps_from_1_too() -> None:
    rows = [{"step": 1, "agree": True}, {"step": 3, "agree": False}, {"step": 4, "agree": None}]
    grade = Grade(transcript_id="x", task_id="t", grader="lenient", verdict="correct")
    grade = grade.model_copy(update={"evidence": {"consistency": rows}})
    assert evidence_text(grade) == "consistency: step 1 yes, step 3 no, step 4 unclear"
    judges = [{"grounding": "quote"}, {"grounding": None}, {"grounding": "quote"}]
    quoted = grade.model_copy(update={"evidence": {"judges": judges}})
    assert evidence_text(quoted) == "grounding: quote"


def test_the_cascade_marks_no_number_that_was_not_compared() -> None:
    output = "```python\nprint(4)\n```\n<pre>4</pre>\n\nThe count is 4."
    task = Task(task_id="t", question="What is the count?", ground_truth="4")
    made = Transcript(transcript_id="x", task=task, steps=(Step(raw_output=output),))
    grades = strict_grades(made, STRICT, GradeSettings())
    page = transcript_page(made, ROW, [*grades, combine(grades)], [])
    marked = re.findall(r'<mark class="value" title="([^"]*)">4</mark>', page)
    assert marked == ["; ".join(f"{name}: 4 (correct)" for name in STRICT)]


@pytest.mark.parametrize("after", [0, 80_000])
def test_of_a_very_long_step_the_middle_is_left_out_but_no_mark(after: int) -> None:
    line = "This line is one of many.\n\n"
    output = f"START\n\n{line * 5000}The mean is **0.25**.\n\n{line * (after // len(line))}END"
    task = Task(task_id="t", question="What is the mean?", ground_truth="0.25")
    made = Transcript(transcript_id="x", task=task, steps=(Step(raw_output=output),))
    grades = strict_grades(made, STRICT, GradeSettings())
    page = transcript_page(made, ROW, grades, [])
    assert "START" in page and "END" in page
    assert re.search(r'<mark class="value" title="[^"]*strict_keyword[^"]*">0.25</mark>', page)
    left_out = [int(n.replace(",", "")) for n in re.findall(r"Left out here: ([\d,]+) char", page)]
    assert len(left_out) == (2 if after else 1)
    shown = page.count("This line is one of many.")
    assert shown < 4100
    assert sum(left_out) == pytest.approx(len(line) * (output.count(line) - shown), rel=0.1)


@pytest.mark.parametrize(
    ("step", "said"),
    [
        (Step(n_candidates=1, token_count=1), "1 token, 1 candidate"),
        (Step(n_candidates=0, token_count=1200), "1,200 tokens, 0 candidates"),
        (Step(elapsed_time=2.0, ambiguous_answer=True), "2.0 s, ambiguous"),
    ],
)
def test_facts(step: Step, said: str) -> None:
    assert facts(step) == said


def test_calls_of_a_prompt_that_is_not_recorded_say_so() -> None:
    made = Transcript(transcript_id="x", task=Task(task_id="t"))
    page = transcript_page(made, ROW, [], [call(0).model_copy(update={"prompt_id": ""})])
    assert "<td>not recorded</td>" in page


def test_calls_do_not_stand_in_the_order_replies_came_in() -> None:
    def made(number: int, model: str, purpose: str) -> LlmCall:
        return call(0).model_copy(update={"key": str(number), "model": model, "purpose": purpose})

    came_in = [
        made(0, "b", "extract"),
        made(1, "a", "judge"),
        made(2, "a", "extract"),
        made(3, "a", "extract"),
        made(4, "b", "consistency"),
    ]
    found = calls_by_transcript(came_in)["A000"]
    assert [(c.model, c.purpose, c.key) for c in found] == [
        ("a", "extract", "2"),
        ("a", "extract", "3"),
        ("a", "judge", "1"),
        ("b", "consistency", "4"),
        ("b", "extract", "0"),
    ]
    assert calls_by_transcript([*came_in[2:4], *came_in[:2], came_in[4]])["A000"] == found


def test_who_labelled_it_what_and_why() -> None:
    made = Transcript(transcript_id="x", task=Task(task_id="t"))
    given = StoredLabel(
        transcript_id="x", annotator="ada", stage="snippet", verdict="non_match",
        created_at=datetime(2026, 1, 1, tzinfo=UTC), reason="<b>wrong column</b>",
        adjudication=True, unblinded=True, label_id=1, revision=1,
    )  # fmt: skip
    page = transcript_page(made, ROW, [], [], [given])
    row = (
        '<td>ada</td><td>snippet, adjudication, unblinded</td><td class="non_match">non match</td>'
    )
    assert f"{row}<td>&lt;b&gt;wrong column&lt;/b&gt;</td>" in page
    assert "<h2>Labels</h2>" not in transcript_page(made, ROW, [], [])
