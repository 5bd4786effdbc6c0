"""`grader report DIR`: the HTML report, tables and figures of a run."""

from __future__ import annotations

import argparse
import time

from grader.cli import DONE
from grader.cli.options import add_database, add_run
from grader.cli.printing import print_json
from grader.progress import progress_bar
from grader.run import RunDirectory
from grader.terminal import stdout_console

from .build import build_report, time_now
from .headline import headline
from .load import load_run
from .terminal import print_page


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add_run(parser)
    add_database(parser)
    parser.epilog = (
        "Writes DIR/report/index.html, one page that needs no network; each table as CSV,\n"
        "Markdown and LaTeX in report/tables/, each figure as SVG and PNG in report/figures/."
    )


def run(options: argparse.Namespace) -> int:
    """Build the report; exit code 0."""
    started = time.monotonic()
    source = RunDirectory.open(options.run)
    frames = load_run(options.run, options.database)
    with progress_bar() as bar:
        task = bar.add_task("pages", total=len(frames))
        page = build_report(
            source, frames, time_now(), lambda done: bar.update(task, completed=done)
        )
    facts = headline(frames)
    if options.json:
        summary = {
            "report": str(page),
            "transcripts": len(frames),
            "headline": {fact.label: fact.figure for fact in facts},
            "seconds": round(time.monotonic() - started, 2),
        }
        print_json(summary)
        return DONE
    console = stdout_console()
    width = max(len(fact.figure) for fact in facts)
    for fact in facts:
        console.print(f"{fact.label:<20}  {fact.figure:>{width}}  {fact.detail}", highlight=False)
    print_page(console, page)
    return DONE
