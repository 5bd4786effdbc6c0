"""Sentences of prose: every character in one, and the same sentence found from any place in it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from grader.text.sentences import last_sentence, sentence_around, sentences

PROSE = st.text(alphabet="ab .!?\n", max_size=40)


@given(PROSE)
def test_sentences_are_the_whole_text(text: str) -> None:
    assert "".join(text[start:end] for start, end in sentences(text)) == text


@given(PROSE, st.data())
def test_the_sentence_around_a_word_is_one_of_all(text: str, data: st.DataObject) -> None:
    words = [place for place, sign in enumerate(text) if sign in "ab"]
    if not words:
        return
    place = data.draw(st.sampled_from(words))
    start, end = sentence_around(text, place, place + 1)
    whole = next(span for span in sentences(text) if span[0] <= place < span[1])
    assert start == whole[0]
    assert end in (whole[1], whole[1] - 1)


def test_an_abbreviation_ends_no_sentence() -> None:
    text = "First. Treated vs. controls differ. Last."
    assert [text[start:end] for start, end in sentences(text)] == [
        "First.",
        " Treated vs. controls differ.",
        " Last.",
    ]
    place = text.index("controls")
    start, end = sentence_around(text, place, place + 8)
    assert text[start:end] == " Treated vs. controls differ"


def test_the_last_sentence_leaves_blanks_out() -> None:
    text = "One. The answer is no.\n\n"
    start, end = last_sentence(text)
    assert text[start:end] == " The answer is no."
