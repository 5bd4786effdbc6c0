"""The tables of an audit in a terminal of 80 columns."""

from __future__ import annotations

from io import StringIO
from typing import get_args

import pytest
from rich.console import Console, Group

from annotate.audit.tables import (
    METHODS,
    MOST_TESTS,
    covariates_table,
    graders_table,
    pass_rates_table,
)
from annotate.statistics.calibrate import calibrate
from annotate.statistics.cells import Cell
from annotate.statistics.covariates import IndependenceTest, Method
from annotate.statistics.prevalence import pass_rate
from annotate.statistics.rates import rate
from grader.records import Verdict
from grader.terminal import stdout_console


def _test(covariate: str, p: float | None, agent: str = "") -> IndependenceTest:
    return IndependenceTest(
        covariate=covariate, target="strict_heuristic pass", mode="A", agent=agent, n=1234,
        shape=(4, 2), statistic=112.81, dof=3, cramers_v=0.34, p_value=p, p_holm=p,
        method="chi-squared permutation", min_expected=4.5, small_expected=True,
    )  # fmt: skip


def _printed(tests: list[IndependenceTest]) -> str:
    return _shown(covariates_table(tests))


def _shown(table: Group) -> str:
    console = Console(width=80, file=StringIO())
    console.print(table)
    assert isinstance(console.file, StringIO)
    return console.file.getvalue()


def test_names_of_covariates_and_targets_are_not_broken() -> None:
    printed = _printed([_test("requires_modeling", 0.2), _test("n_rows", 0.3, "an-agent")])
    lines = [line.rstrip() for line in printed.splitlines()]
    assert " strict_heuristic pass" in lines
    assert any(line.startswith(" requires_modeling ") and "112.81 (3)" in line for line in lines)
    assert " agent an-agent" in lines and " agent not recorded" in lines
    assert "the 12" not in printed


@pytest.mark.parametrize(
    "configuration", ["", "before_nudge", "before_nudge, strict failures only"]
)
def test_rows_before_the_nudge_say_what_they_compare(configuration: str) -> None:
    row = calibrate("cascade", {"a": "no_answer"}, {"a": True}, configuration=configuration)
    printed = " ".join(_shown(graders_table([row], weighted=False)).split())
    is_said = "label of the final answer, so differences include what nudging changed" in printed
    assert is_said == bool(configuration)


def test_one_false_pass_of_many_is_not_a_precision_of_100_percent() -> None:
    graded: dict[str, Verdict] = {str(i): "correct" for i in range(250)}
    row = calibrate("x", graded, {key: key != "0" for key in graded})
    shown = _shown(graders_table([row], weighted=False))
    assert all(text in shown for text in ("99.6% ± 0.4%", "98–99.9% Wilson", "100% ± 0%"))
    assert shown.count("100% ± 0%") == 1  # recall


def test_counts_above_a_hundred_are_whole(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    graded: dict[str, Verdict] = {str(i): "correct" if i else "incorrect" for i in range(250)}
    labels = {key: key != "7" for key in graded}
    row = calibrate("strict_heuristic", graded, labels, configuration="strict failures only")
    stdout_console().print(graders_table([row], weighted=False))
    printed = capsys.readouterr().out
    assert all(text in printed for text in ("250/250", "248", "98–99.9% Wilson"))
    assert "…" not in printed


def test_every_method_has_a_short_name() -> None:
    assert set(METHODS) == set(get_args(Method))


def test_of_many_tests_those_with_the_smallest_p_are_shown() -> None:
    tests = [_test(f"column_{i}", None if i == 0 else 1 / i) for i in range(40)]
    printed = _printed(tests)
    assert "all 40 tests" in printed
    assert all(option in printed for option in ("--json", "--covariates NAMES"))
    shown = [line.split()[0] for line in printed.splitlines() if line.startswith(" column_")]
    assert shown == [f"column_{i}" for i in range(39, 39 - MOST_TESTS, -1)]


@pytest.mark.parametrize(
    ("false_passes", "missed", "said"),
    [
        (0, 0, "0 grading errors"),
        (1, 0, "1 grading error "),
        (5, 4, "9 grading errors"),
        (5, 5, ""),
    ],
)
def test_estimates_from_few_grading_errors_are_not_to_be_trusted(
    false_passes: int, missed: int, said: str
) -> None:
    cells = [
        Cell(stratum="s", passed=True, size=500, labelled=50, matched=50 - false_passes),
        Cell(stratum="s", passed=False, size=500, labelled=50, matched=missed),
    ]
    rates = [pass_rate("cascade", cells, rate(500, 1000))]
    printed = " ".join(_shown(pass_rates_table(rates, "cascade")).split())
    assert ("Trust the corrected rate above" in printed) == bool(said)
    assert said in printed
    unlabelled = [pass_rate("cascade", [Cell(stratum="s", passed=True, size=5)], rate(5, 5))]
    assert "Trust" not in _shown(pass_rates_table(unlabelled, "cascade"))
    all_labelled = [Cell(stratum="s", passed=True, size=50, labelled=50, matched=50)]
    census = [pass_rate("cascade", all_labelled, rate(50, 50))]
    assert "Trust" not in _shown(pass_rates_table(census, "cascade"))
