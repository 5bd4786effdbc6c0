"""The terminal session in a pseudo-terminal: the real command, real keys."""

from __future__ import annotations

import termios

import pytest

from annotate.labels import LabelStore
from annotate.terminal.keys import check_terminal
from grader.errors import UserError
from grader.run import RunDirectory

from .terminals import SCREEN, read_until, real_terminal, send


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
        ([(b"\x1b[C", "2 / 12"), (b"m", "3 / 12")], [""]),
        ([(b"\x1b[Cm", "Not labelled"), (b"m", "3 / 12")], [""]),
        ([(b"m" * 12, "Not labelled"), (b"j", "3 / 12")], [""]),
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
            send(main, keys)
            assert mark in read_until(main, mark)
        send(main, b"q")
    assert [x.reason for x in LabelStore.open(run.labels_path).history()] == notes


def test_in_a_real_terminal(run: RunDirectory) -> None:
    """A pseudo-terminal, the real command, real keys; the terminal is left as it was."""
    with real_terminal(run) as main:
        for key in (b"m", b"n"):
            send(main, key)
            read_until(main, SCREEN)
        before = termios.tcgetattr(main)
        send(main, b"q")
    assert before[3] & termios.ICANON == 0
    assert len(LabelStore.open(run.labels_path).history()) == 2
