"""Blocks: the pieces of a step's output, each of one kind and without markup."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from typing import NamedTuple

from .console import is_console, split_console
from .formats import ANSWER_CALLS, OPENERS, TRACEBACK, BlockKind
from .keywords import has_word
from .labelled_lines import acts, split_labelled
from .markup import without_known_tags, without_tags
from .printout import is_one_value, looks_like_output


class Block(NamedTuple):
    """A stretch of output of one kind, without markup; `start`, `end` are offsets in the raw
    text. Blocks end at blank lines and at markup boundaries."""

    text: str
    kind: BlockKind
    start: int
    end: int


# Repeats here are possessive (`*+`), and a quoted answer holds no further call, so that
# no text is scanned twice.
_CALL = r"\b(?:" + "|".join(ANSWER_CALLS) + r")\("
_ANSWER_CALL = re.compile(
    _CALL + r"\s*+((?:answer\s*+=\s*+)?(?:[-+]?[0-9.][^()\n]*+"
    rf"|f?[\"'](?:(?!{_CALL})[^\n])*?[\"']))\s*+\)"
)
_LATE_ANSWER = re.compile(
    r"^[^\w\n]*(?:final\s+)?answer\W*(?:is\b|:|=)", re.IGNORECASE | re.MULTILINE
)
_OPENER = re.compile(
    r"[ \t>#*_]*(?:"
    + "|".join(map(re.escape, OPENERS))
    + r")[ \t]*(?:\(.{0,30}\))?[*_]*[ \t]*:?[*_]*",
    re.IGNORECASE,
)
_LONGEST_OPENER = 80
_PRINTED = re.compile(
    r"\s*(?:(?:out|output|stdout)\s?:[ \t]*[-+−.0-9]|(?:observation|execution logs?):[ \t]*\n)",
    re.IGNORECASE,
)
_BLANK_LINE = re.compile(r"\n[ \t]*\n\s*")
_BLANK_LINE_OR_CAPTION = re.compile(
    rf"{_BLANK_LINE.pattern}|(?<=[^|\s])\n(?=\|[^\n]*\|\n\|[-:| ]+\|(?:\n|\Z))"
)
# IPython's tracebacks have blank lines. The exception's name begins their first line and the last.
_IPYTHON_TRACEBACK = re.compile(rf"^(\w{{1,60}})[ \t]+{re.escape(TRACEBACK)}", re.MULTILINE)
_LONGEST_TRACEBACK = 20_000


class BlockList:
    """The blocks of one output, added section by section in the order of the text.

    `after_code` says that a printout without markup would be the output of code.
    """

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self.after_code = False
        self.after_opener = False
        self._labels_lines = False

    def add_section(self, kind: BlockKind, section: str, start: int) -> None:
        """Cut a section of one kind, which starts at `start` in the raw text, into blocks."""
        if not section or section.isspace():
            return
        if kind == "code":
            self._add_code(section, start)
        elif kind == "ui":
            self._add_interface(section, start)
        elif kind == "prose" and self._is_labelled(section):
            self._add_labelled(section, start)
        elif kind == "prose" and is_console(section):
            self._add_console(section, start)
        else:
            self._add_paragraphs(kind, section, start)

    def remove_from(self, start: int) -> None:
        """Remove the blocks from an offset on, as if their text had not come yet."""
        while self.blocks and self.blocks[-1].start >= start:
            self.blocks.pop()
        self.after_code = self.after_opener = self._labels_lines = False

    def _add_code(self, section: str, start: int) -> None:
        """Add code, and the answers that it hands over as answer blocks."""
        self._add(section, "code", start)
        if any(call in section for call in ANSWER_CALLS):
            for call in _ANSWER_CALL.finditer(section):
                self._add(call[1], "answer", start + call.start(1))

    def _add_interface(self, section: str, start: int) -> None:
        """Add text of the interface, which may still state an answer."""
        if "answer" not in section.lower():
            self._add(section, "ui", start)
            return
        for at, piece in paragraphs(section, start):
            self._add(piece, "prose" if _LATE_ANSWER.search(piece) else "ui", at)

    def _is_labelled(self, section: str) -> bool:
        self._labels_lines = self._labels_lines or acts(section)
        return self._labels_lines

    def _add_labelled(self, section: str, start: int) -> None:
        for kind, at, text in split_labelled(section):
            if kind == "code":
                self._add_code(text, start + at)
            else:
                self._add_paragraphs(kind, text, start + at)

    def _add_console(self, section: str, start: int) -> None:
        begin, pieces, end = split_console(section)
        self._add_paragraphs("prose", section[:begin], start)
        for kind, at, text in pieces:
            if kind == "prose":
                self._add_paragraphs(kind, text, start + at)
            else:
                self._add(text, kind, start + at)
        self.after_code = True
        if end < len(section):
            self.after_code = False
            self._add_paragraphs("prose", section[end:], start + end)

    def _add_paragraphs(self, kind: BlockKind, section: str, start: int) -> None:
        if kind in ("execution", "prose") and TRACEBACK in section:
            self._add_traced(kind, section, start)
            return
        for at, piece in paragraphs(section, start):
            self._add(piece, self._refine(kind, piece), at)

    def _add_traced(self, kind: BlockKind, section: str, start: int) -> None:
        """Add the paragraphs of a text with tracebacks, which are errors."""
        spans = deque(_tracebacks(section))
        for at, piece in paragraphs(section, start):
            while spans and start + spans[0][1] <= at:
                spans.popleft()
            is_traced = bool(spans) and start + spans[0][0] < at + len(piece)
            is_error = is_traced or TRACEBACK in piece
            self._add(piece, "error" if is_error else self._refine(kind, piece), at)

    def _refine(self, kind: BlockKind, piece: str) -> BlockKind:
        """The kind of one paragraph: a bare printout that follows code without any markup is
        execution output."""
        if kind == "prose" and self.after_code:
            if is_opener(piece):
                self.after_opener = True
                return "execution"
            if (
                _PRINTED.match(piece)
                or looks_like_output(piece)
                or (self.after_opener and is_one_value(piece))
            ):
                return "execution"
            if has_word(piece):
                self.after_code = self.after_opener = False
        return kind

    def _add(self, text: str, kind: BlockKind, start: int) -> None:
        clean = text.strip("\n")
        if kind == "ui":
            clean = without_tags(clean)
        if kind != "code":
            clean = without_known_tags(clean)
        if clean.strip():
            self.blocks.append(Block(clean, kind, start, start + len(text)))


def _tracebacks(section: str) -> Iterator[tuple[int, int]]:
    """Where IPython's tracebacks begin and end in a section."""
    for header in _IPYTHON_TRACEBACK.finditer(section):
        start, last = header.start(), f"\n{header[1]}"
        end = section.find(last, header.end(), header.end() + _LONGEST_TRACEBACK)
        if end >= 0:
            yield start, end + len(last)


def is_opener(text: str) -> bool:
    """True if the last line of a text announces output ("Output:", "**Result**")."""
    line = text.rstrip().rpartition("\n")[2]
    return len(line) <= _LONGEST_OPENER and _OPENER.fullmatch(line) is not None


def paragraphs(section: str, offset: int) -> list[tuple[int, str]]:
    """The stretches between blank lines, each with its start, counted from `offset`. A table is one
    of its own, also below a line that is its caption."""
    if "\n" not in section:
        return [(offset, section)]
    pieces: list[tuple[int, str]] = []
    start = 0
    gaps = _BLANK_LINE_OR_CAPTION if "|\n" in section else _BLANK_LINE
    for gap in gaps.finditer(section):
        end, following = gap.span()
        pieces.append((offset + start, section[start:end]))
        # keep the indentation of the next paragraph's first line
        start = section.rfind("\n", end, following) + 1
    pieces.append((offset + start, section[start:]))
    return [(at, piece) for at, piece in pieces if piece and not piece.isspace()]
