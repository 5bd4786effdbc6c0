"""Import and export of labels."""

import csv
from pathlib import Path

import pytest

from annotate.labels import LabelStore
from annotate.labels.files import export_labels, file_format
from annotate.labels.importing import import_labels
from grader.errors import InputError, UserError
from grader.readers import from_native

from .label_tables import KNOWN, dated, verdicts, write


@pytest.fixture
def store(tmp_path: Path) -> LabelStore:
    return LabelStore.open(tmp_path / "labels.sqlite")


def test_the_form_with_label_and_note(store: LabelStore, tmp_path: Path) -> None:
    row = {"transcript_id": "dev01", "task_id": "t01", "label": "match", "note": "plain turn"}
    path = write(tmp_path / "l.jsonl", row, {"transcript_id": "dev02", "verdict": "no_answer"})
    assert import_labels(store, path, KNOWN) == (2, 0, 0)
    first, second = store.current()
    assert (first.verdict, first.reason, first.stage) == ("match", "plain turn", "transcript")
    assert (second.verdict, second.annotator) == ("no_answer", "import")


def test_ids_that_are_numbers_are_read_as_in_runs(store: LabelStore, tmp_path: Path) -> None:
    known = from_native({"transcript_id": 0}).transcript_id
    row = {"transcript_id": 0, "verdict": "match", "annotator": 7}
    assert import_labels(store, write(tmp_path / "l.jsonl", row), {known}) == (1, 0, 0)
    (label,) = store.current()
    assert (label.transcript_id, label.annotator) == (known, "7")


def test_blanks_around_a_verdict_are_no_part_of_it(store: LabelStore, tmp_path: Path) -> None:
    path = tmp_path / "l.csv"
    path.write_text("transcript_id,label\ndev01, match \n")
    assert import_labels(store, path, KNOWN) == (1, 0, 0)


@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_a_label_taken_back_stays_so(store: LabelStore, tmp_path: Path, form: str) -> None:
    path = write(tmp_path / "l.jsonl", *dated((1, "match"), (2, "non_match")))
    import_labels(store, path, KNOWN)
    early, late = tmp_path / f"early.{form}", tmp_path / f"late.{form}"
    early.write_text("".join(export_labels(store.history(), file_format(early))), newline="")
    store.retract(store.current()[0])
    late.write_text("".join(export_labels(store.history(), file_format(late))), newline="")
    assert verdicts(store) == ["match"]
    for file in (early, late):
        assert import_labels(store, file, KNOWN) == (0, 2, 0)

    fresh = LabelStore.open(tmp_path / "fresh.sqlite")
    assert import_labels(fresh, late, KNOWN) == (2, 0, 0)
    other = LabelStore.open(tmp_path / "other.sqlite")
    assert import_labels(other, early, KNOWN) == (2, 0, 0)
    assert verdicts(other) == ["non_match"]
    assert import_labels(other, late, KNOWN) == (1, 1, 0)
    for there in (fresh, other):
        assert verdicts(there) == ["match"]
        assert [x.retracted for x in there.history()] == [False, True]
        assert import_labels(there, late, KNOWN) == import_labels(there, early, KNOWN) == (0, 2, 0)


@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_what_spreadsheets_write_for_yes(store: LabelStore, tmp_path: Path, form: str) -> None:
    when = "2026-01-01"
    rows = [
        {"transcript_id": "dev01", "verdict": "match", "created_at": when, "retracted": "yes"},
        {"transcript_id": "dev02", "verdict": "match", "annotator": " ada ", "adjudication": "Y"},
    ]
    path = tmp_path / f"l.{form}"
    if form == "csv":
        columns = ("transcript_id", "verdict", "created_at", "retracted", "annotator")
        cells = [
            ",".join([*(r.get(c, "") for c in columns), r.get("adjudication", "")]) for r in rows
        ]
        path.write_text("\n".join([",".join((*columns, "adjudication")), *cells]))
    else:
        write(path, *rows)
    assert import_labels(store, path, KNOWN) == (2, 0, 0)
    (label,) = store.current()
    assert (label.annotator, label.adjudication) == ("ada", True)


@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_a_history_survives_export_and_import(store: LabelStore, tmp_path: Path, form: str) -> None:
    rows = [
        {**dated((1, "match"))[0], "reason": 'a "q",\nb\rc\r\nd'},
        {**dated((2, "non_match"))[0], "seconds": 3.25},
        {"transcript_id": "dev02", "annotator": "bob", "verdict": "match", "unblinded": True},
    ]
    import_labels(store, write(tmp_path / "l.jsonl", *rows), KNOWN)
    out = tmp_path / f"out.{form}"
    out.write_text("".join(export_labels(store.history(), file_format(out))), newline="")
    other = LabelStore.open(tmp_path / "other.sqlite")
    assert import_labels(other, out, KNOWN) == (3, 0, 0)
    assert import_labels(store, out, KNOWN) == (0, 3, 0)
    hidden = {"label_id"}
    before = [x.model_dump(exclude=hidden) for x in store.history()]
    assert [x.model_dump(exclude=hidden) for x in other.history()] == before


@pytest.mark.parametrize("form", ["csv", "jsonl"])
@pytest.mark.parametrize("count", [2, 3, 4])
@pytest.mark.parametrize("retracted", [False, True])
def test_a_history_of_corrections_with_one_time_survives_export_and_import(
    store: LabelStore, tmp_path: Path, form: str, count: int, retracted: bool
) -> None:
    for number in range(count):
        rows = dated((1, ("match", "non_match")[number % 2]))
        import_labels(store, write(tmp_path / "l.jsonl", *rows), KNOWN)
    early, late = tmp_path / f"early.{form}", tmp_path / f"late.{form}"
    early.write_text("".join(export_labels(store.history(), file_format(early))), newline="")
    if retracted:
        store.retract(store.current()[0])
    late.write_text("".join(export_labels(store.history(), file_format(late))), newline="")
    other = LabelStore.open(tmp_path / "other.sqlite")
    assert import_labels(other, late, KNOWN) == (count, 0, 0)
    third = LabelStore.open(tmp_path / "third.sqlite")
    import_labels(third, early, KNOWN)
    import_labels(third, late, KNOWN)
    before = [x.model_dump(exclude={"label_id"}) for x in store.history()]
    for there in (store, other, third):
        for path in (early, late):
            assert import_labels(there, path, KNOWN) == (0, count, 0)
        assert [x.model_dump(exclude={"label_id"}) for x in there.history()] == before
        assert verdicts(there) == verdicts(store)


def test_a_csv_file_holds_no_formulas_and_brings_every_text_back(
    store: LabelStore, tmp_path: Path
) -> None:
    known = {"=1+1", "'=1+1", "-1"}
    rows = [
        {"transcript_id": name, "verdict": "match", "annotator": "@ada", "reason": "\t=x"}
        for name in known
    ]
    import_labels(store, write(tmp_path / "l.jsonl", *rows), known)
    out = tmp_path / "out.csv"
    out.write_text("".join(export_labels(store.history(), "csv")), newline="")
    with out.open(newline="") as file:
        cells = [cell for row in csv.reader(file) for cell in row]
    assert {cell for cell in cells if cell.startswith(("=", "+", "-", "@", "\t"))} == {"-1"}
    other = LabelStore.open(tmp_path / "other.sqlite")
    assert import_labels(other, out, known) == (3, 0, 0)
    assert other.history() == store.history()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("transcript_id,verdict,annotater\ndev01,match,ada\n", "'annotater'. Did you mean 'annota"),
        ("transcript_id,verdict,notes\ndev01,match,\ndev02,match,x\n", r":1: .*'notes'.*'note'"),
        ("transcript_id,label,stages\ndev01,match,snippet\n", "Did you mean 'stage'"),
        ("transcript_id,label,STAGE\ndev01,match,snippet\n", "'STAGE'. Did you mean 'stage'"),
        ("transcript_id,label,Note\ndev01,match,x\n", "'Note'. Did you mean 'note'"),
        ("transcript_id,verdikt\ndev01,match\n", r":1: .*'verdikt'"),
        ("id,verdict\ndev01,match\n", r":1: a label needs .*; the columns are: id, verdict"),
        ("transcript_id,says\ndev01,match\n", r":1: a label needs .* name the columns"),
        ("transcript_id,verdict\ndev01,match\ndev02,\n", ":3: a label needs .*; this row has"),
        ("", "no labels in it"),
        ("transcript_id,verdict\n", "no labels in it"),
    ],
)
def test_misspelled_columns_and_empty_files_are_refused(
    store: LabelStore, tmp_path: Path, text: str, message: str
) -> None:
    path = tmp_path / "l.csv"
    path.write_text(text)
    with pytest.raises(InputError, match=message):
        import_labels(store, path, KNOWN)
    path.with_suffix(".jsonl").write_text("\n")
    with pytest.raises(InputError, match="no labels in it"):
        import_labels(store, path.with_suffix(".jsonl"), KNOWN)
    assert store.history() == []


def test_other_columns_are_named(
    store: LabelStore, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "l.csv"
    path.write_text(
        "transcript_id,task_id,label,annotator,annotator_id,colour\ndev01,t,match,a,7,x\n"
    )
    assert import_labels(store, path, KNOWN) == (1, 0, 0)
    assert "columns not read: annotator_id, colour" in caplog.text


def test_a_cell_too_long_for_csv_names_its_line(store: LabelStore, tmp_path: Path) -> None:
    path = tmp_path / "l.csv"
    path.write_text(f'transcript_id,verdict,note\ndev01,match,"{"x" * 200_000}"\n')
    with pytest.raises(InputError, match=r"l\.csv:2: not CSV: field larger"):
        import_labels(store, path, KNOWN)
    assert store.history() == []


def test_missing_file_and_unknown_ending(store: LabelStore, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot read"):
        import_labels(store, tmp_path / "none.csv", KNOWN)
    (tmp_path / "labels.xlsx").touch()
    with pytest.raises(UserError, match="--format"):
        import_labels(store, tmp_path / "labels.xlsx", KNOWN)


@pytest.mark.parametrize("given", ["b\ud800", "b\x00"])
def test_what_no_file_or_database_could_hold_of_an_id_is_the_same_everywhere(
    store: LabelStore, tmp_path: Path, given: str
) -> None:
    path = write(tmp_path / "l.jsonl", {"transcript_id": given, "verdict": "match"})
    known = from_native({"transcript_id": given}).transcript_id
    assert known == "b\ufffd"
    assert import_labels(store, path, {known}) == (1, 0, 0)
    assert [label.transcript_id for label in store.current()] == [known]
