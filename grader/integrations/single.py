"""The whole cascade on one transcript at a time, for frameworks that grade them singly."""

from __future__ import annotations

import tempfile
import threading
import weakref
from contextlib import ExitStack
from pathlib import Path

from pydantic import ValidationError

from ..cascade import combine, strict_grades
from ..errors import RunInUse, UserError, first_fault
from ..lenient import LenientGrader, LenientSettings, open_lenient, wants_judging
from ..records import Grade, Transcript
from ..run import RunDirectory
from ..settings import GradeSettings
from ..strict import STRICT_GRADERS


class SingleGrader:
    """Grades transcripts one by one; safe in threads.

    calls: the folder of a run, whose `llm_calls.jsonl` logs and caches every model call; None
    keeps them in a temporary folder. Both are opened at the first grade that needs a model and
    closed with `close()`, or when the grader is no longer used. Grading raises `UserError` if
    the lenient settings cannot be carried out, or if another grader writes to that folder.
    """

    def __init__(
        self,
        settings: GradeSettings | None = None,
        lenient: LenientSettings | None = None,
        calls: Path | None = None,
    ) -> None:
        self._settings = settings or GradeSettings()
        self._lenient_settings = lenient or LenientSettings()
        self._calls = calls
        self._lock = threading.Lock()
        self._open = ExitStack()
        weakref.finalize(self, self._open.close)
        self._lenient: LenientGrader | None = None
        self._opened = False

    def grade(self, transcript: Transcript) -> tuple[Grade, ...]:
        """Every grader's grade, the cascade's last."""
        grades = strict_grades(transcript, STRICT_GRADERS, self._settings)
        verdict = combine(grades).verdict
        if wants_judging(self._lenient_settings, transcript.transcript_id, verdict):
            lenient = self._lenient_grader()
            if lenient is not None:
                grades.extend(lenient.grade_many([transcript]))
        return (*grades, combine(grades))

    def close(self) -> None:
        """Close the call log and the connections; a later grade opens them again."""
        with self._lock:
            self._open.close()
            self._lenient, self._opened = None, False

    def _lenient_grader(self) -> LenientGrader | None:
        with self._lock:
            if not self._opened:
                self._lenient = self._make_lenient()
                self._opened = True
            return self._lenient

    def _make_lenient(self) -> LenientGrader | None:
        with ExitStack() as opening:  # undone if a later step fails
            folder = self._calls or Path(opening.enter_context(tempfile.TemporaryDirectory()))
            run = RunDirectory.create(folder)
            try:
                opening.enter_context(run.writing())
            except RunInUse:
                raise UserError(
                    f"calls={folder}: another grader writes its calls there. Give each grader a "
                    "folder of its own"
                ) from None
            lenient = open_lenient(self._lenient_settings, run, self._settings)
            if lenient is not None:
                opening.enter_context(lenient)
            self._open.push(opening.pop_all())
        return lenient


def lenient_from(
    mode: str | bool, model: str | None, base_url: str | None, replay_file: str | None = None
) -> LenientSettings:
    """Lenient settings from the few values that fit into a framework's own options.

    mode: `auto`, `off`, or `replay` (of `replay_file`); YAML reads a plain `off` as False.
    Raises `UserError`.
    """
    if isinstance(mode, bool):
        mode = "auto" if mode else "off"
    try:
        return LenientSettings.model_validate(
            {
                "mode": mode,
                "models": (model,) if model else (),
                "base_urls": (base_url,) if base_url else (),
                "replay_file": replay_file,
            }
        )
    except ValidationError as error:
        raise UserError(f"lenient={mode}: {first_fault(error).problem}") from None
