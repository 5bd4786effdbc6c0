"""What commands print is all there, without a character that a terminal would obey or hide."""

from __future__ import annotations

import pytest
from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

from grader.terminal import stdout_console


@pytest.mark.parametrize("code", [0x1B, 0x200E, 0x200F, *range(0x202A, 0x202F), 0x2066, 0x2069])
def test_it_is_shown_as_on_the_pages(code: int, capsys: pytest.CaptureFixture[str]) -> None:
    said = f"a{chr(code)}b"
    table = Table(said, title=said)
    table.add_row(said)
    table.add_row(Text(said))
    console = stdout_console()
    for printed in (said, Text(said, style="red"), table):
        console.print(printed, highlight=False)
    found = capsys.readouterr().out
    assert chr(code) not in found
    assert "".join(found.split()).count("a␛b" if code == 0x1B else f"a⟨U+{code:04X}⟩b") == 6


def test_other_text_is_printed_as_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    said = "Größe 5 µm ≥ 3 — [b] 数据 \N{WAVING HAND SIGN}"
    stdout_console().print(said, markup=False)
    assert capsys.readouterr().out == f"{said}\n"


COUNTS = ("grader", "correct", "incorrect", "no_answer", "ungraded", "pass rate")


def printed(
    rows: list[tuple[str, ...]],
    columns: int,
    monkeypatch: pytest.MonkeyPatch,
    *,
    no_wrap: bool = False,
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    table = Table(title="a run", box=SIMPLE_HEAD)
    table.add_column(COUNTS[0])
    for name in COUNTS[1:]:
        table.add_column(name, justify="right", no_wrap=no_wrap)
    for row in rows:
        table.add_row(*row)
    stdout_console().print(table)


@pytest.mark.parametrize("no_wrap", [False, True])
@pytest.mark.parametrize("columns", [20, 40, 60, 72, 80, 100])
def test_nothing_of_a_table_is_lost_in_a_narrow_terminal(
    columns: int, no_wrap: bool, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    row = ("strict_heuristic", "101", "202", "303", "404", "31.7% of 1010")
    printed([row, ("cascade", "", "", "", "", "")], columns, monkeypatch, no_wrap=no_wrap)
    found = capsys.readouterr().out
    words = found.split()
    assert [word for word in " ".join((*COUNTS[1:], *row)).split() if word not in words] == []
    assert max(map(len, found.splitlines())) <= columns


def test_names_give_way_before_numbers_do(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    row = ("the one that takes the last number", "1", "2", "3", "4", "31.7% of 1,000,000")
    printed([row], 80, monkeypatch)
    found = capsys.readouterr().out
    assert "31.7% of 1,000,000" in found
    assert row[0] not in found


def test_too_narrow_for_its_columns_a_table_is_told_row_by_row(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    printed([("a\nb", "1", "", "3%\n4%", "", "5")], 30, monkeypatch)
    lines = [line.rstrip() for line in capsys.readouterr().out.splitlines()]
    assert lines == ["a run", "a, b", "  correct 1 · no_answer 3%, 4%", "  · pass rate 5"]


def test_very_long_names_are_broken_beside_each_other(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    names = [f"gpt-4o-mini_qrdata_modeA_seed-2026-10-31_attempt-0{n}" for n in (1, 2)]
    table = Table(box=SIMPLE_HEAD)
    for name in ("Metric", *names):
        table.add_column(name, overflow="fold")
    table.add_row("Strict pass", "15/30 (50.0%)", "14/30 (46.7%)")
    stdout_console().print(table)
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["Strict", "pass", "15/30", "(50.0%)", "14/30", "(46.7%)"] in lines
