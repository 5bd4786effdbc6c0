"""The page of a stress test: its tables, and a page for each of the worst cases."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from grader.run import RunDirectory

from ..build import claim, time_now, write_page, write_pages
from ..html import tables_page
from ..transcript_page import transcript_page
from .cases import StressCase
from .tables import StressResult, case_name, case_title, worst_cases

TITLE = "Stress test"


def write_stress_page(run: RunDirectory, result: StressResult) -> Path:
    """Write DIR/report/stress/ anew; returns its page."""
    target = run.report_path / "stress"
    claim(target, TITLE)
    worst = {case_name(number, c): c for number, c in enumerate(worst_cases(result.cases))}
    page = tables_page(
        f"{TITLE}: {run.path.resolve().name}",
        result.tables,
        time_now(),
        lines=[result.said, *(f"Threshold exceeded: {line}." for line in result.exceeded)],
        links=[(case_title(case), f"cases/{name}") for name, case in worst.items()],
    )
    path = write_page(target, page, result.tables, {})
    write_pages(target / "cases", _case_pages(worst))
    return path


def _case_pages(worst: Mapping[str, StressCase]) -> dict[str, str]:
    row = {"outcome": "altered", "human": None, "snippet": None, "disagreements": ""}
    return {
        name: transcript_page(
            case.transcript,
            row | {"remark": case_title(case)},
            [case.grade],
            [],
            back="../index.html#cases",
        )
        for name, case in worst.items()
    }
