"""Which grades of a run count: the one rule, for grading and for all that reads grades.

A run has two grading passes, of all steps (`after_nudges`) and of the steps before the first
nudge (`before_nudge`). Its manifest states under `grading` what each was last made with. Of the
grades of one grader on one transcript the last one counts, if it was made with what is stated of
its pass. The pass that is not the latest counts only if it was made like the latest, so that
what stands side by side was made alike.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import ValidationError

from .records import BEFORE_NUDGE, Record
from .settings import GradeSettings

PassName = Literal["after_nudges", "before_nudge"]
STEPS_READ: dict[PassName, str] = {
    "after_nudges": "all steps",
    "before_nudge": "the steps before the first nudge",
}


class MadeWith(Record):
    """What the grades of a pass are made with.

    fingerprint: of the settings and the version (`Plan.fingerprint`), `settings` in the evidence
    of each grade. judged_by: of the language models (`LenientGrader.fingerprint`), `judged_by`
    in the evidence of theirs; None if none were ever asked.
    """

    graders: tuple[str, ...]
    settings: GradeSettings
    fingerprint: str
    judged_by: str | None = None

    def is_like(self, other: MadeWith) -> bool:
        """The same settings and version, and no judges that differ."""
        judges = {self.judged_by, other.judged_by} - {None}
        return self.fingerprint == other.fingerprint and len(judges) <= 1


class Standing(Record):
    """What the passes of a run were last made with, and by that, which of its grades count."""

    latest: PassName = "after_nudges"
    after_nudges: MadeWith | None = None
    before_nudge: MadeWith | None = None

    @classmethod
    def stated_in(cls, manifest: Mapping[str, Any]) -> Standing | None:
        """What a run's manifest states; None if it states nothing that can be read."""
        try:
            return cls.model_validate(manifest.get("grading"))
        except ValidationError:
            return None

    def after(self, name: PassName, made: MadeWith) -> Standing:
        """The standing once a pass is made. If it asks no judges, the grades of those that the
        same pass asked last still count."""
        before = self.of(name)
        if made.judged_by is None and before is not None:
            made = made.model_copy(update={"judged_by": before.judged_by})
        return self.model_copy(update={"latest": name, name: made})

    def of(self, name: PassName) -> MadeWith | None:
        """What a pass was last made with; None if it was never made."""
        return self.after_nudges if name == "after_nudges" else self.before_nudge

    def counts(self, grader: str, evidence: Mapping[str, Any]) -> bool:
        """Whether a grade with this evidence, the last one of its grader, counts."""
        made = self._counted(pass_of(grader))
        return (
            made is not None
            and evidence.get("settings") == made.fingerprint
            and evidence.get("judged_by") in (None, made.judged_by)
        )

    @property
    def outdated(self) -> PassName | None:
        """The pass whose grades do not count because the latest was made otherwise, if any."""
        made = (name for name in STEPS_READ if self.of(name) is not None)
        return next((name for name in made if self._counted(name) is None), None)

    @property
    def settings(self) -> GradeSettings:
        """The settings of the grades that count; the defaults where nothing is graded."""
        made = self.of(self.latest)
        return GradeSettings() if made is None else made.settings

    def _counted(self, name: PassName) -> MadeWith | None:
        """What a pass was made with, if its grades count."""
        made, latest = self.of(name), self.of(self.latest)
        return made if made is not None and latest is not None and made.is_like(latest) else None


def pass_of(grader: str) -> PassName:
    """The pass that a grade belongs to, by the name of its grader."""
    return "before_nudge" if grader.endswith(BEFORE_NUDGE) else "after_nudges"
