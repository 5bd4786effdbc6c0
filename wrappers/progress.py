"""Progress of a run on a terminal, with running counts of outcomes."""

from __future__ import annotations

from collections import Counter

from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn

from grader.progress import progress_bar
from grader.records import Transcript

from .assignment import Unrun

# `unknown`: a replay that went beyond its record.
OUTCOMES = ("clean", "error_recovered", "nudge_recovered", "failed", "unknown")


class RunProgress:
    """Counts results as they arrive, and shows them if stderr is a terminal. A context manager."""

    def __init__(self, total: int) -> None:
        self.outcomes: Counter[str] = Counter()
        self.unrun = 0
        self._bar = progress_bar(
            TextColumn("running"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("{task.fields[counts]}"),
        )
        self._row = self._bar.add_task("", total=total, counts="")

    def add(self, result: Transcript | Unrun) -> None:
        if isinstance(result, Unrun):
            self.unrun += 1
        else:
            self.outcomes[result.outcome or "unknown"] += 1
        self._bar.update(self._row, advance=1, counts=self.counts())

    def counts(self) -> str:
        """`clean 3, failed 1, not run 2`: the outcomes that occurred so far."""
        shown = [f"{name} {self.outcomes[name]}" for name in OUTCOMES if self.outcomes[name]]
        return ", ".join(shown + ([f"not run {self.unrun}"] if self.unrun else []))

    def __enter__(self) -> RunProgress:
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()
