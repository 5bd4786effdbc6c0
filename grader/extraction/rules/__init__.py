"""Rules about one number in its context: is it a possible answer, and if not, what is it?"""

from .calculations import is_calculated, is_operand, is_subtracted_term
from .changes import LIKELIER
from .clues import Possible, first_mark, possible_rules
from .comparisons import is_asked_limit, is_other_model
from .context import Context, in_context, is_the_one_asked_for
from .intervals import interval_end, is_of_confidence_interval
from .percentiles import named_percentile
from .question_numbers import is_question_number
from .rule_table import (
    DATA_ROW,
    DIFFERENCE_TERM,
    FORMULA,
    LISTED,
    MARKS,
    RATIO_TERM,
    RULES,
    SUPERSEDED,
    Mark,
    Rule,
)
from .statistics import is_in_deviations, is_of_variation

__all__ = [
    "DATA_ROW",
    "DIFFERENCE_TERM",
    "FORMULA",
    "LIKELIER",
    "LISTED",
    "MARKS",
    "RATIO_TERM",
    "RULES",
    "SUPERSEDED",
    "Context",
    "Mark",
    "Possible",
    "Rule",
    "first_mark",
    "in_context",
    "interval_end",
    "is_asked_limit",
    "is_calculated",
    "is_in_deviations",
    "is_of_confidence_interval",
    "is_of_variation",
    "is_operand",
    "is_other_model",
    "is_question_number",
    "is_subtracted_term",
    "is_the_one_asked_for",
    "named_percentile",
    "possible_rules",
]
