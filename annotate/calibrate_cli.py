"""`grader calibrate`: grade the graders against human labels."""

from __future__ import annotations

import argparse
import math
from typing import get_args

from grader.cli import DONE
from grader.cli.options import add_database, add_run, comma_separated, one_of
from grader.cli.printing import print_json
from grader.errors import UserError
from grader.files.listing import named_path
from grader.run import RunDirectory
from grader.terminal import stdout_console

from .audit import AuditSettings, audit
from .audit.settings import HIGHEST_LEVEL, LOWEST_LEVEL
from .audit.text import show
from .labels import open_store
from .statistics.estimates import Target

DEFAULTS = AuditSettings()


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add_run(parser)
    add_database(parser)
    parser.add_argument(
        "--final-only", action="store_true", help="leave out labels given from the snippet alone"
    )
    parser.add_argument(
        "--target",
        type=one_of("target", get_args(Target)),
        default=DEFAULTS.target,
        metavar="NAME",
        help="estimate the pass rate on: population (tasks like these) or run (exactly these "
        "transcripts; default: %(default)s)",
    )
    parser.add_argument(
        "--goal",
        type=float,
        default=100 * DEFAULTS.goal,
        metavar="POINTS",
        help="plan labels that narrow the pass rate to ± this many points (default: %(default)g)",
    )
    parser.add_argument(
        "--covariates",
        type=comma_separated,
        metavar="NAMES",
        help="covariates to test, comma-separated (default: all)",
    )
    parser.add_argument(
        "--columns",
        type=named_path,
        metavar="CSV",
        help="CSV file of further covariates, with a column transcript_id or task_id",
    )
    parser.add_argument(
        "--level",
        type=float,
        default=DEFAULTS.level,
        metavar="SHARE",
        help="level of all intervals and bounds (default: %(default)g)",
    )


def run(options: argparse.Namespace) -> int:
    """Print the rates of the graders; exit code 0."""
    if not LOWEST_LEVEL <= options.level <= HIGHEST_LEVEL:
        raise UserError(f"--level must lie between {LOWEST_LEVEL} and {HIGHEST_LEVEL}")
    if not 0 < options.goal < math.inf:
        raise UserError("--goal must be above 0 points")
    settings = AuditSettings(
        final_only=options.final_only,
        target=options.target,
        goal=options.goal / 100,
        covariates=options.covariates,
        level=options.level,
    )
    directory = RunDirectory.open(options.run)
    with open_store(directory, options.database, reading=True) as store:
        found = audit(directory, store, settings, columns=options.columns)
    if options.json:
        print_json(found.model_dump(mode="json"))
    else:
        show(found, stdout_console())
    return DONE
