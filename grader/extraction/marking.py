"""Which rule, if any, fires on each number of an output, and what that makes of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from ..numbers import Quantity
from ..text import Block, Output
from ..text.formats import BlockKind
from ..text.markdown_table import column_headings, heading_of
from ..tolerance import same_value
from . import phrases
from .answer_lists import listed_values
from .formulas import NOWHERE, InFormulas, in_formulas
from .naming import may_name, topic_named
from .parts import BARRED, FALLBACK, PLAIN, Marked, is_emphasised
from .previews import showing_rows
from .question import Question
from .relations import (
    intervals_of,
    is_size_of_one,
    is_size_within,
    terms_of_differences,
    terms_of_ratios,
    terms_of_remainders,
    terms_of_sums,
)
from .rules import (
    DATA_ROW,
    DIFFERENCE_TERM,
    FORMULA,
    LISTED,
    RATIO_TERM,
    SUPERSEDED,
    Context,
    Mark,
    Possible,
    first_mark,
    in_context,
    is_calculated,
    is_of_confidence_interval,
    is_subtracted_term,
    possible_rules,
)

NumbersOf = Callable[[Block], list[Quantity]]


class _BlockFacts(NamedTuple):
    """What the mark of a number depends on beside its context: its block, the numbers of any block,
    the rules that can fire in it, the marks of terms by where they start, its formulas, and whether
    it only shows rows of the data."""

    block: Block
    numbers_of: NumbersOf
    possible: Possible
    terms: Mapping[int, Mark]
    formulas: InFormulas
    has_rows: bool


class Marker:
    """Marks the numbers of one output, for one question."""

    def __init__(self, output: Output, question: Question) -> None:
        self._output = output
        self._question = question
        self._corrected: tuple[int, int] | None = None
        self._negative: list[float] | None = None
        self._below: list[tuple[Quantity, Quantity]] = []
        self._result: Quantity | None = None
        self._result_known = False
        self._showing_rows: frozenset[int] | None = None
        self._answered: int | None = None  # how many numbers the answer sections hold

    def mark(self, block: Block, numbers_of: NumbersOf) -> Iterator[Marked]:
        """The numbers of a block with their marks. numbers_of: the numbers of any block."""
        numbers = numbers_of(block)
        if not numbers:
            return
        text, is_prose = block.text, block.kind != "execution"
        kind = _kind_of(block)
        lowered = text.lower()
        may_point = phrases.may_point(lowered)
        has_bold = "**" in text
        may_equal = is_prose and ("=" in text or "≈" in text)
        contexts = self._contexts(block, numbers_of, may_equal=may_equal)
        formulas = in_formulas(text, numbers) if is_prose else NOWHERE
        terms = self._terms(contexts, text) if is_prose and len(contexts) > 2 else {}
        if is_prose and (listed := listed_values(block, numbers, self._question)):
            terms = {**terms, **dict.fromkeys(listed, LISTED)}
        possible = possible_rules(lowered, kind, self._question)
        has_rows = not is_prose and self._shows_rows(block)
        facts = _BlockFacts(block, numbers_of, possible, terms, formulas, has_rows)
        taken = 0  # the end of the last number that may be an answer
        pinned = announced = False
        for context in contexts:
            number = context.number
            computed = number.start in formulas.computed or (may_equal and is_calculated(context))
            rule = self._mark_of(context, facts, computed=computed)
            if may_point:
                lead = _lead(context)
                since = taken - (number.start - len(lead))
                pinned = phrases.points_explicitly(lead, since)
                announced = phrases.points(lead, since)
            if rule is None:
                taken = number.end
            emphasised = has_bold and is_emphasised(context)
            standing = _standing(rule)
            yield Marked(number, rule, context, standing, pinned, announced, emphasised, computed)

    def _contexts(self, block: Block, numbers_of: NumbersOf, *, may_equal: bool) -> list[Context]:
        """The numbers of a block in their contexts, with the signs that these give them."""
        text, is_prose = block.text, block.kind != "execution"
        kind, named = _kind_of(block), is_prose or may_name(text)
        contexts = [
            in_context(number, text, kind, self._question, may_be_named=named)
            for number in numbers_of(block)
        ]
        if is_prose and (headings := column_headings(text)):
            contexts = [_of_column(context, headings) for context in contexts]
        if is_prose and self._may_be_sizes(numbers_of):
            contexts = [self._signed(context) for context in contexts]
        if may_equal and "coefficient" in self._question.topics:
            contexts = [_negative(s) if is_subtracted_term(s) else s for s in contexts]
        return contexts

    def _shows_rows(self, block: Block) -> bool:
        if self._showing_rows is None:
            self._showing_rows = showing_rows(self._output)
        return block.start in self._showing_rows

    def _mark_of(self, context: Context, facts: _BlockFacts, *, computed: bool) -> Mark | None:
        """The mark of a number, if it has one. computed: it is the value of a calculation."""
        block, numbers_of, number = facts.block, facts.numbers_of, context.number
        mark: Mark | None = DATA_ROW if facts.has_rows else first_mark(context, facts.possible)
        if mark is not None and mark.drop == "unless_alone":
            is_sole_answer = block.kind == "answer" and self._is_sole_answer(numbers_of)
            is_result = mark.name == "question_number" and (
                computed or self._is_sole_result(number, numbers_of)
            )
            if is_sole_answer or is_result:
                mark = None
        mark = mark or self._taken_back(block, number, numbers_of)
        if mark is not None:
            return mark
        if number.start in facts.terms and context.words[-1:] != ("by",):
            return facts.terms[number.start]
        return FORMULA if number.start in facts.formulas.parts else None

    def _terms(self, contexts: list[Context], text: str) -> Mapping[int, Mark]:
        """The marks of the terms of a difference, a ratio or a rest that a text gives too, by where
        they start."""
        if self._question.may_be_difference:
            asked = [number.value for number in self._question.numbers]
            numbers = [
                context.number
                for context in contexts
                if context.number.value not in asked and not is_of_confidence_interval(context)
            ]
            return dict.fromkeys(terms_of_differences(numbers, text), DIFFERENCE_TERM)
        if "ratio" in self._question.topics:
            terms = terms_of_ratios([context.number for context in contexts])
            ratios = [
                context.number.start for context in contexts if context.after.startswith(" times ")
            ]
            return dict.fromkeys(terms.difference(ratios), RATIO_TERM)
        if self._question.wants_rest:
            numbers = [context.number for context in contexts]
            terms = terms_of_remainders(numbers, text)
            if self._question.wants_sum:
                terms |= terms_of_sums(numbers, text, self._question.keywords)
            return dict.fromkeys(terms, DIFFERENCE_TERM)
        return {}

    def _is_sole_result(self, number: Quantity, numbers_of: NumbersOf) -> bool:
        """Whether a number is all that the code printed last."""
        if not self._result_known:
            self._result_known = True
            printed = next(
                (b for b in reversed(self._output.blocks) if b.kind == "execution"), None
            )
            numbers = numbers_of(printed) if printed else []
            self._result = numbers[0] if len(numbers) == 1 else None
        return self._result is not None and same_value(number, self._result)

    def _is_sole_answer(self, numbers_of: NumbersOf) -> bool:
        """Whether the answer sections hold one number."""
        if self._answered is None:
            answers = [block for block in self._output.blocks if block.kind == "answer"]
            self._answered = sum(len(numbers_of(block)) for block in answers)
        return self._answered == 1

    def _taken_back(self, block: Block, number: Quantity, numbers_of: NumbersOf) -> Mark | None:
        """The mark of a number before the output's last correction of itself."""
        if block.kind == "execution":
            return None
        if self._corrected is None:
            self._corrected = self._last_correction(numbers_of)
        return SUPERSEDED if (block.start, number.end) <= self._corrected else None

    def _may_be_sizes(self, numbers_of: NumbersOf) -> bool:
        """Whether the words around a number may give it a sign: the question asks for one, or some
        negative number is said or printed, and the question speaks of no fall."""
        question = self._question
        if question.names_a_fall and not question.fall_is_negative:
            return False
        if self._negative is None:
            self._negative = self._read_negative(numbers_of)
        return bool(self._negative) or question.wants_sign or question.fall_is_negative

    def _signed(self, context: Context) -> Context:
        """The context of a number with the sign its words give it: the size of a fall that stands
        elsewhere with its minus sign (`lower by 1.7 days (effect -1.71)`) is negative."""
        return _negative(context) if self._is_size(context) else context

    def _is_size(self, context: Context) -> bool:
        """True for the size of a fall that stands elsewhere with its minus sign, or whose interval
        does; of any fall, if the question asks for a sign."""
        number = context.number
        if number.value <= 0 or number.text[:1] == "+":
            return False
        if self._question.fall_is_negative and (
            phrases.falls_by(context.before)
            or (number.is_percent and phrases.falls_behind(context.after))
        ):
            return True
        if not (
            self._question.wants_sign
            or is_size_of_one(number, self._negative or [])
            or is_size_within(number, self._below)
        ):
            return False
        return phrases.says_less(context.before, context.after)

    def _read_negative(self, numbers_of: NumbersOf) -> list[float]:
        """The negative numbers that are said or printed, sorted; the intervals below 0 are kept."""
        found: list[float] = []
        for block in self._output.blocks:
            if block.kind in ("prose", "answer", "execution"):
                negative = [number for number in numbers_of(block) if number.value < 0]
                if negative:
                    found += [number.value for number in negative]
                    self._below += intervals_of(negative, block.text)
        return sorted(found)

    def _last_correction(self, numbers_of: NumbersOf) -> tuple[int, int]:
        """The place where the output last takes back a number it gave: raw offset of the block, and
        offset in it. (-1, -1) if it never does."""
        last, given = (-1, -1), False
        for block in self._output.blocks:
            if block.kind in ("prose", "answer"):
                given = given or bool(numbers_of(block))
                for place in phrases.corrections(block.text) if given else ():
                    last = block.start, place
        return last


def _of_column(context: Context, headings: list[str]) -> Context:
    """The context of a number in a table, with the topic that the heading of its column names."""
    if context.topic is not None:
        return context
    heading = heading_of(headings, context.text, context.number.start)
    return context._replace(topic=topic_named(heading))


def _negative(context: Context) -> Context:
    number = context.number
    return context._replace(number=number._replace(value=-number.value, text=f"-{number.text}"))


def _lead(context: Context) -> str:
    """What stands before a number; in a row of a table, only in its row."""
    return context.line if context.line.lstrip()[:1] == "|" else context.before


def _kind_of(block: Block) -> BlockKind:
    return "execution" if block.kind == "execution" else "prose"


def _standing(rule: Mark | None) -> int:
    if rule is None:
        return PLAIN
    return FALLBACK if rule.drop == "unless_alone" else BARRED
