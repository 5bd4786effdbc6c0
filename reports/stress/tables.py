"""The result of a stress test: a table per grader, thresholds, and the worst cases."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from annotate.shown_numbers import show_count, show_level
from annotate.statistics.rates import rate

from ..names import grader_order, grader_title
from ..table import Column, Table, show_interval, show_rate
from ..wording import counted, slug
from .cases import Family, StressCase
from .perturb import NOISES

FAMILIES: dict[Family, str] = {
    "swapped": "False passes",
    "noise": "Flipped verdicts",
    "tolerance": "Wrong verdicts at the edge",
}
NOTE = (
    "Each case is an altered transcript of this run. Lost = a pass became a failure; gained = a "
    "failure became a pass. Cases of one transcript are not independent, so the Wilson interval is "
    "too short if a transcript has many."
)
COLUMNS = (
    Column("Test", "test", numeric=False),
    Column("Cases", "cases", show_count),
    Column("Violated", "violated", show_rate),
    Column(f"{show_level()} interval", "violated", show_interval),
    Column("Lost", "lost", show_count),
    Column("Gained", "gained", show_count),
    Column("Transcripts", "transcripts", show_count, brief=False),
)
WORST = 8


class StressResult(NamedTuple):
    """What a stress test found: its cases, a table for each grader, and the thresholds exceeded.
    `left_out` transcripts had no known answer."""

    cases: Sequence[StressCase]
    tables: dict[str, Table]
    exceeded: list[str]
    transcripts: int
    left_out: int

    @classmethod
    def of(
        cls,
        cases: Sequence[StressCase],
        limits: Mapping[Family, float | None],
        *,
        transcripts: int,
        left_out: int,
    ) -> StressResult:
        tables = stress_tables(cases)
        return cls(cases, tables, exceeded(tables.values(), limits), transcripts, left_out)

    @property
    def said(self) -> str:
        """What was tested, in a sentence."""
        return (
            f"{counted(self.transcripts, 'transcript')} with a known answer, "
            f"{counted(len(self.cases), 'case')}; {self.left_out:,} left out (no number is known "
            "to be the answer)."
        )

    def as_dict(self) -> dict[str, Any]:
        """For `--json`: counts, the thresholds exceeded, and the rows of each table."""
        return {
            "transcripts": self.transcripts,
            "left_out": self.left_out,
            "cases": len(self.cases),
            "exceeded": self.exceeded,
            **{name: json.loads(table.json()) for name, table in self.tables.items()},
        }


def stress_tables(cases: Sequence[StressCase]) -> dict[str, Table]:
    """One table per grader: each test with its cases, violations and rate."""
    graders = sorted({case.grader for case in cases}, key=grader_order)
    return {
        f"stress-{grader}": Table(
            f"stress-{grader}",
            f"{grader_title(grader)} ({grader})",
            COLUMNS,
            tuple(_rows([case for case in cases if case.grader == grader])),
            NOTE,
            group="family",
        )
        for grader in graders
    }


def _rows(cases: Sequence[StressCase]) -> list[dict[str, Any]]:
    tests: dict[tuple[Family, str], list[StressCase]] = {}
    for case in cases:
        tests.setdefault((case.family, case.test), []).append(case)
    families, noises = list(FAMILIES), list(NOISES)

    def place(test: tuple[Family, str]) -> tuple[int, int]:
        return families.index(test[0]), noises.index(test[1]) if test[1] in noises else 0

    return [
        {
            "family": FAMILIES[family],
            "test": test,
            "cases": len(found),
            "violated": rate(sum(c.violated for c in found), len(found)),
            "lost": sum(
                c.violated and c.before == "correct" and c.grade.verdict != "correct" for c in found
            ),
            "gained": sum(c.violated and c.grade.verdict == "correct" for c in found),
            "transcripts": len({c.transcript.transcript_id for c in found}),
        }
        for family, test in sorted(tests, key=place)
        if (found := tests[family, test])
    ]


def exceeded(tables: Iterable[Table], limits: Mapping[Family, float | None]) -> list[str]:
    """Which tests violate more than their family's limit, in words; each test of a family is
    compared with it separately. A limit without any case counts as exceeded."""
    rows = [(table.title, row) for table in tables for row in table.rows]
    found = []
    for family, limit in limits.items():
        if limit is None:
            continue
        tests = [(title, row) for title, row in rows if row["family"] == FAMILIES[family]]
        if not tests:
            found.append(f"{FAMILIES[family]}: no case tests the limit of {100 * limit:g}%")
        found += [
            f"{title}, {row['test']}: {show_rate(row['violated'])} exceeds {100 * limit:g}%"
            for title, row in tests
            if row["violated"].value > limit
        ]
    return found


def worst_cases(cases: Sequence[StressCase]) -> list[StressCase]:
    """Up to `WORST` violations of each grader and test, each of another transcript."""
    chosen: list[StressCase] = []
    groups: dict[tuple[str, str], list[StressCase]] = {}
    for case in cases:
        if case.violated:
            groups.setdefault((case.grader, case.test), []).append(case)
    for _, group in sorted(groups.items(), key=lambda kv: (grader_order(kv[0][0]), kv[0][1])):
        firsts: dict[str, StressCase] = {}
        for case in group:
            firsts.setdefault(case.transcript.transcript_id, case)
        chosen += list(firsts.values())[:WORST]
    return chosen


def case_name(number: int, case: StressCase) -> str:
    """The file name of a worst case's page."""
    return f"{number:03d}-{slug(case.grader)}-{slug(case.test)}.html"


def case_title(case: StressCase) -> str:
    """A worst case in a line."""
    value = f" with {case.grade.value}" if case.grade.value else ""
    verdict = case.grade.verdict.replace("_", " ")
    was = f"{case.before.replace('_', ' ')} became {verdict}" if case.family == "noise" else verdict
    return f"{case.grader}, {case.transcript.transcript_id}, {case.detail}: {was}{value}"
