"""What a question asks for: of what, a bound of an interval, a difference, a ratio."""

from __future__ import annotations

import re
from typing import NamedTuple

from ...text.keywords import COMPARATIVES
from .answer_form import wanted_bound
from .topics import ABOUT_ESTIMATES, ERRORS, topics_of

_HOW_MANY_THINGS = re.compile(r"(?<!by )\bhow many (?!(?:percent|standard|degrees)\b)[^,.;?]*")
_DIFFERENCE = re.compile(
    r"\b(?:minus|difference|exceeds?|did [\w\s]{0,60}change"
    r"|what (?:is|was) the (?:(?!percent|relative)[a-z]+ ){0,2}change (?:in|of|from)"
    r"|how much (?:does|do|did|would|will) [\w\s-]{1,60}?\b(?:raise|increase|reduce|lower|change"
    r"|improve|decrease|grow|rise|fall|drop|differ|shift|boost)"
    r"|by (?:how (?:much|many)|what (?:percent(?:age)?|share|amount))"
    rf"|how much[\w\s]{{0,20}}?(?:{COMPARATIVES})"
    # but not: how many are older than 65
    rf"|how many[\w\s]{{0,20}}?(?:{COMPARATIVES})(?! than (?:an? )?[$€£]?[0-9]))\b",
)
_FACTOR = re.compile(
    r"\b(?:by (?:what|which) factor|how many times (?:as|more|larger|higher|greater|bigger|longer"
    r"|heavier|faster|older|taller|wider|stronger|likelier))\b"
)
_ESTIMATES = frozenset({"odds", "mean", "median", "coefficient", "effect", "correlation"})
_BESIDE_P_VALUE = _ESTIMATES - {"coefficient", "effect"} | {"statistic", "r_squared"}
_AVERAGE_EFFECT = re.compile(r"\baverage (?:treatment |causal )effect")


class Sought(NamedTuple):
    """What a question asks for.

    bound: "upper" or "lower", of an interval; about_estimate: something of an estimate (its error,
    its p-value), not the estimate.
    """

    topics: frozenset[str]
    bound: str | None
    about_estimate: bool
    wants_difference: bool
    is_ratio: bool


def sought_in(asked: str, bare: str) -> Sought:
    """What a question, in lower case, asks for. bare: the same without its method and brackets."""
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
    return Sought(topics, bound, about_estimate, wants_difference, is_ratio)


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
