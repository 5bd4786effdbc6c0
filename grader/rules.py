"""Rules about one number in its place: is it a possible answer, and if not, what is it?

`RULES` is the table. A rule that fires gives the number its name; `drop` says what follows:
"always" removes it, "unless_alone" removes it only while some number without a mark remains.
`penalty` is what the mark costs in the blind ranking (see `evidence.py`).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, NamedTuple

from .naming import is_label, last_words, named_topic
from .numbers import Quantity
from .question import Question
from .text import BlockKind

_BEFORE, _AFTER = 64, 40


class Sight(NamedTuple):
    """A number, what stands around it, and the question it might answer."""

    number: Quantity
    text: str
    kind: BlockKind
    question: Question
    before: str
    after: str
    words: tuple[str, ...]  # the last words before it
    topic: str | None  # what they call it


@dataclass(frozen=True)
class Rule:
    name: str
    drop: Literal["always", "unless_alone"]
    penalty: float
    fires: Callable[[Sight], bool]


def look(number: Quantity, text: str, kind: BlockKind, question: Question) -> Sight:
    """A number with its surroundings (64 characters before, 40 after)."""
    before = text[max(0, number.start - _BEFORE) : number.start]
    words = last_words(before)
    topic = named_topic(before, words)
    after = text[number.end : number.end + _AFTER]
    return Sight(number, text, kind, question, before, after, words, topic)


# Given by `scan.Scan`, which sees what comes after: a value the text itself takes back.
SUPERSEDED = Rule("superseded", "unless_alone", 4.0, lambda sight: False)


def first_mark(sight: Sight) -> Rule | None:
    """The first rule that fires on a number, or None for a plain candidate."""
    for rule in RULES:
        if rule.fires(sight):
            return rule
    return None


# -- the rules ---------------------------------------------------------------------------


def _is_list_number(sight: Sight) -> bool:
    number = sight.number
    if not number.is_integer or number.is_percent or not 0 <= number.value < 100:
        return False
    lead = sight.before.rpartition("\n")[2]
    if number.start > len(lead) and not sight.before.endswith(lead):
        return False
    starts_line = _LINE_LEAD.fullmatch(lead) is not None
    if starts_line and _LIST_TAIL.match(sight.after):
        return bool(sight.after.strip(" .):*\n")) or "\n" in sight.text.strip()
    return sight.after[:1] == ")" and _INLINE_LIST.search(sight.before) is not None


_LINE_LEAD = re.compile(r"[ \t>]*(?:[-*+•#]+\s+)?(?:\*\*|__)?[(\[]?")
_LIST_TAIL = re.compile(r"[.):\]](?:\*\*)?(?:\s|$)")
_INLINE_LIST = re.compile(r"(?:^|[\s,;:])\($")


def _is_label(sight: Sight) -> bool:
    return sight.number.is_integer and is_label(sight.words)


def _is_index(sight: Sight) -> bool:
    before, after = sight.before, sight.after
    if not sight.number.is_integer or before[-1:] != "[" or after[:1] != "]":
        return False
    return before[-2:-1].isalnum() or before[-2:-1] in ")]'\"_" or after[1:2] == "("


_ROW_TAIL = re.compile(r"(?: {2,}|\t)\S")


def _is_row_label(sight: Sight) -> bool:
    """The first column of printed output: a data-frame index, or a table's row name."""
    if sight.kind != "execution" or sight.number.is_percent:
        return False
    lead = sight.before.rpartition("\n")[2]
    whole_line = "\n" in sight.before or sight.number.start == len(lead)
    return bool(whole_line and not lead.strip() and _ROW_TAIL.match(sight.after))


_BOOLEAN_BEFORE = re.compile(r"(?:==|!=|\b(?:coded|code|equals?|labell?ed|set to)(?: as)?)\s*$")
_BOOLEAN_AFTER = re.compile(
    r"\s*(?:=|==|:|means|for|\()\s*['\"]?(?:yes|no|true|false|male|female|treated|control"
    r"|treatment)\b|\s*(?:==|if |or 0\b|or 1\b|/1\b)",
    re.IGNORECASE,
)


def _is_boolean(sight: Sight) -> bool:
    if sight.number.is_integer and _BOOLEAN_BEFORE.search(sight.before):
        return True
    return sight.number.value in (0.0, 1.0) and bool(_BOOLEAN_AFTER.match(sight.after))


_COMPOUND = re.compile(r"-(?!percent|per\b)[a-z]{2,}", re.IGNORECASE)


def _is_compound(sight: Sight) -> bool:
    """Half of a compound word: `21-day quarantine`, `2-sided`, `10-fold`."""
    return sight.number.is_integer and _COMPOUND.match(sight.after) is not None


def _is_bounded(sight: Sight) -> bool:
    return sight.number.bounded


_LEVEL_AFTER = re.compile(
    r"[\s-]*(?:(?:two|one)-sided\s+)?(?:[tzbw]\s+|bootstrap\s+|wald\s+|normal\s+)?"
    r"(?:confidence|conf\b|CI\b|CIs\b|credible|prediction|significance|level|interval|sure\b"
    r"|certain)",
    re.IGNORECASE,
)
_LEVEL_BEFORE = re.compile(
    r"(?:α|alpha|significance level|level of significance|confidence level|confidence of"
    r"|confidence coefficient|conf(?:_level)?)\s*\(?\s*(?:of|=|:|is|at|≈)?\s*(?:α|alpha)?\s*=?\s*$",
    re.IGNORECASE,
)
_LEVELS = frozenset({80, 90, 95, 98, 99, 99.9, 99.5, 5, 1, 10, 0.1, 0.2} | {
    0.8, 0.9, 0.95, 0.98, 0.99, 0.999, 0.995, 0.05, 0.01, 0.001, 0.005, 0.025, 0.975,
})  # fmt: skip


def _is_level(sight: Sight) -> bool:
    if sight.number.value not in _LEVELS or "level" in sight.question.topics:
        return False
    return bool(_LEVEL_AFTER.match(sight.after) or _LEVEL_BEFORE.search(sight.before))


def _is_question_number(sight: Sight) -> bool:
    number = sight.number
    return any(
        number.value == asked.value and number.is_percent == asked.is_percent
        for asked in sight.question.numbers
    )


_YEAR_BEFORE = re.compile(
    r"\b(?:in|from|to|since|until|till|by|year|years|through|during|after|before|and|between"
    r"|for|of|the)\s*$|[(–-]\s*$|^\s*$",
    re.IGNORECASE,
)


def _is_year(sight: Sight) -> bool:
    number = sight.number
    if not (number.is_integer and 1500 <= number.value <= 2100 and len(number.text) == 4):
        return False
    if "year" in sight.question.topics or sight.question.wants_count:
        return False
    return sight.kind == "execution" or bool(_YEAR_BEFORE.search(sight.before))


_SIZE_BEFORE = re.compile(
    r"\b(?:n\d?|N|nobs|sample size|(?:No\. )?[Oo]bservations|total)\s*(?:=|:|of|is)\s*$"
    r"|\d\s+(?:out\s+)?of\s+(?:the\s+|all\s+|these\s+)?$|\bamong (?:the |all |these )?$"
    r"|\ball (?:the )?$|\d\s+in\s+$"
)
_PART_AFTER = re.compile(
    r"\s+(?:\w+\s+){0,3}?(?:out of|of|in|/)\s+(?:the\s+|all\s+|these\s+)?[0-9]"
)
_FREEDOM_AFTER = re.compile(r"\s+(?:degrees? of freedom|df\b|d\.f\.)", re.IGNORECASE)
_SIZE_NOUN = re.compile(
    r"[\s-]+(?:[\w'’-]+\s+){0,2}?(?:rows?|observations?|records?|entries|samples?|data points?"
    r"|columns?|variables?|features?|predictors?|patients|participants|respondents|subjects|individuals"
    r"|units|households|people|persons|cases|groups?|categories|folds?|replications?|replicates"
    r"|bootstrap|simulations?|iterations?|permutations?|bins|trees|neighbou?rs|missing"
    r"|additional|extra|more\s+\w+)\b",
    re.IGNORECASE,
)
_ACROSS = re.compile(r"\b(?:over|in|across|of|among|for|all) (?:the|all|these)(?: the)? $")
_COUNTED_NOUN = re.compile(r"\s+(?:[a-z-]+\s+)?[a-z-]+s\b")


def _is_counted(sight: Sight) -> bool:
    """A whole number of things, where decimals are asked for; of sampled units, anywhere."""
    question = sight.question
    if question.wants_count or not sight.number.is_integer or sight.number.is_percent:
        return False
    noun = _COUNTED_NOUN if (question.decimals or 0) > 0 else _SIZE_NOUN
    return "sample_size" not in question.topics and bool(noun.match(sight.after))


def _is_size(sight: Sight) -> bool:
    """A sample size, a count of rows, degrees of freedom, a part or a whole of a count."""
    if not sight.number.is_integer or sight.number.is_percent:
        return False
    topics = sight.question.topics
    if _FREEDOM_AFTER.match(sight.after):
        return "freedom" not in topics
    if sight.question.wants_count:
        return bool(
            re.search(r"\b(?:n|N|sample size)\s*=\s*$|\b(?:of|all) (?:the |all )?$", sight.before)
        )
    if _SIZE_BEFORE.search(sight.before) or _PART_AFTER.match(sight.after):
        return True
    return _ACROSS.search(sight.before) is not None and bool(_COUNTED_NOUN.match(sight.after))


_NAMED_AFTER = re.compile(r"\s*(?:standard (?:errors?|deviations?)|SEs?|SDs?)\b")
_ASIDE = re.compile(r"\(\s*[^()]{0,40}$")


def _is_other_statistic(sight: Sight) -> bool:
    """A statistic of another kind than any the question names."""
    if _NAMED_AFTER.match(sight.after):
        return not sight.question.topics & {"standard_error", "deviation"}
    topic = sight.topic
    if topic is None or topic in sight.question.topics:
        return False
    if topic in ("median", "mean", "odds", "interval"):
        # Only an aside: "the mean is 3" may well answer a question in other words.
        return _ASIDE.search(sight.before) is not None
    return topic != "adjusted" or "adjusted" not in sight.question.keywords


_COMPARING = frozenset(
    "versus vs vs. against with to than exceed exceeds above below under over beyond least most of"
    " the a about only".split()
)
_COMPARED_LIST = re.compile(r"\b(?:versus|vs\.?)\s[^.;\n]{0,40}[0-9][^.;\n]*(?:,|\band)\s*$")
_COMPARED = re.compile(
    r"\b(?:versus|vs\.?|against|compared (?:to|with)|than|exceeds?|above|below|under|over|beyond"
    r"|at least|at most|up to|threshold of|cut-?off of|benchmark of|instead of|rather than)"
    r"\s+(?:the\s+|a\s+|about\s+|only\s+)?$",
    re.IGNORECASE,
)


def _is_compared(sight: Sight) -> bool:
    before = sight.before
    if ("vs" in before or "versus" in before) and _COMPARED_LIST.search(before):
        return True
    word = before.rstrip().rpartition(" ")[2].lower()
    return word in _COMPARING and _COMPARED.search(before) is not None


_PAIRING = frozenset(",;–—-taod")  # first or last letter of a separator: comma, dash, "to", "and"
_INTERVAL_TALK = re.compile(
    r"\b(?:interval|CI\b|range[sd]?|limits|bounds|between|from|quartiles?|CIs)", re.IGNORECASE
)
_SECOND = r"\s*(?:,|;|–|—|-|to|and)\s*[-−]?[$€£]?[0-9.]"
_OPENS_PAIR = re.compile(_SECOND)
_CLOSES_PAIR = re.compile(r"[0-9%]\s*(?:,|;|–|—|-|to|and)\s*$")


def interval_end(sight: Sight) -> str | None:
    """ "lower" or "upper" if the number is one end of a stated interval, else None."""
    if sight.after.lstrip()[:1] not in _PAIRING and sight.before.rstrip()[-1:] not in _PAIRING:
        return None
    opens = _OPENS_PAIR.match(sight.after)
    closes = _CLOSES_PAIR.search(sight.before)
    if not (opens or closes) or not _INTERVAL_TALK.search(sight.before):
        bracketed = (opens and sight.before[-1:] == "[") or (closes and sight.after[:1] == "]")
        dashed = (opens and opens[0].strip()[:1] in "–—") or (
            closes and closes[0][1:].strip()[:1] in "–—"
        )
        if not (bracketed or dashed) or sight.kind == "execution":
            return None
    return "lower" if opens else "upper"


def _is_interval_end(sight: Sight) -> bool:
    """An end of an interval nobody asked for, or the end that was not asked for."""
    end = interval_end(sight)
    if end is None:
        return False
    if "interval" not in sight.question.topics:
        return True
    return sight.question.bound is not None and end != sight.question.bound


_FILE_TALK = re.compile(r"\b(?:shape|dtype|memory usage|entries|rows x|RangeIndex)\b[^\n]*$")


def _is_file_talk(sight: Sight) -> bool:
    line = sight.text[max(0, sight.number.start - 60) : sight.number.end + 30]
    return sight.kind == "execution" and bool(
        _FILE_TALK.search(sight.before.rpartition("\n")[2]) or "rows x" in line
    )


_NEGATED = re.compile(r"\b(?:not|n't|never|no longer)\s+(?:[*_`$]{0,3})$", re.IGNORECASE)


def _is_negated(sight: Sight) -> bool:
    return _NEGATED.search(sight.before, max(0, len(sight.before) - 20)) is not None


_TERM = re.compile(
    r"\s?(?:[·⋅*×]\s?[A-Za-z_]|\\cdot|\\times\s?\\?[A-Za-z])"
    r"|\s?[-+−–]\s?[0-9.]+\s?[·⋅*×]\s?[A-Za-z_]"
)
_FIRST_OPERAND = re.compile(r"\s?\)?\s?[-−–+/*×÷]\s?\(?[0-9$][^=≈\n]{0,40}[=≈]")
_LATER_OPERAND = re.compile(r"[0-9)%]\s?(?:[-−–+/*×÷]|\\times|\\div)\s?\(?$")
_EQUALS = re.compile(r"\s?\)?[^=≈\n]{0,30}[=≈]")


def _is_operand(sight: Sight) -> bool:
    """On the left of an equals sign in a written-out calculation: `849.97 - 1097.75 = ...`."""
    if "=" not in sight.after and "≈" not in sight.after:
        return False
    if sight.number.is_fraction:
        return sight.after.lstrip()[:1] in ("=", "≈")
    if _FIRST_OPERAND.match(sight.after):
        return True
    return bool(_LATER_OPERAND.search(sight.before)) and bool(_EQUALS.match(sight.after))


_CHANGE = re.compile(
    r"\s(?:more|higher|lower|less|fewer|greater|larger|smaller|increase|decrease|drop|rise)\b"
)


def _is_relative_change(sight: Sight) -> bool:
    """`90% more visits`, where no percentage is asked for."""
    if sight.question.wants_percent or "proportion" in sight.question.topics:
        return False
    return sight.number.is_percent and _CHANGE.match(sight.after) is not None


def _is_coarser(sight: Sight) -> bool:
    """A whole number where decimals are asked for."""
    number = sight.number
    return number.is_integer and not number.is_percent and (sight.question.decimals or 0) > 0


_UNIT_TOPICS = frozenset({"p_value", "proportion", "correlation", "r_squared"})
_UNBOUNDED_TOPICS = frozenset({"statistic", "coefficient", "odds", "mean", "percent"})


def _is_impossible(sight: Sight) -> bool:
    """Above 1 where a proportion, a p-value or a correlation is asked for."""
    topics = sight.question.topics
    unbounded = _UNBOUNDED_TOPICS - {"mean"} if "proportion" in topics else _UNBOUNDED_TOPICS
    if not topics & _UNIT_TOPICS or topics & unbounded or sight.question.wants_count:
        return False
    return min(abs(reading) for reading in sight.number.readings()) > 1


def _is_term(sight: Sight) -> bool:
    """A coefficient in a written-out equation: `0.155·poverty`."""
    return _TERM.match(sight.after) is not None and not sight.after.startswith("**")


_LEGEND = re.compile(r"Signif\. codes|'\*+'")


def _is_legend(sight: Sight) -> bool:
    if "'*" not in sight.before and "Signif" not in sight.before:
        return False
    return _LEGEND.search(sight.before.rpartition("\n")[2]) is not None


def _is_not_a_year(sight: Sight) -> bool:
    """Anything but a year where a year is asked for."""
    if "year" not in sight.question.topics or sight.question.wants_count:
        return False
    number = sight.number
    return number.value != int(number.value) or not 1000 <= number.value <= 2500


_OPENING = re.compile(r"[\w%)\]*]\s*\($|[\w%)\]*]\s*\([^()]*$")


def _is_aside(sight: Sight) -> bool:
    """In parentheses after something else: `0.477` in `R² = 0.480 (adjusted 0.477)`."""
    if sight.kind == "execution" or "(" not in sight.before:
        return False
    return _OPENING.search(sight.before.rpartition("\n")[2]) is not None


RULES: tuple[Rule, ...] = (
    Rule("list_number", "always", 6.0, _is_list_number),
    Rule("array_index", "always", 6.0, _is_index),
    Rule("row_label", "always", 6.0, _is_row_label),
    Rule("boolean", "always", 6.0, _is_boolean),
    Rule("bounded", "always", 6.0, _is_bounded),
    Rule("confidence_level", "always", 6.0, _is_level),
    Rule("legend", "always", 6.0, _is_legend),
    Rule("negated", "unless_alone", 4.0, _is_negated),
    Rule("compound", "always", 4.0, _is_compound),
    Rule("file_talk", "always", 4.0, _is_file_talk),
    Rule("label", "always", 4.0, _is_label),
    Rule("size", "always", 3.0, _is_size),
    Rule("question_number", "unless_alone", 3.0, _is_question_number),
    Rule("counted", "unless_alone", 2.0, _is_counted),
    Rule("impossible", "unless_alone", 2.5, _is_impossible),
    Rule("year", "unless_alone", 3.0, _is_year),
    Rule("not_a_year", "unless_alone", 2.5, _is_not_a_year),
    Rule("equation_term", "unless_alone", 2.0, _is_term),
    Rule("operand", "unless_alone", 2.0, _is_operand),
    Rule("relative_change", "unless_alone", 1.5, _is_relative_change),
    Rule("other_statistic", "unless_alone", 2.5, _is_other_statistic),
    Rule("interval_end", "unless_alone", 2.5, _is_interval_end),
    Rule("compared", "unless_alone", 2.5, _is_compared),
    Rule("coarser_than_asked", "unless_alone", 0.8, _is_coarser),
    Rule("aside", "unless_alone", 1.0, _is_aside),
)
