"""One transcript as a static page, evidence highlighted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from markupsafe import Markup

from annotate.labels.rows import StoredLabel
from grader.grader_names import CASCADE, is_before_nudge
from grader.llm.calls import LlmCall
from grader.records import Grade, Step, Transcript
from grader.text import split_output

from .html import environment, page_basics
from .marks import SHOWN_CHARACTERS, marks_in, render
from .wording import counted, slug


class ShownBlock(NamedTuple):
    kind: str
    html: Markup


class ShownStep(NamedTuple):
    """A step ready to show; `cut` counts the characters left out."""

    step: Step
    facts: str
    blocks: list[ShownBlock]
    cut: int


def page_name(number: int, transcript_id: str) -> str:
    """The file name of a transcript's page: `00012-dev13.html`."""
    return f"{number:05d}-{slug(transcript_id)}.html".replace("-.html", ".html")


def transcript_page(
    transcript: Transcript,
    row: Mapping[str, Any],
    grades: Sequence[Grade],
    calls: Sequence[LlmCall],
    labels: Sequence[StoredLabel] = (),
    *,
    back: str = "../index.html#transcripts",
    previous: str | None = None,
    following: str | None = None,
) -> str:
    """The page of one transcript. `row` is its row of `transcript_rows`; `back`, `previous` and
    `following` are where its links lead."""
    # The cascade compares nothing: its value is marked where the grader that decided found it.
    marked = [g for g in grades if g.grader != CASCADE and not is_before_nudge(g.grader)]
    last = len(transcript.steps) - 1
    steps = [
        show_step(step, marked if number == last else [])
        for number, step in enumerate(transcript.steps)
    ]
    return (
        environment()
        .get_template("transcript.html")
        .render(
            **page_basics(),
            t=transcript,
            row=row,
            grades=grades,
            calls=calls,
            labels=labels,
            steps=steps,
            back=back,
            previous=previous,
            following=following,
        )
    )


def show_step(step: Step, grades: Sequence[Grade]) -> ShownStep:
    """A step's blocks with the grades' evidence marked, cut at `SHOWN_CHARACTERS`."""
    output = split_output(step.raw_output[:SHOWN_CHARACTERS])
    blocks = [
        ShownBlock(block.kind, render(block.text, marks_in(block, grades)))
        for block in output.blocks
    ]
    return ShownStep(step, facts(step), blocks, max(0, len(step.raw_output) - SHOWN_CHARACTERS))


def facts(step: Step) -> str:
    """The recorded facts about a step, in a line."""
    time, tokens, candidates = step.elapsed_time, step.token_count, step.n_candidates
    anchoring, score = step.anchoring_score, step.answer_region_score
    said = [] if time is None else [f"{time:.1f} s"]
    said += [] if tokens is None else [counted(tokens, "token")]
    said += [] if anchoring is None else [f"anchoring {anchoring:.2f}"]
    said += [] if score is None else [f"region score {score:.2f}"]
    said += [] if candidates is None else [counted(candidates, "candidate")]
    said += ["execution error"] * bool(step.execution_error)
    said += ["ambiguous"] * bool(step.ambiguous_answer)
    return ", ".join(said)
