"""The terminal session: no note and no label is lost without a word."""

from __future__ import annotations

import pytest

from annotate.labels.database import DatabaseUnavailable
from annotate.labels.rows import StoredLabel
from annotate.session import Session
from annotate.terminal import TerminalSession
from grader.run import RunDirectory

from .terminals import answers, shown


def test_a_lost_database_keeps_the_note_and_says_so(session: Session, run: RunDirectory) -> None:
    terminal = TerminalSession(session, answers("a thought"))
    terminal.press("o")
    hidden = run.labels_path.rename(run.path / "away")
    terminal.press("m")
    assert "Not saved" in terminal.screen.message
    assert terminal.screen.note == "a thought"
    hidden.rename(run.labels_path)
    terminal.press("m")
    assert [x.reason for x in session.store.history()] == ["a thought"]


def test_a_note_that_is_too_long_is_cut_with_a_word_and_leaves_the_item_in_sight(
    session: Session,
) -> None:
    terminal = TerminalSession(session, answers("long " * 1200))
    terminal.press("o")
    text = shown(terminal, height=24)
    assert "at most 5,000 characters: 1,000 cut" in text
    assert all(part in text for part in ("1 / 12", "Published answer", "q quit"))
    assert len(text.splitlines()) <= 24
    terminal.press("m")
    assert [len(x.reason) for x in session.store.current()] == [5000]


def test_an_undo_pressed_again_when_its_reply_is_lost_takes_back_nothing_more(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    terminal = TerminalSession(session, answers())
    for place in range(2):
        session.label(place, "snippet", "match")
    retract = session.store.retract

    def lose_the_reply(label: StoredLabel, *, nonce: str | None = None) -> None:
        retract(label, nonce=nonce)
        raise DatabaseUnavailable("gone")

    monkeypatch.setattr(session.store, "retract", lose_the_reply)
    terminal.press("u")
    assert "Not saved" in terminal.screen.message
    terminal.press("u")
    assert (terminal.screen.position, terminal.screen.message) == (1, "")
    assert len(session.store.current()) == 1


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
