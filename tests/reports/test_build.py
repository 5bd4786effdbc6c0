"""The report on disk: complete, the same bytes again, and made of what the run has."""

from __future__ import annotations

import errno
import json
import os
import shlex
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from grader.cli import main
from grader.errors import UserError
from grader.run import RunDirectory
from reports.build import build_report, write_pages
from reports.load import load_run
from reports.missing import gaps
from reports.tables import TABLES
from tests.hostile import ATTACKS

from .hostile import write_hostile_run
from .published import QUESTION, N, truth_of, write_published_run


def _build(path: Path, made: str = "then") -> dict[str, bytes]:
    run = RunDirectory.open(path)
    build_report(run, load_run(path), made)
    files = (file for file in run.report_path.rglob("*") if file.is_file())
    return {str(file.relative_to(run.report_path)): file.read_bytes() for file in files}


def test_same_run_same_bytes_but_for_the_time(published_path: Path, tmp_path: Path) -> None:
    copy = tmp_path / published_path.name
    shutil.copytree(published_path, copy)
    first = _build(copy)
    assert _build(copy) == first
    later = _build(copy, "later")
    changed = {name for name in first if first[name] != later[name]}
    assert changed == {"index.html"}
    assert first["index.html"].replace(b">then<", b">later<") == later["index.html"]


def test_every_table_and_figure_in_every_form(published_path: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(published_path, copy)
    files = _build(copy)
    tables = set(TABLES) - {"llm", "modes"}  # the run has one mode and no recorded calls
    for ending in ("csv", "md", "tex"):
        found = {Path(f).stem for f in files if f.endswith(f".{ending}")}
        assert found == tables
    assert {Path(f).stem for f in files if f.endswith(".png")} == {
        "cascade", "cumulative", "outcomes", "anchoring", "confidence",
    }  # fmt: skip
    assert sum(f.startswith("transcripts/") for f in files) == 153


def test_a_smaller_run_leaves_no_pages_behind(tmp_path: Path) -> None:
    path = write_published_run(tmp_path / "run", "A", labels=False).path
    _build(path)
    lines = (path / "transcripts.jsonl").read_text().splitlines(keepends=True)
    (path / "transcripts.jsonl").write_text("".join(lines[:5]))
    assert sum(f.startswith("transcripts/") for f in _build(path)) == 5


def test_a_run_that_grows_meanwhile_is_reported_as_it_was(
    published_path: Path, tmp_path: Path
) -> None:
    copy = tmp_path / published_path.name
    shutil.copytree(published_path, copy)
    run, frames = RunDirectory.open(copy), load_run(copy)
    added = next(iter(run.transcripts())).model_copy(update={"transcript_id": "later"})
    with (copy / "transcripts.jsonl").open("a", encoding="utf-8") as file:
        file.write(added.model_dump_json() + "\n")
    build_report(run, frames, "then")
    pages = list((run.report_path / "transcripts").iterdir())
    assert len(pages) == len(frames.transcripts)


def test_gaps_name_the_command(tmp_path: Path) -> None:
    path = write_published_run(tmp_path / "run", "A", labels=False).path
    found = {gap.what: gap.command for gap in gaps(load_run(path), "runs/x")}
    assert found["human labels"] == "grader annotate runs/x --web"
    assert "transcripts of tasks that could not be run" not in found
    (path / "not_run.jsonl").write_text('{"transcript_id": "t999", "reason": "no file"}\n')
    found = {gap.what: gap.command for gap in gaps(load_run(path), "runs/x")}
    assert "--run runs/x" in found["transcripts of tasks that could not be run"]
    assert found["a second nudge mode on the same tasks"] == "grader compare runs/x OTHER_RUN"
    (path / "grades.jsonl").unlink()
    assert "grades" in {gap.what for gap in gaps(load_run(path))}
    page = _build(path)["index.html"].decode()
    assert "What this run lacks" in page
    assert "grader grade" in page


@pytest.mark.parametrize(
    "what", ["task covariates", "anchoring scores", "published answers of some tasks"]
)
def test_the_command_for_a_gap_fills_it(what: str, tmp_path: Path) -> None:
    run = write_published_run(tmp_path / "run", "A")
    lines = [json.loads(line) for line in run.transcripts_path.read_text().splitlines()]
    for record in lines:
        del record["covariates"], record["ground_truth"]
        for step in record["steps"]:
            step.pop("anchoring_score", None)
    run.transcripts_path.write_text("".join(json.dumps(record) + "\n" for record in lines))
    found = {gap.what: gap.command for gap in gaps(load_run(run.path), str(run.path))}
    places = {name: tmp_path / name for name in ("TASKS", "COVARIATES", "NEW_RUN")}
    tasks = [
        {"task_id": f"task{i:03d}", "question": QUESTION.format(i=i), "answer": truth_of(i)}
        for i in range(N)
    ]
    places["TASKS"].write_text(json.dumps(tasks))
    places["COVARIATES"].write_text("task_id,kind\ntask000,a\ntask001,b\n")
    program, *arguments = [str(places.get(word, word)) for word in shlex.split(found[what])]
    assert program == "grader"
    assert main([*arguments, "--lenient", "off"]) in (0, 1)
    assert what not in {gap.what for gap in gaps(load_run(places["NEW_RUN"]))}


def test_a_run_without_grades_or_transcripts_still_reports(tmp_path: Path) -> None:
    run = RunDirectory.create(tmp_path / "empty")
    run.transcripts_path.write_text("")
    page = _build(run.path)["index.html"].decode()
    assert "0 transcripts" in page
    assert "n/a" in page
    assert "nan" not in page.lower().replace("finance", "")


def test_hostile_text_is_escaped_everywhere(tmp_path: Path) -> None:
    files = _build(write_hostile_run(tmp_path / "hostile").path)
    pages = [text.decode() for name, text in files.items() if name.endswith(".html")]
    assert len(pages) == len(ATTACKS) + 1
    for page in pages:
        assert "<img" not in page
        assert "<iframe" not in page
        assert "<script>window" not in page
        assert "\x00" not in page
        assert "\u202e" not in page


def test_a_report_that_cannot_be_written_leaves_the_old_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_published_run(tmp_path / "run", "A", labels=False).path
    before = _build(path)
    monkeypatch.setattr("reports.build.transcript_page", full_disk)
    with pytest.raises(UserError, match="transcripts: cannot write: No space left on device"):
        _build(path)
    files = (file for file in (path / "report").rglob("*") if file.is_file())
    assert {str(file.relative_to(path / "report")) for file in files} == set(before)


@pytest.mark.parametrize(
    ("error", "seen"),
    [(OSError(errno.ENOSPC, "full"), UserError), (KeyboardInterrupt(), KeyboardInterrupt)],
)
def test_a_new_folder_that_cannot_take_its_place_leaves_the_old_one(
    error: BaseException,
    seen: type[BaseException],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    folder, rename = tmp_path / "transcripts", Path.rename

    def fails_for_the_new(path: Path, target: Path) -> Path:
        if path.name.endswith(".new"):
            raise error
        return rename(path, target)

    write_pages(folder, {"old.html": "old"})
    with monkeypatch.context() as patch, pytest.raises(seen):
        patch.setattr(Path, "rename", fails_for_the_new)
        write_pages(folder, {"new.html": "new"})
    assert [file.read_text() for file in folder.iterdir()] == ["old"]
    assert not list(tmp_path.glob("*.new")) + list(tmp_path.glob("*.old"))
    write_pages(folder, {"new.html": "new"})
    assert [file.read_text() for file in folder.iterdir()] == ["new"]


def test_reports_written_at_once_do_not_disturb_each_other(tmp_path: Path) -> None:
    pages = {f"{number}.html": "page" for number in range(20)}
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: write_pages(tmp_path / "report/transcripts", pages), range(40)))
    assert {file.name for file in (tmp_path / "report/transcripts").iterdir()} == pages.keys()


def test_the_reason_why_a_report_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_published_run(tmp_path / "run", "A", labels=False).path
    _build(path)
    monkeypatch.setattr(os, "mkdir", read_only)
    monkeypatch.setattr(os, "unlink", read_only)
    with pytest.raises(UserError, match="cannot write: Read-only file system"):
        _build(path)


def full_disk(*_: object, **__: object) -> str:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def read_only(path: str, *_: object, **__: object) -> None:
    code = errno.EEXIST if Path(path).exists() else errno.EROFS
    raise OSError(code, os.strerror(code))


def test_unwritable_report_is_one_clear_message(tmp_path: Path) -> None:
    path = write_published_run(tmp_path / "run", "A", labels=False).path
    (path / "report").write_text("in the way")
    with pytest.raises(UserError, match="cannot write"):
        _build(path)


@pytest.mark.parametrize("name", ["index.html", "notes.txt", "figures", "tables"])
def test_files_that_are_not_of_a_report_are_not_replaced(
    name: str, published_path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(published_path, copy, ignore=shutil.ignore_patterns("report"))
    mine = copy / "report" / name
    if not mine.suffix:
        mine = mine / "mine.pdf"
    mine.parent.mkdir(parents=True)
    mine.write_text("mine")
    assert main(["report", str(copy)]) == 2
    assert "holds other files" in capsys.readouterr().err
    assert mine.read_text() == "mine"


def test_a_report_from_before_folders_were_marked_is_replaced(
    published_path: Path, tmp_path: Path
) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(published_path, copy)
    _build(copy)
    (copy / "report" / ".made-by-grader").unlink()
    page = copy / "report" / "index.html"
    page.write_text("<html><title>copy: grading report</title>")
    assert len(_build(copy)["index.html"]) > 1000


def test_a_report_that_was_cut_short_is_made_again(published_path: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(published_path, copy)
    _build(copy)
    (copy / "report" / "index.html").unlink()
    assert "index.html" in _build(copy)
