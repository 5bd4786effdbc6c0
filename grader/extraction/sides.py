"""Sides of a change or of a split, of which a question names one: `before` and `after`, `with` and
`without`."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import NamedTuple

_BEFORE = r"before|previously|originally|initially|formerly|pre-\w+|at baseline"
_AFTER = r"after|afterwards|thereafter|now|post-\w+|at follow-up"
_WITHOUT = r"without|excluding|dropping|removing|omitting|excluded|dropped|removed|omitted"
_WITH = r"including|keeping|retaining|kept|with"
# With "with the" behind it a number is said to be of a side, not with "with a standard error of".
_PARTICIPLES = re.compile(r"\|(?:excluded|dropped|removed|omitted|kept)\b")
_WITH_ALONE = re.compile(r"\bwith\b")
_WITH_IT = r"with(?=\\s(?:the(?!\\s(?:standard|usual))|it|them|all|and)\\b|[.,;])"


class _Side(NamedTuple):
    """The words that name a side, those that name the other, and what may follow a number."""

    own: re.Pattern[str]
    other: re.Pattern[str]
    behind: re.Pattern[str]


def _side(own: str, other: str) -> _Side:
    lead = r"[%*_`)]{0,4}[^\S\n](?:(?:if|when|once|it\s(?:is|was))\s)?"
    ends = r"(?!\s(?:rounding|adjust|control))"
    own, other = (_WITH_ALONE.sub(_WITH_IT, words) for words in (own, other))
    # 20 dropped: so many were
    own_behind, other_behind = (_PARTICIPLES.sub("", words) for words in (own, other))
    return _Side(
        re.compile(rf"\b(?:{own})\b"),
        re.compile(rf"\b(?:{other})\b"),
        re.compile(rf"{lead}(?:(?P<own>{own_behind})|(?:{other_behind}))\b{ends}"),
    )


_SIDES = {
    "before": _side(_BEFORE, _AFTER),
    "after": _side(_AFTER, _BEFORE),
    "within-": _side(r"within-\w+", r"between-\w+"),
    "between-": _side(r"between-\w+", r"within-\w+"),
    "in-sample": _side("(?<!-)in-sample", "out-of-sample"),
    "out-of-sample": _side("out-of-sample", "in-sample"),
    "without": _side(f"{_WITHOUT}|{_AFTER}", f"{_WITH}|{_BEFORE}"),
    "with": _side(f"{_WITH}|{_AFTER}", f"{_WITHOUT}|{_BEFORE}"),
}
_NAMED = re.compile(
    r"\b(?:before|after|within-|between-|in-sample|(?<!-)out-of-sample|excluding|including"
    r"|without\b)(?=\s?\w)"
)
_SAME = {"excluding": "without", "including": "with"}
_LEFT_OUT = re.compile(  # after dropping the outlier, once outliers are removed
    r"\b(?:after|once|when|if)\b[^.,;?]{0,40}?"
    r"\b(?:dropp|remov|exclud|delet|omitt|trimm|discard|leaving out|left out|eliminat)"
)
_PUT_IN = re.compile(
    r"\b(?:after|once|when|if)\b[^.,;?]{0,40}?\b(?:add(?:ed|ing)|includ(?:ed|ing))\b"
)
_MOVES_ON = re.compile(  # 0.67 and is now 0.52, 0.67 becomes 0.52
    r"[%*_`)]{0,4},?\s(?:(?:and|but)\s(?:(?:it|this)\s)?(?:is|are)\snow|becomes?|became)"
    r"\s(?:about\s|only\s|just\s)?[*_$€£]{0,3}[-−]?[0-9]"
)
_WITHOUT_BEHIND = re.compile(r"[%*_`)]{0,4} without (?:the )?(\w+)\b")
_WITHOUT_BEFORE = re.compile(r"\b[Ww]ithout (?:the )?(\w+)\b[^.;:0-9]{0,60}$")
_NEAR = 20
_GOES_TO = re.compile(r"[%*_`]{0,4}(?:\s[a-z]{1,10}){0,2}?\sto\s[*_$€£]{0,3}[-−]?[0-9]")
_CHANGES = frozenset({"after", "with", "without"})


def side_of(part: str, sentence: str) -> str | None:
    """The side that a question, in lower case, names: of all that it says, `sentence`, or of the
    part that asks. None for none or several."""
    removed, added = _LEFT_OUT.search(sentence), _PUT_IN.search(sentence)
    if bool(removed) != bool(added):
        return "without" if removed else "with"
    named = {_SAME.get(name, name) for name in _NAMED.findall(part)}
    return named.pop() if len(named) == 1 else None


def lacks_asked(words: Collection[str], clause: str, after: str) -> bool:
    """Whether a number is said to hold without something that the question names: `0.107 without
    experience and 0.093 with it`. words: of the question, which names no side."""
    if "without" not in after[:_NEAR] and "without" not in clause.lower():
        return False
    found = _WITHOUT_BEHIND.match(after)
    if found is None and not _WITHOUT_BEHIND.match(clause):  # that is said of the number before
        found = _WITHOUT_BEFORE.search(clause)
    return found is not None and found[1].lower() in words


def is_of_side(asked: str, clause: str, after: str) -> bool | None:
    """Whether a number is of the side that is asked for, where the text names both sides: "5.2
    before cleaning and 4.7 after it". The word behind a number counts before those in front.
    clause: what the sentence says before it. None if nothing is said."""
    side = _SIDES[asked]
    clause, after = clause.lower(), after.lower()
    if behind := side.behind.match(after):
        is_own = behind["own"] is not None
        opposite = side.other if is_own else side.own
        return is_own if opposite.search(clause + after) else None
    if asked in _CHANGES and _MOVES_ON.match(after):
        return False
    if asked == "before" and clause.endswith("from ") and _GOES_TO.match(after):
        return True
    if of_last := side.behind.match(clause):  # which is said of the number before
        clause = clause[of_last.end() :]
    is_other = side.other.search(clause) and not side.own.search(clause)
    return False if is_other and side.own.search(after) else None
