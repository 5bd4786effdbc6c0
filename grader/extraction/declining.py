"""Does an output end without an answer: says that there is none, declines to give it, asks back?"""

from __future__ import annotations

from collections.abc import Iterator

from ..text import Block
from ..text.closing import says_no_value
from ..text.keywords import has_word, share, words
from ..text.sentences import last_sentence, sentences
from . import refusals
from .parts import PLAIN
from .scan import Scan

_MOST_SENTENCES = 1000  # characters of a block that are looked through for a refusal
_ASKED_FOR = frozenset({"which", "question", "answer", "single"})


def states_no_number(scan: Scan) -> bool:
    """True if the answer section says that there is no value, gives an expression and no number, or
    asks back before any; without one, if the output ends by declining to answer."""
    if scan.gives_none is None:
        scan.gives_none = _gives_none(scan)
    return scan.gives_none


def _gives_none(scan: Scan) -> bool:
    answers = [block for block in scan.output.blocks if block.kind == "answer"]
    if not answers:
        return _ends_by_declining(scan)
    marks = [mark for block in answers for mark in scan.marks(block)]
    if not marks:
        return says_no_value(answers[-1].text) or _ends_by_declining(scan)
    if all(mark.rule is not None and mark.rule.name == "expression" for mark in marks):
        return True
    return _asks_first(scan, answers) and not _points_at_one(scan, answers)


def _ends_by_declining(scan: Scan) -> bool:
    """True if the last sentence says that the agent cannot give what is asked for, the last block
    asks back before any number, or any sentence declines where all numbers have marks, and no
    number is pointed at or in bold."""
    prose = [
        block for block in scan.output.blocks if block.kind == "prose" and has_word(block.text)
    ]
    if not prose or not (
        any(_refuses(scan, sentence) for sentence in _last_said(scan, prose[-1]))
        or _asks_first(scan, prose[-1:])
        or _refuses_before(scan, prose)
    ):
        return False
    return not _points_at_one(scan, prose)


def _points_at_one(scan: Scan, blocks: list[Block]) -> bool:
    marks = [mark for block in blocks for mark in scan.marks(block)]
    return any(mark.pinned or mark.announced or mark.emphasised for mark in marks)


def _refuses_before(scan: Scan, prose: list[Block]) -> bool:
    """Whether a sentence of prose without a plain number says that no answer is given."""
    if any(scan.standing(block) == PLAIN for block in prose):
        return False
    return any(_refuses(scan, sentence) for block in prose for sentence in _first_said(block))


def _asks_first(scan: Scan, blocks: list[Block]) -> bool:
    """Whether some blocks ask which answer is wanted before they give a number."""
    for block in blocks:
        if not refusals.may_ask_back(block.text):
            continue
        plain = [mark.number.start for mark in scan.marks(block) if mark.standing == PLAIN]
        asked = refusals.asks_back(block.text[:_MOST_SENTENCES])
        if asked is not None and (not plain or asked < plain[0]):
            return True
        if plain:
            return False
    return False


def _first_said(block: Block) -> Iterator[str]:
    text = block.text[:_MOST_SENTENCES]
    for start, end in sentences(text):
        yield text[start:end]


def _last_said(scan: Scan, block: Block) -> list[str]:
    """The last sentence of a block; all of a block without numbers."""
    text = block.text
    if not scan.numbers(block):
        near = text[-_MOST_SENTENCES:]
        return [near[start:end] for start, end in sentences(near)]
    start, end = last_sentence(text)
    return [text[start:end]]


def _refuses(scan: Scan, sentence: str) -> bool:
    if refusals.leaves_choice(sentence):
        return True
    if not refusals.refuses(sentence):
        return False
    said = words(sentence)
    return share(scan.question.target, said) > 0 or not said.isdisjoint(_ASKED_FOR)
