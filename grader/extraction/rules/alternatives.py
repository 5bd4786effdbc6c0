"""Values that are left open: `the mean is 5-10`, `the answer is 1 or 9`."""

from __future__ import annotations

import re

from ..question import Question
from .sight import Sight

# In the examples, <5> is the number that is judged. A pair stands where a value is stated, and
# nothing but its unit follows.
_NUMBER = r"[$€£]? [0-9] [0-9.,]{0,15} %? (?: \s? [KkMB] \b )?"
_LEAD = r"[*_`~≈(\[$€£]{0,3}"
_STATED = rf"""
    (?: (?: \b (?: is | are | was | were | be | answer | about | around | approximately
                 | roughly )
          | [:=≈~] ) \s* | \A \W* )
    {_LEAD}
"""
_ANSWERED = rf"(?: \b answer (?: [ ] (?: is | would[ ]be ) \b )? \s* :? \s* | \A \W* ) {_LEAD}"
_JOINT = r"(?: \s? [–—] \s? | - | \s (?: to | or ) \s )"
_PAIR_ENDS = r"""
    %? (?: \s? (?! and \b | or \b ) [A-Za-z%°]{1,12} ){0,2}             # days
    [*_`)\]$]{0,3} (?: [.,;!?] (?!\d) | \s* (?: \n | $ ) )
"""
_FLAGS = re.IGNORECASE | re.VERBOSE
_STATED_BEFORE = re.compile(rf"{_STATED} (?: between \s )? $", _FLAGS)
_ANSWERED_BEFORE = re.compile(rf"{_ANSWERED} $", _FLAGS)
_BETWEEN_BEFORE = re.compile(rf"{_STATED} between \s $", _FLAGS)
_OTHER_FOLLOWS = re.compile(rf"{_JOINT} {_NUMBER} {_PAIR_ENDS}", _FLAGS)
_AND_OTHER_FOLLOWS = re.compile(rf"\s and \s {_NUMBER} {_PAIR_ENDS}", _FLAGS)
_OTHER_STATED = re.compile(
    rf"""
    {_STATED} {_NUMBER} {_JOINT} $                                      # is 5-<10>
    | (?: {_ANSWERED} | {_STATED} between \s ) {_NUMBER} \s and \s $    # the answer is 5 and <10>
    """,
    _FLAGS,
)
_ENDS = re.compile(_PAIR_ENDS, _FLAGS)
_RATIO = re.compile(r"\b(?:ratio|odds|score)\b", re.IGNORECASE)
_JOINT_SIGNS = ("-", "–", "—", " to", " or", " and")
_JOINT_STARTS = ("-", "–", "—", "to ", "or ", "and ")


def wants_no_range(question: Question) -> bool:
    return "interval" not in question.topics


def is_left_open(sight: Sight) -> bool:
    """One of two numbers between which the text leaves its answer open."""
    before, after = sight.before, sight.after
    if before.rstrip().endswith(_JOINT_SIGNS):
        found = _ENDS.match(after) and _OTHER_STATED.search(before)
    elif not after.lstrip().startswith(_JOINT_STARTS):
        return False
    elif _AND_OTHER_FOLLOWS.match(after):
        found = _ANSWERED_BEFORE.search(before) or _BETWEEN_BEFORE.search(before)
    else:
        found = _OTHER_FOLLOWS.match(after) and _STATED_BEFORE.search(before)
    return found is not None and not _RATIO.search(sight.line)
