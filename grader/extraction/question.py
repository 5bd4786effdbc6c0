"""Reading what a question asks for, once per question: keywords, numbers and wanted form."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from ..numbers import Quantity, find_numbers
from ..text.keywords import COMPARATIVES, content_words
from .answer_form import wanted_bound, wanted_decimals, wanted_scale
from .asked_names import PERCENTILE, abbreviations_in, acronyms_of, name_asked, only_held_fixed
from .circumstances import Circumstances, circumstances_of
from .naming import LABELS
from .number_words import number_words_in
from .topics import ABOUT_ESTIMATES, ERRORS, has_any, statistics_of, topics_of
from .units import asked_unit

_COUNTS = re.compile(
    r"\b(?:(?<!\bby )how many\b(?! percent)|(?<!mean )(?<!average )"
    r"(?<!and )(?<!and the )(?<!on the )(?<!between )(?<!between the )"
    r"(?:(?<!of the )|(?<=estimate of the ))number of\b"
    r"|total (?:number|count)\b"
    r"|(?:^|(?<=[.,;:?!]\s)|(?<=\band\s)|(?<=\bthen\s)|(?<=\bplease\s))count\b)"
)
_HOW_MANY_THINGS = re.compile(r"(?<!by )\bhow many (?!(?:percent|standard|degrees)\b)[^,.;?]*")
# Which one has most, not how many it has.
_WITH_MOST = re.compile(
    r"\bwhich\b[^?.\n]{0,80}?\b(?:greatest|largest|highest|smallest|lowest|fewest) number of\b"
)
_DIFFERENCE = re.compile(
    r"\b(?:minus|difference|exceeds?|did [\w\s]{0,60}change"
    r"|by (?:how (?:much|many)|what (?:percent(?:age)?|share|amount))"
    rf"|how (?:much|many)[\w\s]{{0,20}}?(?:{COMPARATIVES}))\b",
)
_FACTOR = re.compile(
    r"\b(?:by (?:what|which) factor|how many times (?:as|more|larger|higher|greater|bigger|longer"
    r"|heavier|faster|older|taller|wider|stronger|likelier))\b"
)
_ESTIMATES = frozenset({"odds", "mean", "median", "coefficient", "effect", "correlation"})
_BESIDE_P_VALUE = _ESTIMATES - {"coefficient", "effect"} | {"statistic", "r_squared"}
# How it is to be found: "without assuming equal variances", "by weighting the strata".
_METHOD = re.compile(
    r"(?:\b(?:(?:without )?assuming|after \w+ing|using(?= (?:an?|the) )|by (?!using)\w+ing)\b"
    r"|(?:^|[.;?!\n]\s*)assume\b)"
    r"(?:(?!\band (?:report|give|state|compute|calculate|find|estimate|what|how)\b)[^,.;?\n])*"
)
_AVERAGE_EFFECT = re.compile(r"\baverage (?:treatment |causal )effect")
_IN_BRACKETS = re.compile(r"\([^()]*\)")
_SIZE = re.compile(r"\b(?:sample size|needed|required?|necessary|recruit\w*|survey(?:ed)?)\b")
_TAKEN_AWAY = re.compile(r"\b(?:drop|remov|delet|exclud|filter|miss|duplicat|lost|churn)")
_REST = re.compile(r"\b(?:remain|left\b(?! out)|after\b|final|kept|keep|stay|still)")
_FALL = re.compile(
    r"\b(?:decreas|declin|drop(?!\w{0,4}[ -]?outs?\b)|reduc|lower|fewer|less\b|fall|fell|loss"
    r"|lose|absolute|magnitude|shorten|shrink|cut\b|sav(?:e|es|ed|ing)\b|positive number)",
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
_INSTRUCTS = re.compile(r"\b(?:yes|no|answer|output|say|respond|choose)\b[^.?!\n]{0,20}\bif\b")
_ADJUSTED = re.compile(r"\badj(?:usted\b|\.)")
_SIGNED = re.compile(r"\bsigned\b|\bwith (?:its|the|a|correct) (?:correct )?sign\b")
_FALL_IS_NEGATIVE = re.compile(
    r"\bnegative (?:(?:numbers?|values?|sign) )?(?:(?:for|if|means?|indicates?)\b|=)"
)
_NEGATIVE = re.compile(r"\bnegative\b")
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


@dataclass(frozen=True, eq=False)
class Question:
    """A question, read (once; equal means the same object).

    `target` are the keywords except words about the answer's format; `held_fixed` those that only
    name what is adjusted for; `focus` are the keywords that name what is asked for, `head` the noun
    among them, `acronyms` what they may be written as ("CAGR") and `abbreviations` which of its
    words "ipw" may stand for; `statistics` are the test statistics it names; `numbers` are its own
    numbers; `decimals` the places it wants and `unit` the unit (None if unsaid); `scale` is 1e3 if
    it wants thousands; `wants_adjusted` that it asks for the adjusted R²; `wants_rest` that it may
    ask for what is left of something, not for what was taken away; `wants_sign` says that it
    asks for one ("signed"); `names_a_fall` that it speaks of a decrease, whose size has no sign,
    `fall_is_negative` that it has one; `may_be_difference` that the answer is one, or an effect;
    `bound` is "upper" or "lower" if it asks for one end of an interval; `percentile` is 50 for the
    median; `asks_which` names the thing whose number it asks for ("which cluster"); `supposes` that
    it asks what would be ("if the price rose, would sales fall?").
    """

    text: str
    keywords: frozenset[str]
    target: frozenset[str]
    held_fixed: frozenset[str]
    focus: frozenset[str]
    head: str
    acronyms: frozenset[str]
    abbreviations: Mapping[str, frozenset[str]]
    numbers: tuple[Quantity, ...]
    topics: frozenset[str]
    statistics: frozenset[str]
    decimals: int | None
    unit: str | None
    wants_percent: bool
    scale: float
    wants_count: bool
    wants_size: bool
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

    @property
    def wants_year(self) -> bool:
        """Whether it asks in which year something was."""
        return "year" in self.topics and not self.wants_count


@lru_cache(maxsize=4096)
def read_question(text: str) -> Question:
    """Read a question. The last 4,096 that were read are kept."""
    asked = text.lower()
    # Words in brackets only describe what is asked for, as in "Cohen's d (pooled SD)".
    bare = _IN_BRACKETS.sub(" ", asked) if "(" in asked else asked
    if "assum" in bare or "after " in bare or "using " in bare or "by " in bare:
        bare = _METHOD.sub(" ", bare)
    topics = _topics_named(bare)
    bound = wanted_bound(asked) if "interval" in topics else None
    topics = _topics_meant(topics, bare, has_bound=bound is not None)
    about_estimate = bound is not None or not topics.isdisjoint(ABOUT_ESTIMATES)
    wants_difference = not about_estimate and _DIFFERENCE.search(bare) is not None
    # The mean is a term of a difference or a ratio, and in the name of an error.
    of_ratio = "ratio of" in asked
    is_ratio = (of_ratio and "ratio" in topics) or _FACTOR.search(asked) is not None
    if wants_difference or of_ratio or is_ratio or not topics.isdisjoint(ERRORS):
        topics -= {"mean", "median"}
    if is_ratio:
        topics = topics - {"deviation", "variance"} | {"ratio"}
    keywords, name = content_words(asked), name_asked(bare)
    acronyms = acronyms_of(name, asked)
    held_fixed = only_held_fixed(asked)
    numbers = (*find_numbers(text), *_percentiles(text))
    wants_share = _WHAT_SHARE.search(asked) is not None
    wants_count = not (about_estimate or wants_share or is_ratio) and _asks_how_many(bare)
    # In "how many countries have more than 50 %?" and "the slope on the percentage of renters", the
    # percentage is something else.
    is_other = wants_count or not topics.isdisjoint(_NO_PERCENTAGES)
    percent = _IN_PERCENT if is_other and not wants_share else _PERCENT
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
        topics=topics,
        statistics=statistics_of(bare) if "statistic" in topics else frozenset(),
        decimals=wanted_decimals(asked),
        unit=asked_unit(asked),
        wants_percent=percent.search(asked) is not None,
        scale=wanted_scale(asked),
        wants_count=wants_count,
        wants_size=_SIZE.search(asked) is not None,
        wants_adjusted="r_squared" in topics and _ADJUSTED.search(asked) is not None,
        wants_rest=_REST.search(asked) is not None or not _TAKEN_AWAY.search(asked),
        wants_money=_MONEY.search(asked) is not None,
        wants_sign=_SIGNED.search(asked) is not None,
        wants_negative=_NEGATIVE.search(asked) is not None,
        names_a_fall=_FALL.search(asked) is not None,
        fall_is_negative=_FALL_IS_NEGATIVE.search(asked) is not None,
        wants_difference=wants_difference,
        may_be_difference=wants_difference or "effect" in keywords,
        bound=bound,
        percentile=_percentile(asked),
        asks_which=_asks_which(asked),
        supposes=_SUPPOSES.search(asked) is not None and not _INSTRUCTS.search(asked),
        number_words=number_words_in(asked),
        circumstances=circumstances_of(asked, numbers, held_fixed),
    )


def _topics_named(asked: str) -> frozenset[str]:
    """The topics that a question names, less what only says more of them."""
    topics = topics_of(asked)
    if "margin" in topics:  # of the interval of an estimate, neither of which is asked for
        return frozenset({"margin"})
    return topics - {"interval"} if "iqr" in topics else topics  # which is one number


def _topics_meant(topics: frozenset[str], asked: str, *, has_bound: bool) -> frozenset[str]:
    """The topics of what is asked for: of "the p-value of the t statistic", the p-value."""
    if "p_value" in topics:  # then the test, the statistic and the estimate are not what is asked
        topics -= _BESIDE_P_VALUE
    elif "standard_error" in topics or has_bound:
        topics -= _ESTIMATES
    elif "statistic" in topics or "r_squared" in topics:
        topics -= {"mean", "median"}
    if _AVERAGE_EFFECT.search(asked):
        topics -= {"mean"}
    if _HOW_MANY_THINGS.search(asked):  # how many have a p-value below 0.05
        topics -= ABOUT_ESTIMATES - topics_of(_HOW_MANY_THINGS.sub(" ", asked))
    if has_bound or not topics.isdisjoint(ABOUT_ESTIMATES):
        topics -= {"sample_size"}
    return topics


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
