"""Reading a model's reply. Only closed forms are read; anything else is None."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ..extraction.options.choices import normalise_option, options
from ..number_edges import SCALES
from ..numbers import Quantity, parse_number
from ..records import Task

LONGEST_VALUE = 60
LONGEST_TEXT = 200
LONGEST_QUOTE, FEWEST_WORDS = 1000, 3
# Thoughts before an answer, as far as their end, for the opening tag may be in the prompt: most
# models', Mistral's, Gemma's, Cohere's and gpt-oss's.
_THINKING = re.compile(
    r"\A.*?(?:</(?:\w+:)?(?:think|thinking|thought)>|\[/THINK\]|<channel\|>|<\|END_THINKING\|>"
    r"|<\|channel\|>final<\|message\|>)",
    re.DOTALL,
)
_MARKS = " \t\n*`\"'“”„‘’‚«»‹›"  # stand around an answer; no period, which may begin a number
_AROUND, _AFTER = _MARKS + ".()", "!,;"  # besides, around and after a word
_PERIOD_AFTER_MARK = re.compile(rf"(?<=[{re.escape(_MARKS)}])\.\Z")
_NUMBER_WORDS = frozenset(
    {
        "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine",
        "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen",
        "seventeen", "eighteen", "nineteen", "twenty", "thirty", "forty", "fifty", "sixty",
        "seventy", "eighty", "ninety", "hundred", *SCALES, "dozen", "half", "third", "quarter",
        "fifth", "tenth", "hundredth", "halves", "thirds", "quarters", "fifths", "tenths",
    }
)  # fmt: skip
# What joins several values, of which none is then the answer.
_OPEN_WORDS = frozenset({"or", "vs", "versus", "not", "nor", "either", "between"})
_CONNECTING_WORDS = frozenset(
    {
        "minus", "negative", "plus", "point", "per", "cent", "percent", "percentage",
        "points", "a", "an", "of", "about", "approximately",
        "roughly", "less", "more", "than", "over", "under",
    }
)  # fmt: skip
_TOKEN = re.compile(r"[A-Za-zµ°]+|[-+−–]?(?:[0-9][0-9.,]*)?[0-9]|[^\sA-Za-z0-9]")
_WORD = re.compile(r"\w+")
_TAG = re.compile(r"</?[A-Za-z]")
_SYMBOLS = frozenset("+-−–±×*/^()[]%$€£¥<>≤≥=≈~,.:°⁻⁺⁰¹²³⁴⁵⁶⁷⁸⁹")
_UNITS_ALLOWED = 2
_LONGEST_UNIT = 15


@dataclass(frozen=True)
class Unclear:
    """The model found no single answer."""


@dataclass(frozen=True)
class Wording:
    """An answer that is not a plain number: a number in words or with a unit, or any answer to a
    question that asks for no number."""

    text: str


@dataclass(frozen=True)
class Option:
    """An option, in canonical form, and as it was written."""

    canonical: str
    text: str


Answer = Quantity | Unclear | Wording | Option


def read_extraction(reply: str, task: Task) -> Answer | None:
    """The answer in a reply; None if it is not in the form that the task asks for."""
    text = _bare(reply)
    if _word(text).upper() == "UNCLEAR":
        return Unclear()
    if not text or "\n" in text:
        return None
    if not task.wants_number:
        return _read_words(text, task) if len(text) <= LONGEST_TEXT else None
    if len(text) > LONGEST_VALUE:
        return None
    text = _unmarked(text)
    number = parse_number(text)
    if number is not None:
        return number
    return Wording(text) if _is_worded_value(text) else None


def _read_words(text: str, task: Task) -> Option | Wording | None:
    """The option in a reply to a choice task; any words if the task has no options."""
    if task.answer_kind == "text" or not options(task):
        return Wording(text)
    option = normalise_option(text, task) or normalise_option(_word(text), task)
    return None if option is None else Option(option, text)


def read_yes_no(reply: str) -> bool | None:
    """True for YES, False for NO, None for anything else."""
    return {"YES": True, "NO": False}.get(_word(_bare(reply)).upper())


def read_quote(reply: str) -> str | None:
    """The sentence in a reply that quotes one; None for NONE, and for a few words or a whole page,
    which would prove nothing."""
    text = _bare(reply).strip("\"“”' \t\n")
    if len(text) > LONGEST_QUOTE or len(_WORD.findall(text)) < FEWEST_WORDS:
        return None
    return text


def _bare(reply: str) -> str:
    return _THINKING.sub("", reply).strip()


def _word(text: str) -> str:
    """A text without the marks and punctuation around it."""
    return text.strip(_AROUND).rstrip(_AROUND + _AFTER)


def _unmarked(text: str) -> str:
    """A text without the quotation marks and emphasis around it."""
    return _PERIOD_AFTER_MARK.sub("", text).strip(_MARKS)


def _is_worded_value(text: str) -> bool:
    """True for a quantity written otherwise than as one number (`twelve`, `5 hours`, `< 0.001`):
    number words, digits and signs, and at most two further words, as units. A sentence is not
    one."""
    tokens = [token.lower() for token in _TOKEN.findall(text)]
    words = [token for token in tokens if token[0].isalpha()]
    units = [word for word in words if word not in _NUMBER_WORDS | _CONNECTING_WORDS]
    others = [token for token in tokens if not token[0].isalpha()]
    return (
        not _TAG.search(text)
        and _OPEN_WORDS.isdisjoint(words)
        and any(token in _NUMBER_WORDS or token[-1].isdigit() for token in tokens)
        and all(token in _SYMBOLS or token[-1].isdigit() for token in others)
        and all(len(word) <= _LONGEST_UNIT for word in units)
        and len(units) <= _UNITS_ALLOWED
        and tokens[0] not in units
    )
