"""The intervals of an audit: their level, and what repeats of a task do to them."""

from __future__ import annotations

from itertools import product

import pytest

from annotate.audit import AuditSettings, audit_of
from annotate.cases import Case
from annotate.labels.rows import StoredLabel
from annotate.statistics.estimates import Target
from grader.records import Verdict

from .audits import label


def intervals(value: object, place: str = "") -> dict[str, float]:
    """The width of every interval in an audit, by where it stands; limits of bands are none."""
    if isinstance(value, list | tuple):
        value = {str(number): part for number, part in enumerate(value)}
    if not isinstance(value, dict):
        return {}
    found: dict[str, float] = {}
    for name, part in value.items():
        found |= intervals(part, f"{place}/{name}")
    if value.get("low") is not None and value.get("high") is not None and "mean" not in value:
        found[place] = value["high"] - value["low"]
    return found


def many_cases(repeats: int = 1) -> tuple[list[Case], list[StoredLabel]]:
    """60 tasks, labelled by two annotators at both stages, some of them wrong."""
    cases, labels = [], []
    for number in range(60 * repeats):
        task = number % 60
        match = task % 2 == 0
        ok = match if task % 7 else not match
        verdict: Verdict = "correct" if ok else "incorrect"
        cases.append(
            Case(
                transcript_id=f"t{number}",
                task_id=f"k{task}",
                repeat=number // 60 + 1,
                covariates={"kind": "abc"[task % 3]},
                verdicts={"cascade": verdict, "strict_blind": verdict},
                confidence=task / 60,
            )
        )
        for annotator, stage in product(("ada", "bob"), ("snippet", "transcript")):
            same = (task + len(annotator + stage)) % 11 or annotator == "bob"
            labels.append(label(f"t{number}", match == bool(same), annotator, stage))
    return cases, labels


@pytest.mark.parametrize("target", ["population", "run"])
def test_the_level_reaches_every_interval(target: Target) -> None:
    cases, labels = many_cases()
    wide = intervals(audit_of(cases, labels, None, AuditSettings(target=target)).model_dump())
    half = intervals(
        audit_of(cases, labels, None, AuditSettings(target=target, level=0.5)).model_dump()
    )
    assert len(wide) > 30
    for place, width in wide.items():
        assert half[place] < 0.6 * width or half[place] == width == 0, place


def test_copies_of_the_transcripts_change_neither_intervals_nor_tests() -> None:
    one, often = (audit_of(*many_cases(repeats), None) for repeats in (1, 5))
    assert often.covariates == one.covariates
    assert often.paired == one.paired
    assert often.plan is not None
    assert one.plan is not None
    assert often.plan.now == pytest.approx(one.plan.now, abs=0.01)
    assert "300 transcripts of 60 tasks" in often.notes[-1]
    assert not any("transcripts of" in note for note in one.notes)
    # annotators are compared over what they labelled, however often a task was tried
    apart = ("/annotators", "/snippet_annotators", "/stages")
    for place, width in intervals(often.model_dump()).items():
        if not place.startswith(apart):
            assert width == pytest.approx(intervals(one.model_dump())[place], abs=0.02), place
