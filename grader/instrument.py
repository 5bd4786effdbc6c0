"""Per-step instrumentation: fill the fields of Table S.1 that a step's own text allows."""

from __future__ import annotations

from .extraction.parsers import Source, as_quantity
from .numbers import Quantity
from .records import Extraction, Step, Task, Transcript
from .settings import GradeSettings
from .text import split_output
from .text.keywords import anchoring_score
from .tokens import count_tokens
from .tolerance import agree

# Fields of a step that the parsers fill; what other settings read in it may differ.
PARSED_FIELDS = (
    "scalar_found",
    "execution_scalar",
    "verbal_scalar",
    "answer_region_text",
    "answer_region_score",
    "candidate_numbers",
    "n_candidates",
    "ambiguous_answer",
)


def instrument(
    step: Step,
    task: Task,
    settings: GradeSettings | None = None,
    source: Source | None = None,
) -> Step:
    """A copy of `step` with every missing field computed from its raw output.

    What was recorded is kept as it is; `elapsed_time` cannot be computed and stays None.
    `anchoring_score` compares the agent's turn with the question. `scalar_found` says whether the
    step gives an answer that can be graded: some candidate numbers but not too many, one option of
    a choice task, or any words where words are asked for. The scalar fields are for numbers only.
    source: the step's output, if it has been opened already.
    """
    if source is None:
        source = Source(split_output(step.raw_output), task, settings)
    output = source.scan.whole
    errors = [block for block in output.blocks if block.kind == "error"]
    printed = [block for block in output.blocks if block.kind in ("execution", "error")]
    computed: dict[str, object] = {
        "execution_output": output.execution,
        "verbal_text": output.verbal,
        "execution_error": bool(errors) and printed[-1].kind == "error",
        "anchoring_score": anchoring_score(task.question, step.raw_output),
    }
    computed |= zip(PARSED_FIELDS, _parsed(source), strict=True)
    if step.token_count is None:
        computed["token_count"], computed["token_counter"] = count_tokens(step.raw_output)
    missing = {name: value for name, value in computed.items() if getattr(step, name) is None}
    return step.model_copy(update=missing)


def _parsed(source: Source) -> tuple[object, ...]:
    """The values of `PARSED_FIELDS`."""
    region = source.speaking("keyword")
    return (
        bool(region.candidates) and not region.ambiguous,
        _number(source.half("keyword", "execution")),
        _number(source.half("keyword", "verbal")),
        region.region_text,
        region.region_score,
        tuple(c.value for c in region.candidates if isinstance(c.value, float)),
        len(region.candidates),
        region.ambiguous,
    )


def instrument_transcript(
    transcript: Transcript, settings: GradeSettings | None = None, last: Source | None = None
) -> Transcript:
    """A copy of `transcript` with every step instrumented. last: the last step's output, if it
    has been opened already."""
    sources = [None] * (len(transcript.steps) - 1) + [last]
    steps = tuple(
        instrument(step, transcript.task, settings, source)
        for step, source in zip(transcript.steps, sources, strict=False)
    )
    return transcript.model_copy(update={"steps": steps})


def halves_agree(step: Step, task: Task, settings: GradeSettings | None = None) -> bool | None:
    """Verbal-execution consistency: whether the numbers that the two halves of an instrumented step
    give agree by the tolerance rule, in either direction. None if a half gives no number.

    They are read from the output again, because the recorded ones lack percent signs and scales.
    """
    if step.verbal_scalar is None or step.execution_scalar is None:
        return None
    settings = settings or GradeSettings()
    source = Source(split_output(step.raw_output), task, settings)
    said = _quantity(source.half("keyword", "verbal"))
    printed = _quantity(source.half("keyword", "execution"))
    if said is None or printed is None:
        return None
    return agree(said, printed, settings)


def _number(extraction: Extraction) -> float | None:
    return extraction.scalar if isinstance(extraction.scalar, float) else None


def _quantity(extraction: Extraction) -> Quantity | None:
    """The one number of a half, with its percent sign and scale."""
    if _number(extraction) is None:
        return None
    return as_quantity(extraction.candidates[0])
