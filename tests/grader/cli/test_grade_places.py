"""Where `grader grade` finds a run and its input, and what the run says of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from grader.cli import main
from grader.run import RunDirectory
from tests.grader.cli.test_grade import RUN, TASKS, summary


def test_a_folder_of_shards_is_no_run_whatever_their_names(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shards, run = tmp_path / "shards", tmp_path / "run"
    shards.mkdir()
    lines = Path(RUN).read_text().splitlines(keepends=True)
    (shards / "transcripts.jsonl").write_text("".join(lines[:2]))
    (shards / "more.jsonl").write_text("".join(lines[2:5]))
    assert main(["grade", str(shards)]) == main(["report", str(shards)]) == 2
    message = "not a run directory (more.jsonl is a recording too, and there is no manifest.json"
    assert message in capsys.readouterr().err
    assert main(["grade", str(shards), "--run", str(shards)]) == 2
    assert capsys.readouterr().err.endswith("Put --run outside of it\n")
    grade = ["grade", "--lenient", "off", "--json", "--run"]
    assert main([*grade, str(run), str(shards)]) == 0
    assert summary(capsys)["transcripts"] == 5
    (run / "more.jsonl").write_text("".join(lines[5:]))
    assert main([*grade, str(tmp_path / "again"), str(run)]) == 0
    assert summary(capsys)["transcripts"] == 5
    (shards / "more.jsonl").write_text(json.dumps({"transcript_id": "a", "verdict": "match"}))
    (shards / "empty.jsonl").touch()
    assert main(["grade", str(shards), "--lenient", "off", "--json"]) == 0
    assert summary(capsys)["transcripts"] == 2


def test_a_folder_of_recordings_is_not_made_a_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    lines = Path(RUN).read_text().splitlines(keepends=True)
    for name, part in (("a/s1", lines[:2]), ("a/transcripts", lines[2:5]), ("a/b/s2", lines[5:9])):
        (tmp_path / f"{name}.jsonl").parent.mkdir(exist_ok=True)
        (tmp_path / f"{name}.jsonl").write_text("".join(part))
    grade = ["grade", "--lenient", "off", "--json", "a/s1.jsonl", "--run"]
    replay = ["run", "--agent", "replay", "--recorded", "a/s1.jsonl", "--run"]
    for refused, place, name in (
        (grade, "a", "b/s2.jsonl"), (grade, "a/b", "s2.jsonl"), (grade, ".", "a/b/s2.jsonl"),
        (replay, "a/b", "s2.jsonl"),
    ):  # fmt: skip
        assert main([*refused, place]) == 2
        message = f"{place}: holds recordings ({name}), which would not be read once it is a run "
        assert message in capsys.readouterr().err
    assert main(["grade", "a", "--run", "r", "--lenient", "off", "--json"]) == 0
    assert summary(capsys)["transcripts"] == 9


def test_a_run_goes_on_beside_what_is_no_recording_or_was_made_of_it(tmp_path: Path) -> None:
    run = tmp_path / "run"
    run.mkdir()
    (run / "labels.jsonl").write_text(json.dumps({"transcript_id": "a", "verdict": "match"}) + "\n")
    (run / "llm_calls.jsonl").write_text('{"messages": [{"role"')  # torn, of a killed command
    (run / "notes.jsonl").write_text("no objects\nbut words\n")
    (run / "empty.jsonl.gz").touch()
    grade = ["grade", RUN, "--run", str(run), *TASKS, "--lenient", "off"]
    assert main(grade) == 0
    for form in ("dsgym", "parquet"):
        assert main(["export", str(run), "--format", form]) == 0
    assert main(grade) == main(["grade", str(run), "--lenient", "off"]) == 0


def test_a_run_may_stand_beside_its_only_input(tmp_path: Path) -> None:
    source = tmp_path / "source.jsonl"
    source.write_text(Path(RUN).read_text())
    grade = ["grade", str(source), "--run", str(tmp_path), *TASKS, "--lenient", "off"]
    assert main(grade) == main(grade) == 0


def test_a_run_that_was_begun_goes_on_beside_recordings(tmp_path: Path) -> None:
    """The manifest is written first, so it is what a killed command may leave alone."""
    (tmp_path / "manifest.json").write_text("{}")
    (tmp_path / "more.jsonl").write_text(Path(RUN).read_text())
    assert main(["grade", RUN, "--run", str(tmp_path), *TASKS, "--lenient", "off"]) == 0


def test_a_run_names_every_input_it_was_recorded_from(tmp_path: Path) -> None:
    run = tmp_path / "run"
    for name in "aba":
        record = {"transcript_id": name, "ground_truth": "1", "raw_output": "It is 1."}
        (tmp_path / f"{name}.jsonl").write_text(json.dumps(record) + "\n")
        source = str(tmp_path / f"{name}.jsonl")
        assert main(["grade", source, "--run", str(run), "--lenient", "off"]) == 0
    manifest = RunDirectory(run).manifest()
    assert manifest["input"]["name"] == "a.jsonl"
    assert [one["name"] for one in manifest["earlier_inputs"]] == ["b.jsonl"]


@pytest.mark.parametrize(
    ("texts", "names"),
    [
        (["nothing"], {"a"}),
        (['{"transcript_id": "a", "raw_output": "It is 2."}'], {"a"}),
        (['{"transcript_id": "c", "raw_output": "1"}', '{"transcript_id": "a"}'], {"a", "bad"}),
    ],
)
def test_a_refused_input_is_named_only_if_something_of_it_is_recorded(
    tmp_path: Path, texts: list[str], names: set[str]
) -> None:
    record = {"transcript_id": "a", "ground_truth": "1", "raw_output": "It is 1."}
    (tmp_path / "a").write_text(json.dumps(record) + "\n")
    (tmp_path / "bad").write_text("".join(f"{text}\n" for text in texts))
    run = RunDirectory(tmp_path / "run")
    grade = ["grade", "--lenient", "off", "--run", str(run.path), "--format", "native"]
    assert main([*grade, str(tmp_path / "a")]) == 0
    assert main([*grade, str(tmp_path / "bad")]) == 2
    manifest = run.manifest()
    named = (manifest["input"], *manifest.get("earlier_inputs", ()))
    assert {one["name"] for one in named} == names
