"""`grader grade`: grade recorded transcripts into a run directory."""

from __future__ import annotations

import argparse
import logging
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.progress import SpinnerColumn, TextColumn, TimeElapsedColumn

from grader.cascade import check_graders
from grader.cli import DONE, PARTIAL
from grader.cli.options import comma_separated
from grader.cli.printing import collected_warnings, print_json
from grader.engines import ENGINES, open_engine
from grader.errors import InputError, UserError
from grader.files.digest import file_sha256
from grader.files.listing import named_path
from grader.grader_names import GRADERS, LENIENT
from grader.invisible import encodable
from grader.lenient.arguments import add_lenient_arguments, given_options, lenient_settings
from grader.lenient.settings import LenientSettings
from grader.passes.grading import grade_run
from grader.passes.input import Input
from grader.passes.plan import Plan
from grader.passes.summary import Summary, as_dict, show
from grader.progress import progress_bar
from grader.readers import READERS, check_format, recognised_shards
from grader.readers.shards import shards
from grader.run import RunDirectory, created, transcripts_of
from grader.run.validity import Validity
from grader.settings import GradeSettings, load_settings, read_sections, settings_of_run
from grader.tasks import check_data, load_covariates, named_tasks
from grader.tasks.index import TaskIndex
from grader.terminal import stdout_console

log = logging.getLogger("grader")
_COLUMNS = SpinnerColumn(), TextColumn("{task.completed} transcripts"), TimeElapsedColumn()


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add = parser.add_argument
    add(
        "input",
        type=named_path,
        metavar="INPUT",
        help="recorded run: a file, a folder of shards (JSONL, also .gz or .zst, or Parquet), a "
        "quoted pattern ('runs/*.jsonl.gz'), or a run directory",
    )
    add(
        "--run", type=named_path, metavar="DIR", help="run to grade into (default: INPUT, if a run)"
    )
    formats = f"auto, {', '.join(READERS)} (default: %(default)s)"
    add("--format", default="auto", metavar="NAME", help=formats)
    add(
        "--graders",
        type=comma_separated,
        default=",".join(GRADERS),
        metavar="NAMES",
        help="comma-separated (default: %(default)s)",
    )
    _add_tasks(parser)
    add(
        "--before-nudge",
        action="store_true",
        help="grade only the steps before the first nudge; kept beside the other grades",
    )
    add("--settings", type=named_path, metavar="TOML", help="file with [grade] and [lenient]")
    _add_scale(parser)
    add_lenient_arguments(parser)


def _add_tasks(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add(
        "--tasks",
        type=named_path,
        metavar="FILE",
        help="task file; completes transcripts when they are recorded",
    )
    add("--data", type=named_path, metavar="DIR", help="folder with the task file's CSVs")
    add(
        "--covariates",
        type=named_path,
        metavar="CSV",
        help="task covariates, with a task_id column",
    )


def _add_scale(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument_group("scale (the grades are the same everywhere)").add_argument
    workers = "processes, or Ray workers (default: %(default)s)"
    add("--workers", type=int, default=1, metavar="N", help=workers)
    engines = f"{' or '.join(ENGINES)} (default: %(default)s)"
    add("--engine", default="local", metavar="NAME", help=engines)
    add(
        "--ray-address",
        metavar="ADDRESS",
        help="address of a Ray cluster, or auto (default: start Ray on this machine)",
    )


def run(options: argparse.Namespace) -> int:
    """Grade. Returns 0 if all is graded, 1 if some transcripts are `ungraded`, even if only by the
    judges."""
    with collected_warnings() as warnings:
        summary, run = _graded(options)
    if options.json:
        print_json({**as_dict(summary, run), "warnings": warnings})
    else:
        show(summary, run, stdout_console())
    return DONE if summary.is_complete else PARTIAL


def _graded(options: argparse.Namespace) -> tuple[Summary, str]:
    """Grade. Returns the summary and the run's path."""
    check_format(options.format)
    run_directory, source = _places(options)
    graders = check_graders(options.graders)
    plan = Plan(
        graders=graders,
        settings=_settings(options.settings, run_directory, options.input),
        lenient=_lenient(options, graders),
        before_nudge=options.before_nudge,
        tasks=_tasks(options),
    )
    engine = open_engine(options.engine, options.workers, options.ray_address)
    if source is not None:
        recognised_shards(source, options.format)  # before a directory is made for it
    sources = shards(source) if source else ()
    with created(run_directory.path, sources) as run_directory, progress_bar(*_COLUMNS) as bar:
        task = bar.add_task("grading", total=None)
        summary = grade_run(
            run_directory,
            Input(source, options.format) if source else None,
            plan,
            lambda: bar.advance(task),
            engine,
            _provenance(source, run_directory.manifest()),
        )
    return summary, str(run_directory.path)


def _places(options: argparse.Namespace) -> tuple[RunDirectory, Path | None]:
    """The run directory, and the input to add to it (None if the input is a run itself)."""
    shards(options.input)  # raises if nothing is there
    recorded = RunDirectory(options.input)
    target = options.run or (options.input if recorded.is_run else None)
    if target is None:
        problem = f"not a run directory ({recorded.lack})"
        remedy = "Say where to put it: --run DIR, a folder of its own"
        raise InputError(options.input, problem, remedy)
    if recorded.is_run and options.input.resolve() == target.resolve():
        if options.format != "auto":
            raise UserError(f"--format {options.format}: no effect on a run, which is read as such")
        return recorded, None
    return RunDirectory(target), transcripts_of(options.input)


def _settings(path: Path | None, run: RunDirectory, source: Path) -> GradeSettings:
    """The grade settings: from a [grade] section in the file at `path`, else those that the run was
    last graded with, else those `grader run` used, if it made this run or its input, else the
    defaults. What is taken from a run is logged if it is not the default."""
    manifests = [one.manifest() for one in (run, RunDirectory(source)) if one.is_run]
    takes_last = run.is_run and "grade" not in read_sections(path)
    graded = Validity.stated_in(manifests[0]) if takes_last else None
    if graded and graded.leading:
        base: GradeSettings | None = graded.settings
    else:
        base = next(filter(None, map(settings_of_run, manifests)), None)
    settings = load_settings(GradeSettings, "grade", path, base)
    default = GradeSettings()
    taken = [
        f"{name} = {value}"
        for name, value in base or ()
        if value == getattr(settings, name) and value != getattr(default, name)
    ]
    if taken:
        log.info("settings of the run (--settings overrides them): %s", ", ".join(taken))
    return settings


def _lenient(options: argparse.Namespace, graders: Sequence[str]) -> LenientSettings:
    """The settings of the judges. With `--lenient off`, options about judges are ignored with a
    warning. Raises `UserError` for such options if `--graders` lacks the lenient grader."""
    settings = lenient_settings(options, options.settings)
    given = ", ".join(given_options(options))
    if given and settings.mode == "off":
        log.warning("%s: ignored, because --lenient off asks no model", given)
    elif given and LENIENT not in graders:
        raise UserError(f"{given}: no effect without {LENIENT} among --graders. Add it there")
    return settings


def _tasks(options: argparse.Namespace) -> TaskIndex | None:
    """The index of the task files and covariates; None without --tasks and --covariates."""
    tasks = named_tasks(options.tasks, options.data)
    check_data(tasks, options.data)
    if options.tasks is None and options.covariates is None:
        return None
    covariates = load_covariates(options.covariates) if options.covariates else {}
    return TaskIndex(tasks, covariates)


def _provenance(source: Path | None, manifest: Mapping[str, Any]) -> dict[str, Any]:
    """The manifest's entries about the input, and about others that the run was recorded from."""
    if source is None:
        return {}
    given: dict[str, Any] = {"name": encodable(source.name)}
    if source.is_file():
        given["sha256"] = file_sha256(source)
    else:
        given["shards"] = len(shards(source))
    known = (*manifest.get("earlier_inputs", ()), manifest.get("input"))
    earlier = [one for one in known if one and one != given]
    return {"input": given} | ({"earlier_inputs": earlier} if earlier else {})
