"""Fitting the weights of the evidence: every piece takes part, and the gradient is right."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import check_grad

from grader.extraction.evidence import MINIMUM_SCORE
from tests.bench.accuracy import load
from tests.bench.weights import IN_FORCE, Case, case_of, fit, loss, ranked_first
from tests.shared_data import FIXTURES

PRIOR = np.array([*IN_FORCE.values(), MINIMUM_SCORE])


@pytest.fixture(scope="module")
def cases() -> list[Case]:
    data = load(FIXTURES / "transcripts.jsonl", FIXTURES / "labels.jsonl", None)
    return [case for one in data if (case := case_of(one))]


def test_the_evidence_of_a_labelled_run_adds_up_to_the_scores_in_force(cases: list[Case]) -> None:
    assert len(cases) >= 55
    assert ranked_first(PRIOR, cases) >= 57


def test_the_gradient_is_that_of_the_loss(cases: list[Case]) -> None:
    weights = PRIOR + np.linspace(-0.5, 0.5, len(PRIOR))
    error = check_grad(
        lambda w: loss(w, cases, PRIOR, 3.0)[0], lambda w: loss(w, cases, PRIOR, 3.0)[1], weights
    )
    assert error < 1e-3


def test_a_fit_without_a_ridge_explains_the_labels_better(cases: list[Case]) -> None:
    fitted = fit(cases, PRIOR, 1e-6)
    assert loss(fitted, cases, PRIOR, 0.0)[0] < loss(PRIOR, cases, PRIOR, 0.0)[0]
