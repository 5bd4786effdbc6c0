"""The tables of an audit in the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Group
from rich.table import Table
from rich.text import Text

from grader.grader_names import BEFORE_NUDGE

from ..shown_numbers import NOT_AVAILABLE, rate_in_full, show_number, show_p, show_percent
from ..statistics.calibrate import Calibration
from ..statistics.cells import grading_errors
from ..statistics.covariates import IndependenceTest, Method
from ..statistics.estimates import ESTIMATES, FEW_ERRORS, Estimate
from ..statistics.mcnemar import PairedTest
from ..statistics.prevalence import PassRate
from ..statistics.rates import Interval, Rate
from ..statistics.reliability import Reliability
from ..wording import counted

MOST_TESTS = 12  # shown of the tests of covariates
METHODS: dict[Method, str] = {
    "none": "none",
    "chi-squared": "chi2",
    "Fisher exact": "Fisher",
    "chi-squared permutation": "perm.",
}
NAMES = {"ppi": "PPI++", "rogan_gladen": "Rogan-Gladen", "classical": "the labels alone"}


def graders_table(rows: Iterable[Calibration], *, weighted: bool) -> Group:
    """Counts, recall and precision of each grader; `weighted` for the sampling design."""
    rows, table = list(rows), _table()
    table.add_column("grader", no_wrap=True)
    table.add_column("answer found")
    for name in ("TP", "FP", "FN", "TN"):
        table.add_column(name, justify="right")
    for name in ("recall", "precision"):
        table.add_column(name, no_wrap=True)
    for row in rows:
        counts = row.confusion
        name = row.grader + (f"\n{row.configuration}" if row.configuration else "")
        table.add_row(
            Text(name + (f"\n{counts.ungraded} ungraded" if counts.ungraded else "")),
            f"{row.detected.successes}/{row.detected.n}",
            *(str(x) for x in (counts.tp, counts.fp, counts.fn, counts.tn)),
            _with_more(row.recall, row.recall_bootstrap),
            _with_more(row.precision, row.precision_bootstrap)
            + ("" if row.precision_bound is None else f"\n≥ {show_percent(row.precision_bound)}"),
        )
    table.caption = (
        "boot.: bootstrap over tasks, n/a where it finds no variation; ≥: rule-of-three bound on "
        "precision where no pass was false"
    )
    if weighted:
        table.caption += (
            "; rates are weighted for the sampling design and come with their intervals from the "
            "posterior, boot. from the labels alone; n/n labelled: the share among the labels"
        )
    before = BEFORE_NUDGE.removeprefix(":")
    if any(before in row.configuration.split(", ") for row in rows):
        table.caption += (
            f"; {before}: the answer before the first nudge, compared with the label of the final "
            "answer, so differences include what nudging changed"
        )
    return _headed("Graders against human labels", "rate ± standard error", table)


def _with_more(rate: Rate, bootstrap: Interval) -> str:
    if rate.value is None:
        return rate_in_full(rate)
    lines = [
        f"{show_percent(rate.value, 0)} ± {show_percent(rate.standard_error, 0)}",
        f"{_range(rate.low, rate.high)} {'post.' if rate.is_weighted else 'Wilson'}",
        f"{_range(bootstrap.low, bootstrap.high)} boot.",
    ]
    if rate.is_weighted:
        lines.append(f"{rate.successes}/{rate.n} labelled")
    return "\n".join(lines)


def _range(low: float | None, high: float | None) -> str:
    if low is None or high is None:
        return NOT_AVAILABLE
    return f"{show_percent(low, 0).removesuffix('%')}–{show_percent(high, 0)}"


def pass_rates_table(rows: Sequence[PassRate], main: str | None) -> Group:
    """The agent's pass rate by each grader, with every estimate for the main grader."""
    aim = "tasks like these" if rows[0].aim.target == "population" else "exactly these transcripts"
    table = _table()
    table.add_column("grader", no_wrap=True)
    for name in ("automated", "corrected by the labels"):
        table.add_column(name)
    for row in rows:
        automated = rate_in_full(row.automated)
        table.add_row(Text(row.grader), automated, _estimate(row["poststratified"]))
    beside = [
        f"  {NAMES[name]}: {_estimate(row[name])}"
        for row in rows
        if row.grader == main and row.labelled
        for name in ESTIMATES[1:]
    ]
    few = [line for row in rows if row.grader == main for line in _few_errors(row)]
    lines = Text("\n".join([f"Beside it, for {main}:", *beside, *few])) if beside else Text()
    title = f"on {aim}; {rows[0].labelled} labels used"
    return Group(_headed("Pass rate of the agent", title, table), lines)


def _few_errors(row: PassRate) -> Iterator[str]:
    """A warning where the labels hold few grading errors, so that two estimates are too sure; not
    once all is labelled, because nothing is estimated then."""
    errors, size = grading_errors(row.cells), sum(cell.size for cell in row.cells)
    if 0 < row.labelled < size and errors < FEW_ERRORS:
        yield (
            f"The labels hold {counted(errors, 'grading error')} of {row.grader}, fewer than "
            f"{FEW_ERRORS}: the intervals of PPI++ and Rogan-Gladen are then far too short. Trust "
            "the corrected rate above."
        )


def _estimate(estimate: Estimate) -> str:
    """`47.1% (44.0% to 50.2%)`, or why there is none."""
    if estimate.value is None:
        return f"n/a ({estimate.reason})"
    if estimate.low is None:
        return show_percent(estimate.value)
    low, high = show_percent(estimate.low), show_percent(estimate.high)
    return f"{show_percent(estimate.value)} ({low} to {high})"


def reliability_table(found: Reliability, *, weighted: bool) -> Group:
    """How often the blind grade is right, by its confidence; `weighted` for the design."""
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
    about = [*scores, *(["weighted for the sampling design"] if weighted else [])]
    return _headed(
        "Is the blind grade right as often as its confidence says?", ", ".join(about), table
    )


def covariates_table(tests: Sequence[IndependenceTest]) -> Group:
    """The tests of independence, a row each; of many, those with the smallest p."""
    parts = [name for name in ("mode", "agent") if len({getattr(t, name) for t in tests}) > 1]
    shown = _smallest_p(tests)
    table = _table()
    table.add_column("covariate\ntarget", overflow="fold")
    for name in ("n", "chi2 (df)", "V", "p", "p Holm"):
        table.add_column(name, justify="right", vertical="top")
    table.add_column("test", overflow="fold")
    for test in shown:
        group = [f"{name} {getattr(test, name) or 'not recorded'}" for name in parts]
        table.add_row(
            Text("\n".join([test.covariate, test.target, *([", ".join(group)] if parts else [])])),
            str(test.n),
            "n/a" if test.dof is None else f"{show_number(test.statistic)} ({test.dof})",
            show_number(test.cramers_v),
            show_p(test.p_value),
            show_p(test.p_holm),
            Text(_method(test)),
        )
    table.caption = (
        "n: tasks with a value of the covariate; E: smallest expected count, where it is below 5 "
        "and p is not chi-squared's"
    )
    about = f"Holm over all {len(tests)} tests"
    if len(shown) < len(tests):
        about += f"; the {len(shown)} with the smallest p; --covariates NAMES: these, --json: all"
    return _headed("Covariates, tests of independence", about, table)


def _smallest_p(tests: Sequence[IndependenceTest]) -> list[IndependenceTest]:
    """All tests if there are few; of many, those with the smallest p, those without one last."""
    if len(tests) <= MOST_TESTS:
        return list(tests)
    return sorted(tests, key=lambda test: (test.p_value is None, test.p_value))[:MOST_TESTS]


def _method(test: IndependenceTest) -> str:
    if test.reason:
        return test.reason
    return METHODS[test.method] + (f" E {test.min_expected:.1f}" if test.small_expected else "")


def paired_table(tests: Iterable[PairedTest]) -> Group:
    """The paired tests, a row each."""
    table = _table()
    for name in ("first", "second"):
        table.add_column(name, min_width=len("strict_heuristic,"))
    for name in ("n", "only first", "only second", "p", "p Holm"):
        table.add_column(name, max_width=len("<0.001"))
    for test in tests:
        table.add_row(
            Text(test.first),
            Text(test.second),
            *(str(x) for x in (test.n, test.only_first, test.only_second)),
            show_p(test.p_value),
            show_p(test.p_holm),
        )
    return _headed(
        "On the same transcripts or tasks", "McNemar, exact, by task; Holm over all rows", table
    )


def _headed(title: str, about: str, table: Table) -> Group:
    """A table under a heading that is not squeezed to the table's width."""
    return Group("", Text.assemble((title, "bold"), (f"  {about}", "dim")), table)


def _table() -> Table:
    return Table(caption_justify="left", box=SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
