"""`grader export`: a run as CSV, Parquet or DSGym results."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from grader.cli import DONE
from grader.run import RunDirectory
from grader.run.export import EXPORTERS, export


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("run", type=Path, metavar="DIR", help="run directory")
    parser.add_argument("--format", default="csv", help=", ".join(EXPORTERS) + " (default: csv)")
    parser.add_argument("--output", type=Path, metavar="FILE", help="default: in DIR")


def run(options: argparse.Namespace) -> int:
    """Write the file and name it."""
    path, count = export(RunDirectory.open(options.run), options.format, options.output)
    if options.json:
        sys.stdout.write(json.dumps({"file": str(path), "transcripts": count}) + "\n")
    else:
        sys.stdout.write(f"{path}: {count} transcripts\n")
    return DONE
