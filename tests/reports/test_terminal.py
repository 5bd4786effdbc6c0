"""Tables on a terminal."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from reports.table import Column, Table
from reports.terminal import LONGEST_NAME, print_table, short_names, shown


def test_columns_with_long_names_can_be_told_apart() -> None:
    names = [f"gpt-4o-mini_qrdata_modeA_seed-2026-10-31_attempt-0{n}" for n in (1, 2)]
    columns = Column("Metric", "metric", numeric=False), *(Column(name, name) for name in names)
    rows = ({"metric": "Strict pass", **dict.fromkeys(names, "15/30 (50.0%)")},)
    console = Console(file=io.StringIO(), width=80)
    print_table(console, Table("t", "Side by side", columns, rows))
    printed = console.file.getvalue()  # type: ignore[attr-defined]
    assert "…" not in printed
    head = [line.split()[-2:] for line in printed.splitlines() if "_" in line or "-0" in line]
    heads = zip(*head, strict=True)
    assert ["".join(parts) for parts in heads] == names
    assert max(map(len, printed.splitlines())) <= 80


def test_titles_headers_and_notes_hold_no_invisible_character() -> None:
    name = "\u202elive\u2066"
    table = Table(name, name, (Column(name, "a"),), ({"a": name, "g": name},), name, group="g")
    console = Console(file=io.StringIO(), width=80)
    print_table(console, table)
    printed = console.file.getvalue()  # type: ignore[attr-defined]
    assert printed.count("⟨U+202E⟩live⟨U+2066⟩") == 5
    assert not {"\u202e", "\u2066"} & set(printed)


def test_a_long_name_is_shortened_and_a_table_with_it_stays_readable() -> None:
    agent = "a" * 300
    names = [f"{agent}, mode {mode}" for mode in "AB"]
    short = short_names([*names, agent, "plain"])
    assert list(short) == [*names, agent]
    assert all("…" in form and len(form) <= LONGEST_NAME for form in short.values())
    assert short[names[0]].endswith(", mode A")
    columns = Column("Metric", "metric", numeric=False), *(Column(name, name) for name in names)
    note = f"Only in {names[0]} and {agent}"
    table = Table("t", "T", columns, ({"metric": "Passed", **dict.fromkeys(names, "1")},), note)
    console = Console(file=io.StringIO(), width=80)
    print_table(console, table, short)
    printed = console.file.getvalue()  # type: ignore[attr-defined]
    assert len(printed.splitlines()) < 14
    assert shown(note, short) == f"Only in {short[names[0]]} and {short[agent]}"


@pytest.mark.parametrize("number", [2, 12])
def test_long_names_stay_apart(number: int) -> None:
    names = ["a" * 100 + f"{n:03}" + "b" * 100 for n in range(number)]
    assert len(set(short_names(names).values())) == number
