"""The three strict graders: deterministic, from one string to a verdict.

strict_heuristic: the last number. strict_keyword: among the candidates of the answer region
the one closest to the truth (first on a tie), as in Zheng & Hsu 2026, S.4; if that is no match,
a contender of the blind extractor that is one. strict_blind: the extractor's own first choice,
made without the truth. All use the tolerance rule.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from .criterion import Criterion
from .errors import unknown_name
from .extraction.blind import as_extraction, contenders
from .extraction.options.choices import normalise_option, options
from .extraction.parsers import as_quantity, marked_candidate
from .extraction.upper_limits import stated_limit
from .extraction.words.parser import find_published, last_published
from .grader_names import BLIND, HEURISTIC, KEYWORD, suffix_for
from .numbers import Quantity, find_numbers
from .reading import Reading
from .records import Candidate, Extraction, Grade, Half, Verdict
from .tolerance import distance

_OF_REGION = ("region_score", "low_confidence")
_MEASURES = (*_OF_REGION, "evidence_score", "confidence")


def grade_reading(reading: Reading, grader: str) -> Grade:
    """Grade a transcript being read with one strict grader; several can share a `Reading`. Raises
    `UserError` for an unknown name."""
    if grader not in STRICT_GRADERS:
        raise unknown_name("strict grader", grader, list(STRICT_GRADERS))
    if reading.problem:
        return _grade(reading, grader, None, None, "ungraded", reading.problem)
    if reading.is_number:
        return _grade_range(reading, grader) or STRICT_GRADERS[grader](reading)
    if options(reading.transcript.task):
        return _grade_option(reading, grader)
    return _grade_words(reading, grader)


def _grade_range(reading: Reading, grader: str) -> Grade | None:
    """The grade of an output that states no number and repeats a published range, `4 to 6`; None
    for any other."""
    ends = _criterion(reading).ends
    if ends is None:
        return None
    best = reading.blind().candidates[:1]
    if ends[0].text == ends[1].text:  # `<0.001`
        is_plain = bool(best) and best[0].rule == "kept"
        return None if is_plain else _grade_limit(reading, grader, ends[1])
    if best:
        return None
    task = reading.transcript.task
    as_published = f"({ends[0].text}, {ends[1].text})"
    task = task.model_copy(update={"ground_truth": as_published, "answer_kind": "text"})
    transcript = reading.transcript.model_copy(update={"task": task})
    exact = reading.settings.model_copy(update={"relative_tolerance": 0.0})
    grade = grade_reading(Reading(transcript, exact, reading.before_nudge), grader)
    numbers = find_numbers(str(grade.evidence.get("region", "")))
    return grade if grade.verdict == "correct" and len(numbers) == 2 else None


def _grade_limit(reading: Reading, grader: str, most: Quantity) -> Grade | None:
    """The grade of an output that states an upper limit of the p-value which implies the published
    one, `p < .001` for `<0.001`; None for any other."""
    found = stated_limit(reading.source.scan)
    if found is None or found[1].number.value > most.value:
        return None
    block, mark = found
    candidate = marked_candidate(mark)
    half: Half = "execution" if block.kind == "execution" else "verbal"
    said = Extraction(parser="blind", half=half, region_text=block.text, candidates=(candidate,))
    return _grade(reading, grader, said, candidate, "correct", "within_tolerance")


def _grade_last(reading: Reading) -> Grade:
    return _grade_closest(reading, HEURISTIC, reading.heuristic())


def _grade_region(reading: Reading) -> Grade:
    first: Grade | None = None
    for extraction in _read_for_truth(reading):
        grade = _grade_closest(reading, KEYWORD, extraction)
        if grade.verdict == "correct":
            return _with_region(grade, first) if first else grade
        first = first or grade
    return first or _grade(reading, KEYWORD, reading.blind(), None, "no_answer", "no_candidate")


def _with_region(grade: Grade, of_region: Grade) -> Grade:
    """The grade of a contender, with what is known of the answer region."""
    known = {name: of_region.evidence[name] for name in _OF_REGION if name in of_region.evidence}
    return grade.model_copy(update={"evidence": {**grade.evidence, **known}})


def _read_for_truth(reading: Reading) -> Iterator[Extraction]:
    """What the published answer is looked for in: the answer region, then the contenders. A range
    is looked for among the contenders only: a wide one holds other numbers of a region too."""
    criterion = _criterion(reading)
    if criterion.ends is None:
        yield reading.keyword()
    for one in contenders(reading.ranked, criterion.settings):
        yield as_extraction(one)


def _grade_best(reading: Reading) -> Grade:
    extraction = reading.blind()
    if extraction.scalar is None:
        return _grade(reading, BLIND, extraction, None, "no_answer", "no_candidate")
    return _compare(reading, BLIND, extraction, extraction.candidates[0])


# How each grades a number. Options and words have one way for all but the baseline.
STRICT_GRADERS: dict[str, Callable[[Reading], Grade]] = {
    HEURISTIC: _grade_last,
    KEYWORD: _grade_region,
    BLIND: _grade_best,
}


def _grade_closest(reading: Reading, grader: str, extraction: Extraction) -> Grade:
    candidates = extraction.candidates
    if not candidates:
        return _grade(reading, grader, extraction, None, "no_answer", "no_candidate")
    closest = candidates[0]
    if len(candidates) > 1:
        truth = _criterion(reading).number
        closest = min(candidates, key=lambda c: distance(as_quantity(c), truth))
    if extraction.ambiguous:
        return _grade(reading, grader, extraction, closest, "no_answer", "ambiguous")
    return _compare(reading, grader, extraction, closest)


def _compare(reading: Reading, grader: str, extraction: Extraction, chosen: Candidate) -> Grade:
    criterion = _criterion(reading)
    is_right = criterion.is_met_by(as_quantity(chosen))
    if is_right and not (
        criterion.ends and criterion.goes_beyond(extraction.region_text, chosen.span)
    ):
        return _grade(reading, grader, extraction, chosen, "correct", "within_tolerance")
    return _grade(reading, grader, extraction, chosen, "incorrect", "outside_tolerance")


def _criterion(reading: Reading) -> Criterion:
    assert reading.criterion is not None  # problem_with() has seen to it
    return reading.criterion


def _grade_option(reading: Reading, grader: str) -> Grade:
    extraction = reading.heuristic() if grader == HEURISTIC else reading.keyword()
    if not extraction.candidates:
        return _grade(reading, grader, extraction, None, "no_answer", "no_candidate")
    chosen = extraction.candidates[-1]
    if extraction.ambiguous:
        return _grade(reading, grader, extraction, chosen, "no_answer", "ambiguous")
    task = reading.transcript.task
    if chosen.value == normalise_option(task.ground_truth or "", task):
        return _grade(reading, grader, extraction, chosen, "correct", "same_option")
    return _grade(reading, grader, extraction, chosen, "incorrect", "other_option")


def _grade_words(reading: Reading, grader: str) -> Grade:
    """The grade on a task that asks for words: does the output state the published ones?"""
    said, task = reading.keyword(), reading.transcript.task
    if not said.candidates:
        return _grade(reading, grader, said, None, "no_answer", "no_text")
    if grader == HEURISTIC:
        found = last_published(reading.output.verbal or reading.output.execution, task)
    else:
        found = find_published(said, reading.source.scan, task, reading.settings)
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
            "parser": extraction.parser,
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
    return Grade(
        transcript_id=reading.transcript.transcript_id,
        task_id=reading.transcript.task.task_id,
        grader=grader + suffix_for(before_nudge=reading.before_nudge),
        verdict=verdict,
        value=chosen.text if chosen else None,
        reason=reason,
        evidence=evidence,
    )
