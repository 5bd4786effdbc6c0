"""Days and years of dates with the name of a month: `12 April`, `January 3, 2015`."""

from __future__ import annotations

import re

from ..question import Question
from .context import Context

# Written with a capital, as "may" and "march" are other words too.
_MONTH = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?"
    r"|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)"
)
HINTS: tuple[str, ...] = tuple("jan feb mar apr may jun jul aug sep oct nov dec".split())
_MONTH_AFTER = re.compile(rf"\s(?:of\s)?{_MONTH}\b")
_MONTH_BEFORE = re.compile(rf"\b{_MONTH}\.?\s$")
_ON_MONTH = re.compile(rf"\b[Oo]n\s(?:\w+day,?\s)?{_MONTH}\.?\s$")
_YEAR_AFTER = re.compile(r",?\s(?:1[5-9]|20)[0-9]{2}\b")
_DAY_BEFORE = re.compile(rf"\b{_MONTH}\.?\s[0-3]?[0-9](?:st|nd|rd|th)?,\s$")
_ASKS_WHEN = re.compile(
    r"\b(?:when|(?:which|what)\s(?:\w+\s)?(?:day|date)|day\sof\sthe\s(?:month|year))\b",
    re.IGNORECASE,
)


def wants_no_date(question: Question) -> bool:
    """True unless a year or a day is asked for."""
    return "year" not in question.topics and _ASKS_WHEN.search(question.text) is None


def is_of_date(context: Context) -> bool:
    """The day in `12 April` and `April 12, 2019`, the year in `April 12, 2019`, `April 2019`."""
    number, before, after = context.number, context.before, context.after
    if 1 <= number.value <= 31 and len(number.text) < 3:
        if _MONTH_AFTER.match(after) or _ON_MONTH.search(before):
            return True
        return _YEAR_AFTER.match(after) is not None and _MONTH_BEFORE.search(before) is not None
    if 1500 <= number.value < 2100 and len(number.text) == 4:
        return bool(_MONTH_BEFORE.search(before) or _DAY_BEFORE.search(before))
    return False
