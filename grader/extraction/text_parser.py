"""Tasks that ask for words and offer no options: what an output says in answer, found without
the published words, and whether it gives these, looked for only to compare."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise

from ..records import Candidate, Extraction, Half, Task
from ..settings import GradeSettings
from ..text import Block
from ..text.formats import BlockKind
from ..text.keywords import words
from .choice_evidence import LEADING_SIGNS, MOST_MENTIONS, mention_evidence
from .choices import published_words
from .mentions import find_mentions
from .phrases import EXPLICIT, declines
from .question import Question
from .region import ANSWER_BEARING, nothing_found
from .scan import LONGEST_BLOCK, Scan
from .values import gives_several

LONGEST_ANSWER = 200  # characters of a long text that stand for it: its last ones
# An explicit answer speaks for an output, else what it ends in; what it thinks, if it says nothing.
_PRECEDENCE: tuple[BlockKind, ...] = ("answer", "prose", "execution", "reasoning")
_ANSWER_IS = re.compile(
    EXPLICIT.pattern + r"|\banswer (?:is|would be)\b", re.IGNORECASE | re.MULTILINE
)
_ANSWER = re.compile(r"[\W_]*[^\n]*")  # from the first word on, to the end of its line
_CLAUSE_START = (
    r"(?:^|[.,:!?]\s)[\W_]*(?:(?:so|thus|hence|therefore),?\s)?"
    r"(?:(?:in|among|of|after|by|on|at|for|with)\s[^,;:]{1,40}?,?\s)?(?:the\s|an?\s)?[\W_]*$"
)
# `the negative binomial regression has`: what kind of thing it is may follow the words.
_KIND = r"(?:[*_`]*\s(?:model|regression|test|method|distribution|algorithm|approach|group|one))?"
_VERB_OF_SUBJECT = (
    _KIND + r"[\W_]{0,4}(?:is|are|was|were|ha[sd]|(?:comes|ranks)\sfirst"
    r"|(?:fits?|suits?|perform|achiev|outperform|yield|gives?|gave|wins?|won"
    r"|leads?|led)\w*)\b(?!\W*\d|\s(?:\w+\s)?(?:worse|less|lower|fewer|smaller|second|third"
    r"|last)\b)"
)
_VERB_OF_OBJECT = (
    r"(?:\b(?:(?:is|are|was|were)\s(?:(?:that|those)\sof|(?:\w+ly\s|thus\s)?\w+ed\sby)|known\sas"
    r"|is|are|was|were|be|called|named|choose|chose|select(?:ed)?|pick(?:ed)?|recommend"
    r"|go with|(?:achieved|given|won|led) by)\s(?:the\s|an?\s)?)[\s*_`\"'“(\[{]*$"
)
# How a sentence gives words as the answer: what is before them, and what is after.
_GIVES: tuple[tuple[str, re.Pattern[str], re.Pattern[str]], ...] = tuple(
    (name, re.compile(before, re.IGNORECASE), re.compile(after, re.IGNORECASE))
    for name, before, after in (
        ("object", _VERB_OF_OBJECT, ""),
        ("subject", _CLAUSE_START, _VERB_OF_SUBJECT),
        ("label", r":[*_]*\s[\W_]*$", r"[*_]*(?:\s\([^()\n]{1,40}\))?[\W_]{0,4}(?:\n|$)"),
        ("only_bold", r"^[^*]*\*\*$", r"[^*]*\*\*[^*]*$"),
    )
)
_OPENING = re.compile(r"[\W_]*(?:the\s|an?\s)?[\W_]*", re.IGNORECASE)
_FIRST_CLAUSE = re.compile(
    r"[\W_]*(?:(?!\b(?:as|and|but|or|not|than|over|versus|vs|because|since|while)\b)[^,;.(\n])*",
    re.IGNORECASE,
)
_NOTHING = re.compile(r"[\W_]*")
_CLAUSE_BREAK = re.compile(r"[.;,!?](?=\s)|\n")
_DOUBTS = frozenset({"negated", "supposed"})
_AROUND = 300  # characters before and after a mention
# What is asked for by a superlative is only what this is said of: "the most common species".
_SUPERLATIVE = re.compile(
    r"\b(?:most|least|best|worst|first|last|(?!\w*(?:for|inter|requ|cont|prot|sugg|inv)est)\w{3,}est)\b"
)
_HIGHEST = frozenset("most highest largest greatest strongest biggest best top maximum".split())
_LOWEST = frozenset("least lowest smallest weakest fewest minimum worst".split())
_SAYS = re.compile(r"\b(?:is|are|was|were|ha[sd])\b|:\s", re.IGNORECASE)
_ITS_WORDS = frozenset("it result winner choose select pick recommend".split())


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


def find_published(said: Extraction, scan: Scan, task: Task, settings: GradeSettings) -> Extraction:
    """Where an output gives the published words as its answer. Of an explicit answer (`said`, as
    `parse_text` found it) only the first clause counts, of what is printed a block that says
    nothing else; else a clause of its prose gives them that speaks of what is asked for. Where
    several values are published, what is said must give them all. No candidate if none does."""
    known, answer = published_words(task), said.candidates[0]
    if gives_several(_all_that_is_said(said, scan), task.ground_truth or "", settings):
        return said.model_copy(update={"candidates": (replace(answer, rule="values"),)})
    if answer.rule != "final_text":
        found = [_first(answer.text, known, _FIRST_CLAUSE)]
    else:
        asked = _asked_for(scan.question)
        prose = [block.text for block in scan.output.blocks if block.kind == "prose"]
        found = [_whole(answer.text, known)]
        found += [_given(text, known, asked) for text in prose if said.half == "verbal"]
    given = [mention for mention in found if mention]
    return said.model_copy(update={"candidates": tuple(given[-1:])})


def _all_that_is_said(said: Extraction, scan: Scan) -> str:
    """The explicit answer of an output and what follows it in its block; else its whole half, of
    which the end counts if it is long."""
    answer = said.candidates[0]
    if answer.rule == "explicit":
        return said.region_text[answer.span[0] :]
    if answer.rule == "answer_section":
        return said.region_text
    kinds = ANSWER_BEARING[said.half]
    half = "\n".join([block.text for block in scan.output.blocks if block.kind in kinds])
    return half[-LONGEST_BLOCK:]


def _asked_for(question: Question) -> frozenset[str]:
    """Words, of which a clause must hold one to be about what the question asks for; none for an
    empty question."""
    superlatives = frozenset(_SUPERLATIVE.findall(question.text.lower()))
    asked = superlatives or question.target
    for synonyms in (_HIGHEST, _LOWEST):
        if superlatives & synonyms:
            asked |= synonyms
    return asked | _ITS_WORDS if asked else asked


def _first(
    text: str, known: Mapping[str, str], lead: re.Pattern[str] = _OPENING
) -> Candidate | None:
    """The published words, if a text opens with them, but for what `lead` lets stand before."""
    first = next(iter(find_mentions(text, known)), None)
    if first is None or not lead.fullmatch(text, 0, first.span[0]):
        return None
    return None if _is_doubted(text, first, known) else first


def _whole(text: str, known: Mapping[str, str]) -> Candidate | None:
    """The published words, if a text says nothing else."""
    first = _first(text, known)
    return first if first and _NOTHING.fullmatch(text, first.span[1]) else None


def _given(text: str, known: Mapping[str, str], asked: frozenset[str]) -> Candidate | None:
    """The last mention of the published words in a clause that gives them as what is asked for;
    its rule says how. None if a later clause says something else of it."""
    for start, end in reversed(_clauses(text)):
        clause = text[start:end]
        if not asked or not asked.isdisjoint(words(clause)):
            mentions = find_mentions(clause, known)[-MOST_MENTIONS:]
            if asked and not mentions and _SAYS.search(clause):
                return None
            for mention in reversed(mentions):
                if (rule := _rule_of(clause, mention)) and not _is_doubted(clause, mention, known):
                    first, last = mention.span
                    return replace(mention, rule=rule, span=(start + first, start + last))
    return None


def _clauses(text: str) -> list[tuple[int, int]]:
    breaks = [match.end() for match in _CLAUSE_BREAK.finditer(text)]
    return list(pairwise([0, *breaks, len(text)]))


def _rule_of(clause: str, mention: Candidate) -> str | None:
    """How a clause gives a mention as the answer, if it does."""
    start, end = mention.span
    before, after = clause[max(0, start - _AROUND) : start], clause[end : end + _AROUND]
    for name, ends_with, starts_with in _GIVES:
        if ends_with.search(before) and starts_with.match(after):
            return name
    return None


def _is_doubted(text: str, mention: Candidate, known: Mapping[str, str]) -> bool:
    return not _DOUBTS.isdisjoint(mention_evidence(text, mention, 0, known))


def last_published(text: str, task: Task) -> Extraction:
    """The last mention of the published words in a text, whatever is said of them: the baseline."""
    mentions = find_mentions(text, published_words(task))
    return Extraction(parser="heuristic", half="verbal", candidates=tuple(mentions[-1:]))
