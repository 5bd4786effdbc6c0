"""Tasks that ask for words and offer no options: what an output says in answer, found without
the published words, and whether it gives these, looked for only to compare."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Mapping

from ..records import Candidate, Extraction, Half, Task
from ..settings import GradeSettings
from ..text import Block
from ..text.formats import BlockKind
from .choice_parser import LEADING_SIGNS, MOST_MENTIONS, mention_evidence
from .choices import find_mentions, published_words
from .phrases import EXPLICIT, declines
from .region import ANSWER_BEARING, nothing_found
from .scan import Scan

LONGEST_ANSWER = 200  # characters of a long text that stand for it: its last ones
# An explicit answer speaks for an output, else what it ends in; what it thinks, if it says nothing.
_PRECEDENCE: tuple[BlockKind, ...] = ("answer", "prose", "execution", "reasoning")
_ANSWER_IS = re.compile(
    EXPLICIT.pattern + r"|\banswer (?:is|would be)\b", re.IGNORECASE | re.MULTILINE
)
_ANSWER = re.compile(r"[\W_]*[^\n]*")  # from the first word on, to the end of its line
# What stands right before words that are given as the answer, and right after them.
_PREDICATE = re.compile(
    r"(?:\b(?:is|are|was|were|be|called|named|choose|chose|select(?:ed)?|pick(?:ed)?|recommend)"
    r"\s(?:the\s|an?\s)?)[\s*_`\"'“(\[{]*$",
    re.IGNORECASE,
)
_CLAUSE_START = re.compile(
    r"(?:^|[.,:!?]\s)[\W_]*(?:(?:so|thus|hence|therefore),?\s)?(?:the\s|an?\s)?[\W_]*$",
    re.IGNORECASE,
)
_SUBJECT_OF = re.compile(
    r"[\W_]{0,4}(?:is|are|was|were|ha[sd])\s(?!\W*\d|(?:\w+\s)?(?:worse|less|lower|fewer|smaller"
    r"|second|third|last)\b)",
    re.IGNORECASE,
)
_LABEL, _LINE_END = re.compile(r":\s[\W_]*$"), re.compile(r"[\W_]{0,4}(?:\n|$)")
_OPENING = re.compile(r"[\W_]*(?:the\s|an?\s)?[\W_]*", re.IGNORECASE)
_NOTHING = re.compile(r"[\W_]*")
_DOUBTS = frozenset({"negated", "supposed"})
_WORDS_BEFORE = 80  # characters


def parse_text(scan: Scan, half: Half, settings: GradeSettings) -> Extraction:
    """What one half of an output says, as the only candidate: its explicit answer, else its last
    block. A block that declines to answer says nothing; without candidates, nothing is said."""
    block = _speaking(scan, half)
    if block is None:
        return nothing_found(half)
    start, end, rule = _answer_of(block)
    said = block.text[start:end]
    score = scan.block_score(block)
    return Extraction(
        parser="keyword",
        half=half,
        region_text=block.text,
        region_score=round(score, 6),
        low_confidence=score <= settings.region_threshold,
        candidates=(Candidate(value=said, text=said, span=(start, end), rule=rule),),
        scalar=said,
    )


def _speaking(scan: Scan, half: Half) -> Block | None:
    for kind in _PRECEDENCE:
        if kind in ANSWER_BEARING[half]:
            said = [b for b in scan.output.blocks if b.kind == kind and _says_something(b.text)]
            if kind == "prose" and (explicit := [b for b in said if _explicit(b.text)]):
                return explicit[-1]
            if said:
                return said[-1]
    return None


def _says_something(text: str) -> bool:
    return any(sign.isalnum() for sign in text) and not declines(text)


def _answer_of(block: Block) -> tuple[int, int, str]:
    """Where a block's answer starts and ends, and the rule that says so."""
    if block.kind == "answer":
        start, end, rule = 0, len(block.text), "answer_section"
    elif (explicit := _explicit(block.text)) and block.kind == "prose":
        start, end, rule = *explicit, "explicit"
    else:
        start, end, rule = 0, len(block.text), "final_text"
    return max(start, end - LONGEST_ANSWER), end, rule


def _explicit(text: str) -> tuple[int, int] | None:
    """What follows the last "answer:", "the answer is" or the like, to the end of its line."""
    last = deque(_ANSWER_IS.finditer(text), maxlen=1)
    answer = _ANSWER.match(text, last[0].end()) if last else None
    return answer.span() if answer and answer[0].strip(LEADING_SIGNS + ":=.") else None


def find_published(said: Extraction, scan: Scan, task: Task) -> Extraction:
    """Where an output gives the published words as its answer. Of an explicit answer (`said`, as
    `parse_text` found it) nothing else counts; else a sentence of its prose gives them, or a
    printed block that says nothing else. No candidate if it does not."""
    known = published_words(task)
    answer = said.candidates[0]
    if answer.rule != "final_text":
        found = [_opens(answer.text, known) or _given(answer.text, known)]
    else:
        blocks, prose = scan.output.blocks, ANSWER_BEARING[said.half]
        found = [_whole(block.text, known) for block in blocks if block.kind == "execution"]
        found += [_given(block.text, known) for block in blocks if block.kind in prose]
    given = [mention for mention in found if mention]
    return said.model_copy(update={"candidates": tuple(given[-1:])})


def _opens(text: str, known: Mapping[str, str]) -> Candidate | None:
    """The published words, if an explicit answer opens with them."""
    first = next(iter(find_mentions(text, known)), None)
    return first if first and _OPENING.fullmatch(text, 0, first.span[0]) else None


def _given(text: str, known: Mapping[str, str]) -> Candidate | None:
    """The last mention of the published words that a text gives as its answer."""
    if whole := _whole(text, known):
        return whole
    for mention in reversed(find_mentions(text, known)[-MOST_MENTIONS:]):
        start, end = mention.span
        before = text[max(0, start - _WORDS_BEFORE) : start]
        gives = (
            _PREDICATE.search(before)
            or (_CLAUSE_START.search(before) and _SUBJECT_OF.match(text, end))
            or (_LABEL.search(before) and _LINE_END.match(text, end))
            or (before.endswith("**") and text.count("**") == 2)
        )
        if gives and _DOUBTS.isdisjoint(mention_evidence(text, mention, 0, known)):
            return mention
    return None


def _whole(text: str, known: Mapping[str, str]) -> Candidate | None:
    """The published words, if a text says nothing else."""
    first = _opens(text, known)
    return first if first and _NOTHING.fullmatch(text, first.span[1]) else None


def last_published(text: str, task: Task) -> Extraction:
    """The last mention of the published words in a text, whatever is said of them: the baseline."""
    mentions = find_mentions(text, published_words(task))
    return Extraction(parser="heuristic", half="verbal", candidates=tuple(mentions[-1:]))
