"""One transcript being read for grading: its final response is split, parsed and ranked once. Also
the reason why a transcript cannot be graded."""

from __future__ import annotations

from collections.abc import Callable

from .criterion import Criterion, criterion_of
from .extraction.blind import Scored, parse_blind, rank
from .extraction.options.choices import MOST_OPTIONS, find_options, normalise_option
from .extraction.parsers import Source
from .make_task import with_kind
from .records import Extraction, Step, Transcript
from .settings import GradeSettings
from .text import Output, split_output
from .truth import published_answer

_NO_NUMBER = (
    'not one number. Write it as one ("0.28", "5.36%"), '
    'or set answer_kind to "text" to look for these words'
)
_OPTIONS = 'not one number, and the task has choices. Set answer_kind to "choice"'
_NO_OPTION = "none of the options"


class Reading:
    """One transcript being graded: its final step split once, shared by all graders.

    before_nudge: read the last step before the first nudge as the final one. `steps` are the
    steps that count, `criterion` says which numbers are right if the task wants one, `problem` why
    there is nothing to grade.
    """

    def __init__(
        self,
        transcript: Transcript,
        settings: GradeSettings | None = None,
        before_nudge: bool = False,
    ) -> None:
        task = with_kind(transcript.task)
        if task is not transcript.task:
            transcript = transcript.model_copy(update={"task": task})
        self.transcript = transcript
        self.settings = settings or GradeSettings()
        self.before_nudge = before_nudge
        self.steps = _steps_before_nudge(transcript) if before_nudge else transcript.steps
        self.is_number = task.wants_number
        self.criterion = criterion_of(task, self.settings) if self.is_number else None
        self.problem = problem_with(transcript, self.criterion)
        if self.problem is None and self.steps and self.steps[-1].metadata.get("truncated"):
            self.problem = "truncated_record: only a preview of this step was recorded"
        self._source: Source | None = None
        self._ranked: list[Scored] | None = None

    def with_truth(self, truth: str) -> Reading:
        """The same transcript, to be graded by another published answer. What has been found in its
        response is shared, as numbers are found without the published answer."""
        task = self.transcript.task.model_copy(update={"ground_truth": truth})
        transcript = self.transcript.model_copy(update={"task": task})
        other = Reading(transcript, self.settings, self.before_nudge)
        if self.is_number and other.is_number:
            other._source, other._ranked = self.source, self.ranked
        return other

    @property
    def source(self) -> Source:
        """The final response, split and ready for the parsers."""
        if self._source is None:
            output = split_output(self.steps[-1].raw_output if self.steps else "")
            self._source = Source(output, self.transcript.task, self.settings)
        return self._source

    @property
    def output(self) -> Output:
        """The final response, split."""
        return self.source.scan.output

    @property
    def earlier(self) -> str:
        """The raw text of all steps but the last."""
        return "\n".join(step.raw_output for step in self.steps[:-1])

    def keyword(self) -> Extraction:
        """The keyword parser's result, from the half that speaks for the response."""
        return self.source.speaking("keyword")

    def heuristic(self) -> Extraction:
        """The baseline's result: the last number, or the last option that is named."""
        if self.is_number:
            return self.source.speaking("heuristic")
        named = find_options(self.output.verbal or self.output.execution, self.transcript.task)
        return Extraction(
            parser="heuristic",
            half="verbal",
            candidates=tuple(named[-1:]),
            scalar=named[-1].value if named else None,
        )

    def blind(self) -> Extraction:
        """The blind parser's result: the first by evidence; of an option or words, as `keyword`."""
        if not self.is_number:
            return self.keyword()
        return parse_blind(self.ranked)

    @property
    def ranked(self) -> list[Scored]:
        """All candidates of the final response by their evidence, best first."""
        if self._ranked is None:
            self._ranked = rank(self.source.scan, self.earlier)
        return self._ranked


PARSERS: dict[str, Callable[[Reading], Extraction]] = {
    "blind": Reading.blind,
    "keyword": Reading.keyword,
    "heuristic": Reading.heuristic,
}


def _steps_before_nudge(transcript: Transcript) -> tuple[Step, ...]:
    steps = transcript.steps
    first = next((place for place, step in enumerate(steps) if step.is_nudge), len(steps))
    return steps[:first]


def problem_with(transcript: Transcript, criterion: Criterion | None = None) -> str | None:
    """The reason why a transcript cannot be graded at all, or None. criterion: that of its number,
    if it has been read already."""
    task = transcript.task
    if transcript.problem:
        return transcript.problem
    if not transcript.steps:
        return "no_steps: the transcript has no steps"
    if len(task.choices) > MOST_OPTIONS:
        return f"too_many_choices: {len(task.choices)}, more than {MOST_OPTIONS}"
    published = published_answer(task.ground_truth, task.choices)
    if published is None:
        return "no_ground_truth: the task has no published answer"
    if task.wants_number:
        if criterion or criterion_of(task, GradeSettings()):
            return None
        return _unparseable(published, _OPTIONS if task.choices else _NO_NUMBER)
    return None if normalise_option(published, task) else _unparseable(published, _NO_OPTION)


def _unparseable(truth: str, why: str) -> str:
    return f"unparseable_ground_truth: {truth[:80]!r} is {why}"
