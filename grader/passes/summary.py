"""The summary that a grading pass shows, a row per grader, as rich text or as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from ..grader_names import CASCADE, LENIENT, STRICT, STRICT_LAYER, base_name, suffix_of
from ..percent import percent
from ..run.validity import STEPS_READ, pass_of

_REASONS_SHOWN, _IDS_SHOWN = 10, 3
_COLUMNS = ("correct", "incorrect", "no_answer", "ungraded")


@dataclass
class Summary:
    """The result of a grading pass: counts per grader and verdict, outcomes, and the first
    `problems` (why transcripts are `ungraded`). `suffix` ends the names of its graders.
    `graded_now` counts the grades written, `not_judged` the strict failures that wait for judges;
    `missing` are the tasks that `grader run` could not run, which no rate covers.
    The other counts cover the grades that count in the run, and the pass's own."""

    transcripts: int = 0
    graded_now: int = 0
    graders: dict[str, dict[str, int]] = field(default_factory=dict)
    outcomes: Counter[str] = field(default_factory=Counter)
    problems: list[tuple[str, str]] = field(default_factory=list)
    lenient: dict[str, Any] | None = None
    suffix: str = ""
    not_judged: int = 0
    missing: list[str] = field(default_factory=list)

    @property
    def ungraded(self) -> int:
        """Transcripts whose verdict in the cascade of this pass is `ungraded`."""
        return self.graders.get(CASCADE + self.suffix, {}).get("ungraded", 0)

    @property
    def is_complete(self) -> bool:
        """Whether the cascade left nothing `ungraded`, and the judges graded all they were asked
        about, strict passes included."""
        return not self.ungraded and not (self.lenient and self.lenient["ungraded_because"])


def as_dict(summary: Summary, run: str) -> dict[str, Any]:
    """The summary for `--json`. Rates are None where nothing was graded. If judges left strict
    failures open, the cascade's rate and `recovered_by_lenient` are None too."""
    return {
        "run": run,
        "transcripts": summary.transcripts,
        "graded_now": summary.graded_now,
        "graders": {
            name: {**row, **_rate(row, has_open=_open_failures(summary.graders, name) > 0)}
            for name, row in summary.graders.items()
        },
        "recovered_by_lenient": None if _still_open(summary) else recovered(summary),
        "not_judged": summary.not_judged,
        "could_not_be_run": summary.missing,
        "outcomes": dict(sorted(summary.outcomes.items())),
        "lenient": summary.lenient,
        "problem_count": summary.ungraded,
        "problems": [{"transcript_id": i, "problem": p} for i, p in summary.problems],
    }


def show(summary: Summary, run: str, console: Console) -> None:
    """Print the summary for a person."""
    title = f"{run}: {summary.transcripts} transcripts"
    all_steps = {n: row for n, row in summary.graders.items() if pass_of(n) == "after_nudges"}
    fewer = {n: row for n, row in summary.graders.items() if n not in all_steps}
    if all_steps or not fewer:
        console.print(_table(title, all_steps))
    if fewer:
        console.print(_table(f"{title}, {STEPS_READ['before_nudge']}", fewer))
    outcomes = ", ".join(f"{count} {name}" for name, count in sorted(summary.outcomes.items()))
    console.print(f"outcomes{' of all steps' if summary.suffix else ''}: {outcomes}")
    if (found := recovered(summary)) is not None:
        still_open = _still_open(summary)
        count = f"n/a ({found} so far, {still_open} open)" if still_open else f"{found}"
        console.print(f"strict failures that the LLM layer passes (grading artifacts): {count}")
    if summary.not_judged:
        console.print(
            f"strict failures that no LLM has judged yet: {summary.not_judged} "
            "(ungraded in the cascade; judge them with --lenient auto)"
        )
    if missing := summary.missing:
        told = f"not in the rates: {len(missing)} that could not be run ({_some(missing)})"
        console.print(told, markup=False)
    if summary.lenient:
        console.print(_lenient_line(summary.lenient))
    for line in _problem_lines(summary):
        console.print(line, markup=False)


def _table(title: str, graders: Mapping[str, dict[str, int]]) -> Table:
    """The counts of one pass; its numbers are whole in 80 columns, a rate of very many in two
    lines."""
    table = Table(title=escape(title), title_justify="left", caption_justify="left", pad_edge=False)
    if any(row["ungraded"] for row in graders.values()):
        table.caption = "range: the pass rate if all ungraded ones fail, and if all pass"
    table.add_column("grader", no_wrap=True)
    for column in _COLUMNS:
        table.add_column(column, justify="right", no_wrap=True)
    table.add_column("pass rate", justify="right")
    strict = [name for name in map(base_name, graders) if name in STRICT]
    for grader, row in graders.items():
        name = base_name(grader)
        cells = [str(row[column]) for column in _COLUMNS]
        shown = _shown_rate(row, has_open=_open_failures(graders, grader) > 0)
        table.add_row(name, *cells, shown, end_section=name in strict[-1:])
    return table


def _problem_lines(summary: Summary) -> Iterator[str]:
    """Lines that say why transcripts are ungraded, grouped by reason."""
    by_reason: dict[str, list[str]] = {}
    for transcript_id, problem in summary.problems:
        by_reason.setdefault(problem, []).append(transcript_id)
    left = summary.ungraded - summary.not_judged
    for problem, ids in list(by_reason.items())[:_REASONS_SHOWN]:
        left -= len(ids)
        yield f"ungraded: {_some(ids)}: {problem}"
    if left:
        yield f"... and {left} more, in grades.jsonl"


def _some(ids: Sequence[str]) -> str:
    """The first of some ids, and how many more there are."""
    others = f" and {len(ids) - _IDS_SHOWN} more" if len(ids) > _IDS_SHOWN else ""
    return ", ".join(ids[:_IDS_SHOWN]) + others


def _lenient_line(lenient: dict[str, Any]) -> str:
    """One line on what the language-model layer did in this pass."""
    asked = sum(lenient["verdicts"].values())
    parts = [f"{lenient['judged']} of {asked} transcripts judged" if asked else "nothing to judge"]
    parts += [f"{lenient[name]} {name}" for name in ("calls", "reused")]
    if tokens := (lenient["prompt_tokens"] or 0) + (lenient["completion_tokens"] or 0):
        parts.append(f"{tokens:,} tokens")
    if lenient["cost"] is not None:
        parts.append(f"${lenient['cost']:.4f}")
    if lenient["unpriced"]:
        parts.append(f"{lenient['unpriced']} of unknown price")
    because = ", ".join(f"{count} {why}" for why, count in lenient["ungraded_because"].items())
    return f"lenient: {', '.join(parts)}" + (f"; ungraded: {because}" if because else "")


def recovered(summary: Summary) -> int | None:
    """How many passes the cascade of this pass has beyond its strict layer, so far; None without
    an LLM layer."""
    graders, suffix = summary.graders, summary.suffix
    strict = _strict(graders, suffix)
    if strict is None or LENIENT + suffix not in graders:
        return None
    return graders[CASCADE + suffix]["correct"] - strict["correct"]


def _strict(graders: Mapping[str, dict[str, int]], suffix: str) -> dict[str, int] | None:
    """The counts of the cascade's strict layer."""
    return next((graders[n + suffix] for n in STRICT_LAYER if n + suffix in graders), None)


def _open_failures(graders: Mapping[str, dict[str, int]], name: str) -> int:
    """How many strict failures judges have left open in a cascade; 0 for another grader. Passes
    need no judge, so the rate among graded ones says nothing of the rest."""
    suffix = suffix_of(name)
    strict = _strict(graders, suffix)
    if name != CASCADE + suffix or strict is None:
        return 0
    return max(graders[name]["ungraded"] - strict["ungraded"], 0)


def _still_open(summary: Summary) -> int:
    """How many strict failures the judges of this pass have left open."""
    return _open_failures(summary.graders, CASCADE + summary.suffix)


def _rate(row: dict[str, int], *, has_open: bool) -> dict[str, Any]:
    """The pass rate of the `n` graded transcripts (None for a cascade with open failures), and the
    range of the rate over all transcripts, from all ungraded ones failing to all passing."""
    n = sum(row[column] for column in ("correct", "incorrect", "no_answer"))
    total, passes = n + row["ungraded"], row["correct"]
    bounds = [passes / total, (passes + row["ungraded"]) / total] if total else None
    rate = passes / n if n and not has_open else None
    return {"n": n, "pass_rate": rate, "pass_rate_range": bounds}


def _shown_rate(row: dict[str, int], *, has_open: bool) -> str:
    """The rate, and under it the range if some are ungraded; only the range for a cascade with open
    failures."""
    rate = _rate(row, has_open=has_open)
    shown = "n/a" if rate["pass_rate"] is None else percent(rate["pass_rate"])
    lines = [f"{shown} of {rate['n']}"]
    if row["ungraded"]:
        low, high = rate["pass_rate_range"]
        between = f"{percent(low).removesuffix('%')}–{percent(high)}"
        lines = [between, f"of {sum(row.values())}"] if has_open else [*lines, between]
    return "\n".join(lines)
