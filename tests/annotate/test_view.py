"""Blind by construction: what views hold, and that marks are in place."""

import pytest

from annotate.view import (
    LONGEST_SEGMENT,
    BlindItem,
    BlindTranscript,
    Segment,
    blind_item,
    blind_transcript,
)
from grader.records import Record, Step, Transcript

from .hostile import hostile_transcripts
from .runs import transcript

FORBIDDEN = {"verdict", "grade", "grades", "grader", "agent", "nudge_mode", "outcome", "annotator",
             "instruction_text", "instruction_type", "transcript_id", "task_id", "metadata",
             "covariates"}  # fmt: skip


def fields(model: type[Record]) -> set[str]:
    """Names of a record's fields and of those of the records in it."""
    found: set[str] = set()
    for name, field in model.model_fields.items():
        found.add(name)
        inner = [field.annotation, *getattr(field.annotation, "__args__", ())]
        for kind in inner:
            if isinstance(kind, type) and issubclass(kind, Record):
                found |= fields(kind)
    return found


def shown(one: Transcript, *, whole: bool = False) -> BlindTranscript:
    return blind_transcript(one, blind_item(one), whole=whole)


@pytest.mark.parametrize("model", [BlindItem, BlindTranscript])
def test_blind_records_have_no_field_that_could_leak(model: type[Record]) -> None:
    assert not fields(model) & FORBIDDEN


def test_no_instruction_agent_or_id_in_the_view() -> None:
    one = transcript(3, agent="agent-x9").model_copy(update={"transcript_id": "gpt-modeA-3"})
    for view in (blind_item(one), shown(one)):
        text = view.model_dump_json()
        assert "0.25" in text
        for secret in ("secret-nudge-text", "agent-x9", "gpt-modeA-3", "task003"):
            assert secret not in text


def test_snippets_are_marked_in_the_transcript() -> None:
    output = "\x1b[0mThe proportion is **0.25**.\n\n```\nx = 3\n```\n<pre>0.25</pre>"
    view = shown(transcript(1, output))
    marked = [s.text[a:b] for step in view.steps for s in step.segments for a, b in s.marks]
    assert marked == ["0.25", "0.25"]
    best = [s for step in view.steps for s in step.segments if s.best is not None]
    assert len(best) == 1
    assert best[0].kind == "prose"


def test_a_very_long_stretch_is_shortened_around_its_mark() -> None:
    output = "a b " * 30_000 + "The proportion is 0.25 " + "c d " * 10_000
    view = shown(transcript(1, output))
    (segment,) = view.steps[0].segments
    assert len(segment.text) < LONGEST_SEGMENT + 20
    assert segment.hidden > 100_000
    assert [segment.text[a:b] for a, b in segment.marks] == ["0.25"]
    (whole,) = shown(transcript(1, output), whole=True).steps[0].segments
    assert whole.hidden == 0


LONG = "a b " * 6_000
ANSWER = "The answer is **0.25**. "


@pytest.mark.parametrize(
    ("output", "marked", "best"),
    [
        (f"It is 0.11. {LONG} It is 0.22. {LONG} {ANSWER}", ["0.11", "0.25"], 1),
        (f"It is 0.11. {LONG} {ANSWER} {LONG}", ["0.25"], 0),
        (f"{ANSWER} {LONG} It is 0.22. {LONG} It is 0.33.", ["0.25", "0.33"], 0),
        (
            f"It is 0.11. {LONG} It is 0.22. {LONG[:400]} {ANSWER} {LONG} It is 0.33.",
            ["0.22", "0.25", "0.33"],
            1,
        ),
    ],
)
def test_marks_in_what_is_left_out_are_left_out_and_the_best_is_shown(
    output: str, marked: list[str], best: int
) -> None:
    (segment,) = shown(transcript(1, output)).steps[0].segments
    assert [segment.text[a:b] for a, b in segment.marks] == marked
    assert segment.best == best
    whole = shown(transcript(1, output), whole=True).steps[0].segments[0]
    assert len(whole.marks) >= len(marked)


@pytest.mark.parametrize(
    ("text", "lengths"),
    [
        ("x" * 9_000, [("", 9_000)]),
        ("short\n" + "x" * 25_000, [("", 6), ("part", 10_000), ("part", 10_000), ("", 5_000)]),
        ("x y " * 5_000 + "\nshort", [("part", 10_000), ("part", 10_000), ("", 6)]),
        ("x" * 9_999 + "e\u0301" * 10, [("part", 9_999), ("", 20)]),
        ("\u0301" * 10_001, [("part", 10_000), ("", 1)]),
    ],
)
def test_very_long_lines_are_shown_in_parts(text: str, lengths: list[tuple[str, int]]) -> None:
    pieces = Segment(text=text).pieces()
    assert "".join(piece for piece, _ in pieces) == text
    assert [(kind, len(piece)) for piece, kind in pieces] == lengths


def test_a_mark_in_a_very_long_line_is_a_piece_of_its_own() -> None:
    pieces = Segment(text="x" * 30_000, marks=((12_000, 12_004),), best=0).pieces()
    assert [len(piece) for piece, _ in pieces] == [10_000, 2_000, 4, 10_000, 7_996]
    assert [kind for _, kind in pieces] == ["part", "", "best", "part", ""]


def test_a_very_long_step_shows_its_snippets_and_its_end_and_counts_the_rest() -> None:
    printout = "\n".join(["row done"] * 8_000)
    printouts = [f"<pre>{printout}</pre>"] * 12
    one = transcript(1, "\n\n".join(["The proportion is 0.25.", *printouts, "See above."]))
    first, gap, *rest = shown(one).steps[0].segments
    assert [first.text[a:b] for a, b in first.marks] == ["0.25"]
    assert (gap.text, gap.hidden) == ("", 2 * len(printout))
    assert [segment.kind for segment in rest] == ["printed output"] * 10 + ["prose"]
    whole = shown(one, whole=True).steps[0].segments
    assert [x.text for x in whole] == [first.text, *[printout] * 12, rest[-1].text]
    assert not any(x.hidden for x in whole)


def test_very_long_printed_output_is_shown_as_such() -> None:
    rows = "\n".join("row 0.5 0.25" for _ in range(20_000))
    view = shown(transcript(1, f"<pre>{rows}</pre>The proportion is 0.25."))
    assert [segment.kind for segment in view.steps[0].segments] == ["printed output", "prose"]


@pytest.mark.parametrize("one", hostile_transcripts(), ids=lambda t: t.transcript_id)
def test_hostile_transcripts_can_be_shown(one: Transcript) -> None:
    blind_item(one).model_dump_json().encode("utf-8")
    for whole in (False, True):
        shown(one, whole=whole).model_dump_json().encode("utf-8")


def test_a_transcript_without_steps_says_so() -> None:
    one = transcript(1).model_copy(update={"steps": ()})
    assert blind_item(one).problem == "This transcript has no steps."
    blank = one.model_copy(update={"steps": (Step(),)})
    assert shown(blank).steps[0].segments == ()
