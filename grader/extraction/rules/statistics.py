"""Numbers of another statistical kind than the one asked for: other tests, other measures."""

from __future__ import annotations

import re

from ...numbers import Quantity
from ..naming import EFFECTS, RATIOS, named_statistic
from ..question import Question, once
from ..question.topics import ABOUT_ESTIMATES, ERRORS
from ..units import is_measure
from .context import Context, is_the_one_asked_for

_NAMED_AFTER = re.compile(r"\s*(?:(?:[a-z]+ )?standard (?:errors?|deviations?)|SEs?|SDs?)\b")
_IN_DEVIATIONS = re.compile(
    r"[*_`]{0,3}\s(?:pooled (?:standard deviations|SDs)"
    r"|(?:standard deviations|SDs) (?:apart|higher|lower|larger|smaller))\b"
)
_SQUARED_EFFECT = re.compile(  # as R² is
    r"(?:(?<![^\W_])(?P<name>eta|omega|epsilon)|(?P<letter>[ηωε]))[ _-]?(?:squared|\^?2|²)",
    re.IGNORECASE,
)
_STATISTIC_OF_TEST = re.compile(
    r"\b(Levene|Bartlett|Shapiro|Hausman|Kruskal|Mann|Wilcoxon|Durbin|Breusch|Jarque|Ljung|Brown"
    r"|Anderson|Kolmogorov|Friedman|Fligner|Hosmer|Sargan|Ramsey|White)(?:-[A-Z][a-z]+)?(?:['’]s)?"
    r"\s(?:test\s)?statistic\b[^.;,\n]{0,20}$"
)
_LETTERS = {"eta": "η", "omega": "ω", "epsilon": "ε"}
_STANDARDISED = frozenset({"cohen", "hedges", "standardized", "standardised"})
_CAPITALS = re.compile("[A-Z]+")
_BEHIND_PLUS_MINUS = frozenset({"margin", "deviation", "standard_error"})
_MARGIN_AFTER = re.compile(r"[\s$]{0,3}(?:[a-z]+\s)?(?:±|\+/[-−]|\\pm\b)")
_NO_RATIOS = RATIOS | {"coefficient"}  # asking for one of these excludes other ratios
_ASIDE = re.compile(r"\(\s*[^()]{0,40}$")

# Names that may stand for what a question calls something else: "the mean is 3".
_MAY_NAME_ANY = frozenset(
    {"median", "mean", "odds", "risk", "interval", "effect", "coefficient", "estimate", "ratio",
     "rmse", "mse", "mae", "minimum", "maximum"}
)  # fmt: skip
_CENTRES, _EXTREMES = frozenset({"mean", "median"}), frozenset({"minimum", "maximum"})
_CENTRE_NAMES = frozenset({"mean", "median", "average"})
_SPREADS = frozenset({"deviation", "variance"})
_OF_VARIATION = re.compile(
    r"[*_`]{0,3}\sof (?:the |all )?(?:\w+ ){0,2}vari(?:ance|ation|ability)\b"
)
_SHARES = frozenset({"r_squared", "proportion", "percent"})
_VARIES = frozenset({"variance", "variation", "variability", "squared", "explain", "explained"})
_MEANS = frozenset({"mean", "average"})  # as words of a question
# Measures of predictions: one of them is no other.
_MEASURES = ERRORS | {
    "auc", "accuracy", "precision", "recall", "specificity", "f1", "brier", "mape",
}  # fmt: skip
_SO_P = re.compile(r"\b(?:so|hence|thus|therefore)\s,?\s?\$?P\s?=\s?$")  # so P = <0.10>


def is_other_statistic(context: Context) -> bool:
    """A statistic of another kind than any the question names."""
    if (is_other := _other_by_its_surroundings(context)) is not None:
        return is_other
    topic, question = context.topic, context.question
    if topic is None or is_the_one_asked_for(context):
        return False
    if topic == "effect_size" and (is_other := _is_of_another_effect_size(context)) is not None:
        return is_other
    if topic in question.topics:
        return topic == "statistic" and _is_of_another_test(context)
    if _is_symbol_of(question, context.words):
        return False
    if topic == "p_value" and "probability" in question.focus and _SO_P.search(context.before):
        return False
    if topic in RATIOS and not _NO_RATIOS.isdisjoint(question.topics):
        return True
    if topic in _MAY_NAME_ANY:
        return _is_other_than_asked(topic, context)
    if topic in _MEASURES:
        return not _MEASURES.isdisjoint(question.topics)
    if topic == "log":
        return "log" not in question.keywords
    if topic == "adjusted":
        return not any(word.startswith("adjust") for word in question.keywords)
    return True


def is_in_deviations(context: Context) -> bool:
    """True for a difference in `1.2 pooled standard deviations` where Cohen's d is asked for."""
    is_asked = not _STANDARDISED.isdisjoint(context.question.keywords)
    return is_asked and _IN_DEVIATIONS.match(context.after) is not None


def _other_by_its_surroundings(context: Context) -> bool | None:
    """Whether a standard error, a margin, an explained share or an effect is another statistic than
    the one asked for. None if it is none of these, or they do not say."""
    after, topics = context.after, context.question.topics
    if ("standard" in after or "S" in after) and _NAMED_AFTER.match(after):
        return not (topics & {"standard_error", "deviation"} or is_in_deviations(context))
    if not topics.isdisjoint(_BEHIND_PLUS_MINUS):
        if _MARGIN_AFTER.match(after):
            return True
        if context.topic == "margin":
            return False
    if "vari" in after and _is_explained_share(context):
        return True
    name = context.words[-1] if context.words else ""
    if name in EFFECTS and (asked := _effects_asked(context.question)):
        if name not in asked:
            return True
        if topics.isdisjoint(ABOUT_ESTIMATES):
            return False
    return None


def _is_other_than_asked(topic: str, context: Context) -> bool:
    """Whether a topic that may name what the question calls something else is another one here."""
    topics, keywords = context.question.topics, context.question.keywords
    if topics & ABOUT_ESTIMATES:
        return True
    if topic == "median" and not _MEANS.isdisjoint(keywords):
        return "median" not in keywords
    if topic in _EXTREMES and not _CENTRES.isdisjoint(topics):
        return not context.before.rstrip(" :=*_|").endswith(")")  # waiting time (min): <55.7>
    if topic in _CENTRES and "total" in keywords:
        return True
    if topic in _CENTRES and not _SPREADS.isdisjoint(topics):
        return any(word.lower() in _CENTRE_NAMES for word in context.words[-1:])
    if topic in ERRORS and not ERRORS.isdisjoint(topics):
        return True
    return _ASIDE.search(context.before) is not None


def is_of_variation(context: Context) -> bool:
    """True for `86% of the variation`."""
    return _OF_VARIATION.match(context.after) is not None


def _is_explained_share(context: Context) -> bool:
    """`12% of the variation` where another thing is asked for."""
    if not (context.number.is_percent and is_of_variation(context)):
        return False
    question = context.question
    is_asked = not question.topics.isdisjoint(_SHARES) or not _VARIES.isdisjoint(question.keywords)
    return not (is_asked or question.wants_percent)


@once
def _effects_asked(question: Question) -> frozenset[str]:
    """The effects that a question names, each of which another one is not: `ITT (1.33)` where the
    LATE is asked for."""
    return EFFECTS.intersection(_CAPITALS.findall(question.text)) | (EFFECTS & question.acronyms)


def _is_of_another_test(context: Context) -> bool:
    """`W = 2.36` or `Levene's statistic of 2.36` where the F statistic is asked for."""
    asked, named = context.question.statistics, named_statistic(context.words)
    if asked and named is None and (test := _STATISTIC_OF_TEST.search(context.before)):
        return test[1].lower() not in context.question.text.lower()
    return bool(asked) and named is not None and named not in asked


def _is_of_another_effect_size(context: Context) -> bool | None:
    """Whether it is `ω² = 0.55` where η² is asked for. None if one of them names none of these."""
    asked, named = _squared_effects(context.question.text), _squared_effects(context.before)
    return named[-1] not in asked if asked and named else None


def _squared_effects(text: str) -> list[str]:
    """The Greek letters of the squared effect sizes that a text names."""
    found = (match["letter"] or match["name"] for match in _SQUARED_EFFECT.finditer(text))
    return [_LETTERS.get(name.lower(), name.lower()) for name in found]


def _is_symbol_of(question: Question, words: tuple[str, ...]) -> bool:
    """`T = 3` where the question ends in `T`: "Find the time T."."""
    name = words[-1] if words else ""
    if len(name) != 1:
        return False
    return re.search(rf"\b{re.escape(name)}\s*(?:[.?=]|\Z)", question.text) is not None


_UNIT_TOPICS = frozenset({"p_value", "proportion", "correlation", "r_squared"})
_BOUNDED_TOPICS = frozenset({"p_value", "correlation", "r_squared"})
_UNBOUNDED_TOPICS = frozenset({"statistic", "coefficient", "odds", "mean", "percent", "year"})


def wants_at_most_one(question: Question) -> bool:
    """True if a proportion, a p-value or a correlation is asked for, and nothing else."""
    topics = question.topics
    unbounded = _UNBOUNDED_TOPICS - {"mean"} if "proportion" in topics else _UNBOUNDED_TOPICS
    is_other = question.wants_count or question.asks_which
    return bool(topics & _UNIT_TOPICS) and not topics & unbounded and not is_other


def wants_bounded(question: Question) -> bool:
    """True if a p-value or a correlation is asked for, which no "share price" can be taken for."""
    return wants_at_most_one(question) and not _BOUNDED_TOPICS.isdisjoint(question.topics)


_PURE_TOPICS = frozenset(
    {"p_value", "correlation", "r_squared", "statistic", "odds", "risk", "skewness", "kurtosis"}
)


def wants_pure_number(question: Question) -> bool:
    """True if what is asked for has no unit."""
    is_other = question.wants_count or question.asks_which or question.unit is not None
    named = not _PURE_TOPICS.isdisjoint(question.topics) or "index" in question.focus
    return named and not is_other and "coefficient" not in question.topics


def is_with_unit(context: Context) -> bool:
    """`11.46 MPa`, where a number without a unit is asked for."""
    return not context.number.is_percent and is_measure(context.after)


def is_of_diagonal(context: Context) -> bool:
    """Exactly 1, as on the diagonal of a matrix of correlations: `1.00  0.41`."""
    return context.number.value == 1 and not context.number.is_percent


def is_impossible(context: Context) -> bool:
    """Above 100, even in percent, where a p-value or a correlation is asked for."""
    return _is_above(context.number, 100)


def is_above_one(context: Context) -> bool:
    """Above 1 where a proportion, a p-value or a correlation is asked for."""
    return _is_above(context.number, 1)


def _is_above(number: Quantity, most: float) -> bool:
    """Whether a number is larger in size, however it is read."""
    return abs(number.value) > most and min(map(abs, number.readings())) > most
