"""The records that stages share: Task, Step, Transcript, Extraction, Grade, Label.

What one stage hands to the next is made of these. All are frozen; a stage that
changes something makes a copy (`record.model_copy(update=...)`).
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, InstanceOf

from .invisible import storable_text

Identifier = Annotated[str, AfterValidator(storable_text)]  # what any file or database can hold
AnswerKind = Literal["number", "percent", "choice", "text"]
InstructionType = Literal[
    "original_prompt", "inspector_revision", "nudge_original", "nudge_generic"
]
NudgeMode = Literal["A", "B", "none"]
Outcome = Literal["clean", "error_recovered", "nudge_recovered", "failed"]
Verdict = Literal["correct", "incorrect", "no_answer", "ungraded"]
Half = Literal["verbal", "execution"]
LabelVerdict = Literal["match", "non_match", "no_answer", "needs_transcript"]
LabelStage = Literal["snippet", "transcript"]
TokenCounter = Literal["cl100k_base", "whitespace"]


class Record(BaseModel):
    """Base of every record: immutable, and strict about unknown fields. Numbers are finite, as JSON
    has no others; a missing value is None."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class Task(Record):
    """One benchmark question with its published answer.

    `ground_truth` is the published string (`0.20`, `-0.026`, `5.36%`, `B`), never a
    float: its percent sign and digits matter to grading. None means the input held none.
    `answer_kind` None leaves it to the rest of the task (`make_task.with_kind`).
    `covariates` are task properties used in analyses (variable type, dimension, ...).
    """

    task_id: Identifier
    question: str = ""
    context: str = ""
    ground_truth: str | None = None
    answer_kind: AnswerKind | None = None
    choices: tuple[str, ...] = ()
    data_files: tuple[str, ...] = ()
    covariates: dict[str, str] = {}

    @property
    def wants_number(self) -> bool:
        """Whether the answer is compared as a number, else as an option or as words. A kind still
        to be inferred counts as a number."""
        return self.answer_kind in ("number", "percent", None)


class Step(Record):
    """One instruction to the agent and what came back.

    The fields after `raw_output` are the per-step instrumentation (Zheng & Hsu 2026,
    Table S.1). A recorded step may lack them; None means "not recorded, not computed".
    `elapsed_time` is in seconds; `token_counter` says how `token_count` was counted; numbers are
    values as written, `12%` is 12.0.
    """

    instruction_text: str = ""
    instruction_type: InstructionType = "original_prompt"
    raw_output: str = ""
    execution_output: str | None = None
    verbal_text: str | None = None
    elapsed_time: float | None = None
    token_count: int | None = None
    token_counter: TokenCounter | None = None
    execution_error: bool | None = None
    scalar_found: bool | None = None
    anchoring_score: float | None = None
    execution_scalar: float | None = None
    verbal_scalar: float | None = None
    answer_region_text: str | None = None
    answer_region_score: float | None = None
    candidate_numbers: tuple[float, ...] | None = None
    n_candidates: int | None = None
    ambiguous_answer: bool | None = None
    metadata: dict[str, Any] = {}

    @property
    def is_nudge(self) -> bool:
        """Whether the instruction was a nudge."""
        return self.instruction_type in ("nudge_original", "nudge_generic")


class Transcript(Record):
    """An agent's steps on one task. `outcome` is pipeline behaviour, never correctness.

    `problem` is set by a reader when the record can be named but not graded (no steps,
    missing truth); such a transcript is graded `ungraded` with that reason.
    """

    transcript_id: Identifier
    task: Task
    steps: tuple[Step, ...] = ()
    agent: str = ""
    nudge_mode: NudgeMode | None = None
    outcome: Outcome | None = None
    problem: str | None = None
    metadata: dict[str, Any] = {}

    @property
    def repeat(self) -> int:
        """Which try at its task this is, counted from 1, as `grader run` records it."""
        number = self.metadata.get("repeat")
        return number if isinstance(number, int) else 1

    @property
    def n_nudges(self) -> int:
        """How many nudges were sent."""
        return sum(step.is_nudge for step in self.steps)


@dataclass(frozen=True, slots=True)
class Candidate:
    """One possible answer found in a text.

    `value` is the number as written (`12%` has value 12.0 and `is_percent`), or the option
    for a choice task. `span` is (start, end) in characters of the text it was found in.
    For `$320.6 billion`, `scale` is 1e9 and `text` is all of it. `rule` names the rule that kept it
    or, among rejected candidates, the one that dropped it.
    """

    value: float | str
    text: str
    span: tuple[int, int]
    is_percent: bool = False
    scale: float = 1.0
    rule: str = "kept"


class Extraction(Record):
    """What one parser took from one half of one output.

    `scalar` is the parser's own choice made without the truth; None if it has none. A number
    is the value as written; its candidate says whether it is a percentage or has a scale.
    `region_score` is the answer-region confidence score (0 = no overlap, above 1 possible),
    `low_confidence` says that it is not above the threshold; None for parsers without regions.
    `evidence_score` is the blind ranker's sum of evidence for `scalar`, `confidence` in [0, 1] its
    probability that this is the answer meant; None for other parsers.
    """

    parser: str
    half: Half
    region_text: str = ""
    region_score: float | None = None
    low_confidence: bool | None = None
    candidates: tuple[InstanceOf[Candidate], ...] = ()
    rejected: tuple[InstanceOf[Candidate], ...] = ()
    ambiguous: bool = False
    scalar: float | str | None = None
    evidence_score: float | None = None
    confidence: float | None = None


class Grade(Record):
    """One grader's verdict on one transcript.

    `no_answer`: the transcript holds nothing gradable. `ungraded`: the grader could not do
    its work; never a statement about the agent. `value` is what was compared, as text.
    `evidence` holds what supports the verdict (region text, score, rule, confidence ...).
    """

    transcript_id: Identifier
    task_id: Identifier
    grader: str
    verdict: Verdict
    value: str | None = None
    reason: str = ""
    evidence: dict[str, Any] = {}


class Label(Record):
    """One human judgement. A newer label by the same annotator at the same stage supersedes
    an older one; nothing is ever deleted."""

    transcript_id: Identifier
    annotator: Identifier
    stage: LabelStage
    verdict: LabelVerdict
    created_at: datetime
    reason: str = ""
    seconds: float | None = None
    unblinded: bool = False
    tool_version: str = ""
