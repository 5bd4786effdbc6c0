"""What a grading pass shows: one table per grader, as rich text or as JSON."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from .cascade import CASCADE, LENIENT, STRICT_LAYER
from .grading import Summary
from .records import BEFORE_NUDGE

_COLUMNS = ("correct", "incorrect", "no_answer", "ungraded")


def as_dict(summary: Summary, run: str) -> dict[str, Any]:
    """The summary for `--json`. Rates are None where nothing was graded."""
    return {
        "run": run,
        "transcripts": summary.transcripts,
        "graded_now": summary.graded_now,
        "graders": {name: {**row, **_rate(row)} for name, row in summary.graders.items()},
        "recovered_by_lenient": recovered(summary),
        "outcomes": dict(sorted(summary.outcomes.items())),
        "lenient": summary.lenient,
        "problem_count": summary.problem_count,
        "problems": [{"transcript_id": i, "problem": p} for i, p in summary.problems],
    }


def show(summary: Summary, run: str, console: Console) -> None:
    """Print the summary for a person."""
    title = f"{escape(run)}: {summary.transcripts} transcripts"
    table = Table(title=title, title_justify="left")
    table.add_column("grader", no_wrap=True)
    for column in (*_COLUMNS, "pass rate"):
        table.add_column(column, justify="right")
    for name, row in summary.graders.items():
        rate = _rate(row)
        shown = "n/a" if rate["pass_rate"] is None else f"{100 * rate['pass_rate']:.1f}%"
        cells = [str(row[column]) for column in _COLUMNS]
        table.add_row(name, *cells, f"{shown} of {rate['n']}", end_section=name == "strict_blind")
    console.print(table)
    outcomes = ", ".join(f"{count} {name}" for name, count in sorted(summary.outcomes.items()))
    console.print(f"outcomes: {outcomes}")
    if (found := recovered(summary)) is not None:
        console.print(f"strict failures that the LLM layer passes (grading artifacts): {found}")
    if summary.lenient:
        console.print(_lenient_line(summary.lenient))
    for transcript_id, problem in summary.problems[:10]:
        console.print(f"ungraded: {transcript_id}: {problem}", markup=False)
    if summary.problem_count > 10:
        console.print(f"... and {summary.problem_count - 10} more, in grades.jsonl")


def _lenient_line(lenient: dict[str, Any]) -> str:
    """What the language-model layer did in this pass, in one line."""
    parts = [f"{lenient['judged']} transcripts judged"]
    parts += [
        f"{lenient[name]} {name}" for name in ("calls", "cached", "tokens") if name in lenient
    ]
    if lenient.get("cost"):
        parts.append(f"${lenient['cost']:.4f}")
    because = ", ".join(f"{count} {why}" for why, count in lenient["ungraded_because"].items())
    return f"lenient: {', '.join(parts)}" + (f"; ungraded: {because}" if because else "")


def recovered(summary: Summary) -> int | None:
    """How many passes the cascade has beyond its strict layer; None without an LLM layer."""
    for suffix in ("", BEFORE_NUDGE):
        if LENIENT + suffix not in summary.graders:
            continue
        strict = next((n for n in STRICT_LAYER if n + suffix in summary.graders), None)
        if strict is not None:
            passes = summary.graders[CASCADE + suffix]["correct"]
            return passes - summary.graders[strict + suffix]["correct"]
    return None


def _rate(row: dict[str, int]) -> dict[str, Any]:
    n = sum(row[column] for column in ("correct", "incorrect", "no_answer"))
    return {"n": n, "pass_rate": row["correct"] / n if n else None}
