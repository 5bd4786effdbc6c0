"""What a reader of an audit must know of the run itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..cases import Case, verdicts_of
from ..sample.weights import Weighting


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
            f"{main_grader} left {ungraded} of {len(cases)} transcripts ungraded, which says "
            "nothing about the agent. They are strict failures: its recall and precision leave "
            "them out, a selection that favours it. There is no automated pass rate; the corrected "
            "ones are of all transcripts."
        )
    tasks = len({case.task_id for case in cases})
    if tasks < len(cases):
        yield (
            f"{len(cases)} transcripts of {tasks} tasks: intervals allow for the transcripts of a "
            "task being alike; tests count each task once for each agent in each nudge mode, by "
            "its first repeat that can be graded (of covariates: that is graded or labelled)."
        )


def untested_note(weighting: Weighting) -> Iterator[str]:
    """Why covariates are not tested against the human labels, where they are not."""
    if weighting.sampled and not weighting.equal:
        yield (
            f"No test of covariates against human match: labels of the design "
            f"{weighting.design!r} do not weigh the same, which such a test cannot allow for. It "
            "needs labels drawn with --design random, or of every transcript."
        )
