"""Sentences that go on from the one before them, for another thing: "The mean for men is 5.1. For
women it is 6.2."."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from ...text.keywords import STOP_WORDS
from ..parts import PLAIN, Marked, Part
from ..question import Question
from .weights import WEIGHTS

_LONGEST = 120
_GOES_ON = re.compile(
    r"""
    [\W_]* (?: (?: and | but | however ) ,? \s )?
    (?: (?: in | for | between | among | after | before | with | without | on | at | under | by
          | during | within ) \b [^.;:\n]{1,60}? ,? \s     # For women it is <6.2>
        (?: it | this | that
          | the \s (?: number | count | figure | value | share | rate | mean | average ) ) \s
        (?: is | was | fell | falls | rose | rises | drops | dropped | increased | decreased | went
          | goes | came | comes | became | becomes | stood | stands | equals | equalled | averaged
          | had [ ] (?: risen | fallen | grown | dropped | climbed | increased | decreased ) )
        \b [^.;:\n0-9]{0,20}
      | [^.;:\n]{2,60} \s (?: has | had | shows | showed | reaches | reached | scores | scored )
        \s (?: about \s | only \s )? [\W_]{0,4} )           # Model B has <0.77>
    """,
    re.IGNORECASE | re.VERBOSE,
)
_OF_THEM = re.compile(r"[0-9][*_`]{0,3}\sof\s(?:them|these|those)\b")
_CORRESPONDS = re.compile(
    r"[\W_]{0,4}(?:This|That)\s(?:(?:corresponds|amounts|comes|translates|works\sout)\s(?:in)?to"
    r"|equals|is\sequivalent\sto)\b"
)
_ENDS = re.compile(r"[%*_`]{0,5}(?:[.,;)(]|\s\(|\s*$|\n)")
_TOKEN = re.compile(r"\w+")
# What such a sentence does not say again.
_CARRIED = ("named_as_asked", "called_as_asked", "called_in_full", "focus")


def _may_go_on(mark: Marked, but_for: str = "other_statistic") -> bool:
    """Whether a number may be what the sentence before names: `0.52` in "between x and z it is
    0.52" is no z statistic. but_for: the mark that it may have."""
    return mark.standing == PLAIN or (mark.rule is not None and mark.rule.name == but_for)


def goes_on(part: Part, before: Part, text: str, question: Question) -> bool:
    """Whether a sentence goes on from the one before it (the first from itself) with a number for
    what is asked for: it names something of the question that the other does not."""
    plain = [mark for mark in part.marks if _may_go_on(mark)]
    if not plain or not any(_may_go_on(mark, "other_year") for mark in before.marks):
        return False
    lead = text[part.start : plain[0].number.start]
    if len(lead) > _LONGEST or _GOES_ON.fullmatch(lead) is None:
        return False
    if _ENDS.match(text, plain[0].number.end) is None:
        return False
    asked = set(_TOKEN.findall(question.text.lower())) - STOP_WORDS
    named = asked.intersection(_TOKEN.findall(lead.lower()))
    return not named <= set(_TOKEN.findall(text[before.start : before.end].lower()))


def refers_back(part: Part, before: Part, text: str) -> bool:
    """Whether a sentence counts some of what the one before it names, or gives that in percent:
    `24 of them have it`, `This corresponds to 66%`."""
    if "of th" in text and _OF_THEM.search(text, part.start, part.end):
        return True
    if any(mark.number.is_percent for mark in before.marks) or not part.marks[0].number.is_percent:
        return False
    return _CORRESPONDS.match(text, part.start, part.end) is not None


def carry(said: Mapping[str, float], weighed: Iterable[tuple[Marked, dict[str, float]]]) -> None:
    """Add to the evidence of a sentence's numbers what it does not say again, and that they hold
    for what is asked for. said: the evidence of the last number before."""
    for mark, named in weighed:
        if _may_go_on(mark):
            named.pop("other_statistic", None)
            named.update({name: said[name] for name in _CARRIED if name in said})
            named["holds_as_asked"] = WEIGHTS["holds_as_asked"]
