"""Fitting a transcript into a model's context.

The middle of execution output in earlier steps is left out first, then the middle of their other
text, then whole early steps. The last step is kept whole, unless the settings allow its execution
output to be cut as a last resort.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace

from ..llm.request import estimate_tokens
from ..records import Step
from ..text import split_output

KEPT_OF_OUTPUT = 200  # tokens that a cut execution output keeps, half at each end
KEPT_OF_TEXT = 60


@dataclass(frozen=True)
class Piece:
    """A stretch of the text of one step, whose number counts from 1. `tokens` is its estimated
    length."""

    step: int
    text: str
    is_output: bool
    tokens: int
    left_out: int = 0

    @classmethod
    def of(cls, step: int, text: str, *, is_output: bool) -> Piece:
        return cls(step, text, is_output, estimate_tokens(text))


@dataclass(frozen=True)
class Cut:
    """What was left out of a transcript: estimated tokens, and whole steps, counted from 1."""

    tokens: int = 0
    steps: tuple[int, ...] = ()
    last_step: bool = False


@dataclass(frozen=True)
class Fitted:
    """The text that a model gets to read, and what was cut from it (None = nothing)."""

    text: str
    cut: Cut | None = None


@dataclass(frozen=True)
class TooLong:
    """The last step alone does not fit. Both numbers are estimated tokens."""

    needed: int
    room: int


@dataclass
class _Fit:
    """Pieces that are being shortened. `excess`: the tokens by which they are still too long."""

    pieces: list[Piece]
    excess: int
    dropped: list[int] = field(default_factory=list)

    def shrink(self, order: list[int], keep: int) -> None:
        """Leave out middles, piece by piece in the order given, until the rest fits."""
        for index in order:
            if self.excess <= 0:
                return
            piece = self.pieces[index]
            if piece.tokens > keep:
                shorter = _without_middle(piece, max(keep, piece.tokens - self.excess))
                self.pieces[index] = shorter
                self.excess -= piece.tokens - shorter.tokens

    def drop_steps(self, steps: range) -> None:
        """Leave out whole steps, in order, until the rest fits."""
        tokens = Counter[int]()
        for piece in self.pieces:
            tokens[piece.step] += piece.tokens
        for step in steps:
            if self.excess <= 0:
                break
            self.excess -= tokens[step]
            self.dropped.append(step)
        gone = frozenset(self.dropped)
        self.pieces = [piece for piece in self.pieces if piece.step not in gone]


def fit(steps: tuple[Step, ...], room: int, cut_last_step: bool = False) -> Fitted | TooLong:
    """The transcript as text of at most `room` estimated tokens."""
    pieces = [piece for number, step in enumerate(steps, 1) for piece in _pieces(number, step)]
    total = sum(piece.tokens for piece in pieces)
    if total <= room:
        return Fitted("".join(piece.text for piece in pieces))
    last = len(steps)
    work = _Fit(pieces, total - room)
    outputs = [i for i, p in enumerate(pieces) if p.is_output and p.step != last]
    work.shrink(sorted(outputs, key=lambda i: -pieces[i].tokens), KEPT_OF_OUTPUT)
    others = [i for i, p in enumerate(pieces) if not p.is_output and p.step != last]
    work.shrink(others, KEPT_OF_TEXT)
    work.drop_steps(range(1, last))
    needed = room + work.excess
    if work.excess > 0 and cut_last_step:
        ends = [i for i, p in enumerate(work.pieces) if p.is_output]
        work.shrink(sorted(ends, key=lambda i: -work.pieces[i].tokens), KEPT_OF_OUTPUT)
    if work.excess > 0:
        return TooLong(needed, room)
    cut_last = any(piece.left_out and piece.step == last for piece in work.pieces)
    head = f"[{len(work.dropped)} earlier steps left out]\n" if work.dropped else ""
    return Fitted(
        head + "".join(piece.text for piece in work.pieces),
        Cut(total - room - work.excess, tuple(work.dropped), cut_last),
    )


def _pieces(number: int, step: Step) -> list[Piece]:
    head = f"== step {number} ==\n"
    if step.instruction_type != "original_prompt" and step.instruction_text:
        head += f"[{step.instruction_type}] {step.instruction_text}\n[reply]\n"
    pieces = [Piece.of(number, head, is_output=False)]
    output, position = split_output(step.raw_output), 0
    for block in output.blocks:
        if block.kind not in ("execution", "error"):
            continue
        if block.start > position:
            pieces.append(Piece.of(number, output.raw[position : block.start], is_output=False))
        pieces.append(Piece.of(number, output.raw[block.start : block.end], is_output=True))
        position = max(position, block.end)
    pieces.append(Piece.of(number, output.raw[position:] + "\n", is_output=False))
    return pieces


def _without_middle(piece: Piece, keep: int) -> Piece:
    """The piece with about `keep` tokens, half from each end. Token density differs within a text,
    so the length is corrected until the estimate is right."""
    share = keep / piece.tokens
    while True:
        half = int(len(piece.text) * share / 2)
        left_out = len(piece.text) - 2 * half
        tail = piece.text[-half:] if half else ""
        text = f"{piece.text[:half]}\n[{left_out} characters left out]\n{tail}"
        tokens = estimate_tokens(text)
        if tokens <= keep or half == 0:
            return replace(piece, text=text, tokens=tokens, left_out=left_out)
        share *= 0.9
