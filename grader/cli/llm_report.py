"""`grader llm-report`: what language models were asked for a run, and what they replied."""

from __future__ import annotations

import argparse
import sys

from grader.cli import DONE
from grader.cli.options import add_run
from grader.cli.printing import print_json
from grader.files.listing import named_path
from grader.llm_report import llm_report
from grader.run import RunDirectory
from grader.run.output_file import output_file


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add_run(parser)
    parser.add_argument(
        "--task", metavar="ID", help="one task or transcript only, with full prompts"
    )
    parser.add_argument("--full", action="store_true", help="full prompts for every transcript")
    parser.add_argument(
        "--output", type=named_path, metavar="FILE", help="where to write (default: stdout)"
    )


def run(options: argparse.Namespace) -> int:
    """Write the report as Markdown; exit 2 if the run holds no such task."""
    report = llm_report(
        RunDirectory.open(options.run), options.task, full=options.full or bool(options.task)
    )
    if options.output is not None:
        with output_file(options.output) as place:
            place.write_text(report.markdown, encoding="utf-8")
    if options.json:
        print_json(report.summary)
    elif options.output is None:
        sys.stdout.write(report.markdown)
    return DONE
