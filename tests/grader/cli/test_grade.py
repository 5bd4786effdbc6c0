"""`grader grade` as a user runs it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from grader.cli import main
from grader.run import RunDirectory
from tests.shared_data import FIXTURES, SHARED, needs_shared

RUN = str(FIXTURES / "transcripts.jsonl")


TASKS = ("--tasks", str(FIXTURES / "tasks.json"))


REPLAY = f"replay:{FIXTURES / 'judge_replies.jsonl'}"


def summary(capsys: pytest.CaptureFixture[str]) -> dict:
    loaded: dict = json.loads(capsys.readouterr().out)
    return loaded


def test_grade_the_fixture_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["grade", RUN, "--run", str(tmp_path), "--tasks", str(FIXTURES / "tasks.json")]
    assert main([*arguments, "--lenient", REPLAY, "--json"]) == 0
    found = summary(capsys)
    assert found["transcripts"] == 60
    assert found["graders"]["cascade"]["correct"] == 36
    assert found["graders"]["cascade"]["n"] == 60
    assert found["outcomes"] == {
        "clean": 37, "error_recovered": 13, "failed": 2, "nudge_recovered": 8
    }  # fmt: skip


def test_options_about_judges_have_no_use_where_none_judges(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    grade = ["grade", RUN, "--run", str(tmp_path / "run"), *TASKS, "--lenient", "off"]
    assert main([*grade, "--model", "m", "--max-calls", "5"]) == 0
    said = capsys.readouterr().err
    assert said.count("--model, --max-calls: ignored, because --lenient off") == 1
    assert main([*grade, "--graders", "strict_blind"]) == 0
    assert "no effect" not in capsys.readouterr().err


def test_settings_of_the_run_are_said_where_they_are_not_the_defaults(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    grade = ["grade", RUN, "--run", str(tmp_path / "run"), *TASKS, "--lenient", "off"]
    assert main(grade) == 0
    assert "settings of the run" not in capsys.readouterr().err
    manifest = tmp_path / "run/manifest.json"
    stated = {"grading": {"relative_tolerance": 0.2, "max_candidates": 1, "region_threshold": 0.1}}
    ungraded = {**json.loads(manifest.read_text()), "run_settings": stated, "grading": None}
    manifest.write_text(json.dumps(ungraded))
    (tmp_path / "s.toml").write_text("[grade]\nmax_candidates = 5\n")
    for more, taken in (
        ([], "relative_tolerance = 0.2, max_candidates = 1"),
        (["--settings", str(tmp_path / "s.toml")], "relative_tolerance = 0.2"),
    ):
        manifest.write_text(json.dumps(ungraded))
        assert main([*grade, *more]) == 0
        assert f"settings of the run (--settings overrides them): {taken}\n" in (
            capsys.readouterr().err
        )


def test_a_failed_command_removes_only_what_it_made(tmp_path: Path) -> None:
    grade = ["grade", RUN, "--lenient", "replay:none.jsonl", "--run"]
    (tmp_path / "old").mkdir()
    assert main([*grade, str(tmp_path / "old")]) == main([*grade, str(tmp_path / "new")]) == 2
    assert [path.name for path in tmp_path.iterdir()] == ["old"]


def test_a_refused_command_leaves_the_manifest(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "c.csv").write_text("task_id,level\nt01,hard\n")
    grade = ["grade", RUN, "--lenient", "off", "--run", str(tmp_path / "run")]
    main(grade)
    before = (tmp_path / "run/manifest.json").read_text()
    late = ["--covariates", str(tmp_path / "c.csv"), "--graders", "strict_blind"]
    assert main([*grade, *late]) == 2
    assert (tmp_path / "run/manifest.json").read_text() == before
    assert "Make a new run: grader grade" in capsys.readouterr().err


def test_some_ungraded_is_exit_1(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = json.loads((FIXTURES / "transcripts.jsonl").read_text().splitlines()[0])
    path = tmp_path / "run.jsonl"
    bad = {**record, "transcript_id": "no-truth", "ground_truth": "unclear"}
    bad["answer_kind"] = "number"
    path.write_text(json.dumps(record) + "\n" + json.dumps(bad) + "\n{broken\n")
    assert main(["grade", str(path), "--run", str(tmp_path / "out"), "--json"]) == 1
    found = summary(capsys)
    assert found["graders"]["cascade"]["ungraded"] == 2
    assert [(p["transcript_id"], p["problem"].split(":")[0]) for p in found["problems"]] == [
        ("no-truth", "unparseable_ground_truth"),
        (
            "run.jsonl:3",
            "line 3 is not valid JSON (Expecting property name enclosed in double quotes",
        ),
    ]
    assert found["problem_count"] == 2


def test_passes_that_judges_were_to_see_and_could_not_are_exit_1(tmp_path: Path) -> None:
    passes = tmp_path / "passes.jsonl"
    passes.write_text((FIXTURES / "transcripts.jsonl").read_text().splitlines()[0] + "\n")
    grade = ["grade", str(passes), "--run", str(tmp_path / "run")]
    nobody = ["--base-url", "http://127.0.0.1:9/v1", "--retries", "0"]
    assert main([*grade, *nobody]) == 0
    assert main([*grade, *nobody, "--lenient-all"]) == 1


@needs_shared
def test_a_recorded_lambda_run_with_its_tasks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = SHARED / "data"
    arguments = ["grade", str(data / "lambda_run/dsgym_results.json"), "--run", str(tmp_path)]
    arguments += ["--tasks", str(data / "qrdata/qrdata.json"), "--data", str(data / "qrdata/csv")]
    arguments += ["--lenient", f"replay:{data / 'judge_replies/replies.jsonl'}", "--json"]
    assert main(arguments) == 0
    found = summary(capsys)
    assert found["graders"]["cascade"] == {
        "correct": 23, "incorrect": 2, "no_answer": 0, "ungraded": 0, "n": 25, "pass_rate": 0.92,
        "pass_rate_range": [0.92, 0.92],
    }  # fmt: skip


def test_replies_to_whole_transcripts_do_not_judge_what_came_before_a_nudge(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["grade", RUN, "--run", str(tmp_path), "--lenient", "off"])
    assert main(["grade", str(tmp_path), "--before-nudge", "--lenient", REPLAY]) == 2
    assert "whole transcripts" in capsys.readouterr().err


def test_an_input_that_is_mended_as_the_message_says_is_graded_in_a_new_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "in.jsonl"
    record = {"transcript_id": "a", "question": "How long?", "ground_truth": "12 days or so",
              "steps": [{"raw_output": "It lasts 12 days or so."}]}  # fmt: skip
    path.write_text(json.dumps(record) + "\n")
    grade = ["grade", str(path), "--lenient", "off", "--run"]
    assert main([*grade, str(tmp_path / "run")]) == 1
    assert 'set answer_kind to "text"' in " ".join(capsys.readouterr().out.split())
    path.write_text(json.dumps({**record, "answer_kind": "text"}) + "\n")
    assert main([*grade, str(tmp_path / "run")]) == 2
    assert f"grader grade {path} --run NEW_RUN" in capsys.readouterr().err
    assert main([*grade, str(tmp_path / "new")]) == 0


def test_json_tells_of_warnings(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.jsonl"
    whole = json.dumps(
        {"transcript_id": "a", "ground_truth": "1", "raw_output": "The answer is 1."}
    )
    path.write_text(f'{whole}\n{{"transcript_id": "b"')
    run = str(tmp_path / "run")
    assert main(["grade", str(path), "--run", run, "--lenient", "off", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["warnings"] == [
        f"{path}:2: torn last line dropped (21 bytes)"
    ]


def test_a_run_is_graded_again_with_the_settings_it_was_graded_with(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run, settings = str(tmp_path / "run"), tmp_path / "s.toml"
    settings.write_text("[grade]\nrelative_tolerance = 0.5\n")
    off = ["--lenient", "off", "--json"]
    assert main(["grade", RUN, "--run", run, "--settings", str(settings), *TASKS, *off]) == 0
    rates = [summary(capsys)["graders"]["cascade"]["correct"]]
    assert main(["grade", run, *off]) == 0
    said = capsys.readouterr()
    rates.append(json.loads(said.out)["graders"]["cascade"]["correct"])
    assert "settings of the run (--settings overrides them): relative_tolerance = 0.5" in said.err
    settings.write_text("[lenient]\nretries = 3\n")
    assert main(["grade", run, "--before-nudge", "--settings", str(settings), *off]) == 0
    assert set(summary(capsys)["graders"]) > {"cascade", "cascade:before_nudge"}
    settings.write_text("[grade]\n")
    assert main(["grade", run, "--settings", str(settings), *off]) == 0
    rates.append(summary(capsys)["graders"]["cascade"]["correct"])
    assert rates == [49, 49, 36]


def test_tasks_that_could_not_be_run_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = tmp_path / "run"
    assert main(["grade", RUN, "--run", str(run), *TASKS, "--lenient", "off"]) == 0
    assert "could not be run" not in capsys.readouterr().out
    recorded = next(RunDirectory(run).transcripts()).transcript_id
    lines = [{"transcript_id": name, "reason": "no file"} for name in ("t99", recorded, "t99")]
    (run / "not_run.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert main(["grade", str(run), "--lenient", "off"]) == 0
    assert "not in the rates: 1 that could not be run (t99)" in capsys.readouterr().out
    assert main(["grade", str(run), "--lenient", "off", "--json"]) == 0
    assert summary(capsys)["could_not_be_run"] == ["t99"]


def test_a_pattern_without_quotes_is_told_what_it_lacks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = [str(tmp_path / name) for name in ("a.jsonl", "b.jsonl")]
    Path(names[1]).touch()
    assert main(["grade", *names, "--run", str(tmp_path / "run")]) == 2
    assert "named by their folder or by a pattern in quotes" in capsys.readouterr().err
