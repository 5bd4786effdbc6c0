"""Tables on a terminal."""

from __future__ import annotations

import io

from rich.console import Console

from reports.table import Column, Table
from reports.terminal import print_table


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
