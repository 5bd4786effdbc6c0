"""Runs of the command line on scripted agents, as a user makes them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.shared_data import ROOT

AGENT = "tests.wrappers.scripted.agent"
ANSWER = "The mean of x is 4.4."


class GraderRun:
    """One run directory and the command that fills it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.directory = folder / "run"
        self._scratch = tempfile.TemporaryDirectory(prefix="t")  # short, for socket paths
        self.scratch = self._scratch.name
        self.environment = os.environ | {"PYTHONPATH": str(ROOT), "TMPDIR": self.scratch}

    def strays(self) -> list[str]:
        """Command lines of the processes that this run has started and that still run: its
        kernels name its scratch folder, the rest have it or a workspace as TMPDIR."""
        found = []
        for process in psutil.process_iter():
            try:
                line = " ".join(process.cmdline())
                place = f"{line} {process.environ().get('TMPDIR', '')}"
            except psutil.Error:
                continue
            if self.scratch in place or str(self.directory) in place:
                found.append(line)
        return found

    def tasks(self, *task_ids: str, data: Sequence[str] = ()) -> None:
        records = [
            {
                "id": task_id,
                "question": f"What is the mean of x? ({task_id})",
                "answer": "4.4",
                "data": list(data),
            }
            for task_id in task_ids
        ]
        (self.folder / "tasks.json").write_text(json.dumps(records))

    def settings(self, turns: dict[str, Any], **sections: dict[str, Any]) -> None:
        """Write the settings file; JSON values are TOML values for what is used here."""
        lines = [f'[agent."{AGENT}".turns]']
        for task_id, played in turns.items():
            lines.append(f"{json.dumps(task_id)} = {_toml(played)}")
        for section, values in sections.items():
            lines.append(f"[{section}]")
            lines += [f"{name} = {_toml(value)}" for name, value in values.items()]
        (self.folder / "settings.toml").write_text("\n".join(lines))

    def command(self, *more: str, agent: str = AGENT) -> list[str]:
        base = [sys.executable, "-m", "grader", "run", "--agent", agent]
        base += ["--run", str(self.directory)]
        if (self.folder / "tasks.json").exists():
            base += ["--tasks", str(self.folder / "tasks.json")]
        if (self.folder / "settings.toml").exists():
            base += ["--settings", str(self.folder / "settings.toml")]
        return base + list(more)

    def go(self, *more: str, agent: str = AGENT) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            self.command(*more, agent=agent),
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )

    def recorded(self) -> int:
        """How many transcripts are on disk, of a run that may still be going on."""
        path = self.directory / "transcripts.jsonl"
        return path.read_bytes().count(b"\n") if path.exists() else 0

    def records(self) -> dict[str, dict[str, Any]]:
        """The recorded transcripts by id, as they stand in the file; no id may occur twice."""
        lines = (self.directory / "transcripts.jsonl").read_text().splitlines()
        records = [json.loads(line) for line in lines]
        by_id = {record["transcript_id"]: record for record in records}
        assert len(by_id) == len(records)
        return by_id


def _toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{k} = {_toml(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


@pytest.fixture
def grader_run(tmp_path: Path) -> GraderRun:
    return GraderRun(tmp_path)
