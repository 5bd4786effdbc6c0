"""Caveats about the run itself, for readers of an audit."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from grader.records import Label

from ..cases import Case, complete_graders, graders_in, unfinished_graders, ungraded_in
from ..sample import Sample
from ..sample.weights import ASSUMED, Weighting


def run_notes(cases: Sequence[Case], main_grader: str | None, recorded: int) -> Iterator[str]:
    """Notes on transcripts that are not gradable (`recorded` counts all, `cases` only gradable
    ones) or that the main grader left ungraded, and on tasks tried several times."""
    if len(cases) < recorded:
        yield (
            f"Not gradable: {recorded - len(cases)} of {recorded} transcripts, which lack a "
            "readable published answer, steps or a readable record. They are left out here."
        )
    ungraded = 0 if main_grader is None else ungraded_in(cases, main_grader)
    if ungraded:
        yield (
            f"{main_grader} left {ungraded} of {len(cases)} transcripts ungraded, which says "
            "nothing about the agent. Its recall and precision leave them out, which favours it: "
            "all are strict failures. There is no automated pass rate; the corrected rates cover "
            "all transcripts."
        )
    tasks = len({case.task_id for case in cases})
    if tasks < len(cases):
        yield (
            f"{len(cases)} transcripts of {tasks} tasks: intervals allow for similar transcripts "
            "of a task; tests use the first gradable repeat of each task, agent and nudge mode "
            "(tests of covariates: the first that is graded or labelled). Where graders are "
            "compared on several transcripts of a task, p is of its net difference: each task "
            "counts once, its sign left to chance."
        )


def unfinished_note(cases: Sequence[Case]) -> Iterator[str]:
    """How many transcripts wait to be graded, and what is missing for it; nothing if none does."""
    if cases and not graders_in(cases):
        yield "Nothing is graded yet: the labels stand alone until `grader grade DIR` has graded."
    names = unfinished_graders(cases)
    if names:
        waiting = sum(any(name not in case.verdicts for name in names) for case in cases)
        yield (
            f"Not graded yet: {waiting} of {len(cases)} transcripts, by {', '.join(names)}. Until "
            "`grader grade DIR` has graded them there are no pass rates and no tests by these "
            "graders, and their other rates leave them out."
        )


def selected_note(cases: Sequence[Case]) -> Iterator[str]:
    """Which graders are not tested because they left transcripts ungraded; nothing if all are."""
    names = [name for name in complete_graders(cases) if ungraded_in(cases, name)]
    if names:
        yield (
            f"No test of {' or '.join(names)}: the transcripts left ungraded, for want of a "
            "judge's verdict, are strict failures. Those that are graded are a selection by "
            "outcome, and tests of them would find differences where there are none."
        )


def label_notes(snippet_only: int, labelled: int, undecided: int, unblinded: int) -> Iterator[str]:
    """How many of the labels rest on the snippet alone, how many transcripts have none because
    annotators disagree, and how many labels were given unblinded."""
    if snippet_only:
        yield (
            f"Labels from the snippet alone, without reading the transcript: {snippet_only} of "
            f"{labelled}."
        )
    if undecided:
        yield (
            f"Undecided because annotators disagree: {undecided} of {labelled + undecided} "
            "labelled transcripts. All rates leave them out until `grader labels adjudicate` "
            "settles them."
        )
    if unblinded:
        yield (
            "Labels given unblinded, by annotators who saw the grades, the agent and the nudge "
            f"mode: {unblinded}."
        )


def gone_note(
    sample: Sample | None, labels: Iterable[Label], known: Collection[str]
) -> Iterator[str]:
    """How many transcripts of the queue are no longer in the run or gradable (`known`), and how
    many of these have labels; nothing if all are."""
    gone = sample.strata.keys() - known if sample else set()
    if gone:
        labelled = len(gone & {label.transcript_id for label in labels})
        yield (
            f"Transcripts of the queue that are no longer in the run or gradable: {len(gone)}. "
            f"They are left out, with the labels that {labelled} of them have."
        )


def origin_note(weighting: Weighting) -> Iterator[str]:
    """How to restore the sampling design of labels that came from a queue elsewhere; nothing if the
    design is known. Files of labels do not hold it."""
    if weighting.design in ASSUMED and weighting.sampled:
        yield (
            "If they were given in the queue of another run or machine, over the same transcripts "
            "and grades, draw that queue here: `grader annotate RUN --design NAME`, with the "
            "--size, --by and --seed it was drawn with, and leave. Then the labels are its sample."
        )


def untested_note(weighting: Weighting) -> Iterator[str]:
    """The reason why covariates are not tested against human labels; nothing if they are."""
    if weighting.is_uneven:
        yield (
            f"No test of covariates against human match: labels of the design "
            f"{weighting.design!r} have different weights, which such a test cannot use. It needs "
            "labels drawn with --design random, or labels of every transcript."
        )
