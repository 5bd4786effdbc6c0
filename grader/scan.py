"""One output read for one question: its numbers and marks, found once and shared.

Every parser works on a `Scan`; a block's numbers are looked for when first asked for.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from .formats import BlockKind
from .keywords import words
from .numbers import Quantity, find_numbers
from .question import Question
from .rules import SUPERSEDED, Rule, Sight, first_mark, look
from .text import Block, Output

# Of a longer block only the end is searched for answers, so that cost stays bounded.
LONGEST_BLOCK, MOST_NUMBERS = 50_000, 400
# Sentences, lines, and the fields of a JSON object.
_SENTENCE_END = re.compile(r"(?<=[.!?])[*_)\"”]*\s+(?=[A-Z*_(\[\"“$\\−-])|\n|,\s*(?=\"\w+\"\s*:)")

EXPLICIT_PHRASE = re.compile(
    r"\\boxed\{|\bfinal[ _]answer\b|\banswer\s*(?:\*\*|__)?\s*[:=]|^#*\s*answer\s*$"
    r"|\"(?:final_)?(?:answer|result|value|estimate|solution|prediction)\"\s*:",
    re.IGNORECASE | re.MULTILINE,
)
CORRECTION = re.compile(
    r"\bwait\b[,.:—]|\bcorrection\s*:|\bthat(?:'s|’s| is| was) (?:wrong|incorrect|not right)"
    r"|\blet me correct|\bI correct\b|\bI made an? (?:mistake|error)|\ba mistake\b|\bscratch that"
    r"|\bon second thought|\bhmm, no\b",
    re.IGNORECASE,
)
STRONG_PHRASE = re.compile(
    r"\bthe answer (?:is|to|comes)|\banswer (?:is|would be)\b|\bconclusion\s*(?:\*\*)?\s*:"
    r"|\bfinal (?:result|value|estimate)\b"
    r"|\b(?:executive summary|bottom line|key (?:finding|result)|headline|tl;dr|in short)\b",
    re.IGNORECASE,
)
WEAK_WORDS = frozenset(
    "therefore thus hence result results rounded overall equals gives yields".split()
)
WEAK_PHRASE = re.compile(
    r"\b(?:so (?:the|that)|in conclusion|in summary|we (?:get|obtain|find)|comes to"
    r"|is approximately)\b|^so\b|≈|\*\*[^*\n]{0,80}\d",
    re.IGNORECASE | re.MULTILINE,
)
EXPLICIT_BONUS, STRONG_BONUS, WEAK_BONUS = 1.0, 0.5, 0.2
# Without one of these in it, a text need not be searched for the phrases above. (Plain `in`
# tests, one after the other: several times faster on long texts than one pattern.)


def _may_be_explicit(low: str) -> bool:
    return (
        "answer" in low
        or "boxed{" in low
        or ('":' in low and ("result" in low or "value" in low or "estimate" in low
                             or "solution" in low or "prediction" in low))
    )  # fmt: skip


def _may_be_strong(low: str) -> bool:
    return (
        "answer" in low or "conclusion" in low or "final" in low or "summary" in low
        or "bottom" in low or "key" in low or "headline" in low or "tl;dr" in low or "short" in low
    )  # fmt: skip


def _may_correct_itself(low: str) -> bool:
    return (
        "wait" in low or "correct" in low or "wrong" in low or "mistake" in low or "error" in low
        or "scratch" in low or "thought" in low or "not right" in low or "hmm" in low
    )  # fmt: skip


def _may_be_weak(low: str) -> bool:
    return (
        "**" in low or "≈" in low or "so" in low or "in conclusion" in low or "in summary" in low
        or "we " in low or "comes to" in low or "is approximately" in low
    )  # fmt: skip


class Marked(NamedTuple):
    """A number with what stands around it and the first rule that fires on it, if any."""

    number: Quantity
    rule: Rule | None
    sight: Sight

    @property
    def standing(self) -> int:
        """2 for a plain number, 1 for one that may come back when no other is left, 0 for one
        that can never be an answer."""
        if self.rule is None:
            return 2
        return int(self.rule.drop == "unless_alone")


def is_pinned(mark: Marked) -> bool:
    """True if an explicit phrase ("final answer:", a box, `"answer":`) points at the number."""
    return _may_be_explicit(mark.sight.before.lower()) and _points_at(
        EXPLICIT_PHRASE, mark.sight.before
    )


def is_announced(mark: Marked) -> bool:
    """True if a weaker phrase ("the answer is", "conclusion:") points at the number."""
    return _may_be_strong(mark.sight.before.lower()) and _points_at(
        STRONG_PHRASE, mark.sight.before
    )


def _points_at(phrase: re.Pattern[str], before: str) -> bool:
    """True if the last such phrase in `before` has no other number behind it."""
    found = list(phrase.finditer(before))
    return bool(found) and _DIGIT.search(before, found[-1].end()) is None


def is_emphasised(mark: Marked) -> bool:
    """True if the number is set in bold, with at most a short sentence around it."""
    if "**" not in mark.sight.before:
        return False
    line, after = mark.sight.before.rpartition("\n")[2], mark.sight.after
    opened = _BOLD.search(line)
    return opened is not None and bool(_BOLD_END.match(after)) and line.count("**") % 2 == 1


_DIGIT = re.compile(r"[0-9]")
_BOLD = re.compile(r"\*\*[^*\n]{0,50}$")
_BOLD_END = re.compile(r"[^*\n]{0,30}\*\*")


class Part(NamedTuple):
    """A sentence or line of a block: its numbers (offsets are the block's) and, where it has
    any, its words."""

    start: int
    end: int
    marks: tuple[Marked, ...]
    words: set[str]


class Scan:
    """The numbers and sentences of one output, for one question."""

    def __init__(self, output: Output, question: Question) -> None:
        self.output = output
        self.question = question
        self._numbers: dict[int, list[Quantity]] = {}
        self._marks: dict[int, tuple[Marked, ...]] = {}
        self._parts: dict[int, list[Part]] = {}
        self._corrected = -1, -1  # raw offset of the block, and place in it, of the last correction
        for block in output.blocks:
            if block.kind in ("prose", "answer") and _may_correct_itself(block.text.lower()):
                for match in CORRECTION.finditer(block.text):
                    self._corrected = block.start, match.start()

    def numbers(self, block: Block) -> list[Quantity]:
        """The numbers of a block: of a long one the last ones only."""
        known = self._numbers.get(block.start)
        if known is None:
            text = block.text
            skipped = max(0, len(text) - LONGEST_BLOCK)
            found = find_numbers(
                text[skipped:] if skipped else text, spaced=block.kind != "execution"
            )
            known = [_shift(number, skipped) for number in found[-MOST_NUMBERS:]]
            self._numbers[block.start] = known
        return known

    def marks(self, block: Block) -> tuple[Marked, ...]:
        """The numbers of a block, with their marks."""
        known = self._marks.get(block.start)
        if known is None:
            kind: BlockKind = "execution" if block.kind == "execution" else "prose"
            sights = [look(n, block.text, kind, self.question) for n in self.numbers(block)]
            known = tuple(
                Marked(sight.number, first_mark(sight) or self._taken_back(block, sight), sight)
                for sight in sights
            )
            self._marks[block.start] = known
        return known

    def _taken_back(self, block: Block, sight: Sight) -> Rule | None:
        """The mark of a number that stands before the output's last correction of itself."""
        if block.kind == "execution":
            return None
        return SUPERSEDED if (block.start, sight.number.end) <= self._corrected else None

    def parts(self, block: Block) -> list[Part]:
        """The sentences and lines of a block."""
        known = self._parts.get(block.start)
        if known is None:
            known = _cut(block.text, self.marks(block))
            self._parts[block.start] = known
        return known

    def block_score(self, block: Block) -> float:
        """The region score of a block."""
        parts = self.parts(block)
        said = parts[0].words if len(parts) == 1 else words(block.text)
        return self.region_score(block.text, said, block.kind)

    def part_score(self, block: Block, part: Part) -> float:
        """The region score of one sentence or line."""
        return self.region_score(block.text[part.start : part.end], part.words)

    def region_score(self, text: str, said: set[str], kind: str = "prose") -> float:
        """Answer-region confidence score of a text: the share of the question's keywords in
        it (`said` are its words), plus a bonus for answer phrases. 0 = no overlap; above 1 is
        possible."""
        keywords, lowered = self.question.keywords, text.lower()
        share = len(keywords & said) / len(keywords) if keywords else 0.0
        if kind == "answer" or (_may_be_explicit(lowered) and EXPLICIT_PHRASE.search(text)):
            return share + EXPLICIT_BONUS
        if _may_be_strong(lowered) and STRONG_PHRASE.search(text):
            return share + STRONG_BONUS
        weak = not WEAK_WORDS.isdisjoint(said) or (
            _may_be_weak(lowered) and WEAK_PHRASE.search(text) is not None
        )
        return share + WEAK_BONUS if weak else share


def _cut(text: str, marks: tuple[Marked, ...]) -> list[Part]:
    """Parts of a text, each with the marks inside it. A cut inside a number is no cut."""
    parts: list[Part] = []
    start = index = 0
    ends = [(m.start(), m.end()) for m in _SENTENCE_END.finditer(text)]
    for stop, following in [*ends, (len(text), len(text) + 1)]:
        first = index
        while index < len(marks) and marks[index].number.start < following:
            index += 1
        if index > first and marks[index - 1].number.end > following:
            index = first
            continue
        end = max(stop, start)
        said = words(text[start:end]) if index > first else set()
        parts.append(Part(start, end, marks[first:index], said))
        start = following
    return parts


def _shift(number: Quantity, by: int) -> Quantity:
    return number._replace(start=number.start + by, end=number.end + by) if by else number
