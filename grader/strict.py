"""The three strict graders: deterministic, from one string to a verdict.

strict_heuristic: the last number. strict_keyword: among the candidates of the answer region
the one closest to the truth (first on a tie), as in Zheng & Hsu 2026, S.4; if that is no match,
a contender of the blind extractor that is one. strict_blind: the extractor's own first choice,
made without the truth. All use the tolerance rule.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from .errors import unknown_name
from .extraction.blind import Scored, as_extraction, contenders, parse_blind, rank
from .extraction.choices import find_options, normalise_option, options
from .extraction.parsers import Source, as_quantity, extract_half, open_source, speaking_half
from .extraction.text_parser import find_published, last_published
from .numbers import Quantity, parse_number
from .records import (
    BEFORE_NUDGE,
    Candidate,
    Extraction,
    Grade,
    Half,
    Step,
    Transcript,
    Verdict,
)
from .settings import GradeSettings
from .text import Output, split_output
from .tolerance import distance, matches
from .truth import published_answer

HEURISTIC, KEYWORD, BLIND = "strict_heuristic", "strict_keyword", "strict_blind"

_NO_NUMBER = (
    'not one number. Write it as one ("0.28", "5.36%"), '
    'or set answer_kind to "text" to look for these words'
)
_NO_OPTION = "none of the options"
_MEASURES = ("region_score", "low_confidence", "evidence_score", "confidence")


class Reading:
    """One transcript being graded: its final step split once, shared by all graders.

    before_nudge: read the last step before the first nudge as the final one. `steps` are the
    steps that count, `truth` the published answer as a number, if it is one; `problem` says why
    there is nothing to grade.
    """

    def __init__(
        self,
        transcript: Transcript,
        settings: GradeSettings | None = None,
        before_nudge: bool = False,
    ) -> None:
        self.transcript = transcript
        self.settings = settings or GradeSettings()
        self.before_nudge = before_nudge
        self.steps = _steps_before_nudge(transcript) if before_nudge else transcript.steps
        self.is_number = transcript.task.answer_kind in ("number", "percent")
        self.truth = parse_number(transcript.task.ground_truth or "") if self.is_number else None
        self.problem = problem_with(transcript, self.truth)
        if self.problem is None and self.steps and self.steps[-1].metadata.get("truncated"):
            self.problem = "truncated_record: only a preview of this step was recorded"
        self._source: Source | None = None
        self._found: dict[tuple[str, Half], Extraction] = {}
        self._ranked: list[Scored] | None = None

    @property
    def source(self) -> Source:
        """The final response, split and ready for the parsers."""
        if self._source is None:
            output = split_output(self.steps[-1].raw_output if self.steps else "")
            self._source = open_source(output, self.transcript.task, self.settings)
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
        return self._of_speaking_half("keyword")

    def heuristic(self) -> Extraction:
        """The baseline's: the last number, or the last option that is named."""
        if self.is_number:
            return self._of_speaking_half("heuristic")
        named = find_options(self.output.verbal or self.output.execution, self.transcript.task)
        return Extraction(
            parser="heuristic",
            half="verbal",
            candidates=tuple(named[-1:]),
            scalar=named[-1].value if named else None,
        )

    def blind(self) -> Extraction:
        if not self.is_number:
            return self.keyword()
        return parse_blind(self.ranked)

    @property
    def ranked(self) -> list[Scored]:
        """All candidates of the final response by their evidence, best first."""
        if self._ranked is None:
            self._ranked = rank(self.source.scan, self.earlier)
        return self._ranked

    def half(self, parser: str, half: Half) -> Extraction:
        """One parser's result on one half of the final response; computed once."""
        found = self._found.get((parser, half))
        if found is None:
            found = self._found[parser, half] = extract_half(parser, self.source, half)
        return found

    def _of_speaking_half(self, parser: str) -> Extraction:
        return speaking_half(self.source, partial(self.half, parser))


def _steps_before_nudge(transcript: Transcript) -> tuple[Step, ...]:
    steps = transcript.steps
    first = next((place for place, step in enumerate(steps) if step.is_nudge), len(steps))
    return steps[:first]


def problem_with(transcript: Transcript, truth: Quantity | None = None) -> str | None:
    """Why a transcript cannot be graded at all, or None. truth: the published number, if it
    has been read already."""
    task = transcript.task
    if transcript.problem:
        return transcript.problem
    if not transcript.steps:
        return "no_steps: the transcript has no steps"
    published = published_answer(task.ground_truth, task.choices)
    if published is None:
        return "no_ground_truth: the task has no published answer"
    if task.answer_kind in ("number", "percent"):
        return None if truth or parse_number(published) else _unparseable(published, _NO_NUMBER)
    return None if normalise_option(published, task) else _unparseable(published, _NO_OPTION)


def _unparseable(truth: str, why: str) -> str:
    return f"unparseable_ground_truth: {truth[:80]!r} is {why}"


def grade_heuristic(reading: Reading) -> Grade:
    extraction = reading.heuristic()
    if reading.is_number:
        return _grade_closest(reading, HEURISTIC, extraction)
    return _grade_option(reading, HEURISTIC, extraction)


def grade_keyword(reading: Reading) -> Grade:
    if not reading.is_number:
        return _grade_option(reading, KEYWORD, reading.keyword())
    of_region = _grade_closest(reading, KEYWORD, reading.keyword())
    if of_region.verdict != "correct":
        for one in contenders(reading.ranked):
            grade = _grade_closest(reading, KEYWORD, as_extraction(one))
            if grade.verdict == "correct":
                return grade
    return of_region


def grade_blind(reading: Reading) -> Grade:
    extraction = reading.blind()
    if not reading.is_number:
        return _grade_option(reading, BLIND, extraction)
    if extraction.scalar is None or not isinstance(extraction.scalar, float):
        return _grade(reading, BLIND, extraction, None, "no_answer", "no_candidate")
    return _compare(reading, BLIND, extraction, extraction.candidates[0])


StrictGrader = Callable[[Reading], Grade]
STRICT_GRADERS: dict[str, StrictGrader] = {
    HEURISTIC: grade_heuristic,
    KEYWORD: grade_keyword,
    BLIND: grade_blind,
}


def grade_reading(reading: Reading, grader: str) -> Grade:
    """Grade a transcript being read with one strict grader; several can share a `Reading`. Raises
    `UserError` for an unknown name."""
    if grader not in STRICT_GRADERS:
        raise unknown_name("strict grader", grader, list(STRICT_GRADERS))
    if reading.problem:
        return _grade(reading, grader, None, None, "ungraded", reading.problem)
    return STRICT_GRADERS[grader](reading)


def _grade_closest(reading: Reading, grader: str, extraction: Extraction) -> Grade:
    candidates = extraction.candidates
    if not candidates:
        return _grade(reading, grader, extraction, None, "no_answer", "no_candidate")
    truth = reading.truth
    assert truth is not None  # problem_with() has seen to it
    closest = candidates[0]
    if len(candidates) > 1:
        closest = min(candidates, key=lambda c: distance(as_quantity(c), truth))
    if extraction.ambiguous:
        return _grade(reading, grader, extraction, closest, "no_answer", "ambiguous")
    return _compare(reading, grader, extraction, closest)


def _compare(reading: Reading, grader: str, extraction: Extraction, chosen: Candidate) -> Grade:
    truth = reading.truth
    assert truth is not None  # problem_with() has seen to it
    if matches(as_quantity(chosen), truth, reading.settings):
        return _grade(reading, grader, extraction, chosen, "correct", "within_tolerance")
    return _grade(reading, grader, extraction, chosen, "incorrect", "outside_tolerance")


def _grade_option(reading: Reading, grader: str, extraction: Extraction) -> Grade:
    if not options(reading.transcript.task):
        return _grade_words(reading, grader, is_baseline=extraction.parser == "heuristic")
    if not extraction.candidates:
        return _grade(reading, grader, extraction, None, "no_answer", "no_candidate")
    chosen = extraction.candidates[-1]
    if extraction.ambiguous:
        return _grade(reading, grader, extraction, chosen, "no_answer", "ambiguous")
    task = reading.transcript.task
    if chosen.value == normalise_option(task.ground_truth or "", task):
        return _grade(reading, grader, extraction, chosen, "correct", "same_option")
    return _grade(reading, grader, extraction, chosen, "incorrect", "other_option")


def _grade_words(reading: Reading, grader: str, *, is_baseline: bool) -> Grade:
    """Of a task without options: does what is said state the published words?"""
    said, task = reading.keyword(), reading.transcript.task
    if not said.candidates:
        return _grade(reading, grader, said, None, "no_answer", "no_text")
    if is_baseline:
        found = last_published(reading.output.verbal or reading.output.execution, task)
    else:
        found = find_published(said, reading.source.scan, task)
    if not found.candidates:
        return _grade(reading, grader, said, said.candidates[0], "incorrect", "other_words")
    return _grade(reading, grader, found, found.candidates[0], "correct", "same_words")


def _grade(
    reading: Reading,
    grader: str,
    extraction: Extraction | None,
    chosen: Candidate | None,
    verdict: Verdict,
    reason: str,
) -> Grade:
    evidence: dict[str, object] = {}
    if extraction is not None:
        evidence = {
            "half": extraction.half,
            "step": len(reading.steps),
            "region": extraction.region_text[:2000],
            "ambiguous": extraction.ambiguous,
            "candidates": [c.text for c in extraction.candidates[:20]],
        }
        for measure in _MEASURES:
            if (value := getattr(extraction, measure)) is not None:
                evidence[measure] = value
        if chosen is not None:
            evidence["span"] = list(chosen.span)
            evidence["rule"] = chosen.rule
    suffix = BEFORE_NUDGE if reading.before_nudge else ""
    return Grade(
        transcript_id=reading.transcript.transcript_id,
        task_id=reading.transcript.task.task_id,
        grader=grader + suffix,
        verdict=verdict,
        value=chosen.text if chosen else None,
        reason=reason,
        evidence=evidence,
    )
