"""Which grades of a run count."""

from __future__ import annotations

from typing import Any

import pytest

from grader.plan import Plan
from grader.settings import GradeSettings
from grader.standing import MadeWith, PassName, Standing

WIDE = GradeSettings(relative_tolerance=0.5)


def made(judged_by: str | None = None, settings: GradeSettings | None = None) -> MadeWith:
    plan = Plan(graders=("strict_keyword", "lenient"), settings=settings or GradeSettings())
    return plan.made_with(judged_by)


def standing(*passes: tuple[PassName, MadeWith]) -> Standing:
    """After passes, one after the other."""
    found = Standing()
    for name, one in passes:
        found = found.after(name, one)
    return found


def evidence(judged_by: str | None = None, settings: GradeSettings | None = None) -> dict[str, Any]:
    """What a grade of such a pass has in its evidence."""
    judges = {} if judged_by is None else {"judged_by": judged_by}
    return {"settings": made(None, settings).fingerprint, **judges}


def test_nothing_counts_before_a_pass_was_made() -> None:
    assert not Standing().counts("cascade", evidence())
    assert Standing().settings == GradeSettings()
    assert not standing(("before_nudge", made())).counts("cascade", evidence())


@pytest.mark.parametrize("grader", ["strict_keyword", "cascade"])
def test_the_settings_of_the_latest_pass_count(grader: str) -> None:
    run = standing(("after_nudges", made()), ("after_nudges", made(settings=WIDE)))
    assert run.counts(grader, evidence(settings=WIDE))
    assert not run.counts(grader, evidence())
    assert not run.counts(grader, {})
    assert run.settings == WIDE


def test_the_judges_asked_last_count() -> None:
    run = standing(("after_nudges", made("a")), ("after_nudges", made("b")))
    assert run.counts("lenient", evidence("b"))
    assert run.counts("strict_keyword", evidence())
    assert not run.counts("lenient", evidence("a"))


def test_a_pass_without_judges_leaves_those_asked_before() -> None:
    run = standing(("after_nudges", made("a")), ("after_nudges", made()))
    assert run.counts("lenient", evidence("a"))


@pytest.mark.parametrize(
    ("before", "complete", "both"),
    [
        (made(), made(), True),
        (made(), made("a"), True),
        (made("a"), made("a"), True),
        (made("a"), made("b"), False),
        (made(), made(settings=WIDE), False),
    ],
)
def test_the_other_pass_counts_if_it_was_made_alike(
    before: MadeWith, complete: MadeWith, both: bool
) -> None:
    run = standing(("before_nudge", before), ("after_nudges", complete))
    assert run.counts("cascade", {"settings": complete.fingerprint})
    assert run.counts("cascade:before_nudge", {"settings": before.fingerprint}) == both
    assert run.outdated == (None if both else "before_nudge")


def test_what_was_outdated_counts_again_once_both_are_alike() -> None:
    run = standing(
        ("after_nudges", made("a")),
        ("before_nudge", made(settings=WIDE)),
        ("after_nudges", made(settings=WIDE)),
    )
    assert run.outdated is None
    back = run.after("before_nudge", made()).after("after_nudges", made())
    assert back.counts("lenient", evidence("a"))


def test_the_manifest_states_it() -> None:
    run = standing(("after_nudges", made("a")), ("before_nudge", made()))
    stated = {"grading": run.model_dump(mode="json", exclude_none=True)}
    assert Standing.stated_in(stated) == run
    assert stated["grading"]["latest"] == "before_nudge"


@pytest.mark.parametrize(
    "grading", [None, [], {"graders": "lenient", "settings": {}}, {"latest": "other"}]
)
def test_what_says_nothing_of_passes_states_nothing(grading: object) -> None:
    assert Standing.stated_in({"grading": grading}) is None
    assert Standing.stated_in({}) is None
