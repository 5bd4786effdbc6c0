"""The `Validity` of a run after a grading pass, with warnings of grades that do not count."""

from __future__ import annotations

import logging
from collections.abc import Iterable

from ..grader_names import BEFORE_NUDGE, CASCADE, KEYWORD
from ..lenient import LenientGrader
from ..records import Grade
from ..run import RunDirectory
from ..run.validity import STEPS_READ, MadeWith, PassName, Validity, pass_of
from ..settings import GradeSettings
from .plan import Plan

_OTHER_SETTINGS = "the grades", "with other settings or by another version"
_OTHER_JUDGES = "the lenient and cascade grades", "by other judges"

log = logging.getLogger("grader")


def validity_after(run: RunDirectory, plan: Plan, judges: LenientGrader | None) -> Validity:
    """The `Validity` of a run once a pass is made. Warns if the grades of a pass do not count, if
    those of its former judges do not any more, and if outcomes and per-step fields were recorded
    with other settings."""
    name = pass_of(plan.suffix)
    made = plan.made_with(None if judges is None else judges.fingerprint)
    before = Validity.stated_in(run.manifest()) or _unstated(run, name, made)
    validity = before.after(name, made)
    if before.leading and _reading(before.settings) != _reading(made.settings):
        log.warning(
            "%s: outcomes and per-step fields keep the settings they were recorded with; to "
            "compute them with the new settings, grade the input into a new run",
            run.path,
        )
    former = before.of(name)
    if made.judged_by and former and former.judged_by not in (None, made.judged_by):
        log.warning(
            "%s: grades of %s by other judges, or by these with other settings, do not count any "
            "more. The options given then bring them back: their replies are kept",
            run.path,
            STEPS_READ[name],
        )
    if not validity.is_comparable(KEYWORD + BEFORE_NUDGE):
        _warn(run, "before_nudge", *_OTHER_SETTINGS)
    elif not validity.is_comparable(CASCADE + BEFORE_NUDGE):
        _warn(run, "before_nudge", *_OTHER_JUDGES)
    return validity


def _reading(settings: GradeSettings) -> tuple[float, int]:
    """The settings that decide how a response is read, whatever the published answer."""
    return settings.region_threshold, settings.max_candidates


def _unstated(run: RunDirectory, name: PassName, made: MadeWith) -> Validity:
    """The validity of a run whose manifest states none, from the last grades of each pass. Nothing
    is stated for a pass with other settings or another version than this one (`made`)."""
    last = _last_made(run.grade_history(), made)
    for other in last:
        if last[other] is None and other != name:
            _warn(run, other, *_OTHER_SETTINGS)
    return Validity(after_nudges=last.get("after_nudges"), before_nudge=last.get("before_nudge"))


def _last_made(grades: Iterable[Grade], like: MadeWith) -> dict[PassName, MadeWith | None]:
    """The settings of the last grades of each pass; None if they differ from the settings and
    version of `like`, because a grade states its own by fingerprint only."""
    found: dict[PassName, MadeWith | None] = {}
    for grade in grades:
        name = pass_of(grade.grader)
        before = found.get(name)
        judged_by = grade.evidence.get("judged_by") or (before and before.judged_by)
        is_like = grade.evidence.get("settings") == like.fingerprint
        found[name] = like.model_copy(update={"judged_by": judged_by}) if is_like else None
    return found


def _warn(run: RunDirectory, name: PassName, grades: str, how: str) -> None:
    log.warning(
        "%s: %s of %s were made %s than the grades of the other pass; they do not count until "
        "both passes use the same",
        run.path,
        grades,
        STEPS_READ[name],
        how,
    )
