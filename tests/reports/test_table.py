"""Tables: what is shown, what goes into files."""

from __future__ import annotations

import html
import io
import json
import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from markdown_it import MarkdownIt

from annotate.shown_numbers import show_p
from annotate.statistics.rates import Interval, rate
from reports.latex import escaped
from reports.share import Share
from reports.table import (
    Column,
    Table,
    show_interval,
    show_points,
    show_points_interval,
    show_rate,
    show_rate_error,
    show_share,
)


def _table(text: str = "x", group: str | None = None) -> Table:
    columns = (Column("Name", "name", numeric=False), Column("Rate", "rate", show_rate))
    rows = ({"name": text, "rate": rate(62, 72), "panel": "p"},)
    return Table("t", "A & B", columns, rows, "A note.", group)


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        (show_rate(rate(62, 72)), "62/72 (86.1%)"),
        (show_rate(rate(1999, 2000)), "1,999/2,000 (99.95%)"),
        (show_rate(rate(0, 0)), "0/0 (n/a)"),
        (show_rate_error(rate(62, 72)), "86% (4%)"),
        (show_rate_error(rate(0, 0)), "n/a"),
        (show_rate_error(rate(199, 200)), "99.5% (0.5%)"),
        (show_rate_error(rate(200, 200)), "100% (0%)"),
        (show_interval(rate(0, 0)), "n/a"),
        (show_p(None), "n/a"),
        (show_p(0.0004), "<0.001"),
        (show_p(0.0), "<0.001"),
        (show_points(-0.026), "−2.6 pp"),
        (show_points(None), "n/a"),
        (show_points_interval(Interval(low=-0.327, high=0.04, method="m")), "[−32.7, +4.0] pp"),
        (show_points_interval(Interval(method="m", reason="no pairs")), "n/a"),
        (show_share(Share(62, 72)), "62/72 (86.1%)"),
        (show_share(Share(36, 60, open=24)), "36–60/60 (60.0–100.0%)"),
        (show_share(Share(0, 0)), "0/0 (n/a)"),
        (show_interval(Share(36, 60, open=24)), "[47.4%, 100.0%]"),
    ],
)
def test_shown_values(shown: str, expected: str) -> None:
    assert shown == expected


def test_csv_holds_raw_values_of_a_rate() -> None:
    read = pd.read_csv(io.StringIO(_table().csv()))
    assert read["rate"].item() == pytest.approx(62 / 72)
    assert (read["rate_count"].item(), read["rate_n"].item()) == (62, 72)
    assert read["rate_low"].item() < 62 / 72 < read["rate_high"].item()


@pytest.mark.parametrize("text", ["=1+1", '=HYPERLINK("x")', "@sum", "-cmd", "\tx"])
def test_csv_holds_no_formulas(text: str) -> None:
    table = _table(text)
    assert pd.read_csv(io.StringIO(table.csv()))["name"].item() == f"'{text}"
    assert json.loads(table.json())[0]["name"] == text


def test_no_file_holds_what_makes_it_no_text() -> None:
    text = "a\x00b\u202ec"
    table = Table("t", text, (Column(text, text),), ({text: text},), text)
    read = pd.read_csv(io.StringIO(table.csv()))
    assert (list(read), read.iloc[0, 0]) == (["a␀b\u202ec"], "a␀b\u202ec")
    assert table.markdown().count("a␀b⟨U+202E⟩c") == 4
    assert json.loads(table.json()) == [{text: text}]


def test_csv_holds_values_that_are_no_formulas_as_they_are() -> None:
    rows = ({"n": -3, "x": -0.5, "text": "-0.5"}, {"n": 4, "x": None, "text": "a = b"})
    assert Table("t", "T", (), rows).csv() == "n,x,text\r\n-3,-0.5,-0.5\r\n4,,a = b\r\n"


def test_json_holds_small_numbers_in_full() -> None:
    rows = (
        {"p": 1.8e-12, "n": 3, "q": np.float64(1e-300), "rate": rate(0, 0), "name": "é"},
        {"p": None, "n": 4, "q": float("nan"), "rate": rate(1, 3), "only": True},
    )
    first, second = json.loads(Table("t", "T", (), rows).json())
    assert (first["p"], first["n"], first["q"], first["name"]) == (1.8e-12, 3, 1e-300, "é")
    assert (first["rate"], first["rate_n"], first["only"]) == (None, 0, None)
    assert (second["p"], second["q"], second["rate"]) == (None, None, 1 / 3)
    assert (second["only"], second["name"]) == (True, None)


def test_csv_of_a_share_counts_the_undecided() -> None:
    columns = (Column("Rate", "rate", show_share),)
    rows = ({"rate": Share(2, 4)}, {"rate": Share(1, 4, open=3)})
    read = pd.read_csv(io.StringIO(Table("t", "T", columns, rows).csv()))
    assert read["rate"].isna().tolist() == [False, True]
    assert read["rate_n"].tolist() == [4, 4]
    assert read["rate_undecided"].tolist() == [0, 3]
    assert read["rate_high"].tolist() == pytest.approx([rate(2, 4).high, 1.0])


def test_markdown_cell_cannot_break_out_of_its_table() -> None:
    text = _table("a|b\n<script>`x`").markdown()
    (row,) = [line for line in text.splitlines() if "script" in line]
    assert row == "| a\\|b &lt;script>\\`x\\` | 62/72 (86.1%) |"


@pytest.mark.parametrize(
    "text",
    [
        "What is the *mean* of a_b, _c_ and __d__?",
        "![seen](http://127.0.0.1/x) [here](x) [x][y] [76.2%, 92.2%]",
        "&lt;b&gt; ~~gone~~ a\\|b `x`",
        "lame|bda, mode A",
    ],
)
def test_markdown_shows_text_as_it_is(text: str) -> None:
    table = Table("t", "T", (Column(text, "title"), Column("n", "n")), ({"title": text, "n": 1},))
    page = MarkdownIt("commonmark").enable(["table", "strikethrough"]).render(table.markdown())
    cells = re.findall("<t[hd].*?>(.*?)</t[hd]>", page)
    assert [html.unescape(cell) for cell in cells] == [text, "n", text, "1"]


@pytest.mark.parametrize(
    ("text", "latex"),
    [
        ("50% of a_b & $x$ #1", r"50\% of a\_b \& \$x\$ \#1"),
        (r"\input{f} ~ ^2", r"\textbackslash{}input\{f\} \textasciitilde{} \textasciicircum{}2"),
        (
            "χ² ≥ 3 × σ → −1",
            r"$\chi$\textsuperscript{2} $\geq$ 3 $\times$ $\sigma$ $\rightarrow$ $-$1",
        ),
        ("36–60 — all… ‘x’ <5", "36--60 --- all\\ldots{} `x' \\textless{}5"),
        ("--lenient", "-{}-lenient"),
        ("a---b, x[:,,1] or ''", "a-{}-{}-b, x[:,{},1] or '{}'"),
        ("Cramér, Ö", "Cramér, Ö"),
        ("模 😀", "[U+6A21] [U+1F600]"),
        ("two\nlines\x00", "two lines[U+2400]"),
    ],
)
def test_text_is_what_pdflatex_takes(text: str, latex: str) -> None:
    assert escaped(text) == latex


def test_latex_numbers_tables_itself() -> None:
    table = replace(_table("a"), title="Table S.5. Disagreements")
    assert r"\caption{Disagreements}" in table.latex()


def test_latex_has_caption_panels_and_note() -> None:
    text = _table("[1, 2]", group="panel").latex()
    assert text.splitlines() == [
        r"\begin{table}[htbp]",
        r"\caption{A \& B}",
        r"\label{tab:t}",
        r"\begin{tabular}{lr}",
        r"\toprule",
        r"Name & Rate \\",
        r"\midrule",
        r"\multicolumn{2}{l}{\textit{p}} \\",
        r"{}[1, 2] & 62/72 (86.1\%) \\",
        r"\bottomrule",
        r"\end{tabular}",
        r"\par\smallskip{\footnotesize A note.\par}",
        r"\end{table}",
    ]


def test_a_latex_table_longer_than_a_page_goes_on_over_pages() -> None:
    rows = tuple({"name": str(i), "rate": rate(i, 99)} for i in range(41))
    long, short = (replace(_table(), rows=rows[:n], name="a_b") for n in (41, 40))
    assert "longtable" not in short.latex()
    text = long.latex()
    assert text.startswith("\\begin{longtable}{lr}\n\\caption{A \\& B}\n\\label{tab:a_b}\n\\\\\n")
    assert text.count(r"Name & Rate \\") == 2
    assert text.index(r"\endhead") < text.index("0/99") < text.index("40/99")
    assert text.index(r"\end{longtable}") < text.index("A note.")


def test_panels_group_rows_and_honour_a_limit() -> None:
    rows = tuple({"name": str(i), "rate": rate(i, 9), "panel": "ab"[i // 3]} for i in range(6))
    table = Table("t", "T", _table().columns, rows, group="panel")
    assert [(title, len(cells)) for title, cells in table.panels()] == [("a", 3), ("b", 3)]
    assert [(title, len(cells)) for title, cells in table.panels(4)] == [("a", 3), ("b", 1)]
