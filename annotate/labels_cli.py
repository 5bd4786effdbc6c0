"""`grader labels`: import, export and adjudicate labels."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from grader.errors import UserError
from grader.records import Label
from grader.run import RunDirectory

from .archive import Archive
from .cli import add_database, annotator_name, open_store
from .label_files import VERDICTS, export_labels, file_format, import_labels
from .labels import LabelStore, StoredLabel
from .truth import disagreements


def add_arguments(parser: argparse.ArgumentParser) -> None:
    acts = parser.add_subparsers(dest="act", required=True, metavar="import|export|adjudicate")

    load = acts.add_parser("import", help="add labels from a CSV or JSONL file")
    load.add_argument("run", type=Path, metavar="DIR")
    load.add_argument("file", type=Path, metavar="FILE")
    load.add_argument("--annotator", default="import", help="for rows that name none")
    load.add_argument("--stage", choices=("snippet", "transcript"), default="transcript")

    save = acts.add_parser("export", help="write labels as CSV or JSONL")
    save.add_argument("run", type=Path, metavar="DIR")
    save.add_argument("file", type=Path, nargs="?", metavar="FILE", help="default: stdout")
    save.add_argument("--history", action="store_true", help="superseded labels too")

    settle = acts.add_parser("adjudicate", help="list disagreements, or settle one")
    settle.add_argument("run", type=Path, metavar="DIR")
    settle.add_argument("transcript", nargs="?", metavar="TRANSCRIPT_ID")
    settle.add_argument("verdict", nargs="?", choices=[v for v in VERDICTS if v[:5] != "needs"])
    settle.add_argument("--annotator", help="who settles it (default: your login)")
    settle.add_argument("--reason", default="", help="why")

    for act in (load, save):
        act.add_argument("--format", choices=("csv", "jsonl"), help="default: by the file's ending")
    for act in (load, save, settle):
        add_database(act)
        act.add_argument("--json", action="store_true", default=argparse.SUPPRESS)


def run(options: argparse.Namespace) -> int:
    directory = RunDirectory.open(options.run)
    store = open_store(directory, options.database)
    try:
        return ACTS[options.act](options, directory, store)
    finally:
        store.close()


def _import(options: argparse.Namespace, directory: RunDirectory, store: LabelStore) -> int:
    archive = Archive(directory)
    new, known = import_labels(
        store,
        options.file,
        archive,
        annotator=annotator_name(options.annotator),
        stage=options.stage,
        form=options.format,
    )
    summary = {"imported": new, "already_stored": known}
    _say(options, summary, f"{new} labels imported, {known} were there already.")
    return 0


def _export(options: argparse.Namespace, directory: RunDirectory, store: LabelStore) -> int:
    labels = store.history() if options.history else store.current()
    if options.file is None:
        if options.json:
            raise UserError("--json prints a summary on stdout: name a FILE for the labels")
        sys.stdout.writelines(export_labels(labels, options.format or "jsonl"))
        return 0
    form = file_format(options.file, options.format)
    try:
        with options.file.open("w", encoding="utf-8", newline="") as file:
            file.writelines(export_labels(labels, form))
    except OSError as error:
        raise UserError(f"{options.file}: cannot write: {error.strerror}") from None
    _say(options, {"exported": len(labels)}, f"{len(labels)} labels written to {options.file}.")
    return 0


def _adjudicate(options: argparse.Namespace, directory: RunDirectory, store: LabelStore) -> int:
    labels = store.current()
    if options.transcript is None:
        return _list_open(options, labels)
    if options.verdict is None:
        raise UserError(f"say which verdict: {', '.join(VERDICTS[:3])}")
    if options.transcript not in Archive(directory):
        raise UserError(f"transcript {options.transcript!r} is not in this run")
    label = Label(
        transcript_id=options.transcript,
        annotator=annotator_name(options.annotator),
        stage="transcript",
        verdict=options.verdict,
        created_at=datetime.now(UTC),
        reason=options.reason,
    )
    store.add(label, adjudication=True)
    left = len(disagreements(store.current()))
    summary = {"settled": options.transcript, "verdict": options.verdict, "open": left}
    _say(options, summary, f"Settled; {left} disagreements open.")
    return 0


def _list_open(options: argparse.Namespace, labels: Sequence[StoredLabel]) -> int:
    open_ids = disagreements(labels)
    given = {
        key: [
            {"annotator": x.annotator, "stage": x.stage, "verdict": x.verdict, "reason": x.reason}
            for x in labels
            if x.transcript_id == key
        ]
        for key in open_ids
    }
    if options.json:
        sys.stdout.write(json.dumps({"open": given}) + "\n")
        return 0
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console()
    if not given:
        console.print("No open disagreements.")
        return 0
    table = Table("transcript", "annotator", "stage", "verdict", "note")
    for key, rows in given.items():
        for row in rows:
            cells = (key, row["annotator"], row["stage"], row["verdict"], row["reason"])
            table.add_row(*(Text(cell) for cell in cells))
    console.print(table)
    console.print(
        "Settle one with: grader labels adjudicate DIR TRANSCRIPT_ID VERDICT", markup=False
    )
    return 0


ACTS = {"import": _import, "export": _export, "adjudicate": _adjudicate}


def _say(options: argparse.Namespace, summary: Mapping[str, object], text: str) -> None:
    if options.json:
        sys.stdout.write(json.dumps(summary) + "\n")
    else:
        sys.stderr.write(text + "\n")
