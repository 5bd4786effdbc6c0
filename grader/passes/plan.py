"""The plan of one grading pass."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

from ..cascade import grades_from
from ..code_version import code_version
from ..grader_names import LENIENT, STRICT_LAYER, suffix_for
from ..lenient.settings import LenientSettings
from ..reading import Reading
from ..records import Grade, Transcript
from ..run.ledger import Ledger
from ..run.validity import MadeWith
from ..settings import GradeSettings
from ..tasks.index import TaskIndex


@dataclass(frozen=True)
class Plan:
    """Graders and settings, and the tasks that complete transcripts when they are recorded."""

    graders: tuple[str, ...]
    settings: GradeSettings = field(default_factory=GradeSettings)
    lenient: LenientSettings = field(default_factory=lambda: LenientSettings(mode="off"))
    before_nudge: bool = False
    tasks: TaskIndex | None = None

    @cached_property
    def fingerprint(self) -> str:
        """A name for the settings and the code that strict grades are made with."""
        return f"{code_version()}-{self.settings.fingerprint()}"

    @property
    def suffix(self) -> str:
        """The suffix of the pass's grader names: `:before_nudge`, or ""."""
        return suffix_for(before_nudge=self.before_nudge)

    def made_with(self, judged_by: str | None) -> MadeWith:
        """The settings, version and judges (`judged_by`) of this pass's grades."""
        return MadeWith(
            graders=self.graders,
            settings=self.settings,
            fingerprint=self.fingerprint,
            judged_by=judged_by,
        )

    @property
    def strict_graders(self) -> list[str]:
        return [name for name in self.graders if name != LENIENT]

    def deciding(self, ledger: Ledger, transcript_id: str) -> str:
        """The strict grader that the cascade uses, chosen among the plan's graders and those whose
        grades the run has already, so that the order of commands makes no difference."""
        return next(
            name
            for name in STRICT_LAYER
            if name in self.graders or ledger.verdict(transcript_id, name + self.suffix)
        )

    def strict(
        self, transcript: Transcript, graders: Iterable[str], reading: Reading | None = None
    ) -> list[Grade]:
        """The grades of strict graders. reading: of all steps, if there is one."""
        if reading is None or self.before_nudge:
            reading = Reading(transcript, self.settings, self.before_nudge)
        return [self.stamp(grade) for grade in grades_from(reading, graders)]

    def stamp(self, grade: Grade) -> Grade:
        """The grade with the fingerprint of this plan in its evidence."""
        return grade.model_copy(
            update={"evidence": {**grade.evidence, "settings": self.fingerprint}}
        )
