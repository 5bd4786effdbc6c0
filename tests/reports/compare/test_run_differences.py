"""Comparing runs that were made under different limits."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from grader.cli import main
from reports.compare.run_differences import limits_caution
from reports.frames import RunFrames
from tests.shared_data import FIXTURES
from wrappers.plan import make_plan


def made(
    frames: RunFrames, nudge_mode: str, agent: str = "command", **isolation: Any
) -> dict[str, Any]:
    """The manifest of a run, with other limits."""
    options = {"command": "true"} if agent == "command" else {}
    record = make_plan(agent, options, nudge_mode=nudge_mode, task_timeout=9).as_record()
    record["run_settings"]["isolation"] |= isolation
    return {**(frames.manifest or {}), **record}


def test_agents_and_modes_under_the_same_limits_need_no_caution(run_a: RunFrames) -> None:
    a = replace(run_a, manifest=made(run_a, "A"))
    none = replace(run_a, manifest=made(run_a, "none"))
    none.manifest["run_settings"]["loop"]["max_nudges"] = 1  # type: ignore[index]  # of no effect
    replayed = made(run_a, "A", agent="replay", memory_mb=64)  # of no effect either
    replayed["run_settings"]["loop"]["task_timeout"] = 300
    assert limits_caution({"a": a, "none": none, "recorded": run_a}) == ""
    assert limits_caution({"a": a, "replayed": replace(run_a, manifest=replayed)}) == ""


def test_each_limit_that_differs_is_named(run_a: RunFrames) -> None:
    a = replace(run_a, manifest=made(run_a, "A"))
    b = replace(run_a, manifest=made(run_a, "B", memory_mb=None, network=True))
    b.manifest["run_settings"]["loop"] |= {  # type: ignore[index]
        "task_timeout": 300.0, "max_nudges": 1, "rules": ["no_scalar"]
    }  # fmt: skip
    assert limits_caution({"a": a, "b": b, "recorded": run_a}) == (
        "Caution: not run under the same limits, so differences may come from these. "
        "max_nudges: 3 in a; 1 in b. rules: ambiguous, no_scalar in a; no_scalar in b. "
        "task_timeout: 9 in a; 300 in b. memory_mb: 4096 in a; none in b. "
        "network: no in a; yes in b."
    )


def test_the_command_names_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settings = tmp_path / "less.toml"
    settings.write_text("[run]\nmax_revisions = 1\n")
    for name, more in (("a", []), ("b", ["--settings", str(settings)])):
        run = ["--run", str(tmp_path / name)]
        recorded = ["--recorded", str(FIXTURES / "transcripts.jsonl"), "--limit", "3"]
        assert main(["run", "--agent", "replay", *recorded, *run, *more]) == 0
        assert main(["grade", str(tmp_path / name), "--lenient", "off"]) == 0
    capsys.readouterr()
    assert main(["compare", str(tmp_path / "a"), str(tmp_path / "b")]) == 0
    assert "max_revisions: 5 in a; 1 in b." in " ".join(capsys.readouterr().out.split())
