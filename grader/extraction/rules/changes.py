"""Changes, where a value is asked for: `90% more visits`, `falls by 0.15 to 0.52`."""

from __future__ import annotations

import re

from ..question import Question
from .context import Context

_CHANGE = re.compile(
    r"[$*_`)]{0,3}\s(?:more|higher|lower|less|fewer|greater|larger|smaller|increase|decrease|drop|rise)\b"
)
_CHANGE_OF = re.compile(
    r"\b(?:reduction|decrease|decline|drop|increase|rise) of (?:(?:about|around|roughly) )?$"
)
_BY = re.compile(r"\bby\s(?:(?:about|around|roughly|approximately|some|only)\s)?[*_`$€£]{0,3}$")
_EACH = re.compile(r"\b(?:[Ee]ach|[Ee]very|[Pp]er|[Aa]dditional)\b")  # as a coefficient is told
_TO_NUMBER = re.compile(
    r"[%*_`]{0,4}(?:\s(?!and\b|or\b)[a-z]{1,12}){0,2}?,?\sto\s"
    r"(?:(?:about|around|roughly|only|just)\s)?[*_`$€£]{0,3}[-−]?[0-9]"
)
_BEHIND_RESULT = re.compile(  # from 0.67 to 0.52, i.e. by <0.15>
    r"\sto\s[^\s,;]{1,15}(?:\s[a-z]{1,10})?,?\s\(?(?:(?:i\.e\.,?|that is,?|or|so)\s)?"
    r"by\s[*_`$€£]{0,3}$"
)
LIKELIER: tuple[str, ...] = (" more likely", " less likely")


def wants_no_relative_change(question: Question) -> bool:
    """False if a percentage or a proportion is asked for, unless in percentage points."""
    is_relative = question.wants_percent or "elasticity" in question.keywords
    is_relative = is_relative or "growth rate" in question.text.lower()
    is_share = is_relative or "proportion" in question.topics
    return not is_share or "points" in question.keywords


def is_relative_change(context: Context) -> bool:
    """`90% more visits`, `a rise of 90%`, where no percentage is asked for; `4 percentage points
    more` is no relative one, but `4% more likely` is."""
    if not context.number.is_percent or "point" in context.number.text:
        return False
    if "points" in context.question.keywords:
        return context.after.startswith(LIKELIER)
    return bool(_CHANGE.match(context.after) or _CHANGE_OF.search(context.before))


def wants_no_change(question: Question) -> bool:
    """True if no difference and no percentage is asked for."""
    return not (question.may_be_difference or question.wants_percent)


def is_step(context: Context) -> bool:
    """How far a value moves, with where to: `falls by 0.15 to 0.52`."""
    if not _BY.search(context.before) or _EACH.search(context.line):
        return False
    is_followed = _TO_NUMBER.match(context.after) is not None
    return is_followed or _BEHIND_RESULT.search(context.before) is not None
