"""Comparing runs that were graded differently."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from grader.cli import main
from grader.settings import GradeSettings
from reports.compare.grading_differences import grading_caution
from reports.frames import RunFrames

from ..published import write_published_run


def test_runs_graded_alike_need_no_caution(run_a: RunFrames, run_ab: RunFrames) -> None:
    assert grading_caution({"a": run_a, "b": run_a}) == ""
    assert grading_caution(run_ab.by_mode()) == ""


def test_each_thing_that_differs_is_named(run_a: RunFrames) -> None:
    manifest = dict(run_a.manifest or {})
    grading = manifest["grading"]
    other = {**grading["after_nudges"], "judged_by": "abc", "fingerprint": "9.9-xyz"}
    manifest |= {
        "grading": {**grading, "after_nudges": other},
        "lenient": {"judges": ["model-x"]},
    }
    strict = ("strict_heuristic", "strict_keyword")
    found = replace(
        run_a,
        settings=GradeSettings(relative_tolerance=0.5),
        grades={name: run_a.grades[name] for name in strict},
        manifest=manifest,
    )
    said = grading_caution({"a": run_a, "b": found, "c": run_a})
    assert "Relative tolerance: 0.03 in a; 0.5 in b; 0.03 in c." in said
    assert "Strict graders: strict_heuristic, strict_keyword, strict_blind in a;" in said
    assert "9.9 in b" in said
    assert "model-x (abc) in b" in said
    assert "candidates" not in said


def test_a_regrade_that_was_cut_short_is_named(run_a: RunFrames) -> None:
    first = {name: dict(list(found.items())[:100]) for name, found in run_a.grades.items()}
    said = grading_caution({"a": run_a, "b": replace(run_a, grades=first)})
    assert "Not graded yet: none in a; 53 of 153 transcripts in b." in said


def test_the_terminal_and_the_page_say_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first = write_published_run(tmp_path / "first", "A")
    settings = tmp_path / "settings.toml"
    settings.write_text("[grade]\nrelative_tolerance = 0.5\n")
    source, second = str(first.transcripts_path), str(tmp_path / "second")
    grade = ["grade", source, "--run", second, "--lenient", "off", "--settings", str(settings)]
    assert main(grade) in (0, 1)
    capsys.readouterr()
    assert main(["compare", str(first.path), second]) == 0
    said = "Relative tolerance: 0.03 in first; 0.5 in second."
    assert said in " ".join(capsys.readouterr().out.split())
    page = first.path / "report" / "compare-second" / "index.html"
    assert said in page.read_text(encoding="utf-8")


@pytest.mark.parametrize("odd", [5, {"judges": "model-x"}, {"judges": [5]}])
def test_a_manifest_that_others_changed_is_no_error(run_a: RunFrames, odd: object) -> None:
    found = replace(run_a, manifest={**(run_a.manifest or {}), "lenient": odd})
    assert grading_caution({"a": run_a, "b": found}) == ""
