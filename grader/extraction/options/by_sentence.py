"""The option of a text that names none but answers the question by a sentence: yes or no, what
causes what, whether something rose or fell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...records import Candidate
from ...text import Block
from ..question import Question
from .affirmation import said_affirmation
from .causation import said_direction
from .distinct_words import chosen_by_words
from .rejections import said_rejection
from .rise_or_fall import said_rise_or_fall
from .significance import said_significance


def said_by_sentence(
    blocks: Sequence[Block], options: Mapping[str, str], question: Question
) -> tuple[Block, Candidate] | None:
    """The block that answers so, and the sentence as a mention of its option; None if none does.
    options: their wordings by what they are called."""
    letters = _letters_of_yes_and_no(options)
    known = {word: options[letter] for word, letter in letters.items()} | {
        key: wording for key, wording in options.items() if key not in letters.values()
    }
    rule, said = "causation", said_direction(blocks, known)
    if said is None and known.keys() >= {"yes", "no"}:
        rule, said = "significance", said_significance(blocks, known, question.text)
        if said is None:
            rule, said = "affirmation", said_affirmation(blocks, question.text)
    if said is None:
        rule, said = "rejection", said_rejection(blocks, known, question.text)
    if said is None:
        rule, said = "significance", said_significance(blocks, known, question.text)
    if said is None:
        rule, said = "rise_or_fall", said_rise_or_fall(blocks, known, question)
    if said is None:
        rule, said = "distinct_words", chosen_by_words(blocks, known)
    if said is None:
        return None
    block, start, end, answer = said
    answer = letters.get(answer, answer)
    return block, Candidate(answer, block.text[start:end], (start, end), rule=rule)


def _letters_of_yes_and_no(options: Mapping[str, str]) -> dict[str, str]:
    """The letters of the options yes and no, of "A. Yes B. No C. Cannot tell"; empty if these have
    none."""
    found = {wording.strip(" .").lower(): key for key, wording in options.items()}
    if not found.keys() >= {"yes", "no"} or found["yes"] == "yes":
        return {}
    return {"yes": found["yes"], "no": found["no"]}
