"""Whole numbers that count or date something: sample sizes, years."""

from __future__ import annotations

import re

from ...number_edges import is_money
from ...text.keywords import words
from ...truth import is_year as is_written_as_year
from ..question import Question
from ..units import is_measure
from .context import Context

# In the examples of all patterns, the number that the rules judge stands between < and >.
_YEAR_BEFORE = re.compile(
    r"""
    \b (?: in | from | to | since | until | till | by | year | years | through | during | after
         | before | and | between | period | for | of | the ) \s* $       # since <1997>
    | (?<! \\ ) [(–-] \s* $                                               # (<1997>), 1990-<1997>
    | ^ \s* $                                                             # at the beginning
    """,
    re.IGNORECASE | re.VERBOSE,
)
_VALUE_BEHIND = re.compile(r" [$€£]?[0-9][0-9,]*(?:\.[0-9]+)?[%,;.]?(?:\s|$)")  # <2021> $1,102,300


def wants_no_year(question: Question) -> bool:
    """True unless a year is asked for."""
    return "year" not in question.topics


def is_year(context: Context) -> bool:
    """A year in a text, `in 1997`; where a count is asked for, only what is plainly no count."""
    number = context.number
    if not (1500 <= number.value <= 2100 and len(number.text) == 4):
        return False
    if context.question.wants_count:  # then 1997 may be a number of things, but not of years
        if "years" in context.question.focus:
            return True
        if context.question.circumstances.year is None:
            return False
    if context.kind == "execution" or _VALUE_BEHIND.match(context.after):
        return True
    return _YEAR_BEFORE.search(context.before) is not None and not is_measure(context.after)


def is_not_a_year(context: Context) -> bool:
    """Anything but a year where a year is asked for; also an amount: `2,011 million`, `$2,011`."""
    return not is_written_as_year(context.number.written) or context.number.value > 2500


_SIZE_BEFORE = re.compile(
    r"""
    \b (?: n\d? | N | nobs | sample[ ]size | (?: No\.[ ] )? [Oo]bservations | total )
      \s* (?: = | : | of | is ) \s* $                                     # n = <40>
    | \d \s+ (?: out \s+ )? of \s+ (?: the \s+ | all \s+ | these \s+ )? $ # 3 out of the <40>
    | \b [Aa]mong[ ] (?: the[ ] | all[ ] | these[ ] )? $                     # among the <40>
    | (?: \A | [.!?:\n] \W{0,4} ) (?: Out[ ]of | Of ) [ ] (?: the[ ] | all[ ] )? $  # Of <40>,
    | \b all[ ] (?: the[ ] )? $                                           # all <40>
    | \d \s+ in \s+ $                                                     # 1 in <40>
    """,
    re.VERBOSE,
)
_ONE_IN = re.compile(r"(?<![0-9.,])1\s+in\s+$")
_TOTALS = frozenset({"total", "sum", "altogether"})
_LONGEST_LEAD, _NEAR_PART = 40, 100
_SIZE_ENDS = ("=", ":", "of", "is", "in", "the", "all", "these", "among")
_WHOLE_BEFORE = re.compile(
    r"""
    \b (?: n | N | sample[ ]size ) \s* = \s* $                            # n = <40>
    | (?<! total[ ] ) (?<! count[ ] ) (?<! score[ ] ) (?<! value[ ] ) (?<! number[ ] )
      \b (?: [Oo]f | all | [Aa]mong ) [ ] (?: the[ ] | all[ ] | these[ ] )? $  # 3 of the <40>
    | \b [Nn]o \s [^.;:,\n0-9]{3,40} \s in[ ] (?: the | all | these )[ ] $     # no gaps in the <40>
    """,
    re.VERBOSE,
)
_IN_TOTAL_AFTER = re.compile(  # <500> patients in total, 128 with it
    r"\s+(?:[a-z-]+\s+){1,2}(?:in\s+(?:total|all)|altogether),?\s+(?:(?:of|and)\s+(?:\w+\s+)?)?[0-9]"
)
_PART_AFTER = re.compile(
    r"""
    \s+ (?! instead[ ] )                             # but not: 5 instead of 4
    (?: \w+ \s+ ){0,3}? (?: out[ ]of | of | in | / ) \s+ (?: the \s+ | all \s+ | these \s+ )?
    [0-9]                                            # <3> homes out of the 40
    """,
    re.VERBOSE,
)
# The arguments of a test statistic: `F(<3>, 66) = 8.56`, `t(<289.7>) = 2.2`.
_STATISTIC_OF = re.compile(r"(?<!\w)(?:[FtT]|χ²|chi2|χ2)\s?\((?:df\s?=\s?)?(?:[0-9.]+,\s?)?$")
_EQUALS = re.compile(r"(?:,\s?[^()]{1,30})?\)\s?[=≈<>]")
_IN_YEAR = re.compile(
    r"\s+ (?P<unit> [\w'’-]+ \s+ )? in \s+ (?P<year> (?: 1[5-9] | 20 ) [0-9]{2} )"
    r"(?! [,.]? [0-9] )",
    re.VERBOSE,
)
_FREEDOM_AFTER = re.compile(r"\s+(?:degrees? of freedom|df\b|d\.f\.)", re.IGNORECASE)
# What samples consist of: `40 patients`, `40 of the rows`.
_SIZE_NOUN = re.compile(
    r"""
    [*_`]{0,3} [\s-]++ (?: [\w'’-]++ \s++ ){0,2}?    # <40> of the
    (?: rows? | observations? | records? | entries | samples? | data[ ]points?
      | columns? | variables? | features? | predictors?
      | patients | participants | respondents | subjects | individuals | units | households
      | people | persons | cases | groups? | categories
      | folds? | replications? | replicates | bootstrap | simulations? | iterations?
      | permutations? | bins | trees | neighbou?rs
      | missing | additional | extra | more \s+ (?! than \b ) \w+ ) \b
    """,
    re.IGNORECASE | re.VERBOSE,
)
_ACROSS = re.compile(
    r"\b(?:over|in|across|of|among|for|all) (?:the|all|these)(?: the)? $"
    r"|(?:^|[.;:,]\s)(?:The|These|the) $"  # The <185> treated men
)
_COUNTED_NOUN = re.compile(r"[*_`]{0,3}\s+(?:[a-z-]+\s+)?(?:[a-z-]+s|(?:wo)?men|people|children)\b")


def wants_no_count(question: Question) -> bool:
    """True unless a number of things or a sample size is asked for."""
    asks_for_number = question.wants_count or question.wants_size
    return not asks_for_number and "sample_size" not in question.topics


def is_counted(context: Context) -> bool:
    """A whole number of things, where decimals or a percentage are asked for; of sampled units,
    anywhere, but not of units that are asked about."""
    if context.number.is_percent or is_money(context.number.text):
        return False
    is_no_amount = context.question.decimals or context.question.wants_percent
    counted = (_COUNTED_NOUN if is_no_amount else _SIZE_NOUN).match(context.after)
    if counted is None:
        return False
    question = context.question
    if counted[0].endswith("points"):  # percentage points, basis points
        return not (question.wants_difference or "points" in question.keywords)
    return not (counted[0].endswith("units") and "units" in question.keywords)


def wants_no_size(question: Question) -> bool:
    """True unless a sample size is asked for."""
    return not (question.wants_size and "sample_size" in question.topics)


def is_size(context: Context) -> bool:
    """A sample size, a count of rows, degrees of freedom, a part or a whole of a count."""
    if context.number.is_percent:
        return False
    before, after = context.before, context.after
    if after.lstrip()[:1] in ("d", "D") and _FREEDOM_AFTER.match(after):
        return "freedom" not in context.question.topics
    led_to = context.last_word.endswith(_SIZE_ENDS)
    if context.question.wants_count:
        if led_to and _WHOLE_BEFORE.search(before):
            return True
        return _IN_TOTAL_AFTER.match(after) is not None and _is_part_asked_for(context)
    if led_to and (led := _SIZE_BEFORE.search(before, max(0, len(before) - _LONGEST_LEAD))):
        is_total_asked = led[0].startswith("total") and not _TOTALS.isdisjoint(
            context.question.keywords
        )
        return not (is_total_asked or _is_year_of_amount(context))
    may_be_part = "of" in after or "in" in after or "/" in after
    if may_be_part and _PART_AFTER.match(after):
        is_amount = is_money(context.number.text) or _is_amount_of_year(context)
        return not (is_amount or _is_stated_as_asked(context))
    return led_to and _ACROSS.search(before) is not None and bool(_COUNTED_NOUN.match(after))


def _is_part_asked_for(context: Context) -> bool:
    """True if what follows the next number is what is asked for: <500> of `500 patients in total,
    128 older than 65`, where the older ones are."""
    question = context.question
    if not _TOTALS.isdisjoint(question.keywords):
        return False
    behind = context.text[context.number.end : context.number.end + _NEAR_PART]
    of_whole, _, of_part = behind.partition(" in ")
    return not (question.keywords - words(of_whole)).isdisjoint(words(of_part))


def is_freedom(context: Context) -> bool:
    """The degrees of freedom that a test statistic is given with: `F(3, 66) = 8.56`."""
    return (
        _EQUALS.match(context.after) is not None
        and _STATISTIC_OF.search(context.before) is not None
    )


def _is_stated_as_asked(context: Context) -> bool:
    """True for <12,345> of `The population is 12,345 people in 2015` where the population is asked
    for."""
    if context.last_word not in ("is", "was", "of", "to"):
        return False
    question = context.question
    name = context.words[-1].lower() if context.words else ""
    return name == question.head or (context.topic is not None and context.topic in question.topics)


def _is_amount_of_year(context: Context) -> bool:
    """True for <5,200> of `5,200 in 2010` and `5,200 euros in 2010`; not for `25 sales in 2010`,
    `1 in 2000` and `7 in 2000 people`, nor if the question names another year."""
    year = _IN_YEAR.match(context.after)
    if (
        year is None
        or context.number.value == 1
        or (year["unit"] and not is_measure(context.after))
    ):
        return False
    is_other = context.question.circumstances.year not in (None, year["year"])
    return not is_other and _SIZE_NOUN.match(context.after, year.end()) is None


def _is_year_of_amount(context: Context) -> bool:
    """True for <2010> of `5,200 in 2010`; not for `1 in 2000` and `7 in 2000 people`."""
    if context.last_word != "in" or not 1500 <= context.number.value <= 2100:
        return False
    is_one = _ONE_IN.search(context.before) is not None
    return (
        not is_one
        and is_written_as_year(context.number.text)
        and _SIZE_NOUN.match(context.after) is None
    )


def is_coarser(context: Context) -> bool:
    """A whole number where decimals are asked for."""
    return not context.number.is_percent
