"""Which grades of a run count: the one rule, for grading and for all that reads grades.

A run has two grading passes, of all steps (`after_nudges`) and of the steps before the first
nudge (`before_nudge`). Its manifest states under `grading` the settings, version and judges that
each last used. A grader's last grade on a transcript counts, if it was made with those stated for
its pass. Grades before the first nudge also need the same settings and version as the grades of all
steps, and for lenient and cascade grades the same judges, so that the two can be compared. In a
cascade with judges, a strict failure is `ungraded` until they have read it.

The version of a grade is that of the code (`code_version`): grades of other rules do not count.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import ValidationError

from ..grader_names import BEFORE_NUDGE, CASCADE, LENIENT, base_name, is_before_nudge
from ..records import Grade, Record
from ..settings import GradeSettings

PassName = Literal["after_nudges", "before_nudge"]
STEPS_READ: dict[PassName, str] = {
    "after_nudges": "all steps",
    "before_nudge": "the steps before the first nudge",
}
_JUDGED_BEFORE_NUDGE = (LENIENT + BEFORE_NUDGE, CASCADE + BEFORE_NUDGE)
_NOT_JUDGED = {
    "verdict": "ungraded",
    "reason": "not_judged: no LLM judge has read this strict failure yet",
}


class MadeWith(Record):
    """The graders, settings, version and judges that the grades of a pass are made with.

    fingerprint: of the settings and the version (`Plan.fingerprint`), `settings` in the evidence
    of each grade. judged_by: of the language models (`LenientGrader.fingerprint`), `judged_by`
    in the evidence of theirs; None if none were ever asked.
    """

    graders: tuple[str, ...]
    settings: GradeSettings
    fingerprint: str
    judged_by: str | None = None

    def is_judged_like(self, other: MadeWith) -> bool:
        """Whether both have the same judges, or one of them has none."""
        return len({self.judged_by, other.judged_by} - {None}) <= 1


class Validity(Record):
    """What makes grades of a run count: the settings, version and judges that its passes last
    used."""

    after_nudges: MadeWith | None = None
    before_nudge: MadeWith | None = None

    @classmethod
    def stated_in(cls, manifest: Mapping[str, Any]) -> Validity | None:
        """What a run's manifest states; None if it states nothing that can be read."""
        try:
            return cls.model_validate(manifest.get("grading"))
        except ValidationError:
            return None

    def after(self, name: PassName, made: MadeWith) -> Validity:
        """The validity once a pass is made. If the pass asks no judges, earlier judges' grades of
        the same pass with the same settings still count."""
        before = self.of(name)
        if made.judged_by is None and before is not None and before.fingerprint == made.fingerprint:
            made = made.model_copy(update={"judged_by": before.judged_by})
        return self.model_copy(update={name: made})

    def of(self, name: PassName) -> MadeWith | None:
        """What a pass was last made with; None if there was none."""
        return self.after_nudges if name == "after_nudges" else self.before_nudge

    def counts(self, grader: str, evidence: Mapping[str, Any]) -> bool:
        """Whether a grade with this evidence, the last one of its grader, counts."""
        return self.is_comparable(grader) and self.is_current(grader, evidence)

    def is_current(self, grader: str, evidence: Mapping[str, Any]) -> bool:
        """Whether such a grade was made with what is stated for its pass, so that the pass need not
        make it again."""
        made = self.of(pass_of(grader))
        return (
            made is not None
            and evidence.get("settings") == made.fingerprint
            and evidence.get("judged_by") in (None, made.judged_by)
        )

    def as_shown(self, grade: Grade) -> Grade:
        """A grade that counts, as commands show it: `ungraded` if it is a strict failure that the
        judges of its cascade have not read."""
        if not self.awaits_judges(grade):
            return grade
        evidence = {**grade.evidence, "decided_by": LENIENT}
        return grade.model_copy(update={**_NOT_JUDGED, "evidence": evidence})

    def awaits_judges(self, grade: Grade) -> bool:
        """Whether a grade that counts is a strict failure that the judges of its cascade have not
        read."""
        if base_name(grade.grader) != CASCADE or "judged_by" in grade.evidence:
            return False
        made = self.of(pass_of(grade.grader))
        has_judges = made is not None and made.judged_by is not None
        return has_judges and grade.verdict in ("incorrect", "no_answer")

    def is_comparable(self, grader: str) -> bool:
        """Whether a grader's grades can be compared with the grades of the other pass."""
        all_steps, fewer = self.after_nudges, self.before_nudge
        if all_steps is None or fewer is None or pass_of(grader) == "after_nudges":
            return True
        is_alike = fewer.fingerprint == all_steps.fingerprint
        return is_alike and (grader not in _JUDGED_BEFORE_NUDGE or fewer.is_judged_like(all_steps))

    @property
    def leading(self) -> MadeWith | None:
        """What the grades that count were made with; grades of all steps come first."""
        return self.after_nudges or self.before_nudge

    @property
    def settings(self) -> GradeSettings:
        """The settings of the grades that count; the defaults where nothing is graded."""
        return GradeSettings() if self.leading is None else self.leading.settings


def pass_of(grader: str) -> PassName:
    """The pass that a grade belongs to, by the name of its grader."""
    return "before_nudge" if is_before_nudge(grader) else "after_nudges"
