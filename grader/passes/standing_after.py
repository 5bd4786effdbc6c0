"""The `Standing` of a run after a grading pass, with warnings of grades that do not count."""

from __future__ import annotations

import logging
from collections.abc import Iterable

from ..grader_names import BEFORE_NUDGE, CASCADE, KEYWORD
from ..lenient import LenientGrader
from ..records import Grade
from ..run import RunDirectory
from ..run.standing import STEPS_READ, MadeWith, PassName, Standing, pass_of
from ..settings import GradeSettings
from .plan import Plan

_OTHER_SETTINGS = "the grades", "with other settings or by another version"
_OTHER_JUDGES = "the lenient and cascade grades", "by other judges"

log = logging.getLogger("grader")


def standing_after(run: RunDirectory, plan: Plan, judges: LenientGrader | None) -> Standing:
    """Which grades of a run count once a pass is made. Warns where those of a pass do not, and
    where what was recorded with the transcripts goes by other settings."""
    name = pass_of(plan.suffix)
    made = plan.made_with(None if judges is None else judges.fingerprint)
    before = Standing.stated_in(run.manifest()) or _unstated(run, name, made)
    standing = before.after(name, made)
    if before.leading and _reading(before.settings) != _reading(made.settings):
        log.warning(
            "%s: outcomes, and what steps record, stay as they were recorded, by the settings of "
            "then; to have them made by these, grade the input into a new run",
            run.path,
        )
    if not standing.stands(KEYWORD + BEFORE_NUDGE):
        _warn(run, "before_nudge", *_OTHER_SETTINGS)
    elif not standing.stands(CASCADE + BEFORE_NUDGE):
        _warn(run, "before_nudge", *_OTHER_JUDGES)
    return standing


def _reading(settings: GradeSettings) -> tuple[float, int]:
    """The settings by which a response is read, whatever the published answer."""
    return settings.region_threshold, settings.max_candidates


def _unstated(run: RunDirectory, name: PassName, made: MadeWith) -> Standing:
    """The standing of a run that states none, by the last grades of each pass. Of passes that
    were made otherwise than this one (`made`) nothing can be stated."""
    last = _last_made(run.grade_history(), made)
    for other in last:
        if last[other] is None and other != name:
            _warn(run, other, *_OTHER_SETTINGS)
    return Standing(after_nudges=last.get("after_nudges"), before_nudge=last.get("before_nudge"))


def _last_made(grades: Iterable[Grade], like: MadeWith) -> dict[PassName, MadeWith | None]:
    """What the last grades of each pass were made with; None if not with the settings and version
    of `like`, for a grade names its own by fingerprint only."""
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
        "%s: %s of %s were made %s than those of the other pass; they do not count until both "
        "are made alike",
        run.path,
        grades,
        STEPS_READ[name],
        how,
    )
