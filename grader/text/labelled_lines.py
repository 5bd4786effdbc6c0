"""Agents that label their lines: `Thought:`, `Action:`, `Action Input:`, `Observation:`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .formats import LABELS, BlockKind
from .printout import looks_like_code

_NUMBER = r"(?:[ ][0-9]{1,3})?"  # Thought 2:
_LABEL = re.compile(rf"^({'|'.join(LABELS)}){_NUMBER}[ \t]*:[ \t]*", re.MULTILINE)
# Only agents write so: a heading "Action:" or "Observation:" of a report is no such line.
_ACTS = re.compile(rf"^(?:Action Input[ \t]*:|Action{_NUMBER}[ \t]*:[ \t]*\w+\[)", re.MULTILINE)
_HANDED_OVER = re.compile(
    r"""
    \s*+ (?: Action (?: \s \d{1,3} )? \s? : \s* )? (?: finish | answer | submit )
    (?: \[ ( [^\[\]\n]++ ) \] | \( ( [^()\n]++ ) \) ) [.\s]*+    # Action: Finish[18]
    """,
    re.IGNORECASE | re.VERBOSE,
)
_LONGEST_CALL = 160
_CALL = re.compile(
    r"\s*(?:(```|~~~).*?\n\1[^\n]*|\w+\[[^\n]*\]$|.*?(?=\n[ \t]*\n|\Z))", re.S | re.M
)


def acts(section: str) -> bool:
    """True if a text has a line that calls a tool: `Action Input: ...`, `Action 1: Search[...]`."""
    return "Action" in section and _ACTS.search(section) is not None


def split_labelled(section: str) -> Iterator[tuple[BlockKind, int, str]]:
    """The pieces of a text with labels, in order: kind, offset and text, without the labels. A call
    ends where its observation begins; one without, at a blank line or with its fence."""
    kind: BlockKind = "prose"
    start = 0
    for label in _LABEL.finditer(section):
        is_observed = LABELS[label[1]] == "execution"
        yield from _pieces(kind, start, section[start : label.start()], is_observed)
        kind, start = LABELS[label[1]], label.end()
    yield from _pieces(kind, start, section[start:])


def _pieces(
    kind: BlockKind, start: int, text: str, is_observed: bool = False
) -> Iterator[tuple[BlockKind, int, str]]:
    call = _CALL.match(text) if kind == "code" and not is_observed else None
    rest = text[call.end() :] if call else ""
    if call is None or not rest.strip() or looks_like_code(rest):
        yield _piece(kind, start, text)
    else:
        yield _piece(kind, start, text[: call.end()])
        yield "prose", start + call.end(), rest


def _piece(kind: BlockKind, start: int, text: str) -> tuple[BlockKind, int, str]:
    if kind == "code" and (answer := handed_over(text)):
        return "answer", start + text.index(answer), answer
    return kind, start, text


def handed_over(text: str) -> str | None:
    """What a text that is nothing but a call hands over as the answer: `Finish[0.28]`."""
    call = _HANDED_OVER.fullmatch(text) if len(text) <= _LONGEST_CALL else None
    return (call[1] or call[2]) if call else None
