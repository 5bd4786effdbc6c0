"""The LLM use report: complete, per case, and safe to show."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from grader.cli import main
from grader.files.jsonl import Appender
from grader.llm.calls import LlmCall
from grader.llm_report import llm_report
from grader.records import Grade
from grader.run import RunDirectory
from tests.graded import add_grades

from .lenient.runs import grade, transcript
from .llm.server import FaultServer

HOSTILE = "```\n# Forged heading\n````\n<script>alert(1)</script>\nThe mean is 0.28."


@pytest.fixture
def run(tmp_path: Path) -> RunDirectory:
    run = RunDirectory.create(tmp_path)
    items = [transcript(1, HOSTILE), transcript(2, "0.31 | x"), transcript(3, "nothing")]
    replies = {"Forged": "0.28", "0.31 |": "a|b\n# c", "nothing": "UNCLEAR"}

    def script(body: dict[str, object], n: int) -> str:
        text = json.dumps(body)
        return next(reply for mark, reply in replies.items() if mark in text)

    with FaultServer(script) as server:
        grades, _ = grade(tmp_path, items, models=("gpt-4o-mini",), base_urls=(server.url,))
    with run.append_transcripts() as transcripts:
        for item in items:
            transcripts.add(item)
    add_grades(run, grades)
    return run


def test_whole_run(run: RunDirectory) -> None:
    report = llm_report(run)
    assert report.summary["calls"] == 4 and report.summary["cases"] == 3
    assert report.summary["cost"] > 0 and report.summary["unpriced"] == 0
    assert report.markdown.count("\n### Call") == 4
    assert "lenient: **correct** (`within_tolerance`), value `0.28`" in report.markdown
    assert "extract_number/1" in report.markdown
    assert "Published" not in report.markdown


def test_one_case_has_its_prompts_and_cannot_forge_structure(run: RunDirectory) -> None:
    by_task, by_transcript = (llm_report(run, i, full=True).markdown for i in ("task1", "t1"))
    assert by_task.replace("task1", "t1") == by_transcript.replace("task1", "t1")
    assert by_task.count("### Call") == 1
    open_fence = None
    for line in by_task.splitlines():
        ticks = len(line) - len(line.lstrip("`"))
        if open_fence is None and ticks >= 3:
            open_fence = ticks
        elif open_fence is not None and ticks >= open_fence and not line.strip("`"):
            open_fence = None
        elif open_fence is None:
            assert "Forged" not in line and "<script>" not in line
    assert open_fence is None and "Forged heading" in by_task


def test_the_order_is_that_of_the_run_and_the_judges_not_of_the_replies(tmp_path: Path) -> None:
    folders = [tmp_path / "one", tmp_path / "two"]
    graded = [Grade(transcript_id=i, task_id=i, grader="strict_keyword", verdict="incorrect")
              for i in ("t3", "t1", "t2")]  # fmt: skip
    asked = [(i, judge) for i in ("t1", "t2", "t3", "t9", "t8") for judge in ("a", "b")]
    for folder, order in zip(folders, (asked, asked[::-1]), strict=True):
        run = RunDirectory.create(folder)
        run.transcripts_path.touch()
        add_grades(run, graded)
        with Appender(run.llm_calls_path) as log:
            for identifier, judge in order:
                log.write(call(identifier, judge).model_dump_json())
    one, two = (llm_report(RunDirectory.open(folder)).markdown for folder in folders)
    assert one.split("\n", 1)[1] == two.split("\n", 1)[1]
    assert re.findall(r"^## `(\w+)`$", one, re.M) == ["t3", "t1", "t2", "t8", "t9"]


def call(transcript_id: str, judge: str) -> LlmCall:
    return LlmCall(
        key=transcript_id + judge, at="", transcript_id=transcript_id, task_id=transcript_id,
        purpose="extract", model=judge, base_url="", prompt_id="p", prompt_hash="h",
        parameters={}, messages=(), source="replay", reply=judge,
    )  # fmt: skip


def test_command(run: RunDirectory, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["llm-report", str(run.path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["calls"] == 4
    target = tmp_path / "report.md"
    assert main(["llm-report", str(run.path), "--task", "task2", "--output", str(target)]) == 0
    assert target.read_text().startswith("# LLM use: task2") and capsys.readouterr().out == ""
    assert main(["llm-report", str(run.path), "--task", "none"]) == 2
    assert "no language model was asked about" in capsys.readouterr().err
    assert main(["llm-report", str(tmp_path / "nowhere")]) == 2


def test_empty_run_prints_na(tmp_path: Path) -> None:
    (tmp_path / "transcripts.jsonl").touch()
    report = llm_report(RunDirectory.open(tmp_path))
    assert report.summary["calls"] == 0 and "- cost: n/a" in report.markdown
