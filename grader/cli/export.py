"""`grader export`: a run as CSV, Parquet or DSGym results."""

from __future__ import annotations

import argparse
import sys

from grader.cli import DONE
from grader.cli.options import add_run
from grader.cli.printing import print_json
from grader.files.listing import named_path
from grader.run import RunDirectory
from grader.run.export import EXPORTERS, export, format_of


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add_run(parser)
    parser.add_argument(
        "--format",
        metavar="NAME",
        help=", ".join(EXPORTERS) + " (default: parquet if FILE ends in .parquet or .pq, dsgym if "
        "in .json, else csv); DSGym's form holds final outputs, no earlier steps, so nudges and "
        "steps cannot be found again from it",
    )
    parser.add_argument(
        "--output", type=named_path, metavar="FILE", help="where to write (default: a file in DIR)"
    )


def run(options: argparse.Namespace) -> int:
    """Write the file and name it."""
    form = options.format or format_of(options.output)
    path, count = export(RunDirectory.open(options.run), form, options.output)
    if options.json:
        print_json({"file": str(path), "transcripts": count})
    else:
        sys.stdout.write(f"{path}: {count} transcripts\n")
    return DONE
