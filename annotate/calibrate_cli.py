"""`grader calibrate`: grade the graders against human labels."""

from __future__ import annotations

import argparse
import math
import sys
from pathlib import Path

from grader.cli import DONE
from grader.errors import UserError
from grader.run import RunDirectory

from .cli import add_database
from .labels import open_store


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("run", type=Path, metavar="DIR", help="run directory")
    add_database(parser)
    parser.add_argument(
        "--final-only", action="store_true", help="leave out labels given from the snippet alone"
    )
    parser.add_argument(
        "--target",
        choices=("population", "run"),
        default="population",
        help="pass rate on tasks like these (default), or on exactly these transcripts",
    )
    parser.add_argument(
        "--goal",
        type=float,
        default=3.0,
        metavar="POINTS",
        help="plan labels for a pass rate to within this many points (default 3)",
    )
    parser.add_argument(
        "--covariates", metavar="NAMES", help="columns to test, with commas (default: all)"
    )
    parser.add_argument(
        "--columns",
        type=Path,
        metavar="CSV",
        help="more covariates: a table with transcript_id or task_id and any other columns",
    )
    parser.add_argument(
        "--level", type=float, default=0.95, help="of all intervals and bounds (default 0.95)"
    )


def run(options: argparse.Namespace) -> int:
    from .audit import audit

    if not 0 < options.level < 1:
        raise UserError("--level must lie between 0 and 1")
    if not 0 < options.goal < math.inf:
        raise UserError("--goal must be above 0 points")
    directory = RunDirectory.open(options.run)
    names = None
    if options.covariates is not None:
        names = [name.strip() for name in options.covariates.split(",") if name.strip()]
    with open_store(directory, options.database, reading=True) as store:
        found = audit(
            directory,
            store,
            final_only=options.final_only,
            target=options.target,
            goal=options.goal / 100,
            covariates=names,
            columns=options.columns,
            level=options.level,
        )
    if options.json:
        sys.stdout.write(found.model_dump_json() + "\n")
    else:
        from rich.console import Console

        from .audit.text import show

        show(found, Console())
    return DONE
