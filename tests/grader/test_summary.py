"""What a grading pass shows on a terminal."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from grader.grading import Summary
from grader.summary import show


@pytest.mark.parametrize("run", ["runs/[v2]", "runs/[/b]", "runs/[red]x[/red]"])
def test_the_name_of_a_run_is_shown_as_it_is(run: str) -> None:
    console = Console(file=io.StringIO(), width=100)
    show(Summary(transcripts=3), run, console)
    assert isinstance(console.file, io.StringIO)
    assert f"{run}: 3 transcripts" in console.file.getvalue()
