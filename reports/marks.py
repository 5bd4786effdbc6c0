"""Evidence in a transcript: the places of the answer region and the compared value."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from markupsafe import Markup, escape

from grader.invisible import displayable
from grader.records import Grade
from grader.text import Block

SHOWN_CHARACTERS = 100_000  # of a step: half from its start, half from its end
AROUND = 1000  # characters on either side of a mark, which is shown wherever it stands


class Mark(NamedTuple):
    """A stretch of a block's text; `kind` is "region" or "value", `title` names its grader."""

    start: int
    end: int
    kind: str
    title: str


def marks_in(block: Block, grades: Iterable[Grade]) -> list[Mark]:
    """The marks of one block of the graded step: each grader's region and value in it. A judge's
    region is the sentence it quotes; mostly it names a value only, which is marked at its last
    place."""
    marks = []
    for grade in grades:
        title = f"{grade.grader}: {grade.value or 'no value'} ({grade.verdict})"
        region = str(grade.evidence.get("region") or _quote(grade))
        is_here = bool(region) and grade.evidence.get("half") in (None, _half_of(block))
        start = block.text.find(region) if is_here else -1
        if start >= 0:
            marks.append(Mark(start, start + len(region), "region", title))
            places = _compared(block.text, grade, start, start + len(region))
        elif not region and grade.verdict in ("correct", "incorrect"):
            places = _places(block.text, grade.value, 0, len(block.text))[-1:]
        else:
            places = []
        marks += [Mark(*place, "value", title) for place in places[:1]]
    return marks


def shown_parts(
    length: int, offset: int, total: int, marks: Iterable[Mark]
) -> list[tuple[int, int]]:
    """What to show of a block of `length` characters, as (start, end) in order: all of it, unless
    its step, in which `offset` of `total` characters stand before it, is too long."""
    if total <= SHOWN_CHARACTERS:
        return [(0, length)]
    half = SHOWN_CHARACTERS // 2
    wanted = [(0, half - offset), (total - half - offset, length)]
    wanted += [(mark.start - AROUND, mark.end + AROUND) for mark in marks]
    parts: list[tuple[int, int]] = []
    for start, end in sorted((max(0, start), min(length, end)) for start, end in wanted):
        if parts and start <= parts[-1][1]:
            parts[-1] = (parts[-1][0], max(parts[-1][1], end))
        elif start < end:
            parts.append((start, end))
    return parts


def render(text: str, marks: Sequence[Mark]) -> Markup:
    """The text, escaped, with its marks as `<mark>` elements; overlapping ones are joined."""
    edges = sorted({0, len(text), *(e for m in marks for e in (m.start, m.end))})
    out = []
    for start, end in pairwise(edges):
        piece = escape(displayable(text[start:end]))
        over = [m for m in marks if m.start <= start and end <= m.end]
        if over:
            kind = "value" if any(m.kind == "value" for m in over) else "region"
            title = "; ".join(dict.fromkeys(m.title for m in over if m.kind == kind))
            piece = Markup('<mark class="{}" title="{}">{}</mark>').format(
                kind, displayable(title), piece
            )
        out.append(piece)
    return Markup("").join(out)


def _quote(grade: Grade) -> str:
    """The sentence that the first judge who did quotes."""
    return next((one["quote"] for one in grade.evidence.get("judges", ()) if one.get("quote")), "")


def _half_of(block: Block) -> str:
    return "execution" if block.kind == "execution" else "verbal"


def _compared(text: str, grade: Grade, start: int, end: int) -> list[tuple[int, int]]:
    """Where the value that was compared stands in a region: where the grade says (perhaps without
    the sign that the words give it), else wherever it stands on its own."""
    bare = (grade.value or "").lstrip("-")
    match grade.evidence.get("span"):
        case [int(first), int(last)] if last <= end - start:
            if bare and bare in text[start + first : start + last]:
                return [(start + first, start + last)]
    return _places(text, grade.value, start, end)


def _places(text: str, value: str | None, start: int, end: int) -> list[tuple[int, int]]:
    """Where a value stands on its own in text[start:end]."""
    if not value:
        return []
    pattern = re.compile(rf"(?<![\w.]){re.escape(value)}(?!\w)")
    return [match.span() for match in pattern.finditer(text, start, end)]
