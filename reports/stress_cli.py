"""`grader stress DIR`: test the strict graders on altered transcripts, without labels."""

from __future__ import annotations

import argparse
from pathlib import Path

from grader.cascade import check_strict
from grader.cli import DONE, PARTIAL
from grader.cli.options import add_run, comma_separated
from grader.cli.printing import print_json
from grader.errors import UserError
from grader.files.listing import named_path
from grader.grader_names import STRICT
from grader.progress import progress_bar
from grader.run import RunDirectory
from grader.settings import GradeSettings, load_settings
from grader.terminal import stdout_console

from .stress import Family, stress
from .stress.page import write_stress_page
from .stress.selection import transcripts_with_answers
from .stress.tables import StressResult
from .terminal import print_page, print_table

THRESHOLDS: dict[Family, str] = {
    "swapped": "max_false_pass",
    "noise": "max_flip",
    "tolerance": "max_tolerance",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add_run(parser)
    parser.add_argument(
        "--graders",
        type=comma_separated,
        default=",".join(STRICT),
        metavar="NAMES",
        help="strict graders to test, comma-separated (default: %(default)s)",
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
        type=named_path,
        metavar="TOML",
        help="settings file with a section [grade] (default: the settings of the run's grades)",
    )


def run(options: argparse.Namespace) -> int:
    """Stress the graders; exit code 0, or 1 if a given threshold is exceeded."""
    graders, limits = check_strict(options.graders), _thresholds(options)
    source = RunDirectory.open(options.run)
    chosen, left_out = transcripts_with_answers(source, options.limit)
    settings = _settings(options, source)
    with progress_bar() as bar:
        cases = list(stress(bar.track(chosen, description="cases"), graders, settings))
    result = StressResult.of(cases, limits, transcripts=len(chosen), left_out=left_out)
    page = write_stress_page(source, result)
    if options.json:
        print_json({"page": str(page), **result.as_dict()})
    else:
        _print(result, page)
    return PARTIAL if result.exceeded else DONE


def _settings(options: argparse.Namespace, source: RunDirectory) -> GradeSettings:
    """The settings of --settings, else those that the run was graded with."""
    if options.settings:
        return load_settings(GradeSettings, "grade", options.settings)
    return source.validity().settings


def _thresholds(options: argparse.Namespace) -> dict[Family, float | None]:
    """The share of violated cases allowed in each family. Raises `UserError` for an invalid share,
    or for a `--limit` below 1."""
    if options.limit < 1:
        raise UserError(f"--limit must be at least 1; it was {options.limit}")
    given: dict[Family, float | None] = {}
    for family, name in THRESHOLDS.items():
        share = given[family] = getattr(options, name)
        if share is not None and not 0 <= share <= 1:
            option = "--" + name.replace("_", "-")
            raise UserError(f"{option} is a share, 0.05 for 5 percent; it was {share:g}")
    return given


def _print(result: StressResult, page: Path) -> None:
    """Print the tables, what is over its threshold, and where the page is."""
    console = stdout_console()
    console.print(result.said, highlight=False)
    for table in result.tables.values():
        print_table(console, table, most=len(table.rows))
    for line in result.exceeded:
        console.print(f"Threshold exceeded: {line}", style="bold", highlight=False)
    print_page(console, page)
