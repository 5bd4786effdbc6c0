"""Bands, Brier score and calibration error against formulas written out."""

import numpy as np
import pytest

from annotate.statistics.reliability import reliability


def test_by_hand() -> None:
    found = reliability([0.1, 0.1, 0.9, 0.9], [False, True, True, True], list("abcd"))
    assert [band.hits.n for band in found.bands] == [2, 0, 0, 0, 2]
    assert found.brier == pytest.approx((0.01 + 0.81 + 0.01 + 0.01) / 4)
    assert found.calibration_error == pytest.approx((2 * 0.4 + 2 * 0.1) / 4)


def test_a_score_above_one_has_a_band_and_no_brier_score() -> None:
    found = reliability([0.3, 1.4], [True, True], ["a", "b"])
    assert [(band.low, band.high) for band in found.bands][-1] == (1.0, 1.4)
    assert (found.brier, found.calibration_error) == (None, None)


def test_a_weight_is_so_many_transcripts() -> None:
    rng = np.random.default_rng(1)
    scores, hits = rng.random(200), rng.random(200) < 0.5
    times = rng.integers(0, 4, 200)
    one = reliability(scores.tolist(), hits.tolist(), list(map(str, range(200))), weights=times)
    often = reliability(
        scores.repeat(times).tolist(),
        hits.repeat(times).tolist(),
        list(map(str, range(times.sum()))),
    )
    assert one.brier == pytest.approx(often.brier)
    assert one.calibration_error == pytest.approx(often.calibration_error)
    for band, copies in zip(one.bands, often.bands, strict=True):
        assert (band.mean, band.hits.value) == pytest.approx((copies.mean, copies.hits.value))


def test_of_nothing_all_is_undefined() -> None:
    found = reliability([], [], [])
    assert (found.brier, found.calibration_error) == (None, None)
    assert {band.hits.value for band in found.bands} == {None}


def test_a_band_begins_with_its_lower_end() -> None:
    found = reliability([0.2, 0.4, 1.0], [True, True, True], ["a", "b", "c"])
    assert [band.hits.n for band in found.bands] == [0, 1, 1, 0, 1]
