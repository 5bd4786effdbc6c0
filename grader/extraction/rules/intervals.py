"""The ends of intervals: "95% CI 2.41 to 4.42"."""

from __future__ import annotations

import re

from .changes import wants_no_change
from .context import Context

# The first and the last sign of what joins the ends of an interval: a comma, a dash, "to", "and",
# "to about", "to roughly", "ms to".
JOINT_STARTS: frozenset[str] = frozenset(",;–—-°abcdefghijklmnopqrstuvwxyz")
JOINT_ENDS: frozenset[str] = frozenset(",;–—-odty")
_FROM_TO = r"\sfrom\s[^\s]{1,15}(?:\s[a-z%]{1,10}){0,2}?\sto\s$"
_MOVES = re.compile(  # brings the rate down from 1,365 to <742>
    r"\b(?:brings?|brought|takes?|took|lowers?|lowered|raises?|raised|moves?|moved|cuts?|reduces?"
    r"|reduced|pushe[sd]|pulls?|pulled)\b[^.;\n]{1,40}" + _FROM_TO
)
_FALLS = re.compile(  # falls slightly from 1,365 to <742>
    r"\b(?:falls?|fell|drop(?:s|ped)?|decline[sd]?|decrease[sd]?|shrinks?|shrank|change[sd]?|rises?"
    r"|rose|grows?|grew|increase[sd]?|improve[sd]?|goes|went)\b[^.;\n0-9]{0,30}" + _FROM_TO
)
_CONDITION = re.compile(r"(?:^|[.;]\s)(?:As|When|If|While)\b[^,;]*$")  # As x rises from 2 to <3>,
_LETTER = re.compile(r"[A-Za-z]")
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
_BEHIND_PAIR = re.compile(  # between 1990 and 2010, <1998> was the wettest
    r"\b(?:between\s[^\s,;]{1,12}\sand|from\s[^\s,;]{1,12}\sto)\s[^\s,;]{1,12},\s$", re.IGNORECASE
)
_CONFIDENCE = re.compile(r"\b(?:CIs?|confidence|credible|HDI|HPD)\b(?:[^.;\n]|\.[0-9]){0,40}$")


def interval_end(context: Context) -> str | None:
    """ "lower" or "upper" if the number is one end of a stated interval, else None."""
    may_open = context.after.lstrip(_EMPHASIS)[:1] in JOINT_STARTS
    may_close = context.before.rstrip()[-1:] in JOINT_ENDS
    if not (may_open or may_close):
        return None
    opens = _OPENS_PAIR.match(context.after) if may_open else None
    closes = _CLOSES_PAIR.search(context.before) if may_close else None
    if closes and _BEHIND_PAIR.search(context.before):
        closes = None
    if not (opens or closes):
        return None
    if closes and not opens and _is_moved_to(context):
        return None
    if not _INTERVAL_TALK.search(context.before):
        may_be_round = context.question.bound is not None and not _LETTER.search(context.line)
        bracketed = (opens and context.before.endswith(("[", "(") if may_be_round else "[")) or (
            closes and context.after.startswith(("]", ")") if may_be_round else "]")
        )
        dashed = (opens and opens[0].strip()[:1] in "–—") or (
            closes and closes[0][1:].strip()[:1] in "–—"
        )
        if not (bracketed or dashed) or context.kind == "execution":
            return None
    return "lower" if opens else "upper"


def _is_moved_to(context: Context) -> bool:
    """Whether a number is what something comes down or up to; what falls or rises by itself may do
    so beside a difference that is asked for."""
    if context.question.circumstances.side == "before":
        return False
    if _MOVES.search(context.before):
        return not context.question.wants_difference
    if not wants_no_change(context.question) or _CONDITION.search(context.line):
        return False
    return _FALLS.search(context.before) is not None


def is_of_confidence_interval(context: Context) -> bool:
    """`2.41` and `4.42` in "3.42 kg (95% CI 2.41 to 4.42)"."""
    return _CONFIDENCE.search(context.before) is not None and interval_end(context) is not None


def is_interval_end(context: Context) -> bool:
    """An end of an interval nobody asked for, or the end that was not asked for."""
    end = interval_end(context)
    if end is None:
        return False
    if "interval" not in context.question.topics:
        return True
    return context.question.bound is not None and end != context.question.bound
