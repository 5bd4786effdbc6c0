"""Pass-rate estimates against closed forms and ppi-python itself."""

import numpy as np
import pytest
from scipy import stats

from annotate.cells import Cell, cells_of
from annotate.estimates import classical, poststratified, ppi, rogan_gladen
from annotate.prevalence import pass_rate

CELLS = (
    Cell(stratum="s", passed=False, size=160, labelled=40, matched=6),
    Cell(stratum="s", passed=True, size=140, labelled=35, matched=35),
)


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


def test_a_fully_labelled_run_is_exact_for_the_run_and_not_for_the_population() -> None:
    cells = [
        Cell(stratum="s", passed=True, size=36, labelled=36, matched=36),
        Cell(stratum="s", passed=False, size=24, labelled=24, matched=0),
    ]
    run = poststratified(cells, target="run")
    assert (run.low, run.value, run.high) == (0.6, 0.6, 0.6)
    wide = poststratified(cells)
    wilson = stats.binomtest(36, 60).proportion_ci(method="wilson")
    assert (wide.low, wide.high) == pytest.approx((wilson.low, wilson.high), abs=0.01)


def test_ppi_is_ppi_pythons() -> None:
    ppi_py = pytest.importorskip("ppi_py")
    y = np.repeat([1.0, 0.0, 1.0], [6, 34, 35])
    predicted = np.repeat([0.0, 1.0], [40, 35])
    rest = np.repeat([0.0, 1.0], [120, 105])
    found = ppi(CELLS)
    low, high = ppi_py.ppi_mean_ci(y, predicted, rest, alpha=0.05)
    assert found.value == pytest.approx(float(ppi_py.ppi_mean_pointestimate(y, predicted, rest)[0]))
    assert (found.low, found.high) == pytest.approx((float(low[0]), float(high[0])))


def test_without_ppi_python_the_rest_still_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "ppi_py", None)
    found = pass_rate("x", CELLS)
    assert found["ppi"].value is None
    assert "pip install" in found["ppi"].reason
    assert found["poststratified"].value is not None
    assert found["classical"].value is not None


def test_rogan_gladen_by_hand() -> None:
    found = rogan_gladen(CELLS)
    sensitivity, specificity, automated = 35 / 41, 1.0, 140 / 300
    expected = (automated + specificity - 1) / (sensitivity + specificity - 1)
    assert found.value == pytest.approx(expected)
    assert found.low is not None
    assert found.low < expected < (found.high or 0)


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
    found = pass_rate("x", cells)
    assert [e.value for e in found.estimates] == [None] * 4
    assert {e.reason for e in found.estimates} == {reason}


def test_all_match_labels_have_no_rogan_gladen() -> None:
    cells = [Cell(stratum="s", passed=True, size=50, labelled=10, matched=10)]
    found = pass_rate("x", cells)
    assert found["rogan_gladen"].reason == "no non-matches among the labels"
    assert found["ppi"].reason == "every automated grade is the same"
    high = found["poststratified"].high
    assert high is not None
    assert high <= 1
    assert pass_rate("x", [])["classical"].value is None


def test_a_grader_worse_than_chance_has_no_correction() -> None:
    cells = [
        Cell(stratum="s", passed=True, size=50, labelled=10, matched=1),
        Cell(stratum="s", passed=False, size=50, labelled=10, matched=9),
    ]
    assert rogan_gladen(cells).reason == "the grader does not beat chance"
