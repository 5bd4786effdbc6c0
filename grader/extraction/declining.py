"""Does an output end without an answer: says that there is none, declines it, puts it off?"""

from __future__ import annotations

from ..text import Block
from ..text.closing import says_no_value
from ..text.keywords import has_word, share, words
from ..text.sentences import last_sentence, sentences
from . import refusals
from .parts import PLAIN
from .scan import Scan
from .undecided import is_undecided, leaves_choice

_MOST_SENTENCES = 1000  # characters of a block that are looked through for a refusal
_LAST_SENTENCES = 3
_ASKED_FOR = frozenset({"which", "question", "answer", "single"})


def states_no_number(scan: Scan) -> bool:
    """True if the answer section says that there is no value, or gives an expression and no number;
    if the output ends by declining to answer, or puts the answer off before any number of it."""
    if scan.has_none is None:
        scan.has_none = _states_none(scan)
    return scan.has_none


def _states_none(scan: Scan) -> bool:
    blocks = scan.output.blocks
    answers = [block for block in blocks if block.kind == "answer"]
    prose = [block for block in blocks if block.kind == "prose" and has_word(block.text)]
    if not answers:
        if prose and any(map(leaves_choice, _end_of(prose[-1]))):
            return not _points_at_one(scan, prose, in_bold=False)
        return _ends_by_declining(scan, prose) and not _points_at_one(scan, prose)
    marks = [mark for block in answers for mark in scan.marks(block)]
    if not marks:
        return says_no_value(answers[-1].text) or _puts_off(scan, prose)
    if all(mark.rule is not None and mark.rule.name == "expression" for mark in marks):
        return True
    if _points_at_one(scan, answers):
        return False
    return _puts_off(scan, answers) or _leaves_open(scan, answers[-1])


def _leaves_open(scan: Scan, answer: Block) -> bool:
    """Whether an answer section ends by saying that it is undecided which of its values it is."""
    start, end = last_sentence(answer.text)
    values = {mark.number.value for mark in scan.marks(answer) if mark.standing == PLAIN}
    return len(values) > 1 and is_undecided(answer.text[start:end])


def _ends_by_declining(scan: Scan, prose: list[Block]) -> bool:
    """True if the last sentence says that the agent cannot give what is asked for, if any does so
    where all numbers have marks, or the answer is put off."""
    if not prose:
        return False
    if any(_refuses(scan, sentence) for sentence in _last_said(scan, prose[-1])):
        return True
    return _refuses_before(scan, prose) or _puts_off(scan, prose)


def _points_at_one(scan: Scan, blocks: list[Block], *, in_bold: bool = True) -> bool:
    marks = [mark for block in blocks for mark in scan.marks(block)]
    return any(mark.pinned or mark.announced or (in_bold and mark.emphasised) for mark in marks)


def _refuses_before(scan: Scan, prose: list[Block]) -> bool:
    """Whether a sentence of prose without a plain number says that no answer is given."""
    if any(scan.standing(block) == PLAIN for block in prose):
        return False
    texts = [block.text[:_MOST_SENTENCES] for block in prose]
    return any(_refuses(scan, text[start:end]) for text in texts for start, end in sentences(text))


def _puts_off(scan: Scan, blocks: list[Block]) -> bool:
    """Whether some blocks put the answer off before they give a number that may be it."""
    for block in blocks:
        place = refusals.puts_off(block.text[:_MOST_SENTENCES])
        plain = [mark.number.start for mark in scan.marks(block) if mark.standing == PLAIN]
        if place is not None and not (plain and plain[0] < place):
            return True
        if plain:
            return False
    return False


def _end_of(block: Block) -> list[str]:
    """The last sentences of a block."""
    near = block.text[-_MOST_SENTENCES:]
    return [near[start:end] for start, end in sentences(near)][-_LAST_SENTENCES:]


def _last_said(scan: Scan, block: Block) -> list[str]:
    """The last sentence of a block; all of a block without numbers."""
    text = block.text
    if not scan.numbers(block):
        near = text[-_MOST_SENTENCES:]
        return [near[start:end] for start, end in sentences(near)]
    start, end = last_sentence(text)
    return [text[start:end]]


def _refuses(scan: Scan, sentence: str) -> bool:
    if leaves_choice(sentence):
        return True
    if not refusals.refuses(sentence):
        return False
    said = words(sentence)
    return share(scan.question.target, said) > 0 or not said.isdisjoint(_ASKED_FOR)
