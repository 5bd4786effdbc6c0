"""The screen of the labelling session in a terminal."""

from __future__ import annotations

import time
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from rich.console import Console, Group, RenderableType
from rich.rule import Rule
from rich.segment import Segment, SegmentLines
from rich.text import Text

from grader.invisible import displayable, one_line
from grader.records import LabelStage

from ..labels.own_labels import Progress
from ..session import OwnLabel, Session
from ..verdict_keys import VERDICT_KEYS, verdict_keys
from ..view import BlindTask
from .text import context_text, question_text, snippet_text, transcript_lines, truth_text

STAGE_HELP: dict[LabelStage, str] = {
    "snippet": "v read it",
    "transcript": "s snippets · w whole text",
}
MORE_HELP = (
    "o note · u undo · j/k next/previous · space/b scroll · g go to · / find · f filter · q quit"
)
FEWEST_LINES = 4
NOTE_SHOWN = 300  # characters of a note, which leave room for the item

Lines = list[list[Segment]]


class Rendered(NamedTuple):
    """The lines of a transcript at a width; `best` is the one with the best snippet."""

    width: int
    lines: Lines
    best: int


@dataclass
class Screen:
    """Where the annotator is, and what they have typed but not stored. `top`: the first line shown
    of a long item; None scrolls to the best snippet. `whole`: nothing is left out of the
    transcript. `rendered`: the transcript, once it was shown."""

    position: int | None = None
    stage: LabelStage = "snippet"
    choose: str = "open"
    own_label: OwnLabel = field(default_factory=OwnLabel)
    note: str = ""
    top: int | None = None
    whole: bool = False
    rendered: Rendered | None = None
    message: str = ""
    nonce: str = field(default_factory=lambda: uuid.uuid4().hex)
    shown_at: float = field(default_factory=time.monotonic)


def draw(console: Console, session: Session, screen: Screen) -> RenderableType:
    """The whole screen. Corrects `screen.top` if it lies beyond the last line."""
    progress = session.progress()
    head, foot = _head(session, screen, progress), _foot(session, screen)
    if screen.position is None:
        return Group(head, Text(_end_text(screen, progress), style="bold"), foot)
    taken = len(console.render_lines(Group(head, foot)))
    room = max(FEWEST_LINES, console.height - taken - 1)
    return Group(head, _body(console, session, screen, screen.position, room), foot)


def _head(session: Session, screen: Screen, progress: Progress) -> RenderableType:
    place = "Done" if screen.position is None else f"{screen.position + 1} / {progress.total}"
    head = Text.assemble((place, "bold"), f"   {progress.done} labelled", no_wrap=True)
    if progress.by_others:
        head.append(f", {progress.by_others} by others")
    if session.unblinded:
        head.append(" · unblinded", "bold yellow")
    if screen.choose != "open":
        head.append(f" · showing: {screen.choose}", "dim")
    if progress.left and progress.seconds is not None and progress.minutes_left is not None:
        head.append(
            f" · {progress.seconds:.0f} s each · about {progress.minutes_left:.0f} min left", "dim"
        )
    message = [Text(displayable(screen.message), style="bold red")] if screen.message else []
    return Group(head, Rule(style="dim"), *message)


def _body(
    console: Console, session: Session, screen: Screen, position: int, room: int
) -> RenderableType:
    """The item: at the snippet stage all of it scrolls, in the transcript the task stays."""
    revealed: list[RenderableType] = []
    if (shown := session.reveal(position)) is not None:
        mode = shown.condition and f"nudge mode {shown.condition}"
        grades = (f"{name}: {verdict}" for name, verdict in shown.grades)
        line = " · ".join(filter(None, (shown.transcript_id, shown.agent, mode, *grades)))
        revealed.append(Text(displayable(line), style="yellow"))
    if screen.stage == "snippet":
        item = session.item(position)
        snippets = [*map(snippet_text, item.snippets)] or [Text("No text to show.", style="dim")]
        task = (question_text(item.task), truth_text(item.task))
        parts = [*revealed, *task, *snippets, *context_text(item.task)]
        lines = console.render_lines(Group(*parts), pad=False)
        return _window(lines, 0, screen, room)
    heading = _heading(console, revealed, session.item(position).task, room // 2)
    transcript = _rendered(console, session, screen, position)
    window = _window(transcript.lines, transcript.best, screen, room - len(heading))
    return Group(SegmentLines(heading, new_lines=True), window)


def _heading(
    console: Console, revealed: Sequence[RenderableType], task: BlindTask, room: int
) -> Lines:
    """The lines above a transcript that fit: of the published answer, and before it of the
    question."""
    truth = console.render_lines(truth_text(task), pad=False)[: max(1, room // 2)]
    question = console.render_lines(Group(*revealed, question_text(task)), pad=False)
    left = room - len(truth)
    if len(question) > left:
        rest = Text("… s shows the whole question", style="dim", no_wrap=True)
        question = [*question[: max(0, left - 1)], *console.render_lines(rest, pad=False)]
    return [*question, *truth]


def _rendered(console: Console, session: Session, screen: Screen, position: int) -> Rendered:
    """The transcript, rendered anew only for another width: a long one takes seconds."""
    if screen.rendered is None or screen.rendered.width != console.width:
        view = session.transcript(position, whole=screen.whole)
        texts, best = transcript_lines(view, console.width)
        lines = console.render_lines(Group(*texts), pad=False)
        screen.rendered = Rendered(console.width, lines, best)
    return screen.rendered


def _window(lines: Lines, best: int, screen: Screen, room: int) -> RenderableType:
    """The lines that fit and, if some do not, which ones are shown."""
    if len(lines) <= room:
        screen.top = 0
        return SegmentLines(lines, new_lines=True)
    height = room - 1
    top = best - height // 2 if screen.top is None else screen.top
    top = screen.top = max(0, min(top, len(lines) - height))
    shown = lines[top : top + height]
    position = f"lines {top + 1} to {top + len(shown)} of {len(lines)}"
    return Group(SegmentLines(shown, new_lines=True), Text(position, style="dim"))


def _foot(session: Session, screen: Screen) -> RenderableType:
    parts: list[RenderableType] = [*_said(session, screen), Rule(style="dim")]
    keys = [f"{key} {name}" for key, name in verdict_keys(screen.stage).values()]
    keys.append(STAGE_HELP[screen.stage])
    return Group(*parts, Text(" · ".join(keys) + f"\n{MORE_HELP}", style="dim"))


def _said(session: Session, screen: Screen) -> Sequence[RenderableType]:
    """The annotator's label here, or the one that counts instead, and their note."""
    said: list[RenderableType] = []
    if screen.position is not None:
        final = session.final_verdict(screen.position)
        if verdict := screen.own_label.verdict:
            said.append(Text(f"Your label: {VERDICT_KEYS[verdict].name}", style="bold green"))
        if screen.stage == "snippet" and final is not None:
            name = VERDICT_KEYS[final].name
            text = f"Your label of the transcript, which counts: {name}"
            said.append(Text(text, style="bold green"))
    if screen.note:
        note = one_line(screen.note)
        note = note if len(note) <= NOTE_SHOWN else note[:NOTE_SHOWN] + "…"
        said.append(Text(f"Note: {note}", style="italic"))
    return said


def _end_text(screen: Screen, progress: Progress) -> str:
    if not progress.left:
        return f"All {progress.total} labelled. `grader calibrate` shows how the graders did."
    if screen.choose == "open":
        return f"Others are working on the {progress.left} items left. Come back later for them."
    return f"Nothing left under {screen.choose!r}. Press f for another filter."
