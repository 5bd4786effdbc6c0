"""Frames, tables and figures as HTML pages. Pure: text in, text out."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from grader import __version__
from grader.invisible import displayable
from grader.records import Grade

from .contents import sections
from .figures.style import Picture
from .frames import RunFrames
from .headline import headline
from .inline_svg import inline_svg
from .missing import gaps
from .names import MODE_TITLES, VERDICT_TITLES, capitalised
from .row_filters import filters, row_columns, verdict_titles
from .table import Table
from .wording import counted

TEMPLATES = Path(__file__).with_name("templates")
UNSHOWN_EVIDENCE = frozenset({"region", "span", "step", "judged_by", "judges", "settings"})
_NO_SCRIPT = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"


def report_page(
    frames: RunFrames,
    tables: Mapping[str, Table],
    pictures: Mapping[str, Picture],
    rows: Sequence[Mapping[str, Any]],
    files: Sequence[str],
    made: str,
    run: str,
) -> str:
    """The report of one run as one self-contained page.

    rows: `transcript_rows`, and `files` the page of each. made: the time to state. run: the run
    directory as commands should name it.
    """
    script = (TEMPLATES / "report.js").read_text(encoding="utf-8")
    return (
        environment()
        .get_template("report.html")
        .render(
            **page_basics(script),
            script=Markup(script),
            data=Markup(_json(_table_data(frames, rows, files))),
            name=frames.name,
            total=len(frames),
            modes=modes_said(frames),
            made=made,
            version=__version__,
            facts=headline(frames),
            gaps=gaps(frames, run),
            sections=sections(frames, tables, pictures, run),
            filters=filters(frames, rows),
            row_columns=row_columns(frames),
        )
    )


def _table_data(
    frames: RunFrames, rows: Sequence[Mapping[str, Any]], files: Sequence[str]
) -> dict[str, Any]:
    """What the page's script needs for the table of transcripts, as `report_page` is given it."""
    shown = [name for name, _ in row_columns(frames)]
    values = [[file, *(row.get(n) for n in shown)] for file, row in zip(files, rows, strict=True)]
    return {
        "fields": ["file", *shown],
        "shown": shown,
        "rows": [[displayable(v) if isinstance(v, str) else v for v in row] for row in values],
        "verdicts": list(VERDICT_TITLES),
        "titles": verdict_titles(frames),
    }


def modes_said(frames: RunFrames) -> str:
    """The nudge modes of a run, with the transcripts of each if there are several; "" if none is
    recorded."""
    if not any(frames.modes):
        return ""
    several = len(frames.modes) > 1
    return ", ".join(
        MODE_TITLES[mode] + (f": {len(part):,}" if several else "")
        for mode, part in frames.by_mode().items()
    )


def tables_page(
    title: str,
    tables: Mapping[str, Table],
    made: str,
    *,
    pictures: Mapping[str, Picture] | None = None,
    lines: Sequence[str] = (),
    links: Sequence[tuple[str, str]] = (),
) -> str:
    """A plain page of tables and figures; `links` are (text, address) of cases to look at."""
    return (
        environment()
        .get_template("tables.html")
        .render(
            **page_basics(),
            title=title,
            tables=list(tables.values()),
            pictures=list((pictures or {}).values()),
            lines=lines,
            links=links,
            made=made,
            version=__version__,
        )
    )


def evidence_text(grade: Grade) -> str:
    """A grade's evidence in a line, without the long texts."""
    kept = {k: v for k, v in grade.evidence.items() if k not in UNSHOWN_EVIDENCE}
    found = [one["grounding"] for one in grade.evidence.get("judges", ()) if one.get("grounding")]
    if found:  # how the output holds the answer that each judge read
        kept["grounding"] = ", ".join(dict.fromkeys(found))
    if rows := kept.get("consistency"):
        kept["consistency"] = [_step_agrees(row) for row in rows]
    return "; ".join(f"{k}: {_short(v)}" for k, v in kept.items() if v not in (None, "", []))


@cache
def environment() -> Environment:
    """The template engine: everything escaped, an unknown name is an error."""
    made = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        keep_trailing_newline=True,
    )
    made.filters |= {
        "displayable": displayable,
        "inline_svg": inline_svg,
        "evidence": evidence_text,
        "capitalised": capitalised,
        "counted": counted,
    }
    return made


def page_basics(script: str = "") -> dict[str, Any]:
    """The template values of every page: the style sheet, and a policy that allows no script except
    the one given."""
    policy = f"{_NO_SCRIPT}; script-src {_script_hash(script)}" if script else _NO_SCRIPT
    return {"policy": policy, "css": Markup(_css())}


@cache
def _css() -> str:
    return (TEMPLATES / "page.css").read_text(encoding="utf-8")


def _step_agrees(row: Mapping[str, Any]) -> str:
    """A judge's verdict on whether a step's printed and written answers agree: `step 1 yes`."""
    agree = row.get("agree")
    return f"step {row['step']} {'unclear' if agree is None else 'yes' if agree else 'no'}"


def _short(value: Any) -> str:
    text = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
    return text if len(text) <= 120 else text[:119] + "…"


def _json(data: Any) -> str:
    """JSON that cannot end the script element around it."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _script_hash(script: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"
