"""Building a run's data frames from its records."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from itertools import chain
from typing import Any

import pandas as pd

from annotate.statistics.covariates import COVARIATE
from grader.instrument import halves_agree
from grader.invisible import encodable
from grader.llm.calls import LlmCall
from grader.reading import problem_with
from grader.records import Grade, Step, Task, Transcript
from grader.settings import GradeSettings

from .disagreement import Disagreement, find_disagreement
from .frames import RunFrames
from .names import UNKNOWN

TRANSCRIPT_COLUMNS = (
    *("transcript_id", "task_id", "agent", "mode", "outcome", "question", "ground_truth"),
    *("n_steps", "n_nudges", "n_revisions", "seconds", "tokens", "anchoring", "region_score"),
    *("halves_agree", "repeat", "problem", "wants_number", "task_hash"),
    "recording_hash",
)
STEP_FIELDS = (
    *("instruction_type", "elapsed_time", "token_count", "execution_error", "scalar_found"),
    *("anchoring_score", "execution_scalar", "verbal_scalar", "n_candidates", "ambiguous_answer"),
)
STEP_COLUMNS = ("transcript_id", "mode", "turn", *STEP_FIELDS)
LABEL_COLUMNS = ("snippet", "transcript", "final")
QUESTION_LENGTH = 160


def build_frames(
    name: str,
    transcripts: Iterable[Transcript],
    grades: Iterable[Grade],
    labels: Mapping[str, Mapping[str, str]] | None = None,
    calls: Iterable[LlmCall] = (),
    manifest: Mapping[str, Any] | None = None,
    settings: GradeSettings | None = None,
) -> RunFrames:
    """Frames from records. `labels` maps transcript_id to verdicts by stage (`LABEL_COLUMNS`);
    `settings` made the grades. Transcripts are consumed one by one, so a stream will do; the last
    one of a repeated id counts. Grades and labels of other transcripts are left out."""
    settings = settings or GradeSettings()
    by_grader = _by_grader(grades)
    rows: dict[str, dict[str, Any]] = {}
    steps: dict[str, list[dict[str, Any]]] = {}
    disagreements: dict[str, Disagreement | None] = {}
    for transcript in transcripts:
        key = transcript.transcript_id
        rows[key] = transcript_row(transcript, settings)
        steps[key] = step_rows(transcript)
        disagreements[key] = find_disagreement(transcript, settings)
    table = pd.DataFrame(
        list(rows.values()), columns=_columns(rows.values()), dtype=None if rows else object
    )
    known = {
        grader: {key: grade for key, grade in found.items() if key in rows}
        for grader, found in by_grader.items()
    }
    human = {key: given for key, given in (labels or {}).items() if key in rows}
    return RunFrames(
        name=name,
        transcripts=table.set_index("transcript_id", drop=False),
        steps=pd.DataFrame(list(chain(*steps.values())), columns=STEP_COLUMNS),
        grades={grader: found for grader, found in known.items() if found},
        labels=_label_table(human),
        disagreements=tuple(found for found in disagreements.values() if found),
        calls=tuple(calls),
        manifest=manifest or {},
        settings=settings,
    )


def _by_grader(grades: Iterable[Grade]) -> dict[str, dict[str, Grade]]:
    found: dict[str, dict[str, Grade]] = {}
    for grade in grades:
        found.setdefault(grade.grader, {})[grade.transcript_id] = grade
    return found


def transcript_row(transcript: Transcript, settings: GradeSettings) -> dict[str, Any]:
    """One transcript as a row of `RunFrames.transcripts`."""
    steps, task = transcript.steps, transcript.task
    last = steps[-1] if steps else Step()
    row = {
        "transcript_id": transcript.transcript_id,
        "task_id": task.task_id,
        "agent": transcript.agent,
        "mode": transcript.nudge_mode or "",
        "outcome": transcript.outcome or UNKNOWN,
        "question": _shortened(task.question),
        "ground_truth": task.ground_truth,
        "n_steps": len(steps),
        "n_nudges": transcript.n_nudges,
        "n_revisions": sum(s.instruction_type == "inspector_revision" for s in steps),
        "seconds": _total(s.elapsed_time for s in steps),
        "tokens": _total(s.token_count for s in steps),
        "anchoring": last.anchoring_score,
        "region_score": last.answer_region_score,
        "halves_agree": halves_agree(last, task, settings),
        "repeat": transcript.repeat,
        "problem": problem_with(transcript),
        "wants_number": task.wants_number,
        "task_hash": _task_hash(task),
        "recording_hash": _recording_hash(transcript),
        **{COVARIATE + encodable(key): value for key, value in task.covariates.items()},
    }
    return {key: encodable(v) if isinstance(v, str) else v for key, v in row.items()}


def step_rows(transcript: Transcript) -> list[dict[str, Any]]:
    """The steps of one transcript as rows of `RunFrames.steps`."""
    return [
        {
            "transcript_id": transcript.transcript_id,
            "mode": transcript.nudge_mode or "",
            "turn": number,
            **{name: getattr(step, name) for name in STEP_FIELDS},
        }
        for number, step in enumerate(transcript.steps, 1)
    ]


def _task_hash(task: Task) -> str:
    return _hash([task.question.split(), task.choices, task.ground_truth])


def _recording_hash(transcript: Transcript) -> str:
    steps = [[s.instruction_text, s.raw_output, s.elapsed_time] for s in transcript.steps]
    return _hash([transcript.agent, transcript.nudge_mode, transcript.repeat, steps])


def _hash(value: Any) -> str:
    return hashlib.sha256(json.dumps(value).encode()).hexdigest()[:16]


def _label_table(human: Mapping[str, Mapping[str, str]]) -> pd.DataFrame:
    columns = {stage: [given.get(stage) for given in human.values()] for stage in LABEL_COLUMNS}
    return pd.DataFrame(columns, index=pd.Index(list(human), dtype=object), dtype=object)


def _columns(rows: Iterable[dict[str, Any]]) -> list[str]:
    extra = {key for row in rows for key in row if key.startswith(COVARIATE)}
    return [*TRANSCRIPT_COLUMNS, *sorted(extra)]


def _total(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) if known else None


def _shortened(question: str) -> str:
    """A question on one line, cut with "…" if it is long."""
    line = " ".join(question.split())
    return line if len(line) <= QUESTION_LENGTH else line[: QUESTION_LENGTH - 1] + "…"
