"""Which rows of a label file are new to a store, and which are refused."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from annotate.labels import LabelStore
from annotate.labels.files import export_labels
from annotate.labels.importing import import_labels
from grader.errors import InputError

from .label_tables import KNOWN, dated, verdicts, write


@pytest.fixture
def store(tmp_path: Path) -> LabelStore:
    return LabelStore.open(tmp_path / "labels.sqlite")


def test_importing_again_adds_nothing(store: LabelStore, tmp_path: Path) -> None:
    path = write(tmp_path / "l.jsonl", {"transcript_id": "dev01", "label": "match"})
    import_labels(store, path, KNOWN)
    assert import_labels(store, path, KNOWN) == (0, 1, 0)
    assert len(store.history()) == 1


def test_a_file_that_is_not_there(store: LabelStore, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="nowhere: cannot read"):
        import_labels(store, tmp_path / "nowhere", KNOWN)


@pytest.mark.parametrize("when", [{}, {"created_at": "2026-01-01"}])
def test_a_correction_may_return_to_an_earlier_label(
    store: LabelStore, tmp_path: Path, when: dict[str, str]
) -> None:
    row = {"transcript_id": "dev01", "annotator": "ada", **when}
    match = write(tmp_path / "a.jsonl", {**row, "verdict": "match"})
    non_match = write(tmp_path / "b.jsonl", {**row, "verdict": "non_match"})
    for path, verdict in ((match, "match"), (non_match, "non_match")) * 3:
        assert import_labels(store, path, KNOWN) == (1, 0, 0)
        assert import_labels(store, path, KNOWN) == (0, 1, 0)
        assert verdicts(store) == [verdict]


def test_importing_again_does_not_undo_a_correction_made_here(
    store: LabelStore, tmp_path: Path
) -> None:
    row = {"transcript_id": "dev01", "annotator": "ada", "verdict": "match"}
    path = write(tmp_path / "l.jsonl", row)
    import_labels(store, path, KNOWN)
    (label,) = store.current()
    changes = {"verdict": "non_match", "created_at": datetime.now(UTC), "tool_version": ""}
    store.add(label.model_copy(update=changes))
    assert import_labels(store, path, KNOWN) == (0, 1, 0)
    assert verdicts(store) == ["non_match"]


def test_labels_older_than_what_counts_are_warned_of(
    store: LabelStore, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    row = {"transcript_id": "dev01", "annotator": "ada"}
    given = {**row, "verdict": "match", "created_at": "2026-01-02T10:00:00Z"}
    import_labels(store, write(tmp_path / "a.jsonl", given), KNOWN)
    corrected = {**row, "verdict": "non_match", "created_at": "2026-01-02"}
    other = {**corrected, "annotator": "bob"}
    path = write(tmp_path / "b.jsonl", corrected, other)
    assert caplog.messages == []
    assert import_labels(store, path, KNOWN) == (2, 0, 0)
    (said,) = caplog.messages
    assert "b.jsonl: 1 label without effect" in said
    assert import_labels(store, path, KNOWN) == (0, 2, 0)
    assert caplog.messages == [said]
    assert sorted(verdicts(store)) == ["match", "non_match"]


def test_a_file_may_hold_corrections(store: LabelStore, tmp_path: Path) -> None:
    rows = dated((2, "match"), (2, "match"), (3, "non_match"), (4, "match"))
    path = write(tmp_path / "l.jsonl", *rows)
    for expected in ((3, 0, 1), (0, 3, 1)):
        assert import_labels(store, path, KNOWN) == expected
        assert verdicts(store) == ["match"]


def test_a_row_without_a_time_returns_to_a_label_of_the_file(
    store: LabelStore, tmp_path: Path
) -> None:
    rows = [*dated((1, "match"), (2, "non_match")), {"transcript_id": "dev01", "verdict": "match"}]
    path = write(tmp_path / "l.jsonl", *rows)
    for expected in ((3, 0, 0), (0, 3, 0)):
        assert import_labels(store, path, KNOWN, annotator="ada") == expected
        assert verdicts(store) == ["match"]


def test_of_labels_with_one_time_the_one_marked_is_taken_back(
    store: LabelStore, tmp_path: Path
) -> None:
    match, non_match = dated((1, "match"), (1, "non_match"))
    import_labels(store, write(tmp_path / "l.jsonl", match), KNOWN)
    rows = [{**match, "revision": 1}, {**non_match, "revision": 2, "retracted": True}]
    path = write(tmp_path / "l.jsonl", *rows)
    for expected in ((1, 1, 0), (0, 2, 0)):
        assert import_labels(store, path, KNOWN) == expected
        assert verdicts(store) == ["match"]
    rows[0]["retracted"] = True
    assert import_labels(store, write(path, *rows), KNOWN) == (1, 1, 0)
    assert verdicts(store) == []


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0)])
@pytest.mark.parametrize("files", [1, 3])
def test_the_later_label_stands_whatever_is_imported_first(
    store: LabelStore, tmp_path: Path, order: tuple[int, ...], files: int
) -> None:
    rows = dated((1, "match"), (2, "no_answer"), (3, "non_match"))
    rows = [rows[number] for number in order]
    parts = [rows] if files == 1 else [[row] for row in rows]
    paths = [write(tmp_path / f"{i}.jsonl", *part) for i, part in enumerate(parts)]
    for expected in (3, 0):
        assert sum(import_labels(store, path, KNOWN)[0] for path in paths) == expected
        assert verdicts(store) == ["non_match"]
    store.retract(store.current()[0])
    assert verdicts(store) == ["no_answer"]


@pytest.mark.parametrize(
    "rows",
    [
        [{"transcript_id": "dev01", "verdict": v} for v in ("match", "non_match")],
        dated((1, "match"), (1, "non_match")),
        [*dated((1, "match")), *({**row, "retracted": True} for row in dated((1, "match")))],
        [{**row, "revision": 2} for row in dated((1, "match"), (1, "non_match"))],
        [{**dated((1, "match"))[0], "revision": 1}, *dated((1, "non_match"))],
        [*dated((1, "match")), {**dated((1, "non_match"))[0], "revision": 2}],
    ],
)
def test_rows_that_contradict_each_other_are_refused(
    store: LabelStore, tmp_path: Path, rows: list[dict[str, Any]]
) -> None:
    path = write(tmp_path / "l.jsonl", *rows)
    with pytest.raises(InputError, match=r":2: contradicts line 1 on 'dev01' by "):
        import_labels(store, path, KNOWN)
    assert store.history() == []


def test_a_row_without_a_time_does_not_bring_back_what_was_taken_back(
    store: LabelStore, tmp_path: Path
) -> None:
    row = {"transcript_id": "dev01", "annotator": "ada"}
    match = write(tmp_path / "a.jsonl", {**row, "verdict": "match"})
    non_match = write(tmp_path / "b.jsonl", {**row, "verdict": "non_match"})
    import_labels(store, match, KNOWN)
    store.retract(store.current()[0])
    assert import_labels(store, match, KNOWN) == (0, 1, 0)
    assert import_labels(store, non_match, KNOWN) == (1, 0, 0)
    assert import_labels(store, match, KNOWN) == (0, 1, 0)
    assert verdicts(store) == ["non_match"]


def test_an_older_record_does_not_undo_a_label_given_since(
    store: LabelStore, tmp_path: Path
) -> None:
    rows = [{"transcript_id": "dev01", "annotator": "ada", "verdict": "match", "note": "a\x00b"}]
    import_labels(store, write(tmp_path / "l.jsonl", *rows), KNOWN)
    out = tmp_path / "out.csv"
    out.write_text("".join(export_labels(store.history(), "csv")), newline="")
    assert import_labels(store, out, KNOWN) == (0, 1, 0)
    (label,) = store.current()
    store.add(label.model_copy(update={"verdict": "non_match", "created_at": datetime.now(UTC)}))
    assert import_labels(store, out, KNOWN) == (0, 1, 0)
    assert verdicts(store) == ["non_match"]
    store.retract(store.current()[0])
    store.retract(store.current()[0])
    assert import_labels(store, out, KNOWN) == (0, 1, 0)
    assert import_labels(store, tmp_path / "l.jsonl", KNOWN, annotator="bob") == (0, 1, 0)
    assert store.current() == []


def test_a_colleagues_clock_may_be_ahead(store: LabelStore, tmp_path: Path) -> None:
    soon = datetime.now(UTC) + timedelta(seconds=40)
    row = {"transcript_id": "dev01", "label": "match", "created_at": soon.isoformat()}
    assert import_labels(store, write(tmp_path / "l.jsonl", row), KNOWN) == (1, 0, 0)
    row["created_at"] = (soon + timedelta(minutes=30)).isoformat()
    with pytest.raises(InputError, match="in the future"):
        import_labels(store, write(tmp_path / "l.jsonl", row), KNOWN)


@pytest.mark.parametrize(
    ("written", "verdict"),
    [
        ("Match", "match"), ("Non-match", "non_match"), ("non match", "non_match"),
        ("NONMATCH ", "non_match"), ("No match", "non_match"), ("No Answer", "no_answer"),
        ("no-answer", "no_answer"), ("Needs full transcript", "needs_transcript"),
    ],
)  # fmt: skip
def test_a_verdict_may_be_written_in_other_ways(
    store: LabelStore, tmp_path: Path, written: str, verdict: str
) -> None:
    row = {"transcript_id": "dev01", "label": written, "stage": "snippet"}
    assert import_labels(store, write(tmp_path / "l.jsonl", row), KNOWN) == (1, 0, 0)
    assert verdicts(store) == [verdict]
    row["label"] = verdict
    assert import_labels(store, write(tmp_path / "l.jsonl", row), KNOWN) == (0, 1, 0)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"transcript_id": "dev99", "label": "match"}, "l.jsonl:2: transcript 'dev99' is not"),
        ({"transcript_id": "dev01", "label": "yes"}, "unknown verdict 'yes'"),
        ({"transcript_id": "dev01"}, "needs `transcript_id` and `verdict`"),
        ([1], "not a JSON object"),
        ({"transcript_id": "dev01", "label": "match", "seconds": "long"}, "seconds: "),
        ({"transcript_id": "dev01", "label": "match", "seconds": "inf"}, "seconds: "),
        ({"transcript_id": "dev01", "label": "match", "stage": "other"}, "stage: "),
        ({"transcript_id": "dev01", "label": "match", "retracted": "si"}, "retracted: "),
        ({"transcript_id": "dev01", "label": "match", "adjudication": 2}, "adjudication: "),
        ({"transcript_id": "dev01", "label": "match", "created_at": "20261101"}, "not a date"),
        ({"transcript_id": "dev01", "label": "match", "created_at": 1}, "not a date"),
        (
            {"transcript_id": "dev01", "label": "match", "created_at": "20.11.2025 10:00"},
            "invalid character in year. Write it like 2026-11-20T10:00:00+01:00",
        ),
        ({"transcript_id": "dev01", "label": "match", "created_at": "2999-01-01"}, "in the future"),
        ({"transcript_id": "dev01", "label": "match", "annotator": "a\x1b[31m"}, "printable"),
        ({"transcript_id": "dev01", "label": "match", "annotator": " "}, "annotator: a name has"),
        ({"transcript_id": "dev01", "label": "match", "verdict": "non_match"}, "contradict"),
        ({"transcript_id": "dev01", "label": "match", "note": "a", "reason": "b"}, "contradict"),
        ({"transcript_id": "dev01", "label": ["match"]}, "unknown verdict"),
        ({"transcript_id": "dev01", "label": "needs_transcript"}, "pass --stage snippet"),
        ({"transcript_id": "dev01", "label": "match", "retracted": True}, "needs created_at"),
        ({"transcript_id": "dev01", "label": "match", "revision": "b"}, "revision: "),
        ({"transcript_id": "dev01", "label": "match", "tool_version": "v" * 65}, "tool_version: "),
        (
            {"transcript_id": "dev01", "label": "match", "created_at": "0001-01-01T00:00+05:00"},
            "out of range",
        ),
        (
            {
                "transcript_id": "dev01",
                "label": "needs_transcript",
                "stage": "snippet",
                "adjudication": True,
            },
            "settles none: give the verdict, or leave adjudication out",
        ),
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
