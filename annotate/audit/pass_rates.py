"""The pass rate of a run by each of its graders, and the plan to narrow its interval."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ..cases import Case, complete_graders, tasks_of, verdicts_of
from ..sample import Sample, draw
from ..sample.weights import Weighting
from ..statistics.cells import cells_of
from ..statistics.estimates import Aim, Target
from ..statistics.planner import LabelPlan, plan, waiting_of
from ..statistics.prevalence import PassRate, pass_rate
from ..statistics.rates import rate_of
from ..statistics.repeats import effect_of_matches


def pass_rates(
    cases: Sequence[Case], weighting: Weighting, target: Target, level: float
) -> Iterator[PassRate]:
    """The pass rate by each grader that graded the whole run."""
    tasks = tasks_of(cases)
    for name in complete_graders(cases):
        verdicts, passed = verdicts_of(cases, name), _passed(cases, name, weighting)
        sampled = {key: match for key, match in weighting.sampled.items() if key in passed}
        cells = cells_of(passed, weighting.strata, sampled)
        effect = effect_of_matches(passed, sampled, weighting.strata, tasks)
        aim = Aim(target=target, level=level, design_effect=effect)
        # Ungraded transcripts are strict failures, so the rate of the others does not cover them.
        has_open = any(verdicts[key] == "ungraded" for key in passed)
        hits = {} if has_open else passed
        automated = rate_of(list(hits.values()), [tasks[key] for key in hits], level)
        yield pass_rate(name, cells, automated, aim)


def label_plan(
    cases: Sequence[Case],
    rate: PassRate,
    labelled: Mapping[str, bool],
    weighting: Weighting,
    sample: Sample | None,
    goal: float,
) -> LabelPlan:
    """The plan of what to label next, in queue order, to narrow the pass rate's interval. Without a
    queue it is for labels drawn at random and names none: any order but a drawn one, such as the
    file's, would be no sample."""
    order = [item.transcript_id for item in (sample or draw(cases, "random")).items]
    passed = _passed(cases, rate.grader, weighting)
    counted = weighting.sampled if sample else {}  # in a new queue labels wait for their turn
    waiting = waiting_of(order, weighting.strata, passed, counted)
    found = plan(
        rate.cells, waiting, goal, rate.aim, already_labelled=labelled, anew=sample is None
    )
    return found if sample else found.model_copy(update={"transcript_ids": ()})


def _passed(cases: Sequence[Case], grader: str, weighting: Weighting) -> dict[str, bool]:
    """Whether the grader passed each transcript that the labels represent. Ungraded counts as not
    passed; the labels correct for that."""
    verdicts = verdicts_of(cases, grader)
    return {key: verdicts[key] == "correct" for key in weighting.strata if key in verdicts}
