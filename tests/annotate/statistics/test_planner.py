"""The planner's promise against what then happens."""

import numpy as np
import pytest

from annotate.audit.text import plan_sentence
from annotate.statistics.cells import Cell, cells_of
from annotate.statistics.estimates import Aim, Target, poststratified
from annotate.statistics.planner import plan, waiting_of


def run_of(total: int) -> tuple[dict[str, bool], dict[str, bool], list[str]]:
    rng = np.random.default_rng(8)
    match = rng.random(total) < 0.5
    ok = np.where(match, rng.random(total) < 0.85, rng.random(total) < 0.02)
    keys = [f"t{i}" for i in range(total)]
    matches = {key: bool(match[i]) for i, key in enumerate(keys)}
    return dict(zip(keys, map(bool, ok), strict=True)), matches, keys


def test_the_planned_labels_reach_the_goal() -> None:
    passed, matches, keys = run_of(3000)
    labelled = {key: matches[key] for key in keys[:60]}
    strata = dict.fromkeys(keys, "all")
    waiting = waiting_of(keys, strata, passed, labelled)
    found = plan(cells_of(passed, strata, labelled), waiting, 0.035)
    assert found.more is not None
    assert found.transcript_ids == tuple(keys[60 : 60 + found.more])
    then = {key: matches[key] for key in keys[: 60 + found.more]}
    estimate = poststratified(cells_of(passed, strata, then))
    assert estimate.low is not None
    assert estimate.high is not None
    assert (estimate.high - estimate.low) / 2 == pytest.approx(0.035, abs=0.006)


def test_labels_behind_a_gap_are_not_asked_for_again() -> None:
    passed, matches, keys = run_of(3000)
    strata = dict.fromkeys(keys, "all")
    sampled = {key: matches[key] for key in keys[:60]}
    waiting = waiting_of(keys, strata, passed, sampled)
    cells = cells_of(passed, strata, sampled)
    plain = plan(cells, waiting, 0.05)
    assert plain.more is not None
    known = [*keys[61:100], keys[120]]
    behind = plan(cells, waiting, 0.05, already_labelled={*sampled, *known})
    assert behind.more == plain.more - len(known)
    assert set(behind.transcript_ids) == set(plain.transcript_ids) - set(known)
    assert behind.transcript_ids[0] == keys[60]


@pytest.mark.parametrize(("anew", "more"), [(False, 284), (True, 384 - 10)])
def test_in_a_queue_still_to_be_drawn_labels_count_where_their_turn_comes(
    anew: bool, more: int
) -> None:
    """Half of the answers match, so 384 labels are wanted: 1.96^2 * 0.25 / (384 + 2/3) = 0.05^2."""
    cell = Cell(stratum="s", passed=True, size=10_000, labelled=100, matched=50)
    keys = [f"t{i}" for i in range(1000)]
    at_hand = {*keys[::40], *(f"elsewhere{i}" for i in range(75))}
    known = at_hand if anew else ()
    found = plan([cell], [(k, "s", True) for k in keys], 0.05, already_labelled=known, anew=anew)
    assert found.now == pytest.approx(1.96 * (0.25 / (100 + 2 / 3)) ** 0.5, abs=1e-4)
    assert found.more == more
    assert at_hand.isdisjoint(found.transcript_ids) == anew


def test_what_cannot_be_reached_is_said() -> None:
    passed, matches, keys = run_of(100)
    strata = dict.fromkeys(keys, "all")
    labelled = {key: matches[key] for key in keys[:20]}
    cells = cells_of(passed, strata, labelled)
    waiting = waiting_of(keys, strata, passed, labelled)
    found = plan(cells, waiting, 0.03)
    assert found.more is None
    assert found.best == pytest.approx(1.96 * (0.25 / 100) ** 0.5, abs=0.01)
    assert "so few tasks" in found.reason
    # on exactly these transcripts it can be: labelled in full, nothing is unknown
    exact = plan(cells, waiting, 0.03, Aim(target="run"))
    assert exact.more is not None
    assert exact.more <= 80
    assert exact.best == 0


@pytest.mark.parametrize("labelled", [300, 1000, 3000])
def test_the_width_now_is_that_of_the_estimate_also_with_repeats(labelled: int) -> None:
    aim = Aim(design_effect=3)
    cell = Cell(stratum="s", passed=True, size=3000, labelled=labelled, matched=labelled // 2)
    estimate = poststratified([cell], aim)
    assert estimate.low is not None
    assert estimate.high is not None
    found = plan([cell], [], 0.01, aim)
    assert found.now == pytest.approx((estimate.high - estimate.low) / 2, rel=0.03)


def test_a_goal_reached_needs_no_more() -> None:
    cell = Cell(stratum="s", passed=True, size=10_000, labelled=5000, matched=2500)
    assert plan([cell], [], 0.05).more == 0


@pytest.mark.parametrize("target", ["population", "run"])
def test_without_labels_no_width_is_claimed(target: Target) -> None:
    passed, _, keys = run_of(60)
    strata = dict.fromkeys(keys, "all")
    cells = cells_of(passed, strata, {})
    for goal in (0.03, 0.2):
        found = plan(cells, waiting_of(keys, strata, passed, {}), goal, Aim(target=target))
        assert found.now == 0.5
        assert plan_sentence(found).startswith("Labels: none yet; ")
        assert "points now" not in plan_sentence(found)
