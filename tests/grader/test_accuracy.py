"""The strict graders against labels: floors below which a change must not fall."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.bench.accuracy import confusion, load, swapped
from tests.shared_data import FIXTURES, ROOT, SHARED, needs_shared


@pytest.mark.parametrize(
    ("folder", "grader", "matches", "recall", "false_passes", "swapped_share"),
    [
        (".", "strict_keyword", 36, 36, 0, 0.05),
        (".", "strict_blind", 36, 36, 0, 0.01),
        ("styles", "strict_keyword", 103, 102, 0, 0.05),
        ("styles", "strict_blind", 103, 101, 0, 0.01),
        ("unseen", "strict_keyword", 67, 67, 0, 0.05),
        ("unseen", "strict_blind", 67, 67, 0, 0.02),
        ("held_out", "strict_keyword", 114, 114, 2, 0.05),
        ("held_out", "strict_blind", 114, 114, 0, 0.02),
        ("families", "strict_keyword", 821, 807, 1, 0.02),
        ("families", "strict_blind", 821, 790, 0, 0.01),
        ("front_ends", "strict_keyword", 72, 71, 0, 0.06),
        ("front_ends", "strict_blind", 72, 70, 0, 0.02),
        ("choices", "strict_keyword", 273, 241, 1, 0.01),
        ("choices", "strict_blind", 273, 241, 1, 0.01),
        ("chats", "strict_keyword", 72, 62, 0, 0.05),
        ("chats", "strict_blind", 72, 61, 0, 0.012),
        ("ordinary", "strict_keyword", 432, 421, 2, 0.04),
        ("ordinary", "strict_blind", 432, 414, 0, 0.01),
        ("six_families", "strict_keyword", 1228, 1191, 5, 0.04),
        ("six_families", "strict_blind", 1228, 1173, 0, 0.008),
        ("findings", "strict_keyword", 220, 213, 0, 0.025),
        ("findings", "strict_blind", 220, 211, 0, 0.005),
        ("decisions", "strict_keyword", 148, 118, 0, 0.02),
        ("decisions", "strict_blind", 148, 118, 0, 0.02),
        ("other_words", "strict_keyword", 72, 47, 1, 0.02),
        ("other_words", "strict_blind", 72, 47, 1, 0.02),
        ("mixed", "strict_keyword", 216, 205, 1, 0.03),
        ("mixed", "strict_blind", 216, 201, 0, 0.012),
    ],
)
def test_fixture_runs(
    folder: str, grader: str, matches: int, recall: int, false_passes: int, swapped_share: float
) -> None:
    place = FIXTURES / folder
    data = load(place / "transcripts.jsonl", place / "labels.jsonl", None)
    counts = confusion(data, grader)
    assert counts.tp + counts.fn == matches
    assert counts.tp >= recall, counts.misses
    assert counts.fp <= false_passes, counts.misses
    accepted, tried, names = swapped(data, grader)
    assert tried > 200
    assert accepted <= swapped_share * tried, names


def test_of_a_run_directory_only_the_transcripts_are_read(tmp_path: Path) -> None:
    for name in ("transcripts.jsonl", "labels.jsonl"):
        shutil.copy(FIXTURES / name, tmp_path)
    (tmp_path / "grades.jsonl").write_text('{"transcript_id": "dev01", "verdict": "correct"}\n')
    data = load(tmp_path, FIXTURES / "labels.jsonl", None)
    assert len(data) == 60 and all(one.transcript.steps for one in data)


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
