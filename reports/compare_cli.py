"""`grader compare A B [C…]`: runs compared over their common tasks."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from shlex import quote

from rich.text import Text

from grader.cli import DONE
from grader.cli.printing import print_json
from grader.errors import UserError, unknown_name
from grader.files.listing import named_path
from grader.grader_names import CASCADE
from grader.invisible import displayable, encodable
from grader.run import RunDirectory
from grader.terminal import stdout_console

from .build import claim, time_now, write_page
from .compare import arms_of
from .compare.grading_differences import grading_caution
from .compare.page import compare_tables
from .compare.run_differences import limits_caution
from .compare.task_differences import tasks_caution
from .figures.anchoring import draw_traces
from .frames import RunFrames
from .html import tables_page
from .load import load_run
from .pairing import common_tasks, comparable, left_out_caution, no_mode_caution
from .table import Table
from .terminal import print_page, print_table, short_names, shown
from .wording import sentences, slug

TITLE = "Comparison"
LONGEST_FOLDER = 150
ALL_TRANSCRIPTS = (
    "Over all transcripts of each run, those of repeats and of tasks not in every run included."
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "runs",
        metavar="DIR",
        type=named_path,
        nargs="+",
        help="graded runs; a run with several agents or nudge modes is cut into them",
    )
    parser.add_argument(
        "--database",
        metavar="URL",
        action="append",
        default=[],
        help="label database; give it once for each run, in their order ('' = the run's own)",
    )
    parser.add_argument(
        "--output",
        metavar="DIR",
        type=named_path,
        help="write the page and tables here: a folder that is new, empty or holds an earlier "
        "comparison, which is replaced (default: FIRST/report/compare-OTHERS)",
    )
    parser.add_argument(
        "--grader",
        default=CASCADE,
        metavar="NAME",
        help="grader used in the lists of tasks (default: %(default)s)",
    )


def run(options: argparse.Namespace) -> int:
    """Compare; exit code 0. Raises `UserError` if no two runs have a task in common."""
    loaded = [load_run(*named) for named in zip(options.runs, _databases(options), strict=True)]
    runs = _named(options.runs, loaded)
    given = _arms(runs, options)
    arms = comparable(given)
    caution = sentences(
        left_out_caution(given, arms),
        no_mode_caution(runs),
        tasks_caution(arms),
        limits_caution(arms),
        grading_caution(arms),
    )
    tables = compare_tables(arms, options.grader)
    page = _write(options, arms, tables, caution)
    if options.json:
        print_json(
            {
                "page": str(page),
                "runs": list(arms),
                "left_out": [name for name in given if name not in arms],
                "common_tasks": len(common_tasks(arms)),
                "caution": caution,
                **{name: json.loads(table.json()) for name, table in tables.items()},
            }
        )
    else:
        _print(arms, tables, caution, page)
    return DONE


def _arms(runs: Mapping[str, RunFrames], options: argparse.Namespace) -> dict[str, RunFrames]:
    """The runs, or their agents and nudge modes. Raises `UserError` if nothing is graded, for a
    grader that none of them has, or if no two have a task in common."""
    arms = arms_of(runs)
    graders = sorted({name for arm in arms.values() for name in arm.graders})
    if not graders:
        commands = ", ".join(f"grader grade {quote(str(path))}" for path in options.runs)
        raise UserError(f"nothing is graded yet. Grade all steps first: {commands}")
    if options.grader not in graders:
        raise unknown_name("grader", options.grader, graders)
    if len(comparable(arms)) < min(2, len(arms)):
        raise UserError(
            f"no task is in two of these: {displayable('; '.join(arms))}. Runs are paired by "
            "task_id; check that they come from the same benchmark"
        )
    return arms


def _write(
    options: argparse.Namespace,
    arms: Mapping[str, RunFrames],
    tables: Mapping[str, Table],
    caution: str,
) -> Path:
    """Write the page, its tables and pictures. Returns the page's path. Raises `UserError` for a
    place that is not free."""
    folder = options.output or RunDirectory(options.runs[0]).report_path / _folder_of(
        list(arms)[1:]
    )
    if folder.resolve() in [RunDirectory(run).report_path.resolve() for run in options.runs]:
        raise UserError(f"{folder} is for `grader report`. Name another folder")
    claim(folder, TITLE)
    pictures = {p.name: p for p in [draw_traces(arms, ALL_TRANSCRIPTS)] if p is not None}
    title = f"{TITLE}: {'; '.join(arms)}"
    lines = [caution] if caution else []
    page = tables_page(title, tables, time_now(), pictures=pictures, lines=lines)
    return write_page(folder, page, tables, pictures)


def _folder_of(others: list[str]) -> str:
    """The name of the folder for a comparison with others, short enough for a file system."""
    name = "-".join(map(_slug_of_its_own, others)) or "repeats"
    if len(name) > LONGEST_FOLDER:
        name = f"{name[:LONGEST_FOLDER]}-{sha256(name.encode()).hexdigest()[:8]}"
    return f"compare-{name}"


def _slug_of_its_own(name: str) -> str:
    """A name as part of a folder's name; with a hash, if letters of it are lost."""
    short = slug(name)
    kept = sum(map(str.isalnum, short))
    if kept == sum(map(str.isalnum, name)):
        return short
    return f"{short}-{sha256(name.encode()).hexdigest()[:8]}".lstrip("-")


def _print(
    arms: Mapping[str, RunFrames], tables: Mapping[str, Table], caution: str, page: Path
) -> None:
    """Print the tables, and where the page is."""
    console = stdout_console()
    short = short_names([*arms, *(agent for arm in arms.values() for agent in arm.agents)])
    if caution:
        console.print(Text(shown(caution, short), style="yellow"))
    for table in tables.values():
        print_table(console, table, short)
    print_page(console, page)


def _databases(options: argparse.Namespace) -> list[str | None]:
    """The label database of each run; None for its own. Raises `UserError` if some run has none."""
    given: list[str] = options.database or [""] * len(options.runs)
    if len(given) != len(options.runs):
        raise UserError(
            f"--database is given {len(given)} times for {len(options.runs)} runs. Give it once "
            "for each, in their order; '' is the run's own"
        )
    return [url or None for url in given]


def _named(paths: list[Path], frames: list[RunFrames]) -> dict[str, RunFrames]:
    """Frames by directory name, with that of the folder before it where runs lie in several
    (`spring/run`, `autumn/run`), numbered where two are still called the same."""
    places = [path.resolve() for path in paths]
    are_apart = len({place.parent for place in places}) > 1
    names = [encodable("/".join(place.parts[1:][-2 if are_apart else -1 :])) for place in places]
    return {
        name if names.count(name) == 1 else f"{name} ({number})": one
        for number, (name, one) in enumerate(zip(names, frames, strict=True), 1)
    }
