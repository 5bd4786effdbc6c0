"""One output read for one question: its numbers and marks, found once and shared.

Every parser works on a `Scan`; a block's numbers are looked for when first asked for.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

from . import phrases
from .formats import BlockKind
from .keywords import words
from .numbers import Quantity, find_numbers
from .question import Question
from .rules import SUPERSEDED, TERM, Rule, Sight, first_mark, look
from .sections import concluding_blocks
from .text import Block, Output
from .tolerance import same_value

# Of a longer block only the end is searched for answers, so that cost stays bounded.
LONGEST_BLOCK, MOST_NUMBERS = 50_000, 400
MOST_TERMS = 12  # in a block with more numbers, no difference is looked for
_END = (
    r"(?<=[.!?])(?<!\b[ie]\.[eg]\.)(?<!\bvs\.)(?<!\b[Nn]o\.)[*_)\"”]*\s+(?=[A-Z*_(\[\"“$\\−-])"
    r"|\n|,\s*(?=\"\w+\"\s*:)"
)
_SENTENCE_END = re.compile(_END)  # of sentences, lines, and the fields of a JSON object
_FIELD_END = re.compile(_END + r"|[,;]?\s+(?=@\w+\[)")  # and of `@name[value] @other[value]`


class Marked(NamedTuple):
    """A number with what stands around it and the first rule that fires on it, if any.

    standing: 2 for a plain number, 1 for one that may come back when no other is left, 0 for
    one that can never be an answer. pinned: an explicit phrase ("final answer:", a box,
    `"answer":`) points at it; announced: a weaker one does ("the answer is", "conclusion:").
    emphasised: it is set in bold, with at most a short sentence around it.
    """

    number: Quantity
    rule: Rule | None
    sight: Sight
    standing: int
    pinned: bool = False
    announced: bool = False
    emphasised: bool = False


def _is_emphasised(sight: Sight) -> bool:
    line = sight.line
    return (
        "**" in line
        and _BOLD.search(line) is not None
        and _BOLD_END.match(sight.after) is not None
        and line.count("**") % 2 == 1
    )


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
        self._words: dict[int, set[str]] = {}
        self._opening: Block | None = None
        self._concluding: frozenset[int] | None = None
        self._bold: list[Marked] | None = None
        self._corrected: tuple[int, int] | None = None
        self._negative: list[float] | None = None
        self._printed: tuple[float, ...] | None = None

    def numbers(self, block: Block) -> list[Quantity]:
        """The numbers of a block: of a long one the last ones only."""
        known = self._numbers.get(block.start)
        if known is None:
            text = block.text
            skipped = max(0, len(text) - LONGEST_BLOCK)
            spaced = block.kind != "execution"
            found = find_numbers(text[skipped:] if skipped else text, spaced=spaced)
            known = found[-MOST_NUMBERS:]
            if skipped:
                known = [_shift(number, skipped) for number in known]
            self._numbers[block.start] = known
        return known

    def marks(self, block: Block) -> tuple[Marked, ...]:
        """The numbers of a block, with their marks."""
        known = self._marks.get(block.start)
        if known is None:
            known = tuple(self._mark(block))
            self._marks[block.start] = known
        return known

    def _mark(self, block: Block) -> Iterator[Marked]:
        numbers = self.numbers(block)
        if not numbers:
            return
        text = block.text
        kind: BlockKind = "execution" if block.kind == "execution" else "prose"
        may_point = phrases.may_point(text.lower())
        has_bold = "**" in text
        sights = [look(number, text, kind, self.question) for number in numbers]
        if kind == "prose":
            sights = [self._signed(sight) for sight in sights]
        terms = self._terms(sights) if kind == "prose" else frozenset()
        taken = 0  # where the last number that may be an answer ends
        for sight in sights:
            number = sight.number
            rule = first_mark(sight) or self._taken_back(block, number)
            if rule is None and number.start in terms:
                rule = TERM
            since = taken - (number.start - len(sight.before))
            if rule is None:
                taken = number.end
            yield Marked(
                number,
                rule,
                sight,
                2 if rule is None else int(rule.drop == "unless_alone"),
                may_point and phrases.points_explicitly(sight.before, since),
                may_point and phrases.points(sight.before, since),
                has_bold and _is_emphasised(sight),
            )

    def _taken_back(self, block: Block, number: Quantity) -> Rule | None:
        """The mark of a number that stands before the output's last correction of itself."""
        if block.kind == "execution":
            return None
        if self._corrected is None:
            self._corrected = self._last_correction()
        return SUPERSEDED if (block.start, number.end) <= self._corrected else None

    def _terms(self, sights: list[Sight]) -> frozenset[int]:
        """Where the numbers of a block start whose difference it gives as well, if a difference is
        asked for: 26.25 and 20.58 before 5.67."""
        if not self.question.wants_difference or not 2 < len(sights) <= MOST_TERMS:
            return frozenset()
        found = set()
        for three in combinations([sight.number for sight in sights], 3):
            result = _difference(*three)
            found |= {term.start for term in three if result and term is not result}
        return frozenset(found)

    def _signed(self, sight: Sight) -> Sight:
        """The sight of a number with the sign its words give it: the size of a fall that stands
        elsewhere with its minus sign (`lower by 1.7 days (effect -1.71)`) is negative."""
        if not self._is_size(sight.number, sight):
            return sight
        number = sight.number
        fall = number._replace(value=-number.value, text=f"-{number.text}")
        return sight._replace(number=fall)

    def _is_size(self, number: Quantity, sight: Sight) -> bool:
        """True for the size of a fall that stands elsewhere with its minus sign."""
        if number.value <= 0 or self.question.names_a_fall:
            return False
        if self._negative is None:
            given = [n.value for block in self.output.blocks for n in self._given(block)]
            self._negative = sorted([value for value in given if value < 0])
        if not self._negative:
            return False
        slack = min(0.5 * 10.0**-number.decimals, 0.03 * number.value) * (1 + 1e-9)
        found = _has_near(self._negative, -number.value, slack)
        if number.is_percent and not found:
            found = _has_near(self._negative, -number.value / 100, slack / 100)
        return found and phrases.says_less(sight.before, sight.after)

    def _given(self, block: Block) -> list[Quantity]:
        return self.numbers(block) if block.kind in ("prose", "answer", "execution") else []

    def _last_correction(self) -> tuple[int, int]:
        """Where the output last takes back a number it gave: raw offset of the block, and place
        in it. (-1, -1) if it never does."""
        last, given = (-1, -1), False
        for block in self.output.blocks:
            if block.kind in ("prose", "answer"):
                given = given or bool(self.numbers(block))
                for place in phrases.corrections(block.text) if given else ():
                    last = block.start, place
        return last

    def parts(self, block: Block) -> list[Part]:
        """The sentences and lines of a block."""
        known = self._parts.get(block.start)
        if known is None:
            known = _cut(block.text, self.marks(block), self.words(block))
            self._parts[block.start] = known
        return known

    def words(self, block: Block) -> set[str]:
        """The words of a block."""
        known = self._words.get(block.start)
        if known is None:
            known = self._words[block.start] = words(block.text)
        return known

    def standing(self, block: Block) -> int:
        """The best standing of a block's numbers; 0 if it has none."""
        return max([mark.standing for mark in self.marks(block)], default=0)

    def opening(self) -> Block | None:
        """The first block of prose with a number, no table, after all code and output; of all
        prose, if none comes after."""
        if self._opening is None:
            first = opening = None
            for block in self.output.blocks:
                if block.kind in ("code", "execution"):
                    opening = None
                elif opening is None and self._may_open(block):
                    opening = block
                    first = first or block
            self._opening = opening or first
        return self._opening

    def only_in_bold(self) -> Marked | None:
        """The one number that the prose sets in bold, if it is one, and may be an answer."""
        if self._bold is None:
            self._bold = [
                mark
                for block in self.output.blocks
                if block.kind == "prose" and "**" in block.text
                for mark in self.marks(block)
                if mark.emphasised and mark.standing == 2
            ]
            first = self._bold[0].number if self._bold else None
            if first and not all(same_value(mark.number, first) for mark in self._bold):
                self._bold = []
        return self._bold[-1] if self._bold else None

    def printed(self) -> tuple[float, ...]:
        """What the executed code printed, last block first, in every reading."""
        if self._printed is None:
            printed: list[Quantity] = []
            for block in reversed(self.output.blocks):
                if block.kind == "execution" and len(printed) < MOST_NUMBERS:
                    printed += self.numbers(block)
            self._printed = tuple([r for n in printed[:MOST_NUMBERS] for r in n.readings()])
        return self._printed

    def output_speaks_last(self) -> bool:
        """True if a printed number, alone in its block, comes after everything that is said."""
        for block in reversed(self.output.blocks):
            if block.kind == "execution" and self.numbers(block):
                return len(self.marks(block)) == 1 and self.standing(block) == 2
            if block.kind in ("prose", "answer", "reasoning", "error"):
                return False
        return False

    def is_concluding(self, block: Block) -> bool:
        """True for a block under a heading that announces the answer ("Summary")."""
        if self._concluding is None:
            self._concluding = concluding_blocks(self.output.blocks)
        return block.start in self._concluding

    def _may_open(self, block: Block) -> bool:
        return block.kind == "prose" and block.text[0] != "|" and bool(self.numbers(block))

    def block_score(self, block: Block) -> float:
        """The region score of a block."""
        return self.region_score(block.text, self.words(block), block.kind)

    def part_score(self, block: Block, part: Part) -> float:
        """The region score of one sentence or line."""
        return self.region_score(block.text[part.start : part.end], part.words)

    def region_score(self, text: str, said: set[str], kind: str = "prose") -> float:
        """Answer-region confidence score of a text: the share of the question's keywords in
        it (`said` are its words), plus a bonus for answer phrases. 0 = no overlap; above 1 is
        possible."""
        keywords = self.question.keywords
        share = len(keywords & said) / len(keywords) if keywords else 0.0
        if kind == "answer":
            return share + phrases.EXPLICIT_BONUS
        return share + phrases.bonus(text, said)


def _difference(one: Quantity, other: Quantity, last: Quantity) -> Quantity | None:
    """Which of three numbers, in order, is the difference of the two others, as far as their
    digits tell: the last or the first, if only one of these can be."""
    if not (one.is_percent == other.is_percent == last.is_percent):
        return None
    unit = 10.0 ** -min(one.decimals, other.decimals, last.decimals)
    if min(abs(one.value), abs(other.value), abs(last.value)) <= 10 * unit:
        return None
    is_last = abs(abs(one.value - other.value) - abs(last.value)) <= 1.1 * unit
    is_first = abs(abs(other.value - last.value) - abs(one.value)) <= 1.1 * unit
    if is_last == is_first:
        return None
    return last if is_last else one


def _has_near(values: list[float], wanted: float, slack: float) -> bool:
    """True if one of the sorted values is at most `slack` from the wanted one."""
    place = bisect_left(values, wanted - slack)
    return place < len(values) and values[place] <= wanted + slack


def _cut(text: str, marks: tuple[Marked, ...], all_words: set[str]) -> list[Part]:
    """Parts of a text, each with the marks inside it. A cut inside a number is no cut."""
    parts: list[Part] = []
    start = index = 0
    has_names = "_" in text  # whose pieces are words too: median_fare
    ending = _FIELD_END if "@" in text else _SENTENCE_END
    ends = [(match.start(), match.end()) for match in ending.finditer(text)]
    for stop, following in [*ends, (len(text), len(text) + 1)]:
        first = index
        while index < len(marks) and marks[index].number.start < following:
            index += 1
        if index > first and marks[index - 1].number.end > following:
            index = first
            continue
        if stop < len(text) and _LABEL.fullmatch(text, start, following):
            index = first  # `*Direct effect.*` names what its line goes on to say
            continue
        end = max(stop, start)
        whole = not parts and end == len(text)
        said = all_words if whole else words(text[start:end]) if index > first else set()
        if has_names and index > first:
            said = said.union(*[word.split("_") for word in said if "_" in word])
        parts.append(Part(start, end, marks[first:index], said))
        start = following
    return parts


_LABEL = re.compile(r"[ \t>#-]{0,6}(?:[0-9]{1,2}[.)] )?[*_]{1,3}[^*_\n]{2,60}[.:!][*_]{1,3}[ \t]+")


def _shift(number: Quantity, by: int) -> Quantity:
    return number._replace(start=number.start + by, end=number.end + by)
