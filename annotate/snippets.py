"""Snippets: about 100 characters around the best evidence of an answer.

Chosen by the blind ranker, which never sees the truth, so that a snippet does not prompt the
annotator towards a match. The same transcript always gives the same snippets.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from grader.extraction.blind import rank
from grader.extraction.options.choices import find_options
from grader.extraction.question import read_question
from grader.extraction.scan import Scan
from grader.invisible import one_line
from grader.records import Record, Task, Transcript
from grader.text import Block, Output, split_output

WIDTH = 100
MOST = 4
WEAKEST = -1.0  # evidence below this is not worth a look; the ranker's own bar is higher
LONGEST_SUPPORT = 200_000  # characters, at the end of an earlier output, that may support an answer
KIND_NAMES = {
    "prose": "prose",
    "answer": "answer section",
    "reasoning": "reasoning",
    "execution": "printed output",
    "error": "error output",
    "code": "code",
    "ui": "interface text",
}


class Place(NamedTuple):
    """A stretch of one block of one step: what a snippet highlights."""

    step: int
    block: int
    start: int
    end: int


class Snippet(Record):
    """Text around a possible answer, cut at word boundaries, white space collapsed.

    `kind` says what sort of text it is (`KIND_NAMES`). `value` is empty where no answer was
    found and the snippet is just the end of the response. `step` counts from 1; `place` leads
    back to the transcript.
    """

    before: str
    value: str
    after: str
    kind: str
    step: int
    place: Place


def snippets(transcript: Transcript) -> list[Snippet]:
    """Up to `MOST` snippets, best first: the final response's candidates by rank, then those of
    earlier steps, latest first; at least one if the transcript holds any text."""
    chosen: list[Snippet] = []
    for place, text, kind in _evidence(transcript):
        if len(chosen) == MOST:
            break
        if not any(_overlaps(place, other.place) for other in chosen):
            chosen.append(cut(text, kind, place))
    if not chosen:
        chosen = [cut(text, kind, place) for place, text, kind in _ending(transcript)]
    return chosen


def cut(text: str, kind: str, place: Place) -> Snippet:
    """About `WIDTH` characters of `text` around `place`, cut between words."""
    value = one_line(text[place.start : place.end])
    room = max(0, WIDTH - len(value))
    line_end = " " if kind in ("prose", "answer", "reasoning") else " ⏎ "
    # Twice the room, as collapsing white space shortens the text.
    before = _flat(text[max(0, place.start - 2 * room) : place.start], line_end)
    after = _flat(text[place.end : place.end + 2 * room], line_end)
    left = min(len(before), max(room // 2, room - len(after)))
    right = min(len(after), room - left)
    head = _trim_start(before, left) if left < len(before) else before
    tail = _trim_end(after, right) if right < len(after) else after
    gap_before = " " if text[: place.start][-1:].isspace() and head else ""
    gap_after = " " if text[place.end :][:1].isspace() and tail else ""
    return Snippet(
        before=head + gap_before,
        value=value,
        after=gap_after + tail,
        kind=KIND_NAMES[kind],
        step=place.step + 1,
        place=place,
    )


def _evidence(transcript: Transcript) -> Iterator[tuple[Place, str, str]]:
    for step in range(len(transcript.steps) - 1, -1, -1):
        output = split_output(transcript.steps[step].raw_output)
        earlier = "\n".join(s.raw_output[-LONGEST_SUPPORT:] for s in transcript.steps[:step])
        for block, start, end in _candidates(output, transcript.task, earlier):
            yield Place(step, output.blocks.index(block), start, end), block.text, block.kind


def _candidates(output: Output, task: Task, earlier: str) -> Iterable[tuple[Block, int, int]]:
    if task.wants_number:
        whole = {block.start: block for block in output.blocks}
        for scored in rank(Scan(output, read_question(task.question)), earlier):
            if scored.score < WEAKEST:
                return
            block = whole[scored.block.start]
            left_out = len(block.text) - len(scored.block.text)  # before the end that is read
            number = scored.mark.number
            yield block, left_out + number.start, left_out + number.end
        return
    for block in reversed(output.blocks):
        if block.kind not in ("code", "ui"):
            for found in reversed(find_options(block.text, task)):
                yield block, *found.span


def _ending(transcript: Transcript) -> Iterator[tuple[Place, str, str]]:
    """The end of the last response that says anything, prose before other text."""
    for step in range(len(transcript.steps) - 1, -1, -1):
        blocks = list(enumerate(split_output(transcript.steps[step].raw_output).blocks))
        for kinds in (("prose", "answer", "reasoning"), ("execution", "error"), ("code",)):
            for number, block in reversed(blocks):
                if block.kind in kinds:
                    end = len(block.text.rstrip())
                    yield Place(step, number, end, end), block.text, block.kind
                    return


def _overlaps(place: Place, other: Place) -> bool:
    same_block = place[:2] == other[:2]
    return same_block and abs(place.start - other.start) < WIDTH


def _flat(text: str, line_end: str) -> str:
    """One line; where lines matter (output, code), their ends are marked."""
    return line_end.join(filter(None, map(one_line, text.split("\n"))))


def _trim_start(text: str, keep: int) -> str:
    kept = text[len(text) - keep :]
    cut_word = not text[len(text) - keep - 1 : len(text) - keep].isspace() and " " in kept
    return "… " + (kept.split(" ", 1)[1] if cut_word else kept).lstrip()


def _trim_end(text: str, keep: int) -> str:
    kept = text[:keep]
    cut_word = not text[keep : keep + 1].isspace() and " " in kept
    return (kept.rsplit(" ", 1)[0] if cut_word else kept).rstrip() + " …"
