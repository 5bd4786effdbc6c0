"""Agreement against formulas written out here."""

from collections import Counter
from itertools import permutations

import numpy as np
import pytest
from scipy.stats import norm
from statsmodels.stats.inter_rater import cohens_kappa as statsmodels_kappa

from annotate.statistics.agreement import (
    agreement,
    cohens_kappa,
    krippendorff_alpha,
    stage_agreement,
)
from annotate.statistics.rates import rate

CATEGORIES = ["match", "non_match", "no_answer"]


def kappa_by_hand(first: list[str], second: list[str]) -> float | None:
    n = len(first)
    observed = sum(a == b for a, b in zip(first, second, strict=True)) / n
    one, two = Counter(first), Counter(second)
    expected = sum(one[c] * two[c] for c in CATEGORIES) / n**2
    return None if expected == 1 else (observed - expected) / (1 - expected)


def alpha_by_hand(units: list[list[str]]) -> float | None:
    """Krippendorff's coincidence matrix, nominal."""
    pairs: Counter[tuple[str, str]] = Counter()
    for unit in units:
        for a, b in permutations(unit, 2):
            pairs[a, b] += 1 / (len(unit) - 1)  # type: ignore[assignment]
    totals = {c: sum(v for (a, _), v in pairs.items() if a == c) for c in CATEGORIES}
    n = sum(totals.values())
    disagree = sum(v for (a, b), v in pairs.items() if a != b)
    expected = sum(totals[a] * totals[b] for a in totals for b in totals if a != b) / (n - 1)
    return None if expected == 0 else 1 - disagree / expected


def test_kappa_on_a_thousand_random_tables() -> None:
    rng = np.random.default_rng(5)
    for _ in range(1000):
        n = int(rng.integers(2, 60))
        first = list(rng.choice(CATEGORIES, n, p=[0.6, 0.3, 0.1]))
        second = [a if rng.random() < 0.7 else str(rng.choice(CATEGORIES)) for a in first]
        expected = kappa_by_hand(first, second)
        found = cohens_kappa(first, second).coefficient
        if expected is None:
            assert found is None
        else:
            assert found == pytest.approx(expected, abs=1e-9)


def test_alpha_on_a_thousand_random_tables() -> None:
    rng = np.random.default_rng(6)
    for _ in range(1000):
        labels: dict[str, dict[str, str]] = {name: {} for name in "abc"}
        for item in range(int(rng.integers(2, 20))):
            for given in labels.values():
                if rng.random() < 0.8:
                    given[str(item)] = str(rng.choice(CATEGORIES, p=[0.7, 0.2, 0.1]))
        items = {item for given in labels.values() for item in given}
        units = [[g[item] for g in labels.values() if item in g] for item in items]
        units = [unit for unit in units if len(unit) > 1]
        expected = alpha_by_hand(units) if units else None
        found = krippendorff_alpha(labels)
        assert found.n_items == len(units)
        if expected is None:
            assert found.coefficient is None
            assert found.reason
        else:
            assert found.coefficient == pytest.approx(expected, abs=1e-9)


def test_two_annotators_get_kappa_and_more_get_alpha() -> None:
    two = {"a": {"1": "match", "2": "match"}, "b": {"1": "match", "2": "non_match", "3": "match"}}
    assert agreement(two).statistic == "Cohen's kappa"
    assert agreement(two).n_items == 2
    assert agreement({**two, "c": {"1": "match"}}).statistic == "Krippendorff's alpha"


def test_who_shares_no_item_takes_nothing_from_the_agreement_of_the_others() -> None:
    said = {"a": "match match non_match", "b": "match non_match non_match"}
    two = {name: dict(zip("123", each.split(), strict=True)) for name, each in said.items()}
    assert agreement({**two, "import": {"4": "match"}}) == agreement(two)


def test_every_label_the_same_is_undefined() -> None:
    same = {"a": {"1": "match", "2": "match"}, "b": {"1": "match", "2": "match"}}
    found = agreement(same)
    assert found.coefficient is None
    assert found.reason == "every label is the same"
    assert found.observed.value == 1.0


def test_the_interval_of_kappa_stays_in_its_range() -> None:
    nearly = cohens_kappa(["a"] * 10 + ["b"] * 10, ["a"] * 11 + ["b"] * 9)
    assert nearly.coefficient == pytest.approx(0.9)
    assert nearly.high == 1.0
    for first, second in ((["a", "a", "b"], ["a", "a", "b"]), (["a"], ["b"])):
        found = cohens_kappa(first, second)
        assert found.coefficient in (0.0, 1.0)
        assert (found.standard_error, found.low, found.high) == (None, None, None)


def test_pairs_of_labels_of_an_item_are_not_independent() -> None:
    rng = np.random.default_rng(2)
    covered = naive = 0
    for _ in range(300):
        right = rng.random(60) < 0.8  # an item that is hard is hard for all five
        given = rng.random((5, 60)) < np.where(right, 0.98, 0.5)
        labels = {
            str(a): {str(i): str(x) for i, x in enumerate(row)} for a, row in enumerate(given)
        }
        found = krippendorff_alpha(labels).observed
        assert found.n == 600
        true = 0.8 * (0.98**2 + 0.02**2) + 0.2 * 0.5
        covered += found.low <= true <= found.high  # type: ignore[operator]
        plain = rate(found.successes, found.n)
        naive += plain.low <= true <= plain.high  # type: ignore[operator]
    assert 0.92 <= covered / 300 <= 0.99
    assert naive / 300 < 0.85


def test_no_common_items() -> None:
    assert agreement({"a": {"1": "match"}, "b": {"2": "match"}}).reason == "no common items"
    assert agreement({}).n_items == 0


def test_stage_agreement_of_the_paper() -> None:
    # 136 of 153 snippet judgements agreed with the final label: 89 %.
    found = stage_agreement(
        (str(i), "match" if i < 136 else "non_match", "match") for i in range(153)
    )
    assert (found.overall.successes, found.overall.n) == (136, 153)
    assert f"{found.overall.value:.0%}" == "89%"
    assert found.by_verdict["non_match"].value == 0.0


def test_escalated_items_are_no_judgement() -> None:
    found = stage_agreement([("1", "needs_transcript", "match"), ("2", "match", "match")])
    assert (found.escalated, found.overall.n) == (1, 1)


def test_labels_of_one_snippet_by_several_annotators_are_alike() -> None:
    alone = [(str(i), "match" if i < 30 else "non_match", "match") for i in range(40)]
    one, three = stage_agreement(alone).overall, stage_agreement(alone * 3).overall
    assert (three.successes, three.n) == (90, 120)
    assert (three.low, three.high) == pytest.approx((one.low, one.high), abs=0.005)


def test_the_interval_of_kappa_is_statsmodels_and_goes_by_the_level() -> None:
    first = ["match"] * 30 + ["non_match"] * 20
    second = ["match"] * 26 + ["non_match"] * 24
    theirs = statsmodels_kappa([[26, 4], [0, 20]])
    found = cohens_kappa(first, second)
    assert (found.low, found.high) == pytest.approx((theirs.kappa_low, theirs.kappa_upp))
    half = cohens_kappa(first, second, 0.5)
    reach = norm.ppf(0.75) * theirs.std_kappa
    assert (half.low, half.high) == pytest.approx((theirs.kappa - reach, theirs.kappa + reach))
    assert half.observed.level == 0.5
