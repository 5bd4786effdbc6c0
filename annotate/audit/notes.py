"""What a reader of an audit must know of the run itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..cases import Case, verdicts_of


def run_notes(cases: Sequence[Case], main_grader: str | None, recorded: int) -> Iterator[str]:
    """Transcripts of the `recorded` ones that are not gradable, so not among the `cases`, or that
    the main grader left ungraded; tasks tried several times."""
    if len(cases) < recorded:
        yield (
            f"Not gradable, for want of a published answer, of steps or of a readable record: "
            f"{recorded - len(cases)} of {recorded} transcripts. They are left out here."
        )
    verdicts = {} if main_grader is None else verdicts_of(cases, main_grader)
    ungraded = sum(verdict == "ungraded" for verdict in verdicts.values())
    if ungraded:
        yield (
            f"Ungraded by {main_grader}: {ungraded} of {len(cases)} transcripts; no statement "
            "about the agent. As they are strict failures there is no automated pass rate; the "
            "corrected ones are of all transcripts."
        )
    tasks = len({case.task_id for case in cases})
    if tasks < len(cases):
        yield (
            f"{len(cases)} transcripts of {tasks} tasks: intervals allow for the transcripts of a "
            "task being alike; tests count each task once for each agent in each nudge mode, by "
            "its first repeat."
        )
