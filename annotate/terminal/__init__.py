"""The labelling session in a terminal, for ssh: the same keys as the page."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

from rich.console import Console, Group, RenderableType
from rich.rule import Rule
from rich.text import Text

from grader.errors import UserError
from grader.records import LabelStage, LabelVerdict

from ..labels import LabelConflict
from ..labels.database import DatabaseUnavailable
from ..session import FILTERS, Session
from ..verdict_keys import VERDICT_KEYS, verdict_keys
from ..view import BlindTranscript
from .keys import QUIT, ask, read_key, single_keys
from .text import snippet_text, task_text, transcript_lines

STAGE_HELP: dict[LabelStage, str] = {
    "snippet": "v read it",
    "transcript": "s snippets · space/b scroll",
}
MORE_HELP = "o note · u undo · j/k next/previous · g go to · / find · f filter · q quit"


@dataclass
class Screen:
    """Where the annotator is, and what they have typed but not stored."""

    position: int | None
    stage: LabelStage = "snippet"
    choose: str = "open"
    note: str = ""
    top: int | None = None  # of the transcript; None: where the best snippet is
    message: str = ""
    nonce: str = field(default_factory=lambda: uuid.uuid4().hex)
    shown_at: float = field(default_factory=time.monotonic)


class TerminalSession:
    """Turns keys into acts of a `Session`, and the state into something rich can draw."""

    def __init__(self, session: Session, ask: Callable[[str], str]) -> None:
        self.session, self.ask = session, ask
        self.screen = Screen(position=None)
        self._revision = 0
        self._goto(session.following(-1))

    def press(self, key: str) -> bool:
        """Act on one key; False when the annotator quits. An error becomes the message, and
        the note typed so far stays."""
        if key == QUIT:
            return False
        self.screen.message = ""
        try:
            self._act(key)
        except DatabaseUnavailable as error:
            self.screen.message = f"Not saved: {error}"
        except UserError as error:
            self.screen.message = str(error)
        return True

    def draw(self, width: int, height: int) -> RenderableType:
        """The whole screen."""
        screen, session = self.screen, self.session
        progress = session.progress()
        place = "Done" if screen.position is None else f"{screen.position + 1} / {progress.total}"
        head = Text.assemble(
            (place, "bold"), f"   {progress.done} labelled", style="", no_wrap=True
        )
        if progress.seconds is not None and progress.minutes_left is not None:
            head.append(
                f" · {progress.seconds:.0f} s each · about {progress.minutes_left:.0f} min left",
                "dim",
            )
        if screen.choose != "open":
            head.append(f" · showing: {screen.choose}", "dim")
        if session.unblinded:
            head.append(" · unblinded", "bold yellow")
        parts: list[RenderableType] = [head, Rule(style="dim")]
        if screen.message:
            parts.append(Text(screen.message, style="bold red"))
        if screen.position is None:
            parts.append(Text(self._end_text(), style="bold"))
        else:
            parts.append(self._body(screen.position, width, height))
        parts += [Rule(style="dim"), self._foot()]
        return Group(*parts)

    # -- acts --------------------------------------------------------------------------------

    def _act(self, key: str) -> None:
        screen, session = self.screen, self.session
        here = -1 if screen.position is None else screen.position
        if key == "u":
            if (place := session.undo()) is None:
                raise UserError("there is no label of yours to take back")
            self._goto(place)
        elif key == "g":
            if number := self.ask("Go to item: "):
                self._goto(self._place(number))
        elif key == "/":
            text = self.ask("Find in questions: ")
            found = session.find(text, here) if text else None
            if found is None:
                raise UserError(f"no question contains {text!r}")
            self._goto(found)
        elif key == "f":
            names = list(FILTERS)
            screen.choose = names[(names.index(screen.choose) + 1) % len(names)]
            self._goto(session.following(max(here - 1, -1), screen.choose))
        elif screen.position is None:
            return
        elif key == "j":
            self._goto(session.following(here, "all"))
        elif key == "k":
            self._goto(session.preceding(here, "all"), here)
        elif key == "o":
            screen.note = self.ask("Note: ") or screen.note
        elif key in (" ", "b"):
            screen.top = (screen.top or 0) + (10 if key == " " else -10)
        elif key in ("v", "s"):
            self._turn_to("transcript" if key == "v" else "snippet")
        else:
            for verdict, choice in verdict_keys(screen.stage).items():
                if choice.key == key:
                    self._label(here, verdict)

    def _place(self, number: str) -> int:
        """The place in the queue of an item by the number shown for it."""
        count = len(self.session.queue)
        if not (number.isdecimal() and len(number) < 10 and 1 <= int(number) <= count):
            raise UserError(f"there is no item {number!r}; they are numbered 1 to {count}")
        return int(number) - 1

    def _label(self, position: int, verdict: LabelVerdict) -> None:
        screen = self.screen
        try:
            self.session.label(
                position,
                screen.stage,
                verdict,
                note=screen.note,
                seconds=time.monotonic() - screen.shown_at,
                nonce=screen.nonce,
                expected_revision=self._revision,
            )
        except LabelConflict:
            self._turn_to(screen.stage)  # the label given elsewhere is what is seen now
            raise
        if verdict == "needs_transcript":
            self._turn_to("transcript")
        else:
            self._goto(self.session.following(position, screen.choose))

    def _goto(self, position: int | None, otherwise: int | None = None) -> None:
        place = otherwise if position is None else position
        self.screen = Screen(
            position=None if place is None or place < 0 else place, choose=self.screen.choose
        )
        if self.screen.position is not None:
            self._turn_to(self.session.stage_of(self.screen.position))

    def _turn_to(self, stage: LabelStage) -> None:
        if self.screen.position is None:
            return
        standing = self.session.standing(self.screen.position, stage)
        self._revision = standing.revision
        self.screen = Screen(
            position=self.screen.position,
            stage=stage,
            choose=self.screen.choose,
            note=self.screen.note or standing.note,
        )

    # -- drawing -----------------------------------------------------------------------------

    def _body(self, position: int, width: int, height: int) -> RenderableType:
        session, screen = self.session, self.screen
        parts: list[RenderableType] = []
        if (shown := session.reveal(position)) is not None:
            grades = ", ".join(f"{name} {verdict}" for name, verdict in shown.grades)
            parts.append(Text(f"{shown.transcript_id} {shown.agent} {grades}", style="yellow"))
        if screen.stage == "snippet":
            item = session.item(position)
            parts += [task_text(item.task), *map(snippet_text, item.snippets)]
            if not item.snippets:
                parts.append(Text("No text to show.", style="dim"))
        else:
            view = session.transcript(position)
            parts += [task_text(view.task), self._window(view, width, max(5, height - 14))]
        standing = session.standing(position, screen.stage)
        if standing.verdict:
            parts.append(
                Text(f"Your label: {VERDICT_KEYS[standing.verdict].name}", style="bold green")
            )
        if screen.note:
            parts.append(Text(f"Note: {screen.note}", style="italic"))
        return Group(*parts)

    def _window(self, view: BlindTranscript, width: int, height: int) -> RenderableType:
        lines, best = transcript_lines(view, width)
        top = best - height // 2 if self.screen.top is None else self.screen.top
        top = self.screen.top = max(0, min(top, len(lines) - height))
        shown = lines[top : top + height]
        position = f"lines {top + 1} to {top + len(shown)} of {len(lines)}"
        return Group(*shown, Text(position, style="dim"))

    def _foot(self) -> Text:
        stage = self.screen.stage
        keys = [f"{key} {name}" for key, name in verdict_keys(stage).values()]
        return Text(" · ".join([*keys, STAGE_HELP[stage]]) + f"\n{MORE_HELP}", style="dim")

    def _end_text(self) -> str:
        progress = self.session.progress()
        if progress.done == progress.total:
            return f"All {progress.total} labelled. `grader calibrate` shows how the graders did."
        return f"Nothing left under {self.screen.choose!r}. Press f for another filter."


def run_terminal(session: Session) -> None:
    """Run until the annotator quits, in the terminal that `check_terminal` found."""
    console = Console()
    terminal = TerminalSession(session, partial(ask, console))
    with console.screen(hide_cursor=True), single_keys():
        going = True
        while going:
            console.clear()
            console.print(terminal.draw(console.width, console.height))
            going = terminal.press(read_key())
