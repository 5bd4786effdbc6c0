"""The fit of the weights: its gradient, and that it finds the weights that made the labels."""

from __future__ import annotations

import numpy as np
from scipy.optimize import check_grad

from grader.numbers import Quantity
from tests.bench.weights import Case, fit, loss

WEIGHTS = np.array([2.0, -1.0, 0.5])


def cases(count: int) -> list[Case]:
    random = np.random.default_rng(1)
    made = []
    for _ in range(count):
        evidence = random.normal(size=(4, 3))
        chance = np.exp(evidence @ WEIGHTS)
        right = np.zeros(4, dtype=bool)
        right[random.choice(4, p=chance / chance.sum())] = True
        made.append(Case([Quantity(0.0)] * 3, evidence, right))
    return made


def test_the_gradient_is_the_slope_of_the_loss() -> None:
    few, prior, at = cases(20), np.zeros(3), np.array([0.3, 0.1, -0.2])
    error = check_grad(
        lambda w: loss(w, few, prior, 1.0)[0], lambda w: loss(w, few, prior, 1.0)[1], at
    )
    assert error < 1e-4


def test_finds_the_weights_that_made_the_labels() -> None:
    found = fit(cases(2000), np.zeros(3), ridge=0.0)
    assert np.allclose(found, WEIGHTS, atol=0.2)


def test_a_strong_ridge_keeps_the_weights() -> None:
    assert np.allclose(fit(cases(50), WEIGHTS + 1, ridge=1e6), WEIGHTS + 1, atol=1e-3)
