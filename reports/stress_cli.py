"""`grader stress DIR`: test the strict graders on altered transcripts, without labels."""

from __future__ import annotations

import argparse
import json
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from grader.numbers import Quantity
    from grader.records import Transcript
    from grader.run import RunDirectory

    from .stress import Family, StressCase

THRESHOLDS: dict[Family, str] = {
    "swapped": "max_false_pass",
    "noise": "max_flip",
    "tolerance": "max_tolerance",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from grader.strict import STRICT_GRADERS

    parser.add_argument("run_directory", metavar="DIR", type=Path, help="a graded run")
    parser.add_argument(
        "--graders",
        default=",".join(STRICT_GRADERS),
        metavar="NAMES",
        help="default: %(default)s",
    )
    parser.add_argument(
        "--limit",
        type=int,
        default=1000,
        metavar="N",
        help="use at most N transcripts, spread over the run (default: %(default)s)",
    )
    parser.add_argument(
        "--max-false-pass",
        type=float,
        metavar="SHARE",
        help="exit 1 if a grader passes more than this share of swapped truths",
    )
    parser.add_argument(
        "--max-flip",
        type=float,
        metavar="SHARE",
        help="exit 1 if any kind of noise flips more than this share of a grader's verdicts",
    )
    parser.add_argument(
        "--max-tolerance",
        type=float,
        metavar="SHARE",
        help="exit 1 if more than this share of verdicts at the tolerance's edge is wrong",
    )
    parser.add_argument(
        "--settings",
        type=Path,
        metavar="TOML",
        help="section [grade] (default: what the run was graded with)",
    )


def run(options: argparse.Namespace) -> int:
    """Stress the graders; exit code 0, or 1 if a given threshold is exceeded."""
    from rich.console import Console

    from grader.errors import UserError, unknown_name
    from grader.run import RunDirectory
    from grader.settings import GradeSettings, load_settings
    from grader.strict import STRICT_GRADERS

    from .stress import stress
    from .stress_tables import exceeded, stress_tables
    from .terminal import print_table, progress_bar
    from .text import counted

    graders = [name.strip() for name in options.graders.split(",") if name.strip()]
    if not graders:
        raise UserError(f"--graders names none. Valid: {', '.join(STRICT_GRADERS)}")
    for name in graders:
        if name not in STRICT_GRADERS:
            raise unknown_name("strict grader", name, list(STRICT_GRADERS))
    limits = _thresholds(options)
    source = RunDirectory.open(options.run_directory)
    chosen, left_out = _transcripts(source, options.limit)
    settings = (
        load_settings(GradeSettings, "grade", options.settings)
        if options.settings
        else source.standing().settings
    )
    with progress_bar() as bar:
        cases = list(stress(bar.track(chosen, description="cases"), graders, settings))
    tables = stress_tables(cases)
    over = exceeded(cases, limits)
    said = (
        f"{counted(len(chosen), 'transcript')} with a known answer, {counted(len(cases), 'case')}; "
        f"{left_out:,} left out (no number is known to be the answer)."
    )
    page = _write(options.run_directory, cases, said, over)
    if options.json:
        summary = {
            "page": str(page),
            "transcripts": len(chosen),
            "left_out": left_out,
            "cases": len(cases),
            "exceeded": over,
            **{name: json.loads(table.json()) for name, table in tables.items()},
        }
        sys.stdout.write(json.dumps(summary) + "\n")
    else:
        console = Console()
        console.print(said, highlight=False)
        for table in tables.values():
            print_table(console, table)
        for line in over:
            console.print(f"Threshold exceeded: {line}", style="bold", highlight=False)
        console.print(f"Open {page.resolve().as_uri()}", soft_wrap=True, highlight=False)
    return 1 if over else 0


def _thresholds(options: argparse.Namespace) -> dict[Family, float | None]:
    """The share of violated cases allowed in each family. Raises `UserError` for a number that is
    none, or for a `--limit` that leaves nothing to test."""
    from grader.errors import UserError

    if options.limit < 1:
        raise UserError(f"--limit must be at least 1; it was {options.limit}")
    given: dict[Family, float | None] = {}
    for family, name in THRESHOLDS.items():
        share = given[family] = getattr(options, name)
        if share is not None and not 0 <= share <= 1:
            option = "--" + name.replace("_", "-")
            raise UserError(f"{option} is a share, 0.05 for 5 percent; it was {share:g}")
    return given


def _transcripts(source: RunDirectory, limit: int) -> tuple[list[tuple[Transcript, Quantity]], int]:
    """(transcript, reference answer) pairs, at most `limit`, and how many had no reference."""
    from grader.errors import UserError

    from .stress import NUMERICAL, reference

    grades = source.grades_by_transcript()
    pairs, left_out, numerical = [], 0, False
    for transcript in source.transcripts():
        numerical = numerical or transcript.task.answer_kind in NUMERICAL
        answer = reference(transcript, grades.get(transcript.transcript_id, {}))
        if answer is None:
            left_out += 1
        else:
            pairs.append((transcript, answer))
    if not pairs:
        raise UserError(f"{source.path}: {_nothing_known(numerical, bool(grades), source.path)}")
    if len(pairs) > limit:
        pairs = [pairs[i * len(pairs) // limit] for i in range(limit)]
    return pairs, left_out


def _nothing_known(numerical: bool, graded: bool, run: Path) -> str:
    """Why no transcript of a run has an answer to hold on to, and what helps."""
    if not numerical:
        return "no task asks for a number. The stress test alters numbers; it has no other kind"
    if not graded:
        return f"no answer is known yet. Grade the run first: grader grade {run}"
    return (
        "no numerical answer is known: the cascade passed none and no LLM judge read one. Have "
        f"the failures judged: grader grade {run} --lenient auto --model MODEL --base-url URL"
    )


def _write(folder: Path, cases: list[StressCase], said: str, over: list[str]) -> Path:
    """The page, the tables, and a page for each worst case, in DIR/report/stress/."""
    from .build import write_page, write_pages
    from .html import tables_page
    from .stress_tables import case_name, case_title, stress_tables, worst_cases
    from .transcript_page import transcript_page

    target = folder / "report" / "stress"
    worst = worst_cases(cases)
    names = [case_name(number, case) for number, case in enumerate(worst)]
    row = {"outcome": "altered", "human": None, "snippet": None, "disagreements": ""}
    pages = {
        name: transcript_page(
            case.transcript,
            row | {"remark": case_title(case)},
            [case.grade],
            [],
            back="../index.html#cases",
        )
        for name, case in zip(names, worst, strict=True)
    }
    tables = stress_tables(cases)
    page = tables_page(
        f"Stress test: {folder.resolve().name}",
        tables,
        datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        lines=[said, *(f"Threshold exceeded: {line}." for line in over)],
        links=[(case_title(c), f"cases/{n}") for n, c in zip(names, worst, strict=True)],
    )
    path = write_page(target, page, tables, {})
    write_pages(target / "cases", pages)
    return path
