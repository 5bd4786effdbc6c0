"""An audit as tables in the terminal."""

from __future__ import annotations

from collections.abc import Iterable

from rich.box import SIMPLE_HEAD
from rich.console import Console, Group
from rich.table import Table
from rich.text import Text

from .agreement import Agreement
from .audit import Audit
from .calibrate import Calibration
from .covariates import IndependenceTest
from .planner import LabelPlan
from .prevalence import ESTIMATES, Estimate, PassRate
from .rates import Interval, Rate, show_percent

SHOWN_IDS = 5
NAMES = {"ppi": "PPI++", "rogan_gladen": "Rogan-Gladen", "classical": "the labels alone"}


def show(audit: Audit, console: Console) -> None:
    """Print everything an audit found."""
    console.print(_summary(audit))
    for note in audit.notes:
        console.print(Text(f"Note: {note}", style="yellow"))
    if audit.calibrations:
        console.print(_graders(audit.calibrations))
    if audit.pass_rates:
        console.print(_pass_rates(audit.pass_rates, audit.main_grader))
    if audit.plan is not None:
        console.print(Text(plan_sentence(audit.plan)))
    console.print(Text(_agreements(audit)))
    if audit.reliability.n:
        console.print(_reliability(audit))
    if audit.covariates:
        console.print(_covariates(audit))
    if audit.paired:
        console.print(_paired(audit))


def rate_in_full(rate: Rate) -> str:
    """`86% ± 4% (76% to 92%), 62/72`, or `n/a (n=0)`."""
    if rate.value is None:
        return "n/a (n=0)"
    return (
        f"{show_percent(rate.value, 0)} ± {show_percent(rate.standard_error, 0)} "
        f"({show_percent(rate.low, 0)} to {show_percent(rate.high, 0)}), {rate.successes}/{rate.n}"
    )


def show_estimate(estimate: Estimate) -> str:
    """`47.1% (44.0% to 50.2%)`, or why there is none."""
    if estimate.value is None:
        return f"n/a ({estimate.reason})"
    if estimate.low is None:
        return show_percent(estimate.value)
    low, high = show_percent(estimate.low), show_percent(estimate.high)
    return f"{show_percent(estimate.value)} ({low} to {high})"


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
    first = ", ".join(plan.transcript_ids[:SHOWN_IDS])
    rest = " ..." if plan.more > SHOWN_IDS else ""
    return (
        f"Labels: {so_far}; to get {goal} about {plan.more} more are needed, in queue "
        f"order ({first}{rest}; all of them with --json)."
    )


def _summary(audit: Audit) -> Text:
    lines = [
        f"{audit.labelled} of {audit.transcripts} transcripts have a final label "
        f"({audit.from_snippet_only} from the snippet alone)."
    ]
    if audit.labelled:
        lines.append(f"Sampling design: {audit.design}.")
    if audit.undecided:
        lines.append(f"{len(audit.undecided)} await adjudication: `grader labels adjudicate`.")
    if audit.unblinded:
        lines.append(f"{audit.unblinded} labels were given unblinded.")
    return Text("\n".join(lines))


def _graders(rows: Iterable[Calibration]) -> Group:
    table = _table()
    table.add_column("grader", no_wrap=True)
    table.add_column("graded")
    for name in ("TP", "FP", "FN", "TN"):
        table.add_column(name, justify="right")
    for name in ("recall", "precision"):
        table.add_column(name, no_wrap=True)
    for row in rows:
        counts = row.confusion
        name = row.grader + (f"\n{row.configuration}" if row.configuration else "")
        table.add_row(
            Text(name + (f"\n{counts.ungraded} ungraded" if counts.ungraded else "")),
            f"{row.grading_success.successes}/{row.grading_success.n}",
            *(str(x) for x in (counts.tp, counts.fp, counts.fn, counts.tn)),
            _with_more(row.recall, row.recall_bootstrap, row.weighted_recall),
            _with_more(row.precision, row.precision_bootstrap, row.weighted_precision)
            + ("" if row.precision_bound is None else f"\n≥ {show_percent(row.precision_bound)}"),
        )
    table.caption = (
        "boot.: bootstrap over transcripts; rewt.: reweighted for the sampling design, as is the "
        "bootstrap then; ≥: rule-of-three bound on precision where no pass was false"
    )
    return _headed("Graders against human labels", "rate ± standard error", table)


def _with_more(rate: Rate, bootstrap: Interval, weighted: float | None) -> str:
    if rate.value is None:
        return rate_in_full(rate)
    lines = [
        f"{show_percent(rate.value, 0)} ± {show_percent(rate.standard_error, 0)}",
        f"{_range(rate.low, rate.high)} Wilson",
        f"{_range(bootstrap.low, bootstrap.high)} boot.",
    ]
    if weighted is not None:
        lines.append(f"{show_percent(weighted, 0)} rewt.")
    return "\n".join(lines)


def _range(low: float | None, high: float | None) -> str:
    return "n/a" if low is None or high is None else f"{100 * low:.0f}–{100 * high:.0f}%"


def _pass_rates(rates: Iterable[PassRate], main: str | None) -> Group:
    rows = list(rates)
    aim = "tasks like these" if rows[0].target == "population" else "exactly these transcripts"
    table = _table()
    table.add_column("grader", no_wrap=True)
    for name in ("automated", "corrected by the labels"):
        table.add_column(name)
    for row in rows:
        automated = show_percent(row.automated.value)
        table.add_row(Text(row.grader), automated, show_estimate(row["poststratified"]))
    beside = [
        f"  {NAMES[name]}: {show_estimate(row[name])}"
        for row in rows
        if row.grader == main
        for name in ESTIMATES[1:]
    ]
    lines = Text("\n".join([f"Beside it, for {main}:", *beside])) if beside else Text()
    title = f"on {aim}; {rows[0].labelled} labels used"
    return Group(_headed("Pass rate of the agent", title, table), lines)


def _agreements(audit: Audit) -> str:
    stage = audit.stages
    lines = [f"Snippet against transcript label: {rate_in_full(stage.overall)}"]
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


def _reliability(audit: Audit) -> Group:
    found = audit.reliability
    scores = [
        f"{label} {value:.3f}"
        for label, value in (("Brier", found.brier), ("ECE", found.calibration_error))
        if value is not None
    ]
    table = _table()
    for name in ("confidence", "mean", "agrees with the label"):
        table.add_column(name)
    for band in found.bands:
        mean = "n/a" if band.mean is None else f"{band.mean:.2f}"
        table.add_row(f"{band.low:g} to {band.high:g}", mean, rate_in_full(band.hits))
    return _headed(
        "Is the blind grade right as often as its confidence says?", ", ".join(scores), table
    )


def _covariates(audit: Audit) -> Group:
    modes = len({test.mode for test in audit.covariates}) > 1
    table = _table()
    for name in ("covariate", "target", *(["mode"] if modes else []), "n", "chi2 (df)", "V"):
        table.add_column(name, overflow="fold")
    for name in ("p", "p Holm", "test"):
        table.add_column(name, overflow="fold")
    for test in audit.covariates:
        table.add_row(
            Text(test.covariate),
            Text(test.target),
            *([Text(test.mode)] if modes else []),
            str(test.n),
            "n/a" if test.dof is None else f"{_number(test.statistic, 2)} ({test.dof})",
            _number(test.cramers_v, 2),
            _p(test.p_value),
            _p(test.p_holm),
            Text(_method(test)),
        )
    table.caption = "E: smallest expected count, where it is below 5 and p is not chi-squared's"
    return _headed("Covariates, tests of independence", "Holm over all rows", table)


def _method(test: IndependenceTest) -> str:
    if test.reason:
        return test.reason
    names = {"chi-squared": "chi2", "Fisher exact": "Fisher", "chi-squared permutation": "perm."}
    return names[test.method] + (f" E {test.min_expected:.1f}" if test.small_expected else "")


def _paired(audit: Audit) -> Group:
    table = _table()
    for name in ("first", "second", "n", "only first", "only second", "p", "p (Holm)"):
        table.add_column(name)
    for test in audit.paired:
        table.add_row(
            Text(test.first),
            Text(test.second),
            *(str(x) for x in (test.n, test.only_first, test.only_second)),
            _p(test.p_value),
            _p(test.p_holm),
        )
    return _headed("On the same transcripts or tasks", "McNemar, exact", table)


def _headed(title: str, about: str, table: Table) -> Group:
    """A table under a heading that is not squeezed to the table's width."""
    return Group("", Text.assemble((title, "bold"), (f"  {about}", "dim")), table)


def _table() -> Table:
    return Table(caption_justify="left", box=SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))


def _p(value: float | None) -> str:
    if value is None:
        return "n/a"
    return "<0.0001" if value < 0.0001 else f"{value:.4f}"


def _number(value: float | None, digits: int) -> str:
    return "n/a" if value is None else f"{value:.{digits}f}"
