"""The labelling session in a terminal, for ssh: the same keys as the page."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Protocol

from rich.console import Console

from grader.errors import UserError
from grader.records import LabelStage, LabelVerdict

from ..labels import LabelConflict
from ..labels.database import DatabaseUnavailable
from ..labels.own_labels import FILTERS
from ..session import LONGEST_NOTE, Session
from ..verdict_keys import verdict_keys
from .keys import QUIT, Keyboard
from .screen import Screen, draw

SCROLLED = 10  # lines a key
PAUSE = 0.15  # seconds without such keys before a verdict is taken on an item newly drawn


class Ask(Protocol):
    """Asks the annotator for a line of text, `text` to begin with; None if they give none."""

    def __call__(self, prompt: str, text: str = "") -> str | None: ...


class TerminalSession:
    """Turns keys into acts of a `Session`; `screen` is what to show."""

    def __init__(self, session: Session, ask: Ask) -> None:
        self.session, self.ask = session, ask
        self.screen = Screen()
        self._drawn, self._quiet_since = self.screen, -math.inf
        self._goto(session.advance(-1))

    def drawn(self) -> None:
        """Say that the screen is drawn: from now on the annotator sees what it shows."""
        if self._drawn is not self.screen:
            self._drawn, self._quiet_since = self.screen, time.monotonic()

    def press(self, key: str) -> bool:
        """Act on one key, in any case (Caps Lock may be on); False when the annotator quits, twice
        in a row where notes would be lost. An error becomes the message, and the note typed so far
        stays."""
        key = key.lower()
        said, self.screen.message = self.screen.message, ""
        if key == QUIT:
            self.screen.message = self._last_words()
            return self.screen.message not in ("", said)
        try:
            self._act(key)
        except DatabaseUnavailable as error:
            self.screen.message = f"Not saved: {error}"
        except UserError as error:
            self.screen.message = str(error)
        return True

    def _act(self, key: str) -> None:
        position = self.screen.position
        if key in ACTS:
            ACTS[key](self)
        elif position is None:
            return
        elif key in ITEM_ACTS:
            ITEM_ACTS[key](self, position)
        else:
            for verdict, choice in verdict_keys(self.screen.stage).items():
                if choice.key == key:
                    self._label(position, verdict)

    def _last_words(self) -> str:
        """What an annotator who quits would lose; empty for nothing."""
        items = ", ".join(str(place + 1) for place in self.session.unstored_notes())
        lost = f"A note is stored with a label only; without one so far: item {items}. "
        return lost + "Label it, or press q again to drop the note" if items else ""

    # -- acts anywhere -----------------------------------------------------------------------

    def _undo(self) -> None:
        self._turn_to(*self.session.undo(self.screen.nonce))

    def _jump(self) -> None:
        if number := self.ask("Go to item: "):
            self._goto(self.session.numbered(number))

    def _find(self) -> None:
        if text := self.ask("Find in questions: "):
            self._goto(self.session.find(text, self._here))

    def _next_filter(self) -> None:
        names = list(FILTERS)
        self.screen.choose = names[(names.index(self.screen.choose) + 1) % len(names)]
        self._goto(self.session.advance(max(self._here - 1, -1), self.screen.choose))

    # -- acts on an item ---------------------------------------------------------------------

    def _next(self, position: int) -> None:
        self._goto(self.session.following(position, "all"))

    def _previous(self, position: int) -> None:
        place = self.session.preceding(position, "all")
        self._goto(position if place is None else place)

    def _write_note(self, position: int) -> None:
        note = self.ask("Note: ", self.screen.note)
        if note is not None:
            if len(note) > LONGEST_NOTE:
                count = len(note) - LONGEST_NOTE
                self.screen.message = (
                    f"A note has at most {LONGEST_NOTE:,} characters: {count:,} cut"
                )
            self.screen.note = note[:LONGEST_NOTE]
            self.session.keep_note(position, self.screen.note)

    def _scroll(self, lines: int) -> None:
        self.screen.top = (self.screen.top or 0) + lines

    def _show_whole(self) -> None:
        self.screen.whole, self.screen.rendered = True, None

    def _is_typed_ahead(self) -> bool:
        """Whether a verdict key comes too soon to be meant for the item in sight. A key that is
        held down repeats faster than `PAUSE`, and labels one item."""
        now = time.monotonic()
        is_early = now - self._quiet_since < PAUSE
        if is_early:
            self._quiet_since = now
        return is_early

    def _label(self, position: int, verdict: LabelVerdict) -> None:
        screen = self.screen
        if self._is_typed_ahead():
            raise UserError("Not labelled: the key was pressed before this item was in sight")
        try:
            self.session.label(
                position,
                screen.stage,
                verdict,
                note=screen.note,
                seconds=time.monotonic() - screen.shown_at,
                nonce=screen.nonce,
                expected_revision=screen.own_label.revision,
            )
        except LabelConflict:
            self._turn_to(position, screen.stage)  # shows the label given elsewhere
            raise
        if verdict == "needs_transcript":
            self._turn_to(position, "transcript")
        else:
            self._goto(self.session.advance(position, screen.choose))

    # -- moving ------------------------------------------------------------------------------

    @property
    def _here(self) -> int:
        return -1 if self.screen.position is None else self.screen.position

    def _goto(self, position: int | None) -> None:
        if position is None:
            self.screen = Screen(choose=self.screen.choose)
        else:
            self._turn_to(position, self.session.stage_of(position))

    def _turn_to(self, position: int, stage: LabelStage) -> None:
        self.session.open(position)
        own_label = self.session.own_label(position, stage)
        self.screen = Screen(
            position=position,
            stage=stage,
            choose=self.screen.choose,
            own_label=own_label,
            note=own_label.note,
        )


ACTS: dict[str, Callable[[TerminalSession], None]] = {
    "u": TerminalSession._undo,
    "g": TerminalSession._jump,
    "/": TerminalSession._find,
    "f": TerminalSession._next_filter,
}
ITEM_ACTS: dict[str, Callable[[TerminalSession, int], None]] = {
    "j": TerminalSession._next,
    "k": TerminalSession._previous,
    "o": TerminalSession._write_note,
    "v": lambda self, position: self._turn_to(position, "transcript"),
    "s": lambda self, position: self._turn_to(position, "snippet"),
    "w": lambda self, position: self._show_whole(),
    " ": lambda self, position: self._scroll(SCROLLED),
    "b": lambda self, position: self._scroll(-SCROLLED),
}


def run_terminal(session: Session) -> None:
    """Run until the annotator quits, in the terminal that `check_terminal` found."""
    console = Console()
    with console.screen(hide_cursor=True), Keyboard(console) as keyboard:
        terminal = TerminalSession(session, keyboard.ask)
        going = True
        while going:
            console.clear()
            console.print(draw(console, session, terminal.screen))
            terminal.drawn()
            try:
                key = keyboard.key()
            except KeyboardInterrupt:
                key = QUIT  # so that a note without a label is not dropped without a word
            going = terminal.press(key)
