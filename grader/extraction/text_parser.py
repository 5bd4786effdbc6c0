"""Tasks that ask for words and offer no options: what an output says in answer, found without
the published words, and whether it states these, looked for only to compare."""

from __future__ import annotations

from ..records import Candidate, Extraction, Half, Task
from ..settings import GradeSettings
from ..text import Block
from ..text.formats import BlockKind
from .choice_parser import parse_choice
from .choices import find_mentions, published_words
from .phrases import declines
from .region import ANSWER_BEARING
from .scan import Scan

LONGEST_ANSWER = 200  # characters of a long text that stand for it: its last ones
# An explicit answer speaks for an output, else what it ends in; what it thinks, if it says nothing.
_PRECEDENCE: tuple[BlockKind, ...] = ("answer", "prose", "execution", "reasoning")


def parse_text(scan: Scan, half: Half, settings: GradeSettings) -> Extraction:
    """What one half of an output says: its explicit answer, else its last block, as the only
    candidate. A block that declines to answer says nothing. None if nothing is said."""
    block = _speaking(scan, half)
    if block is None:
        return Extraction(parser="keyword", half=half, region_score=0.0, low_confidence=True)
    start = max(0, len(block.text) - LONGEST_ANSWER)
    said = block.text[start:]
    rule = "answer_section" if block.kind == "answer" else "final_text"
    score = scan.block_score(block)
    return Extraction(
        parser="keyword",
        half=half,
        region_text=block.text,
        region_score=round(score, 6),
        low_confidence=score <= settings.region_threshold,
        candidates=(Candidate(value=said, text=said, span=(start, len(block.text)), rule=rule),),
        scalar=said,
    )


def _speaking(scan: Scan, half: Half) -> Block | None:
    for kind in _PRECEDENCE:
        if kind in ANSWER_BEARING[half]:
            for block in reversed(scan.output.blocks):
                if block.kind == kind and _says_something(block.text):
                    return block
    return None


def _says_something(text: str) -> bool:
    return any(sign.isalnum() for sign in text) and not declines(text)


def find_published(scan: Scan, task: Task, settings: GradeSettings) -> Extraction:
    """Where an output states the published words, as an answer and not to deny them: in its
    verbal half, else in its execution half. No candidate if it does not."""
    known = published_words(task)
    verbal = parse_choice(scan, "verbal", known, settings)
    return verbal if verbal.candidates else parse_choice(scan, "execution", known, settings)


def last_published(text: str, task: Task) -> Extraction:
    """The last mention of the published words in a text, whatever is said of them: the baseline."""
    mentions = find_mentions(text, published_words(task))
    return Extraction(parser="heuristic", half="verbal", candidates=tuple(mentions[-1:]))
