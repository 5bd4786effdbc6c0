"""What a reader of an audit must know of the run itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..cases import Case, verdicts_of


def run_notes(cases: Sequence[Case], main_grader: str | None) -> Iterator[str]:
    """Transcripts that the main grader could not grade; tasks tried several times."""
    verdicts = {} if main_grader is None else verdicts_of(cases, main_grader)
    ungraded = sum(verdict == "ungraded" for verdict in verdicts.values())
    if ungraded:
        yield (
            f"Ungraded by {main_grader}: {ungraded} of {len(cases)} transcripts; no statement "
            "about the agent. The automated pass rate counts them as not passed; the corrected "
            "ones allow for it."
        )
    tasks = len({case.task_id for case in cases})
    if tasks < len(cases):
        yield (
            f"{len(cases)} transcripts of {tasks} tasks: intervals allow for the transcripts of a "
            "task being alike; tests count each task once in each nudge mode, by its first repeat."
        )
