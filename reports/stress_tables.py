"""The result of a stress test: a table per grader, thresholds, and the worst cases."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from annotate.rates import rate

from .names import grader_order, grader_title
from .perturb import NOISES
from .stress import Family, StressCase
from .table import Column, Table, show_count, show_interval, show_rate
from .text import slug

FAMILIES: dict[Family, str] = {
    "swapped": "False passes",
    "noise": "Flipped verdicts",
    "tolerance": "Wrong verdicts at the edge",
}
NOTE = (
    "Each case is an altered transcript of this run. Lost = a pass became a failure; gained = a "
    "failure became a pass. Cases of one transcript are not independent, so the Wilson interval is "
    "too short where it makes many."
)
COLUMNS = (
    Column("Test", "test", numeric=False),
    Column("Cases", "cases", show_count),
    Column("Violated", "violated", show_rate),
    Column("95% interval", "violated", show_interval),
    Column("Lost", "lost", show_count),
    Column("Gained", "gained", show_count),
    Column("Transcripts", "transcripts", show_count, brief=False),
)
WORST = 8


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
            "lost": sum(c.violated and c.before == "correct" != c.grade.verdict for c in found),
            "gained": sum(c.violated and c.grade.verdict == "correct" for c in found),
            "transcripts": len({c.transcript.transcript_id for c in found}),
        }
        for family, test in sorted(tests, key=place)
        if (found := tests[family, test])
    ]


def exceeded(cases: Sequence[StressCase], limits: Mapping[Family, float | None]) -> list[str]:
    """Which tests violate more than their family's limit, in words; every test of a family is
    held to it on its own. A limit that no case tests counts as exceeded: nothing keeps it."""
    tested = {case.family for case in cases}
    found = [
        f"{FAMILIES[family]}: no case tests the limit of {100 * limit:g}%"
        for family, limit in limits.items()
        if limit is not None and family not in tested
    ]
    for table in stress_tables(cases).values():
        for row in table.rows:
            family = next(f for f, title in FAMILIES.items() if title == row["family"])
            limit, share = limits.get(family), row["violated"].value
            if limit is not None and share is not None and share > limit:
                found.append(
                    f"{table.title}, {row['test']}: {show_rate(row['violated'])} "
                    f"exceeds {100 * limit:g}%"
                )
    return found


def worst_cases(cases: Sequence[StressCase]) -> list[StressCase]:
    """Up to `WORST` violations of each grader and test, one a transcript first."""
    chosen: list[StressCase] = []
    groups: dict[tuple[str, str], list[StressCase]] = {}
    for case in cases:
        if case.violated:
            groups.setdefault((case.grader, case.test), []).append(case)
    for _, group in sorted(groups.items(), key=lambda kv: (grader_order(kv[0][0]), kv[0][1])):
        firsts = list({c.transcript.transcript_id: c for c in reversed(group)}.values())[::-1]
        chosen += firsts[:WORST]
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
