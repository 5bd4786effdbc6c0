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
from .marks import marks_in, render, shown_parts
from .wording import counted, slug


class ShownBlock(NamedTuple):
    """A block, or a part of one. Without a kind it says what is left out in its place."""

    kind: str
    html: Markup


class ShownStep(NamedTuple):
    """A step ready to show."""

    step: Step
    facts: str
    blocks: list[ShownBlock]


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
    """A step's blocks with the grades' evidence marked. The middle of a very long step is left
    out, but never a mark."""
    blocks = split_output(step.raw_output).blocks
    total = sum(len(block.text) for block in blocks)
    shown: list[ShownBlock] = []
    offset = hidden = 0
    for block in blocks:
        marks, position = marks_in(block, grades), 0
        for start, end in shown_parts(len(block.text), offset, total, marks):
            hidden += start - position
            if hidden:
                shown.append(ShownBlock("", _left_out(hidden)))
            here = [
                mark._replace(start=mark.start - start, end=mark.end - start)
                for mark in marks
                if start <= mark.start and mark.end <= end
            ]
            shown.append(ShownBlock(block.kind, render(block.text[start:end], here)))
            hidden, position = 0, end
        hidden += len(block.text) - position
        offset += len(block.text)
    return ShownStep(step, facts(step), shown)


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


def _left_out(count: int) -> Markup:
    return Markup("Left out here: {}. They are in the run's transcripts.jsonl.").format(
        counted(count, "character")
    )
