"""Evidence highlighted: the region, the value, and nothing that was not there."""

from __future__ import annotations

import pytest

from grader.records import Grade, Verdict
from grader.text import Block
from reports.marks import Mark, marks_in, render
from reports.transcript_page import page_name
from reports.wording import slug


def grade(value: str | None, region: str | None, verdict: Verdict = "correct") -> Grade:
    evidence = {"region": region} if region is not None else {}
    return Grade(
        transcript_id="x", task_id="t", grader="g", verdict=verdict, value=value, evidence=evidence
    )


TEXT = "There were 12 plots. The mean was 1.2 m, or 1.25 before."


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (grade("1.2", "The mean was 1.2 m"), [(21, 39, "region"), (34, 37, "value")]),
        (grade("1.2", None), [(34, 37, "value")]),
        (grade("12", None), [(11, 13, "value")]),
        (grade("7", "The mean was 1.2 m"), [(21, 39, "region")]),
        (grade(None, None, "no_answer"), []),
        (grade("1.2", "not in this block"), []),
    ],
)
def test_marks(given: Grade, expected: list[tuple[int, int, str]]) -> None:
    block = Block(TEXT, "prose", 0, len(TEXT))
    assert [(m.start, m.end, m.kind) for m in marks_in(block, [given])] == expected


def test_the_value_that_was_compared_is_marked_where_it_stood() -> None:
    text = "Of two years, both were dry, and of two states one."
    place = text.index("two states")
    found = grade("two", text).model_copy(
        update={"evidence": {"region": text, "span": [place, place + 3], "half": "verbal"}}
    )
    _, value = marks_in(Block(text, "prose", 0, len(text)), [found])
    assert (value.start, value.kind) == (place, "value")
    assert marks_in(Block(text, "execution", 0, len(text)), [found]) == []
    signed = found.model_copy(update={"value": "-two"})
    assert marks_in(Block(text, "prose", 0, len(text)), [signed])[1].start == place


def test_a_value_without_a_region_is_marked_at_its_last_place() -> None:
    text = "1.2 was my guess, and the mean is 1.2 m."
    [mark] = marks_in(Block(text, "prose", 0, len(text)), [grade("1.2", None)])
    assert (mark.start, mark.kind) == (text.rindex("1.2"), "value")


def test_the_sentence_that_a_judge_quotes_is_its_region() -> None:
    judges = [{"judge": "a"}, {"judge": "b", "quote": "The mean was 1.2 m"}]
    given = grade("B", None).model_copy(update={"evidence": {"judges": judges}})
    [mark] = marks_in(Block(TEXT, "prose", 0, len(TEXT)), [given])
    assert (TEXT[mark.start : mark.end], mark.kind) == ("The mean was 1.2 m", "region")


def test_rendered_text_is_the_text_escaped() -> None:
    shown = render("a<b>1.2</b>", [Mark(4, 7, "value", 'g: "1.2"')])
    assert shown == ('a&lt;b&gt;<mark class="value" title="g: &#34;1.2&#34;">1.2</mark>&lt;/b&gt;')


def test_overlapping_marks_nest_value_over_region() -> None:
    shown = render("xx12yy", [Mark(0, 6, "region", "a"), Mark(2, 4, "value", "b")])
    assert shown.count("<mark") == 3
    assert '<mark class="value" title="b">12</mark>' in shown


def test_file_names_are_tame() -> None:
    assert slug("../../etc/passwd <x>") == "etc-passwd-x"
    assert page_name(7, "../é") == "00007.html"
    assert page_name(12, "dev13") == "00012-dev13.html"
