"""`grader labels`: import, export and adjudicate labels."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeAlias, get_args

from grader.cli import DONE
from grader.cli.options import add_database, add_json, add_run, one_of
from grader.cli.printing import print_json
from grader.errors import UserError
from grader.files.listing import named_path
from grader.records import Label, LabelStage
from grader.run import RunDirectory
from grader.run.output_file import output_file
from grader.run.transcript_index import TranscriptIndex

from .cli import annotator_name
from .labels import open_store
from .labels.adjudication import check_disputed, settle, show_disagreements
from .labels.files import FileFormat, export_labels, file_format
from .labels.importing import Imported, import_labels
from .verdict_keys import VERDICT_KEYS, verdict_keys
from .wording import counted

FINAL_VERDICTS = tuple(verdict_keys("transcript"))
Acts: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of each act."""
    acts = parser.add_subparsers(dest="act", required=True, metavar="import|export|adjudicate")
    _add_import(acts)
    _add_export(acts)
    _add_adjudicate(acts)


def _add_import(acts: Acts) -> None:
    load = acts.add_parser(
        "import",
        help="add labels from a CSV or JSONL file",
        description="Add labels made elsewhere. Each row of FILE needs transcript_id and verdict "
        f"(or label): {', '.join(VERDICT_KEYS)}; annotator, stage, reason (or note), seconds, "
        "created_at, unblinded, adjudication, retracted and revision are read where present. All "
        "rows are checked before the first is stored; rows of the same annotator, transcript and "
        "time must agree, unless they are different revisions, as in an export. The label given "
        "later counts, whichever is imported first; a row without created_at counts as given when "
        "it is first imported. Importing a file twice adds nothing the second time, unless another "
        "file replaced its labels in between; retracted labels do not come back.",
    )
    _add_common(load)
    load.add_argument(
        "file", type=named_path, metavar="FILE", help="a CSV or JSONL file, one label per row"
    )
    load.add_argument(
        "--annotator",
        default="import",
        metavar="NAME",
        help="annotator of rows that name none (default: %(default)s)",
    )
    load.add_argument(
        "--stage",
        type=one_of("stage", get_args(LabelStage)),
        default="transcript",
        metavar="NAME",
        help="stage of rows that name none: snippet or transcript, whichever the annotator had "
        "read (default: %(default)s)",
    )
    _add_format(load)


def _add_export(acts: Acts) -> None:
    save = acts.add_parser(
        "export",
        help="write labels as CSV or JSONL",
        description="Write the labels that count now, oldest first, one per row. `grader labels "
        "import` reads them again.",
    )
    _add_common(save)
    save.add_argument(
        "file",
        type=named_path,
        nargs="?",
        metavar="FILE",
        help="where to write (default: stdout, as JSONL)",
    )
    save.add_argument(
        "--history",
        action="store_true",
        help="include superseded and retracted labels",
    )
    _add_format(save)


def _add_adjudicate(acts: Acts) -> None:
    adjudicate = acts.add_parser(
        "adjudicate",
        help="list disagreements, or settle one",
        description="List the transcripts on which annotators disagree, those without a majority "
        "first. TRANSCRIPT_ID and VERDICT settle one, also one that is settled already: that "
        "verdict counts from then on, and every label is kept.",
    )
    _add_common(adjudicate)
    adjudicate.add_argument(
        "transcript",
        nargs="?",
        metavar="TRANSCRIPT_ID",
        help="the transcript to settle (default: list all)",
    )
    adjudicate.add_argument(
        "verdict",
        nargs="?",
        type=one_of("verdict", FINAL_VERDICTS),
        metavar="VERDICT",
        help=f"one of {', '.join(FINAL_VERDICTS)}",
    )
    adjudicate.add_argument(
        "--annotator", metavar="NAME", help="who settles it (default: your login)"
    )
    adjudicate.add_argument(
        "--reason", default="", metavar="TEXT", help="reason, stored with the verdict"
    )


def run(options: argparse.Namespace) -> int:
    """Import, export or adjudicate labels; exit code 0."""
    ACTS[options.act](options, RunDirectory.open(options.run))
    return DONE


def _add_common(act: argparse.ArgumentParser) -> None:
    add_run(act)
    add_database(act)
    add_json(act, default=argparse.SUPPRESS)  # it may also be given before the act


def _add_format(act: argparse.ArgumentParser) -> None:
    forms = get_args(FileFormat)
    act.add_argument(
        "--format",
        type=one_of("format", forms),
        metavar="NAME",
        help=f"{' or '.join(forms)} (default: by the file's ending)",
    )


def _import(options: argparse.Namespace, directory: RunDirectory) -> None:
    with open_store(directory, options.database) as store:
        found = import_labels(
            store,
            options.file,
            TranscriptIndex(directory.transcripts_path),
            annotator=annotator_name(options.annotator),
            stage=options.stage,
            form=options.format,
        )
    summary = {
        "imported": found.new,
        "already_stored": found.known,
        "repeated_in_file": found.repeated,
    }
    _say(options, summary, _imported_sentence(found))


def _imported_sentence(found: Imported) -> str:
    were = "was" if found.known == 1 else "were"
    text = f"{counted(found.new, 'label')} imported, {found.known:,} {were} there already"
    repeat = "repeats" if found.repeated == 1 else "repeat"
    repeated = f", {counted(found.repeated, 'row')} {repeat} another" if found.repeated else ""
    return f"{text}{repeated}."


def _export(options: argparse.Namespace, directory: RunDirectory) -> None:
    with open_store(directory, options.database, exporting=True) as store:
        labels = store.history() if options.history else store.current()
    if options.file is None:
        if options.json:
            raise UserError("--json prints a summary on stdout: name a FILE for the labels")
        sys.stdout.writelines(export_labels(labels, options.format or "jsonl"))
        return
    form = file_format(options.file, options.format)
    with output_file(options.file) as place:
        if not labels and _holds_labels(options.file, form):
            raise UserError(
                f"no label to write, so {options.file} stays as it is. Name the --database of the "
                "labels, or pass --history for those that were taken back; else remove the file"
            )
        with place.open("w", encoding="utf-8", newline="") as file:
            file.writelines(export_labels(labels, form))
    said = f"{counted(len(labels), 'label')} written to {options.file}."
    _say(options, {"exported": len(labels)}, said)


def _holds_labels(path: Path, form: FileFormat) -> bool:
    """Whether a file holds more than an export without labels."""
    return path.is_file() and path.stat().st_size > len("".join(export_labels([], form)))


def _adjudicate(options: argparse.Namespace, directory: RunDirectory) -> None:
    if options.transcript is None:
        if options.reason or options.annotator is not None:
            raise UserError("--annotator and --reason settle a disagreement: name a TRANSCRIPT_ID")
        with open_store(directory, options.database, reading=True) as store:
            show_disagreements(store.current(), as_json=options.json)
        return
    if options.verdict is None:
        raise UserError(f"say which verdict: {', '.join(FINAL_VERDICTS)}")
    if options.transcript not in TranscriptIndex(directory.transcripts_path):
        raise UserError(f"transcript {options.transcript!r} is not in this run")
    with open_store(directory, options.database, reading=True) as store:
        before = check_disputed(store.current(), options.transcript)  # no file is made for labels
    label = Label(
        transcript_id=options.transcript,
        annotator=annotator_name(options.annotator),
        stage="transcript",
        verdict=options.verdict,
        created_at=datetime.now(UTC),
        reason=options.reason,
    )
    with open_store(directory, options.database) as store:
        left = settle(store, label)
    summary = {
        "settled": options.transcript,
        "verdict": options.verdict,
        "before": before,
        "left": left,
    }
    replaced = f" (it counted as {before} before)" if before else ""
    _say(options, summary, f"Settled{replaced}; {left} await adjudication.")


def _say(options: argparse.Namespace, summary: Mapping[str, object], text: str) -> None:
    if options.json:
        print_json(summary)
    else:
        sys.stderr.write(text + "\n")


ACTS: dict[str, Callable[[argparse.Namespace, RunDirectory], None]] = {
    "import": _import,
    "export": _export,
    "adjudicate": _adjudicate,
}
