"""How items and transcripts look in the terminal."""

from __future__ import annotations

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from ..snippets import Snippet
from ..view import BlindTask, BlindTranscript

MARK = "bold black on yellow"
BEST = f"{MARK} underline"
STYLES = {"printed output": "cyan", "error output": "red", "code": "dim", "reasoning": "dim"}


def transcript_lines(view: BlindTranscript, width: int) -> tuple[list[Text], int]:
    """A transcript as wrapped lines, snippets marked, kinds told apart; and the number of the
    line that holds the best snippet's mark (0 without one)."""
    console = Console(width=max(20, width))
    lines: list[Text] = []
    best_line = 0
    for step in view.steps:
        lines.append(Text(f"── Step {step.number} of {len(view.steps)} ──", style="bold"))
        for segment in step.segments:
            if segment.text:
                lines.append(Text(segment.kind, style="dim italic"))
            body = Text(segment.text, style=STYLES.get(segment.kind, ""))
            for index, (start, end) in enumerate(segment.marks):
                body.stylize(BEST if index == segment.best else MARK, start, end)
            indent = 2 if segment.kind in STYLES else 0
            for line in body.wrap(console, max(20, width) - indent):
                if any(span.style == BEST for span in line.spans):
                    best_line = len(lines)
                line.pad_left(indent)
                lines.append(line)
            if segment.hidden:
                left_out = f"({segment.hidden:,} characters left out; w shows them)"
                lines.append(Text(left_out, style="yellow"))
    return lines, best_line


def question_text(task: BlindTask) -> RenderableType:
    """The question and its options."""
    parts = [Text(task.question or "(no question recorded)", style="bold")]
    if task.choices:
        parts.append(Text("Options: " + " · ".join(task.choices)))
    return Group(*parts)


def truth_text(task: BlindTask) -> RenderableType:
    """The published answer."""
    text = Text.assemble(("Published answer  ", "dim"), (task.truth, "bold green"))
    return Padding(text, (0, 0, 1, 0))


def context_text(task: BlindTask) -> list[RenderableType]:
    """The context of the question, where there is one."""
    return [Text("Context", style="dim"), Text(task.context)] if task.context else []


def snippet_text(snippet: Snippet) -> RenderableType:
    """One snippet, the value marked, and what kind of text it is."""
    style = "cyan" if snippet.kind in ("printed output", "error output", "code") else ""
    text = Text.assemble((snippet.before, style), (snippet.value, MARK), (snippet.after, style))
    kind = Text(f"{snippet.kind}, step {snippet.step}", style="dim")
    return Padding(Group(text, kind), (0, 0, 1, 2))
