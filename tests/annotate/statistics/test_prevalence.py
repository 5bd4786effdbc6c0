"""Pass-rate estimates against closed forms, ppi-python and simulated runs."""

import numpy as np
import pytest
from scipy import stats

from annotate.statistics.cells import Cell, cells_of
from annotate.statistics.estimates import (
    Aim,
    Estimate,
    classical,
    poststratified,
    ppi,
    rogan_gladen,
)
from annotate.statistics.prevalence import pass_rate
from annotate.statistics.rates import rate
from annotate.statistics.repeats import effect_of_matches

CELLS = (
    Cell(stratum="s", passed=False, size=160, labelled=40, matched=6),
    Cell(stratum="s", passed=True, size=140, labelled=35, matched=35),
)
ERRING = (
    Cell(stratum="s", passed=False, size=160, labelled=40, matched=8),
    Cell(stratum="s", passed=True, size=140, labelled=35, matched=28),
)
WORSE = (  # than chance
    Cell(stratum="s", passed=False, size=150, labelled=50, matched=40),
    Cell(stratum="s", passed=True, size=350, labelled=50, matched=10),
)
RUN = Aim(target="run")
BESIDE = (ppi, rogan_gladen, classical)


def interval(found: Estimate) -> tuple[float, float]:
    assert found.low is not None
    assert found.high is not None
    return found.low, found.high


def width(found: Estimate) -> float:
    low, high = interval(found)
    return high - low


def test_cells_are_counted_over_the_whole_run() -> None:
    passed = {"a": True, "b": True, "c": False}
    found = cells_of(passed, {"a": "x", "b": "x", "c": "y"}, {"a": True, "c": False})
    assert found == (
        Cell(stratum="x", passed=True, size=2, labelled=1, matched=1),
        Cell(stratum="y", passed=False, size=1, labelled=1, matched=0),
    )


def test_poststratified_is_near_the_weighted_shares() -> None:
    found = poststratified(CELLS)
    exact = (160 * 6 / 40 + 140) / 300
    assert found.value == pytest.approx(exact, abs=0.01)
    # one cell: the Beta posterior itself
    one = poststratified(
        [Cell(stratum="s", passed=True, size=10**9, labelled=50, matched=20)], draws=200_000
    )
    quantiles = stats.beta.ppf([0.025, 0.5, 0.975], 20 + 1 / 3, 30 + 1 / 3)
    assert (one.low, one.value, one.high) == pytest.approx(tuple(quantiles), abs=0.002)


def test_many_cells_of_few_labels_do_not_drown_in_the_prior() -> None:
    """Four cells and forty hold the same labels, none of them a match."""

    def cut(cells: int) -> Estimate:
        size, labelled = 1_000_000 // cells, 40 // cells
        return poststratified(
            [Cell(stratum=str(i), passed=True, size=size, labelled=labelled) for i in range(cells)]
        )

    assert cut(40).value == pytest.approx(cut(4).value, abs=0.01)
    assert interval(cut(40)) == pytest.approx(interval(cut(4)), abs=0.03)


def test_a_fully_labelled_run_is_exact_for_the_run_and_not_for_the_population() -> None:
    cells = [
        Cell(stratum="s", passed=True, size=36, labelled=36, matched=36),
        Cell(stratum="s", passed=False, size=24, labelled=24, matched=0),
    ]
    run = poststratified(cells, RUN)
    assert (run.low, run.value, run.high) == (0.6, 0.6, 0.6)
    wide = poststratified(cells)
    wilson = stats.binomtest(36, 60).proportion_ci(method="wilson")
    assert (wide.low, wide.high) == pytest.approx((wilson.low, wilson.high), abs=0.01)


@pytest.mark.parametrize("cells", [CELLS, ERRING, WORSE])
def test_ppi_is_ppi_pythons(cells: tuple[Cell, ...]) -> None:
    ppi_py = pytest.importorskip("ppi_py")
    fails, passes = cells
    failed, passed = fails.labelled, passes.labelled
    y = np.repeat(
        [1.0, 0.0, 1.0, 0.0],
        [fails.matched, failed - fails.matched, passes.matched, passed - passes.matched],
    )
    predicted = np.repeat([0.0, 1.0], [failed, passed])
    rest = np.repeat([0.0, 1.0], [fails.size - failed, passes.size - passed])
    found = ppi(cells)
    low, high = ppi_py.ppi_mean_ci(y, predicted, rest, alpha=0.05)
    theirs = float(ppi_py.ppi_mean_pointestimate(y, predicted, rest)[0])
    assert found.value == pytest.approx(theirs, abs=2e-4)
    assert interval(found) == pytest.approx((float(low[0]), float(high[0])), abs=2e-3)


def test_ppi_moves_the_labels_alone_by_all_of_the_difference_at_most() -> None:
    """All labels of a, where the grader errs, make the slope in b larger than 1."""
    cells = [
        Cell(stratum="a", passed=False, size=60, labelled=60, matched=0),
        Cell(stratum="a", passed=True, size=40, labelled=40, matched=0),
        Cell(stratum="b", passed=False, size=4, labelled=1, matched=0),
        Cell(stratum="b", passed=True, size=16, labelled=9, matched=9),
    ]
    labels, their_grades, automated = 18 / 120, (40 + 18) / 120, (40 + 16) / 120
    assert ppi(cells).value == pytest.approx(labels + automated - their_grades)


@pytest.mark.parametrize("estimate", BESIDE)
def test_with_every_label_they_are_the_labels_alone(estimate: object) -> None:
    cells = [
        Cell(stratum="a", passed=True, size=36, labelled=36, matched=30),
        Cell(stratum="b", passed=False, size=24, labelled=24, matched=6),
    ]
    found = estimate(cells)  # type: ignore[operator]
    wilson = stats.binomtest(36, 60).proportion_ci(method="wilson")
    assert found.value == pytest.approx(0.6)
    assert interval(found) == pytest.approx((wilson.low, wilson.high))
    exact = estimate(cells, RUN)  # type: ignore[operator]
    assert (*interval(exact), exact.value) == pytest.approx((0.6, 0.6, 0.6), abs=1e-12)


def test_ppi_uses_no_more_variance_than_the_labels_alone() -> None:
    rng = np.random.default_rng(2)
    for _ in range(500):
        fails, passes = rng.integers(60, 200, 2)
        drawn = rng.integers(30, [fails, passes], endpoint=True)
        matched = rng.binomial(drawn, rng.random(2))
        cells = [
            Cell(stratum="s", passed=ok, size=size, labelled=n, matched=k)
            for ok, size, n, k in zip((False, True), (fails, passes), drawn, matched, strict=True)
        ]
        share, n, total = matched.sum() / drawn.sum(), drawn.sum(), fails + passes
        error = (share * (1 - share) * (1 / n - 1 / total)) ** 0.5
        assert width(ppi(cells, RUN)) <= 2 * stats.norm.ppf(0.975) * error + 1e-9


@pytest.mark.parametrize("estimate", [poststratified, *BESIDE])
@pytest.mark.parametrize("labelled", [30, 70, 80])
@pytest.mark.parametrize("tries", [1, 4])
def test_coverage_of_both_targets(estimate: object, labelled: int, tries: int) -> None:
    """80 transcripts of 80 or 20 tasks; of four tries at a task most go alike."""
    rng = np.random.default_rng(labelled)
    tasks = np.repeat(np.arange(80 // tries), tries)
    covered = {"run": 0, "population": 0}
    repeats = 300
    for _ in range(repeats):
        easy = rng.beta(0.6, 0.4, 80) if tries > 1 else np.full(80, 0.6)
        match = rng.random(80) < easy[tasks]
        ok = np.where(match, rng.random(80) < 0.85, rng.random(80) < 0.15)
        chosen = rng.permutation(80)[:labelled]
        passed = {str(i): bool(ok[i]) for i in range(80)}
        matches = {str(i): bool(match[i]) for i in chosen}
        strata, task_of = dict.fromkeys(passed, "s"), {str(i): str(tasks[i]) for i in range(80)}
        cells = cells_of(passed, strata, matches)
        effect = effect_of_matches(passed, matches, strata, task_of)
        for target, true_rate in (("run", match.mean()), ("population", 0.6)):
            aim = Aim(target=target, design_effect=effect)  # type: ignore[arg-type]
            options = {"draws": 500} if estimate is poststratified else {}
            low, high = interval(estimate(cells, aim, **options))  # type: ignore[operator]
            covered[target] += low - 1e-9 <= true_rate <= high + 1e-9
    for count in covered.values():
        assert count / repeats >= 0.88


def test_repeats_widen_what_is_said_of_other_tasks_only() -> None:
    for estimate in (poststratified, *BESIDE):
        plain, alike = estimate(CELLS), estimate(CELLS, Aim(design_effect=5))
        assert alike.value == pytest.approx(plain.value, abs=0.01)
        extra = 1.96**2 * 0.55 * 0.45 * 4 / 300
        assert (width(alike) / 2) ** 2 == pytest.approx((width(plain) / 2) ** 2 + extra, rel=0.1)
        run = estimate(CELLS, Aim(target="run", design_effect=5))
        assert interval(run) == interval(estimate(CELLS, RUN))
        assert width(run) < width(plain)


def test_rogan_gladen_by_hand() -> None:
    sensitivity = 35 / 41  # specificity is 1
    value = 140 / 300 / sensitivity
    assert rogan_gladen(CELLS).value == pytest.approx(value)
    # 41 matches, of a quarter of the run, tell the sensitivity
    variance = (value / sensitivity) ** 2 * sensitivity * (1 - sensitivity) / 41 * 0.75
    half = stats.norm.ppf(0.975) * variance**0.5
    assert interval(rogan_gladen(CELLS, RUN)) == pytest.approx((value - half, value + half))


def test_the_interval_of_rogan_gladen_is_that_of_the_delta_method() -> None:
    """Its slopes are found by differences here."""

    def corrected(sensitivity: float, specificity: float) -> float:
        return (140 / 300 + specificity - 1) / (sensitivity + specificity - 1)

    sensitivity, specificity, step = 28 / 36, 32 / 39, 1e-6
    value = corrected(sensitivity, specificity)
    slopes = (
        (corrected(sensitivity + step, specificity) - value) / step,
        (corrected(sensitivity, specificity + step) - value) / step,
    )
    variances = sensitivity * (1 - sensitivity) / 36, specificity * (1 - specificity) / 39
    # of all transcripts three quarters are unlabelled
    variance = sum(s**2 * v for s, v in zip(slopes, variances, strict=True)) * 0.75
    half = stats.norm.ppf(0.975) * variance**0.5
    found = rogan_gladen(ERRING, RUN)
    assert found.value == pytest.approx(value)
    assert interval(found) == pytest.approx((value - half, value + half), abs=1e-4)


def test_classical_is_wilson_for_a_simple_random_sample() -> None:
    found = classical(CELLS)
    wilson = stats.binomtest(41, 75).proportion_ci(method="wilson")
    assert (found.low, found.high) == pytest.approx((wilson.low, wilson.high), abs=1e-9)


def test_unequal_sampling_is_reweighted() -> None:
    cells = [
        Cell(stratum="fail", passed=False, size=100, labelled=50, matched=10),
        Cell(stratum="pass", passed=True, size=900, labelled=50, matched=50),
    ]
    naive, true = 60 / 100, (100 * 0.2 + 900) / 1000
    for estimate in (poststratified(cells), classical(cells), rogan_gladen(cells)):
        assert estimate.value == pytest.approx(true, abs=0.02)
        assert abs(estimate.value - naive) > 0.2


@pytest.mark.parametrize(
    ("cells", "reason"),
    [
        ([Cell(stratum="s", passed=True, size=5)], "no labels"),
        (
            [
                Cell(stratum="a", passed=True, size=5, labelled=2, matched=2),
                Cell(stratum="b", passed=True, size=5),
            ],
            "no label yet in: b",
        ),
    ],
)
def test_empty_strata_say_so(cells: list[Cell], reason: str) -> None:
    found = pass_rate("x", cells, rate(0, 0))
    assert [e.value for e in found.estimates] == [None] * 4
    assert {e.reason for e in found.estimates} == {reason}


def test_all_match_labels_have_no_rogan_gladen() -> None:
    cells = [Cell(stratum="s", passed=True, size=50, labelled=10, matched=10)]
    found = pass_rate("x", cells, rate(0, 0))
    assert found["rogan_gladen"].reason == "no non-matches among the labels"
    assert found["ppi"].reason == "every labelled transcript has the same automated grade"
    high = found["poststratified"].high
    assert high is not None
    assert high <= 1
    assert pass_rate("x", [], rate(0, 0))["classical"].value is None


def test_a_grader_worse_than_chance_has_no_correction() -> None:
    cells = [
        Cell(stratum="s", passed=True, size=50, labelled=10, matched=1),
        Cell(stratum="s", passed=False, size=50, labelled=10, matched=9),
    ]
    assert rogan_gladen(cells).reason == "the grader does not beat chance"
