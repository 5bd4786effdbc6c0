"""What commands write for people, and where they must not."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.cli import main
from grader.errors import UserError
from grader.run import RunDirectory
from grader.run.output_file import output_file
from tests.shared_data import FIXTURES


@pytest.fixture
def run(tmp_path: Path) -> RunDirectory:
    run = RunDirectory(tmp_path / "run")
    source = str(FIXTURES / "transcripts.jsonl")
    assert main(["grade", source, "--run", str(run.path), "--lenient", "off"]) == 0
    return run


@pytest.mark.parametrize("command", [["export"], ["export", "--format", "parquet"], ["llm-report"]])
def test_no_record_of_a_run_is_written_over(
    run: RunDirectory, command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    before = run.transcripts_path.read_bytes()
    link = run.path.parent / "link"
    link.symlink_to(run.transcripts_path)
    name, *options = command
    for target in (run.transcripts_path, run.path / "../run/transcripts.jsonl", link):
        assert main([name, str(run.path), *options, "--output", str(target)]) == 2
        assert f"{target}: a record of the run {run.path}" in capsys.readouterr().err
    assert run.transcripts_path.read_bytes() == before


def test_records_count_before_they_are_made(run: RunDirectory) -> None:
    for path in run.records:
        with pytest.raises(UserError, match="a record of the run"), output_file(path):
            pass


def test_a_file_that_is_replaced_keeps_its_mode(tmp_path: Path) -> None:
    shared = tmp_path / "shared.csv"
    shared.touch()
    shared.chmod(0o664)
    with output_file(shared) as place:
        place.write_text("x")
    assert (shared.read_text(), shared.stat().st_mode & 0o777) == ("x", 0o664)


def test_names_of_records_are_free_elsewhere(tmp_path: Path) -> None:
    with output_file(tmp_path / "grades.jsonl") as place:
        place.write_text("x")
    assert (tmp_path / "grades.jsonl").read_text() == "x"
