"""Snippets: where they are cut, what they show, and that they keep still."""

import re

import pytest

from annotate.snippets import WIDTH, Place, cut, snippets
from grader.readers import read
from grader.records import Step, Task, Transcript
from tests.shared_data import SHARED, needs_shared

from .hostile import hostile_transcripts
from .runs import transcript

UI = ("Execute code", "Click to view", "Next, you can", "suggestion-btn", "<details", "<pre")


def test_the_value_is_highlighted_with_words_around_it() -> None:
    (first, *_) = snippets(transcript(7))
    assert first.value == "0.25"
    assert first.before.endswith("proportion of item 7 is **")
    assert (first.kind, first.step) == ("prose", 1)


def test_cut_at_word_boundaries_to_about_the_width() -> None:
    text = "alphabet " * 40 + "the answer is 0.25 " + "omicron " * 40
    start = text.index("0.25")
    found = cut(text, "prose", Place(0, 0, start, start + 4))
    whole = found.before + found.value + found.after
    assert WIDTH - 20 <= len(whole) <= WIDTH + 4
    assert set(re.findall(r"\w{3,}", found.before)) <= {"alphabet", "the", "answer"}
    assert set(re.findall(r"\w{3,}", found.after)) == {"omicron"}
    assert found.before.startswith("… ")
    assert found.after.endswith(" …")


def test_prose_and_output_are_told_apart_and_line_ends_kept_in_output() -> None:
    output = "```python\nprint(p)\n```\n<pre>a 1\nproportion 0.25</pre>The proportion is 0.25."
    found = snippets(transcript(1, output))
    assert [s.kind for s in found] == ["prose", "printed output"]
    assert found[1].before + found[1].value == "a 1 ⏎ proportion 0.25"


def test_without_a_number_the_end_of_the_response_is_shown() -> None:
    (only,) = snippets(transcript(1, "I could not open the file. Which column should I use?"))
    assert only.value == ""
    assert only.before.endswith("Which column should I use?")


def test_an_answer_before_a_long_printout_is_found() -> None:
    printout = "\n".join(f"row {name} done" for name in "abcdefgh" * 3000)
    (first, *_) = snippets(transcript(1, f"The proportion is 0.25.\n\n{printout}\n\nSee above."))
    assert first.value == "0.25"


def test_an_empty_transcript_has_no_snippet() -> None:
    assert snippets(transcript(1, "")) == []
    empty = Transcript(transcript_id="t", task=Task(task_id="t"))
    assert snippets(empty) == []


def test_choice_tasks_show_the_option() -> None:
    task = Task(
        task_id="c",
        question="Which holds? A. up B. down",
        ground_truth="B",
        answer_kind="choice",
        choices=("A", "B"),
    )
    steps = (Step(raw_output="After some thought, the answer is B."),)
    found = snippets(Transcript(transcript_id="c", task=task, steps=steps))
    assert found[0].value == "B"


def test_the_truth_does_not_choose_the_snippet() -> None:
    output = "The proportion is 0.31.\n\nAn unrelated figure is 0.25."
    texts = {
        truth: [s.before + s.value for s in snippets(transcript(1, output, truth=truth))]
        for truth in ("0.25", "0.31", "7")
    }
    assert texts["0.25"] == texts["0.31"] == texts["7"]


def test_nor_do_published_words() -> None:
    steps = (Step(raw_output="It is red wine.\n\nAs I said, the bottle is dark."),)
    for truth in ("red", "dark", "green"):
        task = Task(task_id="w", question="Which?", ground_truth=truth, answer_kind="text")
        (only,) = snippets(Transcript(transcript_id="w", task=task, steps=steps))
        assert (only.value, only.before[-5:]) == ("", "dark.")


@needs_shared
def test_on_recorded_transcripts() -> None:
    path = SHARED / "data" / "transcripts" / "transcripts.jsonl"
    shown = 0
    for one in read(path):
        found = snippets(one)
        assert found == snippets(one)
        assert 1 <= len(found) <= 4
        for snippet in found:
            text = snippet.before + snippet.value + snippet.after
            assert len(text) <= WIDTH + 10
            assert not any(mark in text for mark in UI), text
        shown += any(s.value for s in found)
    assert shown >= 57  # three of sixty have no answer to show


@pytest.mark.parametrize("one", hostile_transcripts(), ids=lambda t: t.transcript_id)
def test_hostile_transcripts_give_clean_snippets(one: Transcript) -> None:
    for snippet in snippets(one):
        text = snippet.before + snippet.value + snippet.after
        text.encode("utf-8")
        assert not re.search(r"[\x00-\x1f\x7f\u202a-\u202e\ud800-\udfff]", text)
        assert len(text) <= WIDTH + 10
