"""What commands print has no character that a terminal would obey or hide."""

from __future__ import annotations

import pytest
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
