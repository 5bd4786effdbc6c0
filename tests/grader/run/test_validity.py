"""Which grades of a run count."""

from __future__ import annotations

from typing import Any

import pytest

from grader.passes.plan import Plan
from grader.records import Grade, Verdict
from grader.run.validity import MadeWith, PassName, Validity
from grader.settings import GradeSettings

WIDE = GradeSettings(relative_tolerance=0.5)


def made(judged_by: str | None = None, settings: GradeSettings | None = None) -> MadeWith:
    plan = Plan(graders=("strict_keyword", "lenient"), settings=settings or GradeSettings())
    return plan.made_with(judged_by)


def validity(*passes: tuple[PassName, MadeWith]) -> Validity:
    """After passes, one after the other."""
    found = Validity()
    for name, one in passes:
        found = found.after(name, one)
    return found


def evidence(judged_by: str | None = None, settings: GradeSettings | None = None) -> dict[str, Any]:
    """What a grade of such a pass has in its evidence."""
    judges = {} if judged_by is None else {"judged_by": judged_by}
    return {"settings": made(None, settings).fingerprint, **judges}


def test_nothing_counts_before_a_pass_was_made() -> None:
    assert not Validity().counts("cascade", evidence())
    assert Validity().settings == GradeSettings()
    assert not validity(("before_nudge", made())).counts("cascade", evidence())


@pytest.mark.parametrize("grader", ["strict_keyword", "cascade"])
def test_the_settings_of_the_latest_pass_count(grader: str) -> None:
    run = validity(("after_nudges", made()), ("after_nudges", made(settings=WIDE)))
    assert run.counts(grader, evidence(settings=WIDE))
    assert not run.counts(grader, evidence())
    assert not run.counts(grader, {})
    assert run.settings == WIDE


def test_the_judges_asked_last_count() -> None:
    run = validity(("after_nudges", made("a")), ("after_nudges", made("b")))
    assert run.counts("lenient", evidence("b"))
    assert run.counts("strict_keyword", evidence())
    assert not run.counts("lenient", evidence("a"))


def test_a_pass_without_judges_leaves_those_asked_before() -> None:
    run = validity(("after_nudges", made("a")), ("after_nudges", made()))
    assert run.counts("lenient", evidence("a"))


def test_judges_of_other_settings_are_not_taken_over() -> None:
    run = validity(("after_nudges", made("a")), ("after_nudges", made(settings=WIDE)))
    beside = run.after("before_nudge", made("b", settings=WIDE))
    assert beside.counts("cascade", evidence(settings=WIDE))
    assert beside.counts("lenient:before_nudge", evidence("b", settings=WIDE))


@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.parametrize(
    ("before", "complete", "strict", "judged"),
    [
        (made(), made(), True, True),
        (made(), made("a"), True, True),
        (made("a"), made("a"), True, True),
        (made("a"), made("b"), True, False),
        (made(), made(settings=WIDE), False, False),
    ],
)
def test_grades_before_nudges_count_beside_those_made_alike(
    before: MadeWith, complete: MadeWith, strict: bool, judged: bool, order: int
) -> None:
    passes: list[tuple[PassName, MadeWith]] = [("before_nudge", before), ("after_nudges", complete)]
    run = validity(*passes[::order])
    for_all = {"settings": complete.fingerprint}
    assert run.counts("strict_keyword", for_all)
    assert run.counts("lenient", {**for_all, "judged_by": complete.judged_by})
    assert run.counts("cascade", for_all)
    of_before = {"settings": before.fingerprint}
    assert run.counts("strict_keyword:before_nudge", of_before) == strict
    judged_before = {**of_before, "judged_by": before.judged_by}
    assert run.counts("lenient:before_nudge", judged_before) == judged
    assert run.counts("cascade:before_nudge", of_before) == judged
    assert run.is_current("cascade:before_nudge", of_before)
    assert run.settings == complete.settings


def test_what_was_outdated_counts_again_once_both_are_alike() -> None:
    run = validity(("after_nudges", made("a")), ("before_nudge", made(settings=WIDE)))
    of_wide = evidence(settings=WIDE)
    assert not run.counts("cascade:before_nudge", of_wide)
    assert run.after("after_nudges", made(settings=WIDE)).counts("cascade:before_nudge", of_wide)


def test_the_manifest_states_it() -> None:
    run = validity(("after_nudges", made("a")), ("before_nudge", made()))
    stated = {"grading": run.model_dump(mode="json", exclude_none=True)}
    assert Validity.stated_in(stated) == run
    assert set(stated["grading"]) == {"after_nudges", "before_nudge"}


@pytest.mark.parametrize(
    "grading", [None, [], {"graders": "lenient", "settings": {}}, {"after_nudges": {}}]
)
def test_what_says_nothing_of_passes_states_nothing(grading: object) -> None:
    assert Validity.stated_in({"grading": grading}) is None
    assert Validity.stated_in({}) is None


@pytest.mark.parametrize("verdict", ["correct", "incorrect", "no_answer", "ungraded"])
@pytest.mark.parametrize("grader", ["cascade", "cascade:before_nudge", "strict_keyword", "lenient"])
def test_a_strict_failure_that_no_judge_has_read_is_open(grader: str, verdict: Verdict) -> None:
    run = validity(("after_nudges", made("a")), ("before_nudge", made("a")))
    grade = Grade(transcript_id="x", task_id="t", grader=grader, verdict=verdict)
    read = grade.model_copy(update={"evidence": {"judged_by": "a"}})
    is_open = grader.startswith("cascade") and verdict in ("incorrect", "no_answer")
    assert (run.as_shown(grade).verdict == "ungraded") == (is_open or verdict == "ungraded")
    assert (run.as_shown(grade).evidence.get("decided_by") == "lenient") == is_open
    assert run.as_shown(read) == read
    assert validity(("after_nudges", made()), ("before_nudge", made())).as_shown(grade) == grade
