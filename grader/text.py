"""Raw agent output -> blocks -> execution output and verbal text.

One pass over the structural markers of all known output formats (code fences, HTML, ReAct
tags, banners), no HTML parser: unbalanced markup cannot fail, and cost is linear in length.
`formats.FORMATS` is the table; a new agent's format is one row there.
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from typing import NamedTuple

from .console import is_console, split_console
from .formats import ANSWER_CALLS, BANNERS, CODE_LANGUAGES, ENDINGS, OPENERS, TAGS, BlockKind
from .printout import is_one_value, looks_like_code, looks_like_output


class Block(NamedTuple):
    """A stretch of output of one kind, without markup; `start`, `end` are offsets in the raw
    text. Blocks end at blank lines and at markup boundaries."""

    text: str
    kind: BlockKind
    start: int
    end: int


@dataclass(frozen=True)
class Output:
    """One step's output, split. `unfinished` says that a section was opened and not closed, or
    that the last sentence breaks off."""

    raw: str
    blocks: tuple[Block, ...]
    unfinished: bool = False

    @property
    def execution(self) -> str:
        """What the executed code printed, errors included."""
        return "\n\n".join(b.text for b in self.blocks if b.kind in ("execution", "error"))

    @property
    def verbal(self) -> str:
        """Everything else the agent wrote, code included, without markup."""
        return "\n\n".join(b.text for b in self.blocks if b.kind not in ("execution", "error"))


_DROPPED_TAGS = frozenset(
    "a b br blockquote body center code dd details div dl dt em figure font h1 h2 h3 h4 h5 h6 "
    "head hr html i iframe img input label li link main meta ol p s section small span strong "
    "end_code sub sup svg table tbody td textarea tfoot th thead title tr tt u ul".split()
)
_INLINE_TAGS = frozenset("a b code em font i s small span strong sub sup tt u".split())
_ANSWER_CALL = re.compile(
    r"\b(?:" + "|".join(ANSWER_CALLS) + r")\(\s*"
    r"((?:answer\s*=\s*)?(?:[-+]?[0-9.][^()\n]*|f?[\"'][^\n]*?[\"']))\s*\)"
)
# Each alternative begins with a literal, so that the scan can skip to the next possible one.
_MARKER = re.compile(
    r"```(?:[A-Za-z][A-Za-z0-9_+.-]*)?"
    r"|</?(?P<tag>[A-Za-z][A-Za-z0-9_]{0,15})(?:\s[^<>]{0,2000})?/?>"
    + "".join(rf"|{re.escape(banner)}[^\n<`]*" for banner in BANNERS)
    + "".join(f"|{re.escape(ending)}" for ending in ENDINGS)
)
_BREAKS_OFF = re.compile(
    r"\b(?:the|a|an|of|for|and|or|to|which|with|in|on|at|by|from|that|is|are|was|as)\s*\Z"
)
_TAIL = 20
_REOPENER = re.compile("```|" + "|".join(f"<{tag}" for tag, kind in TAGS.items() if kind != "ui"))
_LATE_ANSWER = re.compile(r"^\W*(?:final\s+)?answer\W*(?:is\b|:|=)", re.IGNORECASE | re.MULTILINE)
_OPENER = re.compile(
    r"[ \t>#*_]*(?:"
    + "|".join(map(re.escape, OPENERS))
    + r")[ \t]*(?:\(.{0,30}\))?[*_]*[ \t]*:?[*_]*",
    re.IGNORECASE,
)
_LONGEST_OPENER = 80
_PRINTED = re.compile(r"\s*(?:out|output|stdout)\s?:[ \t]*[-+−.0-9]", re.IGNORECASE)
_BLANK_LINE = re.compile(r"\n[ \t]*\n\s*")
_WORD = re.compile(r"[^\W\d_]{2,}")
_TRACEBACK = "Traceback (most recent call last)"


def split_output(raw: str) -> Output:
    """Split one step's raw output into blocks. Never raises; linear in the length of `raw`."""
    scanner = _Scanner(raw)
    scanner.run()
    return Output(raw, tuple(scanner.blocks), scanner.unfinished)


class _Scanner:
    """Walks over the markers, keeping the kind of the section it is in."""

    def __init__(self, raw: str) -> None:
        self.raw = raw
        self.blocks: list[Block] = []
        self.unfinished = False
        self.kind: BlockKind = "prose"
        self.closer = ""  # what ends the current section: "```", a tag name, or "" in prose
        self.position = 0
        self.after_code = False
        self.after_opener = False

    def run(self) -> None:
        raw = self.raw
        for match in _MARKER.finditer(raw):
            self._marker(match)
            if self.closer == "ui" and not _REOPENER.search(raw, match.end()):
                break  # nothing but further suggestions follows
        self._emit(len(raw))
        open_section = bool(self.closer) and self.closer != "ui"
        self.unfinished = open_section or _BREAKS_OFF.search(raw[-_TAIL:]) is not None

    def _marker(self, match: re.Match[str]) -> None:
        mark = match[0]
        if mark[0] == "`":
            self._fence(match, mark)
        elif mark[0] == "<":
            self._tag(match, mark)
        elif self.closer in ("", "ui"):
            self._emit(match.start())
            self.position = match.start()
            if mark.startswith(BANNERS):
                self._open("ui", "", match.start())
                self._emit(match.end())
                self.kind = "prose"
            else:
                self._open("ui", "ui", match.start())

    def _fence(self, match: re.Match[str], fence: str) -> None:
        if self.closer == "```":
            self._close(match.start(), match.start() + 3)
            return
        if self.closer and self.closer != "ui" and self.kind != "answer":
            return
        lead = self.raw[max(self.position, match.start() - 60) : match.start()]
        self._emit(match.start())
        language = fence[3:].lower()
        if language in CODE_LANGUAGES:
            kind: BlockKind = "code"
        elif language in ("json", "markdown", "md", "latex", "tex"):
            kind = "prose"
        elif _is_opener(lead) or (self.after_code and not _WORD.search(lead)):
            kind = "execution"
        else:
            kind = self._unlabelled_fence(match.end())
        self._open(kind, "```", match.end())

    def _unlabelled_fence(self, start: int) -> BlockKind:
        end = self.raw.find("```", start)
        inner = self.raw[start : end if end >= 0 else start + 4000]
        if looks_like_code(inner):
            return "code"
        return "execution" if self.after_code or "\n" in inner.strip() else "prose"

    def _tag(self, match: re.Match[str], mark: str) -> None:
        closing = mark[1] == "/"
        tag = match["tag"].lower()
        kind = TAGS.get(tag)
        if kind is None and tag not in _DROPPED_TAGS:
            return
        if self.closer and self.closer not in ("ui", tag):
            # Inside a fence or an element of its own, only that section's end counts,
            # except that a new section shows an unclosed one to be over.
            if self.closer == "```" or kind is None or closing or kind == "ui":
                return
            if self.kind == "execution" and self.closer == "pre":
                return
        if self.kind == "code" and self.closer == "```":
            return
        if kind is None:
            if tag not in _INLINE_TAGS and self.closer != "ui":
                self._emit(match.start())
                self.position = match.end()
            return
        if closing:
            self._close(match.start(), match.end())
            return
        self._emit(match.start())
        if self.closer == "ui" and kind == "ui":
            self.position = match.start()
        else:
            self._open(kind, tag, match.end())

    def _close(self, end: int, position: int) -> None:
        """End the section. Unmarked output may follow code, but not output that was marked."""
        self._emit(end)
        if self.kind in ("code", "execution"):
            self.after_code = self.kind == "code"
        self._open("prose", "", position)

    def _open(self, kind: BlockKind, closer: str, position: int) -> None:
        self.kind, self.closer, self.position = kind, closer, position

    def _emit(self, end: int) -> None:
        start, self.position = self.position, end
        section = self.raw[start:end]
        if not section or section.isspace():
            return
        if self.kind == "code":
            self._add(section, "code", start, end)
            if any(call in section for call in ANSWER_CALLS):
                for call in _ANSWER_CALL.finditer(section):
                    self._add(call[1], "answer", start + call.start(1), start + call.end(1))
            return
        if self.kind == "ui":
            for at, piece in (
                _paragraphs(section, start) if "nswer" in section else [(start, section)]
            ):
                kind: BlockKind = "prose" if _LATE_ANSWER.search(piece) else "ui"
                self._add(piece, kind, at, at + len(piece))
            return
        if self.kind == "prose" and is_console(section):
            begin, pieces, end_of_console = split_console(section)
            self._emit_prose(section[:begin], start)
            for piece_kind, at, text in pieces:
                self._add(text, piece_kind, start + at, start + at + len(text))
            self.after_code = True
            if end_of_console < len(section):
                self.after_code = False
                self._emit_prose(section[end_of_console:], start + end_of_console)
            return
        self._emit_prose(section, start)

    def _emit_prose(self, section: str, start: int) -> None:
        for piece_start, piece in _paragraphs(section, start):
            self._add(piece, self._refine(piece), piece_start, piece_start + len(piece))

    def _refine(self, piece: str) -> BlockKind:
        """The kind of one paragraph: tracebacks are errors, and a bare printout that follows
        code without any markup is execution output."""
        kind = self.kind
        if kind in ("execution", "prose") and _TRACEBACK in piece:
            return "error"
        if kind == "prose" and self.after_code:
            if _is_opener(piece):
                self.after_opener = True
                return "execution"
            if (
                _PRINTED.match(piece)
                or looks_like_output(piece)
                or (self.after_opener and is_one_value(piece))
            ):
                return "execution"
            if _WORD.search(piece):
                self.after_code = self.after_opener = False
        return kind

    def _add(self, text: str, kind: BlockKind, start: int, end: int) -> None:
        clean = text.strip("\n")
        if kind == "ui":
            clean = _INLINE_MARKUP.sub("", clean)
        if kind != "code":
            clean = _strip_markup(clean)
        if clean.strip():
            self.blocks.append(Block(clean, kind, start, end))


def _is_opener(text: str) -> bool:
    """True if the last line of a text announces output ("Output:", "**Result**")."""
    line = text.rstrip().rpartition("\n")[2]
    return len(line) <= _LONGEST_OPENER and _OPENER.fullmatch(line) is not None


def _paragraphs(section: str, offset: int) -> list[tuple[int, str]]:
    if "\n" not in section:
        return [(offset, section)]
    pieces: list[tuple[int, str]] = []
    start = 0
    for gap in _BLANK_LINE.finditer(section):
        pieces.append((offset + start, section[start : gap.start()]))
        start = gap.end()
        # keep the indentation of the next paragraph's first line
        start = max(gap.start() + 1, section.rfind("\n", gap.start(), start) + 1)
    pieces.append((offset + start, section[start:]))
    return [(at, piece) for at, piece in pieces if piece and not piece.isspace()]


_INLINE_MARKUP = re.compile(r"</?[A-Za-z][A-Za-z0-9_]{0,15}(?:\s[^<>]{0,2000})?/?>")


def _strip_markup(text: str) -> str:
    if "<" in text:
        text = _INLINE_MARKUP.sub(_drop_known_tag, text)
    return html.unescape(text) if "&" in text else text


def _drop_known_tag(match: re.Match[str]) -> str:
    name = match[0].strip("</>").split(None, 1)[0].rstrip("/").lower()
    return "" if name in _DROPPED_TAGS or name in TAGS else match[0]
