"""An audit as sentences and tables in the terminal."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from ..shown_numbers import rate_in_full
from ..statistics.agreement import Agreement
from ..statistics.planner import LabelPlan
from .assembly import Audit
from .tables import (
    covariates_table,
    graders_table,
    paired_table,
    pass_rates_table,
    reliability_table,
)

SHOWN_IDS = 5


def show(audit: Audit, console: Console) -> None:
    """Print everything an audit found."""
    weighted = audit.weights is not None
    console.print(_summary(audit))
    for note in audit.notes:
        console.print(Text(f"Note: {note}", style="yellow"))
    if audit.calibrations and audit.labelled:
        console.print(graders_table(audit.calibrations, weighted=weighted))
    if audit.pass_rates:
        console.print(pass_rates_table(audit.pass_rates, audit.main_grader))
    if audit.plan is not None:
        console.print(Text(plan_sentence(audit.plan)))
    if audit.labelled:
        console.print(Text(_agreements(audit)))
    if audit.reliability.n:
        console.print(reliability_table(audit.reliability, weighted=weighted))
    if audit.covariates:
        console.print(covariates_table(audit.covariates))
    if audit.paired:
        console.print(paired_table(audit.paired))


def plan_sentence(plan: LabelPlan) -> str:
    """The plan as a sentence or two."""
    goal, now = f"±{100 * plan.goal:g} points", f"±{100 * plan.now:.1f}"
    if plan.more == 0:
        return f"Labels: the pass rate is within {goal} already ({now} expected)."
    so_far = f"{now} points now" if plan.labelled else "none yet"
    if plan.more is None:
        best = f"±{100 * plan.best:.1f}"
        return f"Labels: {so_far}; all labelled, {best}: {goal} is out of reach here. " + (
            plan.reason[0].upper() + plan.reason[1:] + "."
        )
    needed = f"Labels: {so_far}; to get {goal} about {plan.more} more are needed, "
    if not plan.transcript_ids:
        return needed + "drawn at random, as by `grader annotate RUN --design random`."
    first = ", ".join(plan.transcript_ids[:SHOWN_IDS])
    rest = " ..." if plan.more > SHOWN_IDS else ""
    return needed + f"in queue order ({first}{rest}; all of them with --json)."


def _summary(audit: Audit) -> Text:
    lines = [
        f"{audit.labelled} of {audit.transcripts} transcripts have a final label "
        f"({audit.from_snippet_only} from the snippet alone)."
    ]
    if not (audit.labelled or audit.undecided):
        lines.append(
            "So nothing is known of the graders yet: label with `grader annotate DIR`, or take "
            "labels over with `grader labels import DIR FILE`."
        )
    if audit.labelled:
        lines.append(f"Sampling design: {audit.design}. Intervals: {100 * audit.level:g}%.")
    if audit.undecided:
        lines.append(
            f"{len(audit.undecided)} await adjudication, because annotators disagree, and rates "
            "leave them out: `grader labels adjudicate`."
        )
    if audit.unblinded:
        lines.append(f"{audit.unblinded} labels were given unblinded.")
    return Text("\n".join(lines))


def _agreements(audit: Audit) -> str:
    stage = audit.stages
    lines = [f"Snippet labels that equal the final label: {rate_in_full(stage.overall)}"]
    lines += [
        f"  called {v} from the snippet: {rate_in_full(r)}" for v, r in stage.by_verdict.items()
    ]
    for name, found in (
        ("transcript stage", audit.annotators),
        ("snippet stage", audit.snippet_annotators),
    ):
        if len(found.annotators) > 1:
            lines.append(_agreement(name, found))
    return "\n".join(lines)


def _agreement(name: str, found: Agreement) -> str:
    value = f"n/a ({found.reason})" if found.coefficient is None else f"{found.coefficient:.3f}"
    if found.low is not None and found.high is not None:
        value += f" ({found.low:.3f} to {found.high:.3f})"
    return (
        f"{len(found.annotators)} annotators, {name}: {found.statistic} {value} on "
        f"{found.n_items} items; same label in {rate_in_full(found.observed)}"
    )
