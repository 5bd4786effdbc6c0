"""Whether words that an answer opens with are its answer: not part of another name, nor one of
several answers."""

from __future__ import annotations

import re

# <Sudan> of "South Sudan", <Guinea> of "Equatorial Guinea", <normal> of "log-normal"
_OTHER_NAME_BEFORE = re.compile(
    r"""
    (?: \b (?: North | South | East | West | Central | New | Equatorial | Upper | Lower | Greater
             | Inner | Outer | Saint | St\.? | Papua [ ] New
             | (?: North | South | East | West ) ern ) [ ]
      | \w[-‑] ) $
    """,
    re.VERBOSE,
)
_OTHER_NAME_AFTER = re.compile(r"[-‑]\w")  # <Guinea>-Bissau
# all except <Mali>; Chad beats <Mali>; I would have said <Mali>
_SET_ASIDE = re.compile(
    r"""
    \b (?: (?: except | excluding | besides | other [ ] than | all [ ] but ) (?: [ ] for )?
         | beats? | exceeds? | outperforms? | surpass (?: es )? | outranks? | overtakes? | tops
         | would (?: [ ] have | ['’]ve ) [ ] \w+ )
    (?: [ ] the )? [\s*_`"'“”‘’]{1,4} $
    """,
    re.IGNORECASE | re.VERBOSE,
)
_LEAD = 60
_ITEM = r"""
    (?! (?: with | at | in | by | which | who | where | when | ahead | followed | because | as
          | since | so | but | and | or | the | an? | it | its | this | that | based | according
          | not | for | from | of | on | to | per | having | being | then | while | although
          | though ) \b )
    [^\W\d] [\w'’-]* (?: [ ] [^\W\d] [\w'’-]* ){0,2}
"""
# <Mali> or Chad; <Mali>? Chad?; <Mali>, Chad, Niger, Togo
_ALTERNATIVES = re.compile(
    rf"""
    [*_`"'“”‘’]{{0,4}}
    (?: \s? \?
      | \s or \s (?: the \s )? [*_`]{{0,3}} {_ITEM} [*_`]{{0,3}} [.!]? \s* (?: \n | \Z )
      | (?: ,\s {_ITEM} ){{2,}} (?: ,? \s (?: and | or ) \s {_ITEM} )? [.!]? \s* (?: \n | \Z ) )
    """,
    re.VERBOSE,
)


def is_part_of_name(text: str, start: int, end: int) -> bool:
    """Whether text[start:end] is only a part of another name: Guinea of "Guinea-Bissau"."""
    before = text[max(0, start - _LEAD) : start]
    return bool(_OTHER_NAME_BEFORE.search(before) or _OTHER_NAME_AFTER.match(text, end))


def is_alone(text: str, start: int, end: int) -> bool:
    """Whether text[start:end] is a whole name, and no other name stands beside it as an answer."""
    if is_part_of_name(text, start, end):
        return False
    before = text[max(0, start - _LEAD) : start]
    return not (_SET_ASIDE.search(before) or _ALTERNATIVES.match(text, end))
