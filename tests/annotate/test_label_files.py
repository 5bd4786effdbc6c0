"""Import and export of labels."""

import json
from pathlib import Path

import pytest

from annotate.label_files import export_labels, file_format, import_labels
from annotate.labels import LabelStore
from grader.errors import InputError, UserError

KNOWN = {"dev01", "dev02", "dev03"}


@pytest.fixture
def store(tmp_path: Path) -> LabelStore:
    return LabelStore.open(tmp_path / "labels.sqlite")


def write(path: Path, *rows: object) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_the_form_with_label_and_note(store: LabelStore, tmp_path: Path) -> None:
    row = {"transcript_id": "dev01", "task_id": "t01", "label": "match", "note": "plain turn"}
    path = write(tmp_path / "l.jsonl", row, {"transcript_id": "dev02", "verdict": "no_answer"})
    assert import_labels(store, path, KNOWN) == (2, 0)
    first, second = store.current()
    assert (first.verdict, first.reason, first.stage) == ("match", "plain turn", "transcript")
    assert (second.verdict, second.annotator) == ("no_answer", "import")


def test_importing_again_adds_nothing(store: LabelStore, tmp_path: Path) -> None:
    path = write(tmp_path / "l.jsonl", {"transcript_id": "dev01", "label": "match"})
    import_labels(store, path, KNOWN)
    assert import_labels(store, path, KNOWN) == (0, 1)
    assert len(store.history()) == 1


@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_a_history_survives_export_and_import(store: LabelStore, tmp_path: Path, form: str) -> None:
    rows = [
        {"transcript_id": "dev01", "annotator": "ada", "verdict": "match", "reason": 'a "q",\nb'},
        {"transcript_id": "dev01", "annotator": "ada", "verdict": "non_match", "seconds": 3.25},
        {"transcript_id": "dev02", "annotator": "bob", "verdict": "match", "unblinded": True},
    ]
    import_labels(store, write(tmp_path / "l.jsonl", *rows), KNOWN)
    out = tmp_path / f"out.{form}"
    out.write_text("".join(export_labels(store.history(), file_format(out))), newline="")
    other = LabelStore.open(tmp_path / "other.sqlite")
    assert import_labels(other, out, KNOWN) == (3, 0)
    hidden = {"label_id"}
    before = [x.model_dump(exclude=hidden) for x in store.history()]
    assert [x.model_dump(exclude=hidden) for x in other.history()] == before


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"transcript_id": "dev99", "label": "match"}, "l.jsonl:2: transcript 'dev99' is not"),
        ({"transcript_id": "dev01", "label": "yes"}, "unknown verdict 'yes'"),
        ({"transcript_id": "dev01"}, "needs `transcript_id` and `verdict`"),
        ([1], "not a JSON object"),
        ({"transcript_id": "dev01", "label": "match", "seconds": "long"}, "not a label"),
        ({"transcript_id": "dev01", "label": "match", "stage": "other"}, "not a label"),
        ({"transcript_id": "dev01", "label": ["match"]}, "unknown verdict"),
    ],
)
def test_a_bad_row_names_its_line_and_stores_nothing(
    store: LabelStore, tmp_path: Path, row: object, message: str
) -> None:
    path = write(tmp_path / "l.jsonl", {"transcript_id": "dev01", "label": "match"}, row)
    with pytest.raises(InputError, match=r"l\.jsonl:2") as caught:
        import_labels(store, path, KNOWN)
    assert message in str(caught.value)
    assert store.history() == []


def test_a_cell_too_long_for_csv_names_its_line(store: LabelStore, tmp_path: Path) -> None:
    path = tmp_path / "l.csv"
    path.write_text(f'transcript_id,verdict,note\ndev01,match,"{"x" * 200_000}"\n')
    with pytest.raises(InputError, match=r"l\.csv:2: not CSV: field larger"):
        import_labels(store, path, KNOWN)
    assert store.history() == []


def test_missing_file_and_unknown_ending(store: LabelStore, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot read"):
        import_labels(store, tmp_path / "none.csv", KNOWN)
    with pytest.raises(UserError, match="--format"):
        import_labels(store, tmp_path / "labels.xlsx", KNOWN)
