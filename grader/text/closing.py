"""The closing line of an output, where it does nothing but state the answer."""

from __future__ import annotations

import re

from .blocks import Block

_LONGEST_LINE = 160
# "The answer is", "**Final answer:**", "So my answer to the question would be"
_STATEMENT = re.compile(
    r"[\s>*_#$]*(?:(?:so|thus|hence|therefore|in conclusion|overall)\b,?\s+)?(?:(?:the|my|our)\s+)?"
    r"[*_]*(?:final |correct |overall )?answer[*_]*(?:\s+to (?:the|your|this) question)?[*_]*"
    r"(?:\s+(?:is|would be)\b|\s*[:=])[\s:*_]*[^\s:*_]",
    re.IGNORECASE,
)
_SAYS_MORE = re.compile(r"\b(?:not|never|neither|nor)\b|n['’]t\b|[.!?]\s+\S", re.IGNORECASE)


def with_closing_answer(blocks: list[Block], raw: str) -> list[Block]:
    """The blocks of an output. If its last line is of the form "The answer is 5.", this line is an
    answer section of its own."""
    place = next((at for at in range(len(blocks) - 1, -1, -1) if blocks[at].kind != "ui"), -1)
    if place < 0 or blocks[place].kind != "prose":
        return blocks
    block = blocks[place]
    before, _, line = block.text.rstrip().rpartition("\n")
    if len(line) > _LONGEST_LINE or not _STATEMENT.match(line) or _SAYS_MORE.search(line):
        return blocks
    start = raw.rfind(line, block.start, block.end)
    if start < 0:  # markup inside it was dropped
        return blocks
    rest = [block._replace(text=before, end=start)] if before.strip() else []
    answer = Block(line, "answer", start, block.end)
    return [*blocks[:place], *rest, answer, *blocks[place + 1 :]]
