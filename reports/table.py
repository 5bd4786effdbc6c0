"""A table: raw values for CSV, shown values for HTML, Markdown and LaTeX."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from annotate.shown_numbers import NOT_AVAILABLE, show_percent
from annotate.statistics.rates import Interval, Rate
from grader.files.csv_files import for_spreadsheets
from grader.invisible import one_line

from .latex import latex_table
from .share import Share

# What starts markup in Markdown: an underscore inside a word, and brackets without a link, do not.
_MARKUP = re.compile(r"[\\|`*~]|(?<![^\W_])_|_(?![^\W_])|\](?=[(\[])")


def show_text(value: Any) -> str:
    """The value as text; `n/a` for None."""
    return NOT_AVAILABLE if value is None else str(value)


def show_points(value: float | None) -> str:
    """A difference of rates, in percentage points: `−25.0 pp`."""
    return NOT_AVAILABLE if value is None else f"{_points(value)} pp"


def show_points_interval(interval: Interval | None) -> str:
    """The interval of a difference of rates: `[−42.7, −4.2] pp`."""
    if interval is None or interval.low is None or interval.high is None:
        return NOT_AVAILABLE
    return f"[{_points(interval.low)}, {_points(interval.high)}] pp"


def show_rate(rate: Rate | None) -> str:
    """`62/153 (40.5%)`; `0/0 (n/a)` where undefined; `62/153 (36.2% weighted)` where labels weigh
    differently."""
    if rate is None:
        return NOT_AVAILABLE
    weighted = " weighted" if rate.is_weighted else ""
    return f"{rate.successes:,}/{rate.n:,} ({show_percent(rate.value)}{weighted})"


def show_share(share: Share | None) -> str:
    """`62/153 (40.5%)`, or `36–60/60 (60.0–100.0%)` where some are undecided."""
    if share is None or not share.open:
        return show_rate(share and share.least)
    return f"{show_successes(share)} ({show_bounds(share)})"


def show_successes(share: Share) -> str:
    """`62/153`, or `36–60/60` where some are undecided."""
    to = f"–{share.successes + share.open:,}" if share.open else ""
    return f"{share.successes:,}{to}/{share.n:,}"


def show_bounds(share: Share) -> str:
    """`40.5%`, or `60.0–100.0%` where some are undecided."""
    most = show_percent(share.most.value)
    return f"{show_percent(share.least.value).rstrip('%')}–{most}" if share.open else most


def show_rate_error(rate: Rate | None) -> str:
    """`86% (4%)`: the rate and its standard error, as in Table 1 of the paper."""
    if rate is None or rate.value is None:
        return NOT_AVAILABLE
    return f"{show_percent(rate.value, 0)} ({show_percent(rate.standard_error, 0)})"


def show_interval(interval: Rate | Share | Interval | None) -> str:
    """`[76.2%, 92.2%]`."""
    if interval is None or interval.low is None:
        return NOT_AVAILABLE
    return f"[{show_percent(interval.low)}, {show_percent(interval.high)}]"


@dataclass(frozen=True)
class Column:
    """One shown column: `show` turns `row[field]` into text. Only `brief` columns are shown on a
    terminal."""

    header: str
    field: str
    show: Callable[[Any], str] = show_text
    numeric: bool = True
    brief: bool = True


@dataclass(frozen=True)
class Table:
    """Rows of raw values and how to show them.

    name: the file stem, and the anchor on the page. rows: one dict a row; values are plain, or
    `Rate`, `Share` or `Interval`, which CSV spreads over several columns. group: the field whose
    change starts a new panel. note: what a reader must know to read it right.
    """

    name: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[Mapping[str, Any], ...]
    note: str = ""
    group: str | None = None

    def shown(self) -> list[list[str]]:
        """Every cell as text, row by row."""
        return [[c.show(row.get(c.field)) for c in self.columns] for row in self.rows]

    def panels(self, limit: int | None = None) -> list[tuple[str, list[list[str]]]]:
        """The first `limit` shown rows by panel, in order; one panel "" without a group."""
        panels: list[tuple[str, list[list[str]]]] = []
        for row, cells in list(zip(self.rows, self.shown(), strict=True))[:limit]:
            title = str(row[self.group]) if self.group else ""
            if not panels or panels[-1][0] != title:
                panels.append((title, []))
            panels[-1][1].append(cells)
        return panels

    def frame(self) -> pd.DataFrame:
        """The raw values; a rate becomes its count, n, value, standard error and interval."""
        return pd.DataFrame([_spread(row) for row in self.rows])

    def csv(self) -> str:
        """The raw values as CSV; a text that a spreadsheet would take for a formula begins with an
        apostrophe, and NUL, which makes a file no text, is `␀`."""
        frame = self.frame().map(for_spreadsheets)
        return frame.to_csv(index=False, lineterminator="\r\n").replace("\0", "␀")

    def json(self) -> str:
        """The raw rows as a JSON array, numbers in full; undefined values are null."""
        rows = self.frame().to_dict("records")
        plain = [{str(key): _plain(value) for key, value in row.items()} for row in rows]
        return json.dumps(plain, allow_nan=False)

    def markdown(self) -> str:
        """A pipe table under its title, with the note below."""
        headers = [_md(c.header) for c in self.columns]
        rules = ["---:" if c.numeric else ":---" for c in self.columns]
        lines = [_pipes(headers), _pipes(rules)]
        for title, rows in self.panels():
            if title:
                lines.append(_pipes([f"**{_md(title)}**", *[""] * (len(headers) - 1)]))
            lines += [_pipes([_md(cell) for cell in row]) for row in rows]
        note = f"\n{_md(self.note)}\n" if self.note else ""
        return f"### {_md(self.title)}\n\n" + "\n".join(lines) + "\n" + note

    def latex(self) -> str:
        """LaTeX with panels and the note (`latex_table`), every text escaped."""
        headers = [c.header for c in self.columns]
        numeric = [c.numeric for c in self.columns]
        return latex_table(self.name, self.title, headers, numeric, self.panels(), self.note)


def _spread(row: Mapping[str, Any]) -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for field, value in row.items():
        if isinstance(value, Rate | Share):
            flat[field] = value.value
            flat[f"{field}_count"], flat[f"{field}_n"] = value.successes, value.n
            flat[f"{field}_se"] = value.standard_error
            flat[f"{field}_low"], flat[f"{field}_high"] = value.low, value.high
            if isinstance(value, Share):
                flat[f"{field}_undecided"] = value.open
        elif isinstance(value, Interval):
            flat[f"{field}_low"], flat[f"{field}_high"] = value.low, value.high
        else:
            flat[field] = value
    return flat


def _plain(value: Any) -> Any:
    """A value of a frame as JSON has it: Python's numbers, and None for one that is undefined."""
    value = value.item() if hasattr(value, "item") else value
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _points(value: float) -> str:
    return f"{100 * value:+.1f}".replace("-", "−")


def _pipes(cells: list[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _md(text: str) -> str:
    """Text that cannot break out of a table cell or start markup (emphasis, links, pictures, tags),
    with invisible characters shown."""
    flat = one_line(text).replace("&", "&amp;").replace("<", "&lt;")
    return _MARKUP.sub(r"\\\g<0>", flat)
