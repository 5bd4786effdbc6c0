"""The terminal session: the same acts by the same keys."""

from __future__ import annotations

import pytest

from annotate.session import Session
from annotate.terminal import TerminalSession

from .terminals import answers, shown


def test_keys_label_and_move(session: Session) -> None:
    terminal = TerminalSession(session, answers("why not", "9", "item 4"))
    assert "1 / 12" in shown(terminal)
    assert "0.25" in shown(terminal)
    for key in "mNt":  # Caps Lock may be on
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


def test_a_verdict_key_labels_only_what_was_in_sight_for_a_while(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 100.0
    monkeypatch.setattr("annotate.terminal.session.time.monotonic", lambda: now)
    terminal = TerminalSession(session, answers())
    terminal.drawn()
    for seconds in (0.2, 0.03, 0.1, 0.14):  # the first key, and as it repeats while held down
        now += seconds
        terminal.press("m")
        terminal.drawn()
    assert terminal.screen.message.startswith("Not labelled")
    now += 0.1
    for key in " \x1b":
        terminal.press(key)
        terminal.drawn()
    now += 0.1
    terminal.press("n")
    assert [x.verdict for x in session.store.history()] == ["match", "non_match"]


def test_undo_returns_to_the_stage_at_which_the_label_was_given(session: Session) -> None:
    terminal = TerminalSession(session, answers())
    for key in "vmun":
        terminal.press(key)
    (label,) = session.store.current()
    assert (label.stage, label.verdict) == ("transcript", "non_match")


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
    assert "min left" not in shown(terminal)
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
