"""The terminal session: what the screen shows, and nothing hostile on it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from annotate.labels import LabelStore
from annotate.session import Session
from annotate.terminal import TerminalSession
from annotate.terminal.text import transcript_lines
from annotate.view import Revealed, blind_item, blind_transcript

from .hostile import OUTPUTS, hostile_transcripts
from .runs import make_run, transcript
from .terminals import answers, shown, terminal_on


def test_the_snippets_say_that_a_label_of_the_transcript_counts(session: Session) -> None:
    session.label(0, "transcript", "non_match")
    terminal = TerminalSession(session, answers("1"))
    for key in "gs":
        terminal.press(key)
    assert "which counts: non-match" in shown(terminal)


def test_a_narrow_screen_says_what_it_shows_before_how_long_it_takes(session: Session) -> None:
    terminal = TerminalSession(session, answers())
    terminal.screen.choose = "labelled"
    session.label(0, "snippet", "match", seconds=12.0)
    head = shown(terminal, width=60).splitlines()[0]
    assert "1 labelled · showing: labelled" in head


@pytest.mark.parametrize("stage", ["s", "v"])
def test_what_is_too_long_for_the_screen_scrolls(
    tmp_path: Path, store: LabelStore, stage: str
) -> None:
    question = "\n".join(f"Part {number} of the question." for number in range(40))
    run = make_run(tmp_path / "long", [transcript(0, question=question)])
    terminal = terminal_on(run, store)
    terminal.press(stage)
    text = shown(terminal, height=24)
    assert len(text.splitlines()) < 24
    assert all(part in text for part in ("1 / 1", "Part 0 of", "q quit"))
    for _ in range(9):
        terminal.press(" ")
        end = shown(terminal, height=24)
    assert "0.25" in end
    assert len(end.splitlines()) < 24


def test_a_long_question_leaves_room_for_the_published_answer(
    tmp_path: Path, store: LabelStore
) -> None:
    output = "The proportion is 0.3.\n" * 100
    run = make_run(tmp_path / "long", [transcript(0, output, question="How many are there? " * 60)])
    terminal = terminal_on(run, store)
    terminal.press("v")
    text = shown(terminal, height=24)
    assert "Published answer  0.25" in text
    assert "s shows the whole question" in text
    assert len(text.splitlines()) < 24
    terminal.press("s")
    assert "s shows the whole question" not in shown(terminal, height=24)


def test_all_of_a_long_transcript_can_be_shown(tmp_path: Path, store: LabelStore) -> None:
    rows = ["row done"] * 3000
    output = "\n".join(["<pre>", *rows, "needle", *rows, "</pre>The proportion is 0.25."])
    run = make_run(tmp_path / "long", [transcript(0, output)])
    terminal = terminal_on(run, store)
    terminal.press("v")
    text = shown(terminal, height=9000)
    assert "characters left out; w shows them" in text
    assert "needle" not in text
    terminal.press("w")
    text = shown(terminal, height=9000)
    assert "needle" in text
    assert "left out" not in text


def test_the_transcript_opens_at_the_best_snippet() -> None:
    long = "A line of text here.\n\n" * 200 + "The proportion is **0.25**.\n\n" + "End.\n\n" * 50
    one = transcript(1, long)
    lines, best = transcript_lines(blind_transcript(one, blind_item(one)), 80)
    assert "0.25" in lines[best].plain


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


def test_hostile_transcripts_send_no_escape(tmp_path: Path, store: LabelStore) -> None:
    run = make_run(tmp_path / "hostile", hostile_transcripts())
    terminal = terminal_on(run, store)
    for _ in range(len(OUTPUTS)):
        for key in "vs":
            terminal.press(key)
            text = shown(terminal)
            assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f\u202a-\u202e\ud800-\udfff]", text)
        terminal.press("m")
    assert len(store.history()) == len(OUTPUTS)
