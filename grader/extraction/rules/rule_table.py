"""The table of the rules. One that fires marks a number with its name; `drop` says what follows:
"always" removes it, "unless_alone" removes it only while some number without a mark remains.
`penalty` is what the mark costs in the blind ranking (see `evidence/`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Literal

from ...text.formats import BlockKind
from ..question import Question
from . import (
    alternatives,
    calculations,
    changes,
    comparisons,
    conditions,
    counts,
    dates,
    expressions,
    failures,
    intervals,
    layout,
    levels,
    percentiles,
    question_numbers,
    statistics,
    suppositions,
    wording,
)
from .context import Context


@dataclass(frozen=True)
class Mark:
    """What a number is, other than the answer, and what follows from it. The `title` says it to
    readers."""

    name: str
    title: str
    drop: Literal["always", "unless_alone"]
    penalty: float


@dataclass(frozen=True)
class Rule(Mark):
    """A mark, and the test of one number in its context that gives it.

    It is tried only on whole numbers if `whole`, only in text of the given `kind`, and only for
    questions that `asked` allows. If it has clues, it is tried only where one of them is: one of
    the `hints` in the text (in lower case), one of the signs `before` or `after` next to the number
    but for blanks, or one of the `words` (in lower case) right before it. A clue may let a rule be
    tried in vain; it must be there wherever the rule fires.
    """

    fires: Callable[[Context], bool]
    whole: bool = False
    kind: BlockKind | None = None
    asked: Callable[[Question], bool] | None = None
    hints: Collection[str] = ()
    before: Collection[str] = ()
    after: Collection[str] = ()
    words: Collection[str] = ()


RULES: tuple[Rule, ...] = (
    Rule("list_number", "step number", "always", 6.0, layout.is_list_number, whole=True,
         after=").:]"),
    Rule("heading_number", "number of a section", "always", 6.0, layout.is_heading_number,
         before="#"),
    Rule("array_index", "array index", "always", 6.0, layout.is_index, whole=True,
         hints=("[", "{")),
    Rule("row_label", "row label of a printed table", "always", 6.0, layout.is_row_label,
         kind="execution"),
    Rule("failure", "part of an error message", "always", 6.0, failures.is_of_failure,
         hints=failures.HINTS),
    Rule("boolean", "coded yes/no value", "always", 6.0, conditions.is_boolean,
         before=conditions.CODE_BEFORE, after=conditions.CODE_AFTER),
    Rule("bounded", "one side of an inequality", "always", 6.0, conditions.is_bounded,
         asked=conditions.wants_no_threshold),
    Rule("expression", "part of an expression", "always", 4.0, expressions.is_part, kind="prose",
         hints="\\", before=expressions.LEADS, after=expressions.CONTINUATIONS),
    Rule("confidence_level", "confidence level", "always", 6.0, levels.is_level,
         asked=levels.wants_no_level),
    Rule("left_open", "one of two values left open", "always", 4.0, alternatives.is_left_open,
         kind="prose", before=alternatives.PAIR_BEFORE, after=alternatives.PAIR_AFTER),
    Rule("open_interval", "end of an interval that the value lies in", "always", 2.8,
         alternatives.is_of_interval, asked=alternatives.wants_no_range,
         before=intervals.JOINT_ENDS, after=intervals.JOINT_STARTS),
    Rule("as_proportion", "proportion, given in percent too", "unless_alone", 2.5,
         alternatives.is_given_in_percent, asked=lambda question: question.wants_percent,
         after="(o=,"),
    Rule("legend", "legend of a printed table", "always", 6.0, layout.is_legend,
         hints=("'*", "signif")),
    Rule("negated", "value said not to be the answer", "always", 4.0, wording.is_negated,
         before=wording.NEGATION_ENDS),
    Rule("compound", "part of a compound word", "always", 4.0, layout.is_compound, whole=True,
         after="-"),
    Rule("dimension", "rows or columns of a table", "always", 4.0, layout.is_dimension, whole=True,
         before="×", after="×"),
    Rule("version", "version of software", "always", 4.0, layout.is_version,
         words=layout.VERSIONED),
    Rule("label", "label (step, figure, row …)", "always", 4.0, layout.is_label, whole=True),
    Rule("date", "day or year of a date", "always", 4.0, dates.is_of_date, whole=True,
         asked=dates.wants_no_date, hints=dates.HINTS),
    Rule("size", "sample size or count", "always", 3.0, counts.is_size, whole=True,
         asked=counts.wants_no_size),
    Rule("freedom", "degrees of freedom", "always", 3.0, counts.is_freedom,
         asked=lambda question: "freedom" not in question.topics,
         hints=("f(", "f (", "t(", "t (", "²(", "² (", "2(")),
    Rule("interval_end", "end of an interval", "unless_alone", 2.8, intervals.is_interval_end,
         before=intervals.JOINT_ENDS, after=intervals.JOINT_STARTS),
    Rule("compared", "value compared with", "unless_alone", 2.6, comparisons.is_compared),
    Rule("question_number", "number repeated from the question", "unless_alone", 3.3,
         question_numbers.is_question_number,
         asked=lambda question: bool(question.numbers or question.offered)),
    Rule("counted", "count of things", "unless_alone", 2.1, counts.is_counted, whole=True,
         asked=counts.wants_no_count),
    Rule("year", "year", "unless_alone", 3.0, counts.is_year, whole=True,
         asked=counts.wants_no_year),
    Rule("impossible", "value the asked quantity cannot take", "always", 2.5,
         statistics.is_impossible, asked=statistics.wants_bounded),
    Rule("above_one", "too large, unless in percent", "unless_alone", 2.5,
         statistics.is_above_one, asked=statistics.wants_at_most_one),
    Rule("diagonal", "correlation of a variable with itself", "unless_alone", 2.5,
         statistics.is_of_diagonal, asked=lambda question: "correlation" in question.topics),
    Rule("with_unit", "value with a unit, where a pure number is asked for", "unless_alone", 2.5,
         statistics.is_with_unit, asked=statistics.wants_pure_number),
    Rule("not_a_year", "no year, though one is asked for", "unless_alone", 2.6,
         counts.is_not_a_year, asked=lambda question: question.wants_year),
    Rule("equation_term", "term of an equation", "unless_alone", 2.1, calculations.is_term,
         after=calculations.TERM_SIGNS),
    Rule("operand", "operand of a calculation", "unless_alone", 2.2, calculations.is_operand,
         hints=("=", "≈", "→", "gives", "yields", "\\")),
    Rule("relative_change", "relative change", "unless_alone", 1.6, changes.is_relative_change,
         asked=changes.wants_no_relative_change),
    Rule("step", "how far a value moves", "unless_alone", 2.0, changes.is_step,
         asked=changes.wants_no_change, hints=("by ",)),
    Rule("other_statistic", "another statistic", "unless_alone", 2.5,
         statistics.is_other_statistic),
    Rule("other_percentile", "another percentile", "unless_alone", 4.5,
         percentiles.is_other_percentile, asked=percentiles.wants_percentile),
    Rule("dismissed", "value called wrong", "unless_alone", 2.5, wording.is_dismissed),
    Rule("hypothetical", "result of another analysis", "unless_alone", 2.0,
         suppositions.is_hypothetical, kind="prose"),
    Rule("premise", "what the sentence starts from", "unless_alone", 2.0, suppositions.is_premise,
         kind="prose", hints=("=", "≈", "provided that")),
    Rule("unit_step", "step an effect is given for", "unless_alone", 2.5,
         suppositions.is_unit_step, words=suppositions.STEP_LEADS),
    Rule("other_year", "value of another year", "unless_alone", 1.0, conditions.is_of_another_year,
         asked=lambda question: question.circumstances.year is not None,
         hints=(" 19", " 20", "(19", "(20")),
    Rule("coarser_than_asked", "rounded further than asked", "unless_alone", 1.3,
         counts.is_coarser, whole=True, asked=lambda question: bool(question.decimals)),
    Rule("aside", "aside in parentheses", "unless_alone", 1.4, wording.is_aside, kind="prose",
         hints="("),
)  # fmt: skip

# Given by `marking.Marker`, which sees more than one number: a value the text itself takes back,
# the two terms of a difference or a ratio that it gives, what is no value in a formula, one of the
# values that an explicit answer lists, and rows of data that code shows.
SUPERSEDED = Mark("superseded", "value the text takes back", "unless_alone", 4.0)
DIFFERENCE_TERM = Mark(
    "difference_term", "term of a difference that is given too", "unless_alone", 2.0
)
RATIO_TERM = Mark("ratio_term", "term of a ratio that is given too", "unless_alone", 2.0)
FORMULA = Mark("formula", "part of a formula", "unless_alone", 2.2)
LISTED = Mark("listed_answer", "one of the values that an answer lists", "always", 4.0)
DATA_ROW = Mark("data_row", "row of the data, shown", "always", 6.0)
# All that a number can be marked as.
MARKS: tuple[Mark, ...] = (
    *RULES,
    SUPERSEDED,
    DIFFERENCE_TERM,
    RATIO_TERM,
    FORMULA,
    LISTED,
    DATA_ROW,
)
