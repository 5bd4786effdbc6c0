"""The one of several named options that is (not) significant: "GPA and PSI are significant; TUCE is
not", where a question asks which of them is not."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Sequence
from functools import lru_cache

from ...records import Candidate
from ...text.sentences import sentences

_ASKS = re.compile(
    r"\b(?:which|what)\b(?P<between>(?:[^?.\n]|\.\d){0,200}?)\b(?:in|non-?)?significan"
    r"(?:t(?!\s(?:level|or not|drop|fall|rise|increase|decrease|decline|growth|gain)|ly)"
    r"|ce(?! level))",
    re.IGNORECASE,
)
# Which has the larger mean, and is it significant? Which is the least significant?
_ASKS_ELSE = re.compile(
    r"\band (?:is|are)\b|\b(?:first|most|least|more|less|best|worst|better|worse)\b"
    r"|\b(?:larg|high|low|small|great|strong|weak)e(?:r|st)\b",
    re.IGNORECASE,
)
_SIGNIFICANT = re.compile(r"significan(?:t|ce)", re.IGNORECASE)
_DENIES = re.compile(
    r"\b(?:not|no|never|neither|nor|none|cannot|lacks?|without|fails?|failed)\b|n['’]t\b"
    r"|\b(?:in|non-?)significan",
    re.IGNORECASE,
)
_ASIDE_ENDS = re.compile(r"\s\([^()\n]{0,60}\)\W*\Z")  # TUCE is not (p = 0.5)
_TAIL = 200  # characters
_IN_SHORT = re.compile(  # of significance, in a sentence about it: "TUCE is not"
    r"\b(?:is|are|was|were|does|do|did)(?:\snot|n['’]t)?[\s\W]*\Z", re.IGNORECASE
)
_CLAUSE_ENDS = re.compile(
    r"[;:]\s|,\s(?:and\s)?(?=[^,;]{1,60}\s(?:is|are|was|were|does|do|did|has|have|reach\w*)\b)"
    r"|,?(?<!all)(?<!both)(?<!one)(?<!thing)\s(?:while|whereas|but)\s",  # not: all but ...
    re.IGNORECASE,
)
_EXCEPT = re.compile(  # all but <TUCE> are significant
    r"\b(?:all|every\w*|both|none|the rest|nothing|no \w+)\b[^,;]{0,40}?"
    r"\b(?:but|except(?: for)?|apart from|other than)\s",
    re.IGNORECASE,
)
_OPEN = re.compile(
    r"\b(?:if|whether|would|could|may|might|should|expect\w*|alone"
    r"|test(?:s|ed|ing)? (?:whether|for|if)|at the (?:1|10)\s?%)(?!\w)|\?",
    re.IGNORECASE,
)


def significant_one(text: str, mentions: Sequence[Candidate], question: str) -> Candidate | None:
    """The last mention of the only option that a text says to be as asked, significant or not.
    None if the question asks something else, or if there is none such, or several. mentions: of
    options in the text, in order."""
    asked = _asked(question)
    if asked is None or not _SIGNIFICANT.search(text):
        return None
    said: dict[object, set[bool]] = {}
    last: dict[object, Candidate] = {}
    left = deque(mentions)
    is_about_it = False
    for start, end in sentences(text):
        inside: list[Candidate] = []
        while left and left[0].span[0] < end:
            inside.append(left.popleft())
        says_so = _SIGNIFICANT.search(text, start, end) is not None
        is_about_it = says_so or (is_about_it and _ends_in_short(text[start:end]))
        if inside and is_about_it:
            for mention, is_significant in _said_in(text, start, end, inside):
                said.setdefault(mention.value, set()).add(is_significant)
                last[mention.value] = mention
    found = [value for value, kinds in said.items() if kinds == {asked}]
    return last[found[0]] if len(found) == 1 else None


@lru_cache(maxsize=1024)
def _asked(question: str) -> bool | None:
    """Whether a question asks which one is significant, True, or is not, False; None for others."""
    found = _ASKS.search(question)
    if found is None or _ASKS_ELSE.search(found["between"]):
        return None
    return _DENIES.search(found[0]) is None


def _said_in(
    text: str, start: int, end: int, mentions: Sequence[Candidate]
) -> list[tuple[Candidate, bool]]:
    """Each option that a sentence says to be significant or not, and which."""
    found = []
    for first, last in _clauses(text, start, end):
        clause = text[first:last]
        inside = [one for one in mentions if first <= one.span[0] < last]
        is_said = _SIGNIFICANT.search(clause) or _ends_in_short(clause)
        if not inside or not is_said or _OPEN.search(clause):
            continue
        excepted = _EXCEPT.search(clause)
        behind = clause[excepted.end() :] if excepted else clause
        is_significant = _DENIES.search(behind) is None
        if excepted:
            is_none = clause[excepted.start() :][:2].lower() == "no"
            is_significant = is_none is is_significant
            inside = [one for one in inside if one.span[0] >= first + excepted.end()]
        found += [(one, is_significant) for one in inside]
    return found


def _ends_in_short(clause: str) -> bool:
    """Whether a clause says it in short: "TUCE is not (p = 0.5)"."""
    return _IN_SHORT.search(_ASIDE_ENDS.sub("", clause[-_TAIL:])) is not None


def _clauses(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Where the clauses of a sentence start and end."""
    cuts = [match.span() for match in _CLAUSE_ENDS.finditer(text, start, end)]
    starts = [start, *(after for _, after in cuts)]
    return list(zip(starts, [*(before for before, _ in cuts), end], strict=True))
