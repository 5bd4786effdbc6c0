"""The tables of an audit in a terminal of 80 columns."""

from __future__ import annotations

from io import StringIO

from rich.console import Console

from annotate.audit.tables import MOST_TESTS, covariates_table
from annotate.statistics.covariates import IndependenceTest


def _test(covariate: str, p: float | None, agent: str = "") -> IndependenceTest:
    return IndependenceTest(
        covariate=covariate, target="strict_heuristic pass", mode="A", agent=agent, n=1234,
        shape=(4, 2), statistic=112.81, dof=3, cramers_v=0.34, p_value=p, p_holm=p,
        method="chi-squared permutation", min_expected=4.5, small_expected=True,
    )  # fmt: skip


def _printed(tests: list[IndependenceTest]) -> str:
    console = Console(width=80, file=StringIO())
    console.print(covariates_table(tests))
    assert isinstance(console.file, StringIO)
    return console.file.getvalue()


def test_names_of_covariates_and_targets_are_not_broken() -> None:
    printed = _printed([_test("requires_modeling", 0.2), _test("n_rows", 0.3, "an-agent")])
    lines = [line.rstrip() for line in printed.splitlines()]
    assert " strict_heuristic pass" in lines
    assert any(line.startswith(" requires_modeling ") and "112.81 (3)" in line for line in lines)
    assert " agent an-agent" in lines and " agent not recorded" in lines
    assert "the 12" not in printed


def test_of_many_tests_those_with_the_smallest_p_are_shown() -> None:
    tests = [_test(f"column_{i}", None if i == 0 else 1 / i) for i in range(40)]
    printed = _printed(tests)
    assert "all 40 tests" in printed and "--json" in printed
    shown = [line.split()[0] for line in printed.splitlines() if line.startswith(" column_")]
    assert shown == [f"column_{i}" for i in range(39, 39 - MOST_TESTS, -1)]
