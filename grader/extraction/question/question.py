"""Reading what a question asks for, once per question: keywords, numbers and wanted form."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, TypeVar

from ...numbers import Quantity, find_numbers
from ...text.keywords import content_words
from ..circumstances import Circumstances, circumstances_of
from ..naming import LABELS
from ..number_words import number_words_in
from ..units import asked_unit
from .answer_form import wanted_decimals, wanted_scale
from .names import PERCENTILE, abbreviations_in, acronyms_of, name_asked, only_held_fixed
from .offered_numbers import lettered_numbers, offered_numbers
from .sought import sought_in
from .topics import has_any, statistics_of

_COUNTS = re.compile(
    r"\b(?:(?<!\bby )how many\b(?! percent)|(?<!mean )(?<!average )"
    r"(?<!and )(?<!and the )(?<!on the )(?<!between )(?<!between the )"
    r"(?:(?<!of the )|(?<=estimate of the ))number of\b"
    r"|total (?:number|count)\b"
    r"|(?:^|(?<=[.,;:?!]\s)|(?<=\band\s)|(?<=\bthen\s)|(?<=\bplease\s))count\b)"
)
# Which one has most, not how many it has.
_WITH_MOST = re.compile(
    r"\bwhich\b[^?.\n]{0,80}?\b(?:greatest|largest|highest|smallest|lowest|fewest) number of\b"
)
# How it is to be found: "without assuming equal variances", "by weighting the strata".
_METHOD = re.compile(
    r"(?:\b(?:(?:without )?assuming|after \w+ing|using(?= (?:an?|the) )|by (?!using)\w+ing)\b"
    r"|(?:^|[.;?!\n]\s*)assume\b)"
    r"(?:(?!\band (?:report|give|state|compute|calculate|find|estimate|what|how)\b)[^,.;?\n])*"
)
_IN_BRACKETS = re.compile(r"\([^()]*\)")
_SIZE = re.compile(r"\b(?:sample size|needed|required?|necessary|recruit\w*|survey(?:ed)?)\b")
_TAKEN_AWAY = re.compile(r"\b(?:drop|remov|delet|exclud|filter|miss|duplicat|lost|churn)")
_REST = re.compile(r"\b(?:remain|left\b(?! out)|after\b|final|kept|keep|stay|still)")
_FALL = re.compile(
    r"\b(?:decreas|declin|drop(?!\w{0,4}[ -]?outs?\b)|reduc|lower|fewer|less\b|fall|fell|loss"
    r"|lose|absolute|magnitude|shorten|shrink|(?<!the )(?<!a )cut\b|(?:the|a) cut in\b"
    r"|sav(?:e|es|ed|ing)\b|positive number)",
)
_PERCENT = re.compile(
    r"\bpercent(?!ile)|%(?!\s(?:\w+\s)?(?:confidence|ci\b|intervals?|bounds?|limits?|level))"
)
_IN_PERCENT = re.compile(
    r"\b(?:(?:in|as an?|what|how many|\w+ of an?) percent|(?:give|report|express|answer|state)\b"
    r"[^.?!\n]{0,40}? percent)(?!ile)"
)
_NO_PERCENTAGES = frozenset({"coefficient", "correlation", "odds", "p_value", "statistic"})
_QUARTILE = re.compile(r"\b(?:(first|lower|1st)|(third|upper|3rd)) quartile", re.IGNORECASE)
_WHICH = re.compile(r"\b(?:which|(?:at|in|on|by|after|for) what) ((?:\w+ ){0,2}\w+)")
_WHICH_ONE = re.compile(
    r"\bwhich (?:\w+ ){0,2}?([a-z]{3,})"
    r" (?:has|have|had|is|was|are|were|does|did|shows?|gives?|gets?)\b"
)
_WHAT_SHARE = re.compile(
    r"\bwhat(?:'s| is| was)?(?: the)? (?:\w+ )?(?:percent|fraction|proportion|share\b|probabil"
    r"|likelihood|chance)"
)
_SUPPOSES = re.compile(
    r"\bif\b[^.?!\n]{1,80}\bw(?:ill|ould)\b|\bw(?:ill|ould)\b[^.?!\n]{1,80}\bif\b"
)
_ADJUSTED = re.compile(
    r"(?<!not )(?<!not the )(?<!non-)(?<!than )(?<!than the )\badj(?:usted\b|\.)"
)
_SIGNED = re.compile(r"\bsigned\b|\bwith (?:its|the|a|correct) (?:correct )?sign\b")
_FALL_IS_NEGATIVE = re.compile(
    r"\bnegative (?:(?:numbers?|values?|sign) )?(?:(?:for|if|means?|indicates?)\b|=)"
    r"|\b(?:decreas|declin|drop|reduc|fall|loss|lower|fewer)[^.?!;\n]{0,60}"
    r" (?:should|must|shall) (?:be|give|get|have) an? negative (?:number|value|sign)\b"
    r"|\b(?:decreases?|declines?|drops?|reductions?|falls?|loss(?:es)?) (?:is|are|counts? as|being)"
    r" negative\b(?! values?)"
    r"|(?<!not )(?<!n't )(?<!never )(?<!need to )\b(?:report|give|state|express|write)"
    r" (?:an?|any|the)? ?(?:decrease|decline|drop|reduction|fall|loss)(?:e?s)?"
    r" as (?:a )?negative\b"
)
_NEGATIVE = re.compile(r"\bnegative\b")
_SEVERAL = re.compile(r"\b(?:two|three|four|both|together|total|combined|cumulative|jointly)\b")
_MONEY = re.compile(r"\b(?:dollars?|euros?|pounds|usd|eur|gbp)\b|[$€£]")
_AMOUNTS = frozenset(
    "value number amount percentage percent proportion share fraction rate probability year age"
    " answer statement option".split()
)
_FORMAT_WORDS = frozenset(
    "please round rounded nearest tenth hundredth thousandth ten integer whole decimal decimals"
    " place places digit digits significant scientific notation answer output report give"
    " express expressed one two three four five six keep sign number value".split()
)
_LONG = 1000  # characters; what is read in a question takes about 100 times its size
Found = TypeVar("Found")


@dataclass(frozen=True, eq=False)
class Question:
    """A question, read (once; equal means the same object).

    `target` are the keywords except words about the answer's format; `held_fixed` those that only
    name what is adjusted for; `focus` are the keywords that name what is asked for, `head` the
    noun among them, `acronyms` what they may be written as ("CAGR") and `abbreviations` which of
    its words "ipw" may stand for; `statistics` are the test statistics it names; `numbers` are
    its own numbers but those it lets choose from, which are `offered`; `decimals` the places it
    wants and `unit` the unit (None if unsaid); `scale` is 1e3 if it wants thousands;
    `wants_sum` that it asks how many, or for the share of several together; `wants_adjusted` that
    it asks for the adjusted R²; `wants_rest` that it may ask for what is left of something, not
    for what was taken away; `wants_sign` says that it asks for one
    ("signed"); `names_a_fall` that it speaks of a decrease, whose size has no sign,
    `fall_is_negative` that it has one; `may_be_difference` that the answer is one, or an effect;
    `bound` is "upper" or "lower" if it asks for one end of an interval; `percentile` is 50 for
    the median; `asks_which` names the thing whose number it asks for ("which cluster");
    `supposes` that it asks what would be ("if the price rose, would sales fall?"); `found` holds
    what `once` keeps.
    """

    text: str
    keywords: frozenset[str]
    target: frozenset[str]
    held_fixed: frozenset[str]
    focus: frozenset[str]
    head: str
    acronyms: frozenset[str]
    abbreviations: Mapping[str, tuple[str, ...]]
    numbers: tuple[Quantity, ...]
    offered: tuple[Quantity, ...]
    topics: frozenset[str]
    statistics: frozenset[str]
    decimals: int | None
    unit: str | None
    wants_percent: bool
    scale: float
    wants_count: bool
    wants_size: bool
    wants_sum: bool
    wants_adjusted: bool
    wants_rest: bool
    wants_money: bool
    wants_negative: bool
    wants_sign: bool
    names_a_fall: bool
    fall_is_negative: bool
    wants_difference: bool
    may_be_difference: bool
    bound: str | None
    percentile: float | None
    asks_which: frozenset[str]
    supposes: bool
    number_words: frozenset[str]
    circumstances: Circumstances
    found: dict[object, Any] = field(default_factory=dict)

    @property
    def wants_year(self) -> bool:
        """Whether it asks in which year something was."""
        return "year" in self.topics and not self.wants_count


def read_question(text: str) -> Question:
    """Read a question. The last 4,096 that were read are kept, of long ones, which may be prompts
    with data in them, the last 16."""
    return _read_short(text) if len(text) <= _LONG else _read_long(text)


def once(read: Callable[[Question], Found]) -> Callable[[Question], Found]:
    """Let a function read a question once: what it finds is kept for as long as the question."""

    def kept(question: Question) -> Found:
        if read not in question.found:
            question.found[read] = read(question)
        found: Found = question.found[read]
        return found

    return kept


def _read(text: str) -> Question:
    asked = text.lower()
    bare = _without_method(asked)
    sought = sought_in(asked, bare)
    keywords, name = content_words(asked), name_asked(bare)
    acronyms = acronyms_of(name, asked)
    held_fixed = only_held_fixed(asked)
    in_text = find_numbers(text)
    offered = offered_numbers(text, in_text)
    options = {one.start for one in (*offered, *lettered_numbers(text, in_text))}
    numbers = (*[one for one in in_text if one.start not in options], *_percentiles(text))
    wants_share = _WHAT_SHARE.search(asked) is not None
    is_amount = sought.about_estimate or wants_share or sought.is_ratio
    offers_whole = bool(offered) and all(one.is_integer for one in offered)
    wants_count = not is_amount and (offers_whole or _asks_how_many(bare))
    # In "how many countries have more than 50 %?" and "the slope on the percentage of renters", the
    # percentage is something else.
    is_other = wants_count or not sought.topics.isdisjoint(_NO_PERCENTAGES)
    percent = _IN_PERCENT if is_other and not wants_share else _PERCENT
    wants_percent = percent.search(asked) is not None
    return Question(
        text=text,
        keywords=keywords,
        target=(keywords - _FORMAT_WORDS) or keywords,
        held_fixed=held_fixed,
        focus=content_words(name) & keywords - _FORMAT_WORDS,
        head=name.partition(" of ")[0].rstrip().rpartition(" ")[2],
        abbreviations=abbreviations_in(asked, acronyms),
        acronyms=acronyms,
        numbers=numbers,
        offered=tuple(offered),
        topics=sought.topics,
        statistics=statistics_of(bare) if "statistic" in sought.topics else frozenset(),
        decimals=wanted_decimals(asked),
        unit=asked_unit(asked),
        wants_percent=wants_percent,
        scale=wanted_scale(asked),
        wants_count=wants_count,
        wants_sum=wants_count or (wants_percent and _SEVERAL.search(asked) is not None),
        wants_size=_SIZE.search(asked) is not None,
        wants_adjusted="r_squared" in sought.topics and _ADJUSTED.search(asked) is not None,
        wants_rest=_REST.search(asked) is not None or not _TAKEN_AWAY.search(asked),
        wants_money=_MONEY.search(asked) is not None,
        wants_sign=_SIGNED.search(asked) is not None,
        wants_negative=_NEGATIVE.search(asked) is not None,
        names_a_fall=_FALL.search(asked) is not None,
        fall_is_negative=_FALL_IS_NEGATIVE.search(asked) is not None,
        wants_difference=sought.wants_difference,
        may_be_difference=sought.wants_difference or "effect" in keywords,
        bound=sought.bound,
        percentile=_percentile(asked),
        asks_which=_asks_which(asked),
        supposes=_SUPPOSES.search(asked) is not None,
        number_words=number_words_in(asked),
        circumstances=circumstances_of(asked, numbers, held_fixed),
    )


_read_short = lru_cache(maxsize=4096)(_read)
_read_long = lru_cache(maxsize=16)(_read)


def _without_method(asked: str) -> str:
    """A question without what only describes what it asks for, in brackets as in "Cohen's d (pooled
    SD)", or says how it is to be found."""
    bare = _IN_BRACKETS.sub(" ", asked) if "(" in asked else asked
    if "assum" in bare or "after " in bare or "using " in bare or "by " in bare:
        return _METHOD.sub(" ", bare)
    return bare


def _percentiles(text: str) -> list[Quantity]:
    """90 and 90 % of "the 90th percentile", 25 % of "the first quartile"."""
    ranks = [float(rank) for rank in PERCENTILE.findall(text)]
    quartiles = [
        Quantity(25.0 if low else 75.0, is_percent=True) for low, _ in _QUARTILE.findall(text)
    ]
    return quartiles + [
        Quantity(rank, is_percent) for rank in ranks for is_percent in (False, True)
    ]


def _percentile(asked: str) -> float | None:
    """The percentile that is asked for: 50 for the median, 75 for the third quartile. None if it
    names several."""
    if ranks := set(PERCENTILE.findall(asked)):
        return float(ranks.pop()) if len(ranks) == 1 else None
    if found := _QUARTILE.search(asked):
        return 25.0 if found[1] else 75.0
    return 50.0 if "median" in asked else None


def _asks_how_many(asked: str) -> bool:
    if not has_any(asked, ("how many", "number", "count")):
        return False
    return _COUNTS.search(_WITH_MOST.sub(" ", asked) if "which" in asked else asked) is not None


def things_to_choose(asked: str) -> list[str]:
    """The things of which a question, in lower case, asks for one: "store" of "which store has"."""
    return [thing for thing in _WHICH_ONE.findall(asked) if thing not in _AMOUNTS]


def _asks_which(asked: str) -> frozenset[str]:
    words = [word for found in _WHICH.finditer(asked) for word in found[1].split()]
    return LABELS.intersection(words).union(things_to_choose(asked))
