"""One output read for one question: its numbers and marks, found once and shared.

Every parser works on a `Scan`; a block's numbers are looked for when first asked for.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from ..numbers import Quantity, find_numbers
from ..text import Block, Output
from ..text.keywords import share, words
from ..text.sections import concluding_blocks, headings
from ..text.sentences import sentence_around
from ..tolerance import same_value
from . import phrases
from .marking import Marker
from .number_words import find_number_words, find_shares
from .parts import BARRED, PLAIN, Marked, Part, cut
from .question import Question

# Only the last blocks of an output are read, of a longer block its end, and of its numbers the
# last, so that cost stays bounded.
MOST_BLOCKS, LONGEST_BLOCK, MOST_NUMBERS = 5_000, 50_000, 400
# They stand before the number of a whole.
_WHOLES = ("all ", "all the ", "of ", "of the ", "in the ", "among the ", "across the ")
_BLANK = re.compile(r"\s")


def _shortened(output: Output) -> Output:
    """The last blocks of an output, and of long ones the ends, from a blank on."""
    if len(output.raw) <= LONGEST_BLOCK and len(output.blocks) <= MOST_BLOCKS:
        return output
    last = output.blocks[-MOST_BLOCKS:]
    return replace(output, blocks=tuple([b._replace(text=_end(b.text)) for b in last]))


def _is_of_question(
    none: Quantity, known: Sequence[Quantity], others: Sequence[Quantity], text: str
) -> bool:
    """Whether "no" stands in a sentence with numbers, none of which is one of the others."""
    start, end = sentence_around(text, none.start, none.end)
    beside = [number for number in known if start <= number.start < end]
    return bool(beside) and not any(start <= number.start < end for number in others)


def _end(text: str) -> str:
    if len(text) <= LONGEST_BLOCK:
        return text
    end = text[-LONGEST_BLOCK:]
    blank = _BLANK.search(end)
    return end[blank.end() :] if blank else end


class Scan:
    """The numbers and sentences of one output, for one question. Of a long one, `output` has only
    the last blocks, and the ends of long blocks; `whole` has all."""

    def __init__(self, output: Output, question: Question) -> None:
        self.whole = output
        self.output = output = _shortened(output)
        self.question = question
        self._marker = Marker(output, question)
        self._numbers: dict[int, list[Quantity]] = {}
        self._marks: dict[int, tuple[Marked, ...]] = {}
        self._standings: dict[int, int] = {}
        self._parts: dict[int, list[Part]] = {}
        self._words: dict[int, set[str]] = {}
        self._opening: Block | None = None
        self._concluding: frozenset[int] | None = None
        self._headings: dict[int, str] | None = None
        self._bold: list[Marked] | None = None
        self._computed: Marked | None = None
        self._computed_known = False
        self._printed: list[float] | None = None
        self.referred: frozenset[tuple[int, int]] | None = None  # kept for `referred_rows`
        self.has_none: bool | None = None  # kept for `declining`

    def numbers(self, block: Block) -> list[Quantity]:
        """The numbers of a block; only the last ones of a long block. Small ones in words are among
        them where the question asks how many there are."""
        known = self._numbers.get(block.start)
        if known is None:
            known = find_numbers(block.text, spaced=block.kind != "execution")
            if block.kind in ("prose", "answer"):
                if self.question.wants_count:
                    known = self._with_words(known, block.text)
                known = self._with_shares(known, block.text)
            known = known[-MOST_NUMBERS:]
            self._numbers[block.start] = known
        return known

    def _with_words(self, known: list[Quantity], text: str) -> list[Quantity]:
        """The numbers of a text and those in words; none of something only beside no other number
        than those of the question and of wholes ("all 62 rows"), or in a sentence whose only
        numbers are the question's ("No patients are older than 90")."""
        question = self.question
        found = find_number_words(text, question.target, question.focus, question.number_words)
        repeated = {number.value for number in question.numbers}
        others = [number for number in known if number.value not in repeated]
        if not all(text.endswith(_WHOLES, 0, number.start) for number in others):
            found = [one for one in found if one.value or _is_of_question(one, known, others, text)]
        return sorted([*known, *found], key=_by_start)

    @staticmethod
    def _with_shares(known: list[Quantity], text: str) -> list[Quantity]:
        """The numbers of a text and the shares in words."""
        found = find_shares(text) if " percent" in text or " per cent" in text else []
        return sorted([*known, *found], key=_by_start) if found else known

    def marks(self, block: Block) -> tuple[Marked, ...]:
        """The numbers of a block, with their marks."""
        known = self._marks.get(block.start)
        if known is None:
            known = tuple(self._marker.mark(block, self.numbers)) if self.numbers(block) else ()
            self._marks[block.start] = known
        return known

    def parts(self, block: Block) -> list[Part]:
        """The sentences and lines of a block."""
        known = self._parts.get(block.start)
        if known is None:
            known = cut(block.text, self.marks(block), self.words(block))
            self._parts[block.start] = known
        return known

    def words(self, block: Block) -> set[str]:
        """The words of a block."""
        known = self._words.get(block.start)
        if known is None:
            known = self._words[block.start] = words(block.text)
        return known

    def standing(self, block: Block) -> int:
        """The best standing of a block's numbers; BARRED if it has none."""
        known = self._standings.get(block.start)
        if known is None:
            known = max([mark.standing for mark in self.marks(block)], default=BARRED)
            self._standings[block.start] = known
        return known

    def opening(self) -> Block | None:
        """The first block of prose (no table) with a number after all code and output; if none
        comes after, the first of all."""
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
        """The number that the prose sets in bold, if it is the only one and may be an answer."""
        if self._bold is None:
            self._bold = [
                mark
                for block in self.output.blocks
                if block.kind == "prose" and "**" in block.text
                for mark in self.marks(block)
                if mark.emphasised and mark.standing == PLAIN
            ]
            first = self._bold[0].number if self._bold else None
            if first and not all(same_value(mark.number, first) for mark in self._bold):
                self._bold = []
        return self._bold[-1] if self._bold else None

    def last_computed(self) -> Marked | None:
        """The last number that the prose gives as the value of an expression. Only in formulas, if
        code printed numbers: the prose then reports more than it calculates."""
        if not self._computed_known:
            self._computed_known = True
            signs = ("$", "\\") if self.printed() else ("$", "\\", "=", "≈")
            for block in reversed(self.output.blocks):
                if block.kind in ("prose", "answer") and any(sign in block.text for sign in signs):
                    computed = [m for m in self.marks(block) if m.computed and not _is_aside(m)]
                    if computed:
                        self._computed = computed[-1]
                        break
        return self._computed

    def printed(self) -> list[float]:
        """The last numbers that the executed code printed, in every reading, in order of size."""
        if self._printed is None:
            printed: list[Quantity] = []
            for block in reversed(self.output.blocks):
                if block.kind == "execution" and len(printed) < MOST_NUMBERS:
                    printed += self.numbers(block)
            self._printed = sorted([r for n in printed[:MOST_NUMBERS] for r in n.readings()])
        return self._printed

    def output_speaks_last(self) -> bool:
        """True if a printed number, alone in its block, comes after all words."""
        for block in reversed(self.output.blocks):
            if block.kind == "execution" and self.numbers(block):
                return len(self.marks(block)) == 1 and self.standing(block) == PLAIN
            if block.kind in ("prose", "answer", "reasoning", "error"):
                return False
        return False

    def is_concluding(self, block: Block) -> bool:
        """True for a block under a heading that announces the answer ("Summary")."""
        if self._concluding is None:
            self._concluding = concluding_blocks(self.output.blocks)
        return block.start in self._concluding

    def heading(self, block: Block) -> str:
        """The heading that a block stands under; empty for none."""
        if self._headings is None:
            self._headings = headings(self.output.blocks)
        return self._headings.get(block.start, "")

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
        covered = share(self.question.keywords, said)
        if kind == "answer":
            return covered + phrases.EXPLICIT_BONUS
        return covered + phrases.bonus(text, said)


def _by_start(number: Quantity) -> int:
    return number.start


def _is_aside(mark: Marked) -> bool:
    return mark.rule is not None and mark.rule.name == "aside"
