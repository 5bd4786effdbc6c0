"""Numbers of another statistical kind than the one asked for: ends of intervals, other tests."""

from __future__ import annotations

import re
from functools import lru_cache

from ...numbers import Quantity
from ..naming import EFFECTS, RATIOS, named_statistic
from ..question import Question
from ..question.topics import ABOUT_ESTIMATES, ERRORS
from ..units import is_measure
from .sight import Sight, is_the_one_asked_for

_NAMED_AFTER = re.compile(r"\s*(?:(?:[a-z]+ )?standard (?:errors?|deviations?)|SEs?|SDs?)\b")
_IN_DEVIATIONS = re.compile(
    r"[*_`]{0,3}\s(?:pooled (?:standard deviations|SDs)"
    r"|(?:standard deviations|SDs) (?:apart|higher|lower|larger|smaller))\b"
)
_ETA = re.compile(r"(?:\beta|η|\bomega|ω)[ -]?(?:squared|\^?2|²)", re.IGNORECASE)  # as R² is
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


def is_other_statistic(sight: Sight) -> bool:
    """A statistic of another kind than any the question names."""
    if (is_other := _other_by_its_surroundings(sight)) is not None:
        return is_other
    topic, question = sight.topic, sight.question
    if topic is None or is_the_one_asked_for(sight):
        return False
    if topic in question.topics:
        return topic == "statistic" and _is_of_another_test(sight)
    if _is_symbol_of(question, sight.words):
        return False
    if topic == "effect_size" and _ETA.search(sight.before) and _ETA.search(question.text):
        return False
    if topic == "p_value" and "probability" in question.focus and _SO_P.search(sight.before):
        return False
    if topic in RATIOS and not _NO_RATIOS.isdisjoint(question.topics):
        return True
    if topic in _MAY_NAME_ANY:
        return _is_other_than_asked(topic, sight)
    if topic in _MEASURES:
        return not _MEASURES.isdisjoint(question.topics)
    if topic == "log":
        return "log" not in question.keywords
    if topic == "adjusted":
        return not any(word.startswith("adjust") for word in question.keywords)
    return True


def is_in_deviations(sight: Sight) -> bool:
    """True for a difference in `1.2 pooled standard deviations` where Cohen's d is asked for."""
    is_asked = not _STANDARDISED.isdisjoint(sight.question.keywords)
    return is_asked and _IN_DEVIATIONS.match(sight.after) is not None


def _other_by_its_surroundings(sight: Sight) -> bool | None:
    """Whether a standard error, a margin, an explained share or an effect is another statistic than
    the one asked for. None if it is none of these, or they do not say."""
    after, topics = sight.after, sight.question.topics
    if ("standard" in after or "S" in after) and _NAMED_AFTER.match(after):
        return not (topics & {"standard_error", "deviation"} or is_in_deviations(sight))
    if not topics.isdisjoint(_BEHIND_PLUS_MINUS):
        if _MARGIN_AFTER.match(after):
            return True
        if sight.topic == "margin":
            return False
    if "vari" in after and _is_explained_share(sight):
        return True
    name = sight.words[-1] if sight.words else ""
    if name in EFFECTS and (asked := _effects_asked(sight.question)):
        if name not in asked:
            return True
        if topics.isdisjoint(ABOUT_ESTIMATES):
            return False
    return None


def _is_other_than_asked(topic: str, sight: Sight) -> bool:
    """Whether a topic that may name what the question calls something else is another one here."""
    topics, keywords = sight.question.topics, sight.question.keywords
    if topics & ABOUT_ESTIMATES:
        return True
    if topic == "median" and not _MEANS.isdisjoint(keywords):
        return "median" not in keywords
    if topic in _EXTREMES and not _CENTRES.isdisjoint(topics):
        return not sight.before.rstrip(" :=*_|").endswith(")")  # waiting time (min): <55.7>
    if topic in _CENTRES and "total" in keywords:
        return True
    if topic in ERRORS and not ERRORS.isdisjoint(topics):
        return True
    return _ASIDE.search(sight.before) is not None


def is_of_variation(sight: Sight) -> bool:
    """True for `86% of the variation`."""
    return _OF_VARIATION.match(sight.after) is not None


def _is_explained_share(sight: Sight) -> bool:
    """`12% of the variation` where another thing is asked for."""
    if not (sight.number.is_percent and is_of_variation(sight)):
        return False
    question = sight.question
    is_asked = not question.topics.isdisjoint(_SHARES) or not _VARIES.isdisjoint(question.keywords)
    return not (is_asked or question.wants_percent)


@lru_cache(maxsize=4096)
def _effects_asked(question: Question) -> frozenset[str]:
    """The effects that a question names, each of which another one is not: `ITT (1.33)` where the
    LATE is asked for."""
    return EFFECTS.intersection(_CAPITALS.findall(question.text)) | (EFFECTS & question.acronyms)


def _is_of_another_test(sight: Sight) -> bool:
    """`W = 2.36` where the F statistic is asked for."""
    asked, named = sight.question.statistics, named_statistic(sight.words)
    return bool(asked) and named is not None and named not in asked


def _is_symbol_of(question: Question, words: tuple[str, ...]) -> bool:
    """`T = 3` where the question ends in `T`: "Find the time T."."""
    name = words[-1] if words else ""
    if len(name) != 1:
        return False
    return re.search(rf"\b{re.escape(name)}\s*(?:[.?=]|\Z)", question.text) is not None


# The first and the last sign of what joins the ends of an interval: a comma, a dash, "to", "and",
# "to about", "to roughly", "ms to".
JOINT_STARTS: frozenset[str] = frozenset(",;–—-°abcdefghijklmnopqrstuvwxyz")
JOINT_ENDS: frozenset[str] = frozenset(",;–—-odty")
_MOVES = re.compile(  # brings the rate down from 1,365 to <742>
    r"\b(?:brings?|brought|takes?|took|lowers?|lowered|raises?|raised|moves?|moved|cuts?|reduces?"
    r"|reduced|pushe[sd]|pulls?|pulled)\b[^.;\n]{1,40}\sfrom\s[^\s]{1,15}(?:\s[a-z%]{1,10}){0,2}?\sto\s$"
)
_EMPHASIS = " \n\t*_`"
_INTERVAL_TALK = re.compile(
    r"\b(?:interval|CI\b|range[sd]?|limits|bounds|between|from|quartiles?|CIs)", re.IGNORECASE
)
_ABOUT = r"(?:(?:about|roughly|around|approximately)\s)?"
_SECOND = rf"\s*(?:,|;|–|—|-|(?:up )?to|and)\s*{_ABOUT}[-−]?[$€£]?[0-9.]"
_UNIT_TO = r"\s[a-z°]{1,3}\sto\s"  # 5 ms to 7 ms
_OPENS_PAIR = re.compile(rf"[*_`]{{0,3}}(?:{_SECOND}|{_UNIT_TO}[0-9.])")
_CLOSES_PAIR = re.compile(  # but not: from 0.50 in 2021 to 0.57
    rf"[0-9%](?<!\sin [0-9]{{4}})"
    rf"(?:\s*(?:,|;|–|—|-|(?:up )?to|and)\s*{_ABOUT}|{_UNIT_TO})$"
)


def interval_end(sight: Sight) -> str | None:
    """ "lower" or "upper" if the number is one end of a stated interval, else None."""
    may_open = sight.after.lstrip(_EMPHASIS)[:1] in JOINT_STARTS
    may_close = sight.before.rstrip()[-1:] in JOINT_ENDS
    if not (may_open or may_close):
        return None
    opens = _OPENS_PAIR.match(sight.after) if may_open else None
    closes = _CLOSES_PAIR.search(sight.before) if may_close else None
    if not (opens or closes):
        return None
    if closes and not opens and _MOVES.search(sight.before):
        return None
    if not _INTERVAL_TALK.search(sight.before):
        bracketed = (opens and sight.before[-1:] == "[") or (closes and sight.after[:1] == "]")
        dashed = (opens and opens[0].strip()[:1] in "–—") or (
            closes and closes[0][1:].strip()[:1] in "–—"
        )
        if not (bracketed or dashed) or sight.kind == "execution":
            return None
    return "lower" if opens else "upper"


_CONFIDENCE = re.compile(r"\b(?:CIs?|confidence|credible|HDI|HPD)\b(?:[^.;\n]|\.[0-9]){0,40}$")


def is_of_confidence_interval(sight: Sight) -> bool:
    """`2.41` and `4.42` in "3.42 kg (95% CI 2.41 to 4.42)"."""
    return _CONFIDENCE.search(sight.before) is not None and interval_end(sight) is not None


def is_interval_end(sight: Sight) -> bool:
    """An end of an interval nobody asked for, or the end that was not asked for."""
    end = interval_end(sight)
    if end is None:
        return False
    if "interval" not in sight.question.topics:
        return True
    return sight.question.bound is not None and end != sight.question.bound


_CHANGE = re.compile(
    r"[$*_`)]{0,3}\s(?:more|higher|lower|less|fewer|greater|larger|smaller|increase|decrease|drop|rise)\b"
)
_CHANGE_OF = re.compile(
    r"\b(?:reduction|decrease|decline|drop|increase|rise) of (?:(?:about|around|roughly) )?$"
)


LIKELIER: tuple[str, ...] = (" more likely", " less likely")


def wants_no_relative_change(question: Question) -> bool:
    """False if a percentage or a proportion is asked for, unless in percentage points."""
    is_relative = question.wants_percent or "elasticity" in question.keywords
    is_relative = is_relative or "growth rate" in question.text.lower()
    is_share = is_relative or "proportion" in question.topics
    return not is_share or "points" in question.keywords


def is_relative_change(sight: Sight) -> bool:
    """`90% more visits`, `a rise of 90%`, where no percentage is asked for; `4 percentage points
    more` is no relative one, but `4% more likely` is."""
    if not sight.number.is_percent or "point" in sight.number.text:
        return False
    if "points" in sight.question.keywords:
        return sight.after.startswith(LIKELIER)
    return bool(_CHANGE.match(sight.after) or _CHANGE_OF.search(sight.before))


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


def is_with_unit(sight: Sight) -> bool:
    """`11.46 MPa`, where a number without a unit is asked for."""
    return not sight.number.is_percent and is_measure(sight.after)


def is_impossible(sight: Sight) -> bool:
    """Above 100, even in percent, where a p-value or a correlation is asked for."""
    return _is_above(sight.number, 100)


def is_above_one(sight: Sight) -> bool:
    """Above 1 where a proportion, a p-value or a correlation is asked for."""
    return _is_above(sight.number, 1)


def _is_above(number: Quantity, most: float) -> bool:
    """Whether a number is larger in size, however it is read."""
    return abs(number.value) > most and min(map(abs, number.readings())) > most
