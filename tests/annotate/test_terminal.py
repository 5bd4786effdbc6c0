"""The terminal session: the same acts by the same keys, and nothing hostile on the screen."""

from __future__ import annotations

import io
import os
import pty
import re
import select
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from rich.console import Console

from annotate.labels import LabelStore
from annotate.session import Session
from annotate.terminal import Ask, TerminalSession
from annotate.terminal.keys import check_terminal
from annotate.terminal.screen import draw
from annotate.terminal.text import transcript_lines
from annotate.view import Revealed, blind_transcript
from grader.errors import UserError
from grader.run import RunDirectory
from grader.run.transcript_index import TranscriptIndex

from .hostile import hostile_transcripts
from .runs import make_run, transcript

SCREEN = "q quit"  # how every screen ends


def shown(terminal: TerminalSession, width: int = 80, height: int = 40) -> str:
    console = Console(width=width, height=height, record=True, file=io.StringIO())
    console.print(draw(console, terminal.session, terminal.screen))
    return console.export_text()


def answers(*texts: str | None) -> Ask:
    waiting = list(texts)
    return lambda prompt, text="": waiting.pop(0)


def test_keys_label_and_move(session: Session) -> None:
    terminal = TerminalSession(session, answers("why not", "9", "item 4"))
    assert "1 / 12" in shown(terminal)
    assert "0.25" in shown(terminal)
    for key in "mnt":
        assert terminal.press(key)
    assert terminal.screen.stage == "transcript"
    assert "Step 1 of 1" in shown(terminal)
    for key in "oa":
        terminal.press(key)
    assert terminal.screen.position == 3
    terminal.press("g")
    assert terminal.screen.position == 8
    terminal.press("/")
    assert terminal.screen.position == 4
    terminal.press("u")
    assert (terminal.screen.position, terminal.screen.stage) == (2, "transcript")
    assert terminal.press("q")  # the note is not stored now
    assert not terminal.press("q")
    stored = {(x.transcript_id, x.stage): x for x in session.store.history()}
    assert stored["t002", "transcript"].reason == "why not"
    assert [x.verdict for x in session.store.current()] == [
        "match",
        "non_match",
        "needs_transcript",
    ]


def test_undo_returns_to_the_stage_at_which_the_label_was_given(session: Session) -> None:
    terminal = TerminalSession(session, answers())
    for key in "vmun":
        terminal.press(key)
    (label,) = session.store.current()
    assert (label.stage, label.verdict) == ("transcript", "non_match")


def test_a_lost_database_keeps_the_note_and_says_so(session: Session, run: RunDirectory) -> None:
    terminal = TerminalSession(session, answers("a thought"))
    terminal.press("o")
    hidden = run.labels_path.rename(run.path / "away")
    terminal.press("m")
    assert "Not saved" in shown_message(terminal)
    assert terminal.screen.note == "a thought"
    hidden.rename(run.labels_path)
    terminal.press("m")
    assert [x.reason for x in session.store.history()] == ["a thought"]


def test_a_label_given_elsewhere_is_shown_and_can_be_replaced(session: Session) -> None:
    terminal = TerminalSession(session, answers("my note"))
    terminal.press("o")
    Session(session.transcripts, session.store, "ada", session.queue).label(
        0, "snippet", "non_match"
    )
    terminal.press("m")
    assert "elsewhere in the meantime" in terminal.screen.message
    assert "Your label: non-match" in shown(terminal)
    assert terminal.screen.note == "my note"
    terminal.press("m")
    assert terminal.screen.message == ""
    (label,) = session.store.current()
    assert (label.verdict, label.reason) == ("match", "my note")


def shown_message(terminal: TerminalSession) -> str:
    return terminal.screen.message


def test_a_note_waits_while_the_annotator_looks_elsewhere_and_can_be_cleared(
    session: Session,
) -> None:
    terminal = TerminalSession(session, answers("a thought", None, ""))
    for key in "ojkv":
        terminal.press(key)
    assert terminal.screen.note == "a thought"
    terminal.press("o")
    assert terminal.screen.note == "a thought"
    terminal.press("o")
    terminal.press("m")
    assert [x.reason for x in session.store.history()] == [""]


def test_quitting_says_which_notes_it_drops(session: Session) -> None:
    terminal = TerminalSession(session, answers("a thought"))
    for key in "joq":
        assert terminal.press(key)
    assert "item 2" in terminal.screen.message
    assert terminal.press("j")
    assert terminal.press("q")
    assert not terminal.press("q")
    terminal.press("k")
    terminal.press("m")
    assert not terminal.press("q")


def test_the_snippets_say_that_a_label_of_the_transcript_counts(session: Session) -> None:
    session.label(0, "transcript", "non_match")
    terminal = TerminalSession(session, answers("1"))
    for key in "gs":
        terminal.press(key)
    assert "which counts: non-match" in shown(terminal)


@pytest.mark.parametrize("stage", ["s", "v"])
def test_what_is_too_long_for_the_screen_scrolls(
    tmp_path: Path, store: LabelStore, stage: str
) -> None:
    question = "\n".join(f"Part {number} of the question." for number in range(40))
    run = make_run(tmp_path / "long", [transcript(0, question=question)])
    archive = TranscriptIndex(run.transcripts_path)
    terminal = TerminalSession(Session(archive, store, "ada", list(archive)), answers())
    terminal.press(stage)
    text = shown(terminal, height=24)
    assert len(text.splitlines()) < 24
    assert all(part in text for part in ("1 / 1", "Part 0 of", "q quit"))
    for _ in range(9):
        terminal.press(" ")
        end = shown(terminal, height=24)
    assert "0.25" in end
    assert len(end.splitlines()) < 24


def test_all_of_a_long_transcript_can_be_shown(tmp_path: Path, store: LabelStore) -> None:
    rows = ["row done"] * 3000
    output = "\n".join(["<pre>", *rows, "needle", *rows, "</pre>The proportion is 0.25."])
    run = make_run(tmp_path / "long", [transcript(0, output)])
    archive = TranscriptIndex(run.transcripts_path)
    terminal = TerminalSession(Session(archive, store, "ada", list(archive)), answers())
    terminal.press("v")
    text = shown(terminal, height=9000)
    assert "characters left out; w shows them" in text
    assert "needle" not in text
    terminal.press("w")
    text = shown(terminal, height=9000)
    assert "needle" in text
    assert "left out" not in text


def test_revealed_names_and_notes_send_no_escape(session: Session) -> None:
    session.label(0, "snippet", "match", note="\x1b[2J\u202e")
    name = session.queue[0]
    shown_beside = Revealed(
        transcript_id=name, agent="\x1b]0;x\x07", condition="B", grades=(("cascade", "correct"),)
    )
    queue = session.queue
    unblinded = Session(
        session.transcripts, session.store, "ada", queue, revealed={name: shown_beside}
    )
    terminal = TerminalSession(unblinded, answers("1"))
    terminal.press("g")
    assert "␛]0;x" in shown(terminal)
    assert "nudge mode B · cascade: correct" in shown(terminal)
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f\u202e]", shown(terminal))


def test_an_item_that_is_looked_at_is_not_handed_to_another(session: Session) -> None:
    bob, cy = (
        Session(session.transcripts, session.store, name, session.queue, split=True)
        for name in ("bob", "cy")
    )
    TerminalSession(bob, answers()).press("j")
    assert cy.advance(-1) == 2


def test_the_end_and_filters(session: Session) -> None:
    terminal = TerminalSession(session, answers())
    for _ in range(12):
        terminal.press("m")
    assert terminal.screen.position is None
    assert "All 12 labelled" in shown(terminal)
    terminal.press("m")
    terminal.press("f")
    assert terminal.screen.choose == "all"
    assert terminal.screen.position == 0


def test_an_unknown_search_is_a_message(session: Session) -> None:
    terminal = TerminalSession(session, answers("zebra"))
    terminal.press("/")
    assert terminal.screen.message == "no question contains 'zebra'"
    terminal.press("u")
    assert "take back" in terminal.screen.message


@pytest.mark.parametrize("number", ["²", "0", "13", "-1", "9" * 5000, "one"])
def test_an_item_that_is_not_there_is_a_message(session: Session, number: str) -> None:
    terminal = TerminalSession(session, answers(number, ""))
    terminal.press("g")
    assert "numbered 1 to 12" in terminal.screen.message
    terminal.press("g")
    assert (terminal.screen.message, terminal.screen.position) == ("", 0)


def test_hostile_transcripts_send_no_escape(tmp_path, store: LabelStore) -> None:  # type: ignore[no-untyped-def]
    run = make_run(tmp_path / "hostile", hostile_transcripts())
    archive = TranscriptIndex(run.transcripts_path)
    terminal = TerminalSession(Session(archive, store, "ada", list(archive)), answers())
    for _ in range(len(archive)):
        for key in "vs":
            terminal.press(key)
            text = shown(terminal)
            assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f\u202a-\u202e\ud800-\udfff]", text)
        terminal.press("m")
    assert len(store.history()) == len(archive)


def test_the_transcript_opens_at_the_best_snippet() -> None:
    long = "A line of text here.\n\n" * 200 + "The proportion is **0.25**.\n\n" + "End.\n\n" * 50
    lines, best = transcript_lines(blind_transcript(transcript(1, long)), 80)
    assert "0.25" in lines[best].plain


def test_without_a_terminal_there_is_a_clear_error() -> None:
    with pytest.raises(UserError, match="--web"):
        check_terminal()


@pytest.mark.parametrize(
    ("sent", "notes"),
    [
        ([(b"ohas mean\r", SCREEN), (b"m", SCREEN)], ["has mean"]),
        (
            [(b"o", "Note: "), (b"has mean\nmna", SCREEN), (b"\x7f", SCREEN), (b"\rm", "2 / 12")],
            ["has mean"],
        ),
        ([("oécrit\x7fs\x1b[D\r".encode(), SCREEN), (b"m", SCREEN)], ["écris"]),
        ([(b"onot\x15this\x1b", SCREEN), (b"m", SCREEN)], [""]),
        ([(b"\x1b", SCREEN), (b"m", SCREEN), (b"n", SCREEN)], ["", ""]),
        ([(b"\x1b[Cm", "3 / 12")], [""]),
        ([(b"g3na", "3na"), (b"\r", SCREEN), (b"m", SCREEN)], [""]),
        ([(b"/mean\x1b", SCREEN), (b"m", SCREEN)], [""]),
    ],
)
def test_keys_that_arrive_together(
    run: RunDirectory, sent: list[tuple[bytes, str]], notes: list[str]
) -> None:
    """What is typed into a prompt labels nothing; Escape and arrows swallow no key. After each
    packet of keys the terminal shows what is named beside it."""
    with real_terminal(run) as main:
        for keys, mark in sent:
            os.write(main, keys)
            assert mark in read_until(main, mark)
        os.write(main, b"q")
    assert [x.reason for x in LabelStore.open(run.labels_path).history()] == notes


def test_in_a_real_terminal(run: RunDirectory) -> None:
    """A pseudo-terminal, the real command, real keys; the terminal is left as it was."""
    with real_terminal(run) as main:
        for key in (b"m", b"n"):
            os.write(main, key)
            read_until(main, SCREEN)
        before = termios.tcgetattr(main)
        os.write(main, b"q")
    assert before[3] & termios.ICANON == 0
    assert len(LabelStore.open(run.labels_path).history()) == 2


@contextmanager
def real_terminal(run: RunDirectory) -> Iterator[int]:
    """The command in a pseudo-terminal, at its first item; awaits its good end."""
    main, side = pty.openpty()
    command = [sys.executable, "-m", "grader", "annotate", str(run.path), "--terminal"]
    command += ["--annotator", "ada", "--design", "all"]
    process = subprocess.Popen(
        command,
        stdin=side,
        stdout=side,
        stderr=subprocess.PIPE,
        env={**os.environ, "TERM": "xterm"},
    )
    assert "1 / 12" in read_until(main, SCREEN)
    yield main
    read_until(main, "?1049l")
    _, errors = process.communicate(timeout=20)
    assert termios.tcgetattr(side)[3] & termios.ICANON
    os.close(side)
    os.close(main)
    assert process.returncode == 0
    assert b"of 12 labelled" in errors


def read_until(handle: int, mark: str) -> str:
    seen, end = "", time.monotonic() + 20
    while mark not in seen and time.monotonic() < end:
        if select.select([handle], [], [], 0.5)[0]:
            seen += os.read(handle, 65536).decode("utf-8", "replace")
    return seen
