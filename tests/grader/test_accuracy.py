"""The strict graders against labels: floors below which a change must not fall."""

from __future__ import annotations

import pytest

from tests.bench.accuracy import confusion, load, swapped
from tests.shared_data import FIXTURES, ROOT, SHARED, needs_shared


@pytest.mark.parametrize(
    ("grader", "recall", "false_passes", "swapped_share"),
    [("strict_keyword", 35, 0, 0.05), ("strict_blind", 35, 0, 0.01)],
)
def test_fixture_run(grader: str, recall: int, false_passes: int, swapped_share: float) -> None:
    data = load(FIXTURES / "transcripts.jsonl", FIXTURES / "labels.jsonl", None)
    counts = confusion(data, grader)
    assert counts.tp + counts.fn == 36
    assert counts.tp >= recall, counts.misses
    assert counts.fp <= false_passes, counts.misses
    accepted, tried, names = swapped(data, grader)
    assert tried > 400
    assert accepted <= swapped_share * tried, names


@needs_shared
@pytest.mark.parametrize("grader", ["strict_keyword", "strict_blind"])
def test_recorded_lambda_run(grader: str) -> None:
    data = load(
        SHARED / "data/lambda_run/dsgym_results.json",
        ROOT / "tests/cases/lambda_run_labels.jsonl",
        SHARED / "data/judge_replies/replies.jsonl",
    )
    counts = confusion(data, grader)
    assert (counts.tp, counts.fp, counts.fn, counts.tn) == (23, 0, 0, 2), counts.misses
