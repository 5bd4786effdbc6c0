"""The closing line of an output, where it does nothing but state the answer."""

from __future__ import annotations

import re

from .blocks import Block

_LONGEST_LINE = 160
# "The answer is", "**Final answer:**", "So my answer to the question would be". Possessive
# repeats (`*+`) read a row of stars or blanks in one way only.
_STATEMENT = re.compile(
    r"""
    [\s>*_\#$]*+
    (?: (?: so | thus | hence | therefore | in[ ]conclusion | overall ) \b ,? \s++ )?
    (?: (?: the | my | our ) \s++ )?
    [*_]*+ (?: final[ ] | correct[ ] | overall[ ] )? answer [*_]*+
    (?: \s++ to[ ] (?: the | your | this ) [ ]question [*_]*+ )?
    (?: \s++ (?: is | would[ ]be ) \b | \s*+ [:=] )
    [\s:*_]*+
    """,
    re.IGNORECASE | re.VERBOSE,
)
# A number or a formula, behind no more than signs and "about".
_VALUE = re.compile(
    r"""
    (?: (?: about | approximately | roughly | around | nearly | exactly ) \s+ )?
    [*_`≈~<>(\[+−–$€£¥-]* \s?
    (?: [.0-9] | \\[a-z] | π | √ | sqrt \b )         # .5, \frac{1}{2}
    """,
    re.IGNORECASE | re.VERBOSE,
)
_NO_VALUE = re.compile(
    r"""
    \W*
    (?: undefined | undetermined | indeterminate | unknown | none | n/?a | nan | null
      | infinit (?: y | e ) | impossible | insufficient
      | not[ ] (?: enough | possible | available | defined | determin\w+ )
      | cannot | can['’]t | unable | does (?: [ ]not | n['’]t ) [ ]exist
      | no[ ] (?: answer | solution | such ) ) \b    # no such value
    """,
    re.IGNORECASE | re.VERBOSE,
)
_SAYS_MORE = re.compile(r"\b(?:not|never|neither|nor)\b|n['’]t\b|[.!?]\s+\S", re.IGNORECASE)


def with_closing_answer(blocks: list[Block], raw: str) -> list[Block]:
    """The blocks of an output. If its last line is of the form "The answer is 5.", this line is an
    answer section of its own; so is one that says that there is no value."""
    place = len(blocks) - 1
    while place >= 0 and blocks[place].kind == "ui":
        place -= 1
    block = blocks[place] if place >= 0 else None
    if block is None or block.kind != "prose":
        return blocks
    if "answer" not in block.text[-_LONGEST_LINE:].lower():
        return blocks
    before, _, line = block.text.rstrip().rpartition("\n")
    if len(line) > _LONGEST_LINE or not _states_answer(line):
        return blocks
    start = raw.rfind(line, block.start, block.end)
    if start < 0:  # markup inside it was dropped
        return blocks
    rest = [block._replace(text=before, end=start)] if before.strip() else []
    answer = Block(line, "answer", start, block.end)
    return [*blocks[:place], *rest, answer, *blocks[place + 1 :]]


def _states_answer(line: str) -> bool:
    statement = _STATEMENT.match(line)
    if statement is None:
        return False
    if _NO_VALUE.match(line, statement.end()):
        return True
    return _VALUE.match(line, statement.end()) is not None and not _SAYS_MORE.search(line)


def says_no_value(text: str) -> bool:
    """True if an answer begins by saying that there is none: "undefined", "cannot be told"."""
    text = text[:_LONGEST_LINE]  # keeps the cost bounded
    statement = _STATEMENT.match(text)
    return _NO_VALUE.match(text, statement.end() if statement else 0) is not None
