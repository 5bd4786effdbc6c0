"""The records an annotator is shown. They have no field for a grade, an agent, a nudge mode or
another annotator's label, so none of these can leak."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from itertools import groupby
from typing import Literal

from grader.invisible import displayable
from grader.records import Record, Task, Transcript
from grader.text import split_output

from .snippets import KIND_NAMES, Place, Snippet, snippets

LONGEST_SEGMENT = 20_000
LONGEST_STEP = 200_000  # of a longer step only the end is shown, and what snippets are from
LONGEST_LINE = 10_000
# A part of a longer line. It ends before a character that does not combine with the one before it,
# if one is near.
LINE_PART = re.compile(
    rf"([^\n]{{{LONGEST_LINE - 100},{LONGEST_LINE}}}(?=[\w!-~\s])|[^\n]{{{LONGEST_LINE}}})"
)
Piece = Literal["", "part", "mark", "best"]
Span = tuple[int, int]


class BlindTask(Record):
    """The question and the published answer."""

    question: str
    context: str
    truth: str
    choices: tuple[str, ...] = ()


class Segment(Record):
    """A stretch of one kind of text. `marks` are (start, end) of snippets in `text`, `best` the
    index of the best snippet's mark if it is here; `hidden` counts characters left out: of the
    middle of a very long stretch or, without a kind and a text, in its place."""

    kind: str = ""
    text: str = ""
    marks: tuple[Span, ...] = ()
    best: int | None = None
    hidden: int = 0

    def pieces(self) -> list[tuple[str, Piece]]:
        """The text cut at its marks, in order, each piece with what it is. The parts of very long
        lines are pieces of their own, which a browser can lay out one by one."""
        found: list[tuple[str, Piece]] = []
        position = 0
        for index, (start, end) in enumerate(self.marks):
            found += _line_parts(self.text[position:start])
            found.append((self.text[start:end], "best" if index == self.best else "mark"))
            position = end
        found += _line_parts(self.text[position:])
        return [(piece, mark) for piece, mark in found if piece]


class BlindStep(Record):
    """One step's output. It omits the instruction, which reveals the nudge mode."""

    number: int
    segments: tuple[Segment, ...]


class BlindItem(Record):
    """One item at the snippet stage."""

    key: str
    task: BlindTask
    snippets: tuple[Snippet, ...]
    problem: str = ""


class BlindTranscript(Record):
    """One item at the transcript stage."""

    key: str
    task: BlindTask
    steps: tuple[BlindStep, ...]
    problem: str = ""


class Revealed(Record):
    """What blind views leave out. Made for an unblinded session only."""

    transcript_id: str
    agent: str
    condition: str
    grades: tuple[tuple[str, str], ...]


def item_key(transcript_id: str) -> str:
    """A stand-in for a transcript id, which may name an agent or a nudge mode."""
    return hashlib.sha256(transcript_id.encode("utf-8", "surrogatepass")).hexdigest()[:20]


def blind_item(transcript: Transcript) -> BlindItem:
    """The snippet-stage view of a transcript."""
    return BlindItem(
        key=item_key(transcript.transcript_id),
        task=blind_task(transcript.task),
        snippets=tuple(snippets(transcript)),
        problem="" if transcript.steps else "This transcript has no steps.",
    )


def blind_transcript(
    transcript: Transcript, item: BlindItem, *, whole: bool = False
) -> BlindTranscript:
    """The transcript-stage view, with the snippets of its snippet-stage view marked; very long
    stretches are shortened unless `whole`."""
    places = [snippet.place for snippet in item.snippets]
    steps = [
        BlindStep(
            number=number + 1, segments=_segments(number, step.raw_output, places, whole=whole)
        )
        for number, step in enumerate(transcript.steps)
    ]
    return BlindTranscript(key=item.key, task=item.task, steps=tuple(steps), problem=item.problem)


def blind_task(task: Task) -> BlindTask:
    """The part of a task an annotator needs."""
    return BlindTask(
        question=displayable(task.question),
        context=displayable(task.context),
        truth=displayable(task.ground_truth or "(none published)"),
        choices=tuple(displayable(choice) for choice in task.choices),
    )


def _line_parts(text: str) -> Iterator[tuple[str, Piece]]:
    for index, piece in enumerate(LINE_PART.split(text)):
        yield piece, "part" if index % 2 else ""


def _segments(step: int, raw: str, places: list[Place], *, whole: bool) -> tuple[Segment, ...]:
    """The text of one step (from 0) with its snippets marked. Before the end of a very long one,
    blocks without a snippet are left out unless `whole`."""
    marks: dict[int, list[Span]] = {}
    for place in places:
        if place.step == step:
            marks.setdefault(place.block, []).append((place.start, place.end))
    best_block = places[0].block if places and places[0].step == step else None
    blocks = [each for each in enumerate(split_output(raw).blocks) if each[1].kind != "ui"]
    room, shown = LONGEST_STEP, set(marks)
    for index, block in reversed(blocks):
        if whole or room > 0:
            shown.add(index)
        room -= min(len(block.text), LONGEST_SEGMENT)
    segments: list[Segment] = []
    for is_shown, stretch in groupby(blocks, lambda each: each[0] in shown):
        if not is_shown:
            segments.append(Segment(hidden=sum(len(block.text) for _, block in stretch)))
            continue
        segments += (
            _segment(
                KIND_NAMES[block.kind],
                block.text,
                marks.get(index, []),
                has_best=index == best_block,
                whole=whole,
            )
            for index, block in stretch
        )
    return tuple(segments)


def _segment(kind: str, text: str, marks: list[Span], *, has_best: bool, whole: bool) -> Segment:
    """Clean a block, keeping its marks in place, and shorten it if it is very long. The first
    of `marks` is the best one."""
    hidden = 0
    spans = sorted({(start, end) for start, end in marks if end > start})
    best = marks[0] if has_best and marks[0] in spans else None
    places = {span: span for span in spans}
    if not whole and len(text) > LONGEST_SEGMENT:
        text, places, hidden = _shorten(text, spans, best)
    parts: list[str] = []
    kept: list[Span] = []
    position = length = 0
    for start, end in places.values():
        parts += [displayable(text[position:start]), displayable(text[start:end])]
        length += len(parts[-2])
        kept.append((length, length + len(parts[-1])))
        length, position = kept[-1][1], end
    parts.append(displayable(text[position:]))
    return Segment(
        kind=kind,
        text="".join(parts),
        marks=tuple(kept),
        best=list(places).index(best) if best in places else None,
        hidden=hidden,
    )


def _shorten(text: str, spans: list[Span], best: Span | None) -> tuple[str, dict[Span, Span], int]:
    """Half from before the best mark, or the first if the end holds that one (or the start), and
    half from the end: the text, the places in it of the marks that it holds, and how much is
    hidden."""
    half = LONGEST_SEGMENT // 2
    tail_at = len(text) - half
    around = best if best and best[0] < tail_at else next(iter(spans), (0, 0))
    start = max(0, min(around[0] - half // 2, len(text) - LONGEST_SEGMENT))
    lead, gap = "[…]\n" if start else "", "\n[…]\n"
    head, tail = text[start : start + half], text[tail_at:]
    places: dict[Span, Span] = {}
    for s, e in spans:
        if start <= s and e <= start + half:
            shift = len(lead) - start
        elif s >= tail_at:
            shift = len(lead) + half + len(gap) - tail_at
        else:
            continue
        places[s, e] = (s + shift, e + shift)
    return lead + head + gap + tail, places, len(text) - LONGEST_SEGMENT
