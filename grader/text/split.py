"""Splitting raw agent output into blocks, execution output and verbal text.

One pass over the structural markers of all known output formats (code fences, HTML, ReAct
tags, banners), no HTML parser: unbalanced markup cannot fail, and cost is linear in length.
`formats.FORMATS` is the table; a new agent's format is one row there.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

from .blocks import Block, BlockList, is_opener
from .closing import with_closing_answer
from .formats import ANSWER_CALLS, BANNERS, CODE_LANGUAGES, ENDINGS, TAG_NAME, TAGS, BlockKind
from .keywords import has_word
from .markup import DROPPED_TAGS, INLINE_TAGS, TABLE_TAGS
from .printout import is_literal, looks_like_code, looks_like_formula


@dataclass(frozen=True)
class Output:
    """One step's output, split. `raw`: its text, with line ends as newlines and plain spaces.
    `unfinished`: a section was opened and not closed, the last sentence breaks off, or the agent
    was stopped."""

    raw: str
    blocks: tuple[Block, ...]
    unfinished: bool = False

    @property
    def execution(self) -> str:
        """What the executed code printed, errors included."""
        return "\n\n".join(b.text for b in self.blocks if b.kind in ("execution", "error"))

    @property
    def verbal(self) -> str:
        """Everything else that the agent wrote, code included, without markup."""
        return "\n\n".join(b.text for b in self.blocks if b.kind not in ("execution", "error"))


class _Section(NamedTuple):
    """A stretch of raw text of one kind. `closer` ends it: a fence or the name of a tag. A section
    without one ends where another begins."""

    kind: BlockKind
    closer: str = ""


_FENCE = "```"
_PROSE = _Section("prose")
_SUGGESTIONS = _Section("ui")  # further steps that the interface offers
# Each alternative begins with a literal, so that the scan can skip to the next possible one.
_MARKER = re.compile(
    r"```(?:[A-Za-z][A-Za-z0-9_+.-]*)?"
    rf"|</?(?P<tag>{TAG_NAME})(?:\s[^<>]{{0,2000}})?/?>"
    + "".join(rf"|{re.escape(banner)}[^\n<`]*" for banner in BANNERS)
    + "".join(f"|{re.escape(ending)}" for ending in ENDINGS)
)
_SIGNS = ("`", "<", *BANNERS, *ENDINGS)  # a text without any of these has no marker
_REOPENER = re.compile(f"<(?:{'|'.join(tag for tag, kind in TAGS.items() if kind != 'ui')})")
_MARKUP_LANGUAGES = frozenset({"json", "yaml", "yml", "markdown", "md", "latex", "tex"})
_LONGEST_LEAD = 60
_PROGRAM = 400  # characters of a `<code>` that are examined
_UNCLOSED = 4000  # characters of an unclosed fence that are examined to tell what it holds
_OPEN_WORDS = tuple(
    "the a an of for and or to which with in on at by from that is are was as".split()
)
_BREAKS_OFF = re.compile(rf"\b(?:{'|'.join(_OPEN_WORDS)})\Z")
_TAIL = 20
_UNBROKEN = re.compile(r"(?<![0-9])[\xa0\u202f]|[\xa0\u202f](?![0-9])")
# What frameworks write where an agent comes to no end.
_STOPPED = re.compile(
    r"""
    \W* (?: (?: the[ ] )? (?: agent | chain | run | task | chat | conversation )[ ] )?
    (?: (?: was[ ] )? (?: stopped | terminated ) [ ] (?: due[ ]to | after )
      | (?: reached | exceeded | hit ) [ ] (?: the[ ] )? max
      | max (?: imum )? (?: [ ]number[ ]of )? [ ] (?: iterations? | steps? | turns? | rounds? ) [ ]
        (?: was[ ]|were[ ] )? reached )
    """,
    re.IGNORECASE | re.VERBOSE,
)
_ENDING = 160
# How AutoGen's agents end.
_TERMINATE = "TERMINATE"
_FAREWELL = re.compile(rf"(?<![^\W_])[*_`]{{0,3}}{_TERMINATE}[*_`.]{{0,4}}\s*\Z")


def split_output(raw: str) -> Output:
    """Split one step's raw output into blocks. Never raises; linear in the length of `raw`."""
    raw = _with_plain_spaces(raw)
    scanner = _Scanner(raw)
    scanner.run()
    ending = raw[-_ENDING:].rstrip().rpartition("\n")[2]
    unfinished = (
        bool(scanner.section.closer)
        or _breaks_off(raw[-_TAIL:].rstrip())
        or _STOPPED.match(ending) is not None
    )
    return Output(raw, tuple(with_closing_answer(scanner.found.blocks, raw)), unfinished)


def _with_plain_spaces(raw: str) -> str:
    """Line ends as newlines, and spaces that do not break as plain ones, but for those between two
    digits, which part thousands."""
    if "\r\n" in raw:
        raw = raw.replace("\r\n", "\n")
    return _UNBROKEN.sub(" ", raw) if "\xa0" in raw or "\u202f" in raw else raw


def _breaks_off(ending: str) -> bool:
    """True if a text ends with a word that no sentence ends with."""
    return ending.endswith(_OPEN_WORDS) and _BREAKS_OFF.search(ending) is not None


class _Scanner:
    """Walks over the markers. `section` is the current one; `position` is the start of the text
    that is not in `found` yet, `turn` that of what may be reasoning without an opening tag."""

    def __init__(self, raw: str) -> None:
        self.raw = raw
        self.found = BlockList()
        self.section = _PROSE
        self.position = 0
        self.turn = 0
        self._last_fence = self._reopener = -1

    def run(self) -> None:
        end = len(self.raw)
        start = max(0, end - _ENDING)
        if self.raw.find(_TERMINATE, start) >= 0 and (
            farewell := _FAREWELL.search(self.raw, start)
        ):
            end = farewell.start()
        if any(sign in self.raw for sign in _SIGNS):
            self._walk(end)
        self._emit(end)

    def _walk(self, end: int) -> None:
        self._last_fence = self.raw.rfind(_FENCE)
        for match in _MARKER.finditer(self.raw, 0, end):
            self._marker(match)
            if self.section is _SUGGESTIONS and not self._reopens(match.end()):
                break  # only further suggestions follow

    def _reopens(self, position: int) -> bool:
        """True if something that ends suggestions comes at or after a position. Positions only
        grow, so no text is searched twice."""
        if self._last_fence >= position:
            return True
        if self._reopener < position:
            found = _REOPENER.search(self.raw, position)
            self._reopener = found.start() if found else -1
        return self._reopener >= position

    def _marker(self, match: re.Match[str]) -> None:
        mark = match[0]
        if mark[0] == "`":
            self._fence(match, mark)
        elif mark[0] == "<":
            self._tag(match, mark)
        elif not self.section.closer:
            self._emit(match.start())
            if mark.startswith(BANNERS):
                self._emit(match.end(), "ui")
                self.section = _PROSE
            else:
                self.section = _SUGGESTIONS

    def _fence(self, match: re.Match[str], fence: str) -> None:
        section = self.section
        if section.closer == _FENCE:
            self._close(match.start(), match.start() + len(_FENCE))
            return
        if section.closer and section.kind != "answer":
            return
        lead = self.raw[max(self.position, match.start() - _LONGEST_LEAD) : match.start()]
        self._emit(match.start())
        kind = self._fenced_kind(fence[len(_FENCE) :].lower(), lead, match.end())
        self._open(_Section(kind, _FENCE), match.end())

    def _fenced_kind(self, language: str, lead: str, start: int) -> BlockKind:
        """The kind of content in a fence that opens at `start`: from its label, else the text
        before it, else its content."""
        if language in _MARKUP_LANGUAGES:
            return "prose"
        end = self.raw.find(_FENCE, start)
        inner = self.raw[start : end if end >= 0 else start + _UNCLOSED]
        if language in CODE_LANGUAGES:
            return "prose" if is_literal(inner) else "code"
        after_code = self.found.after_code
        if is_opener(lead) or (after_code and not has_word(lead)):
            return "execution"
        if looks_like_formula(inner):
            return "prose"
        if looks_like_code(inner):
            return "code"
        return "execution" if after_code or "\n" in inner.strip() else "prose"

    def _tag(self, match: re.Match[str], mark: str) -> None:
        closing = mark[1] == "/"
        tag = match["tag"].lower()
        kind = TAGS.get(tag)
        if tag == "code" and (
            self.section.closer == tag if closing else self._holds_program(match.end())
        ):
            kind = "code"
        if kind is None and tag not in DROPPED_TAGS:
            return
        if self._ignores(tag, kind, closing):
            return
        if kind is None:
            is_piece = tag in INLINE_TAGS or tag in TABLE_TAGS
            if not is_piece and self.section is not _SUGGESTIONS:
                self._emit(match.start())
                self.position = match.end()
        elif closing:
            if kind == "reasoning" and not self.section.closer:
                self._take_as_reasoning(match.start())
            self._close(match.start(), match.end())
        else:
            self._emit(match.start())
            if self.section is not _SUGGESTIONS or kind != "ui":
                self._open(_Section(kind, tag), match.end())

    def _holds_program(self, start: int) -> bool:
        """Whether lines of code follow a `<code>` that ends there, as smolagents writes them; in a
        sentence it marks a word."""
        if not self.raw.startswith("\n", start):
            return False
        inner = self.raw[start : start + _PROGRAM].partition("</code>")[0]
        return looks_like_code(inner) or any(f"{call}(" in inner for call in ANSWER_CALLS)

    def _ignores(self, tag: str, kind: BlockKind | None, closing: bool) -> bool:
        """True for a tag that is mere text in its place. Inside a fence or element only its own end
        counts, except that a new section shows that an unclosed one is over."""
        section = self.section
        if not section.closer or section.closer == tag:
            return False
        if section.closer == _FENCE or kind is None or closing or kind == "ui":
            return True
        return section.kind == "execution" and section.closer == "pre"

    def _take_as_reasoning(self, end: int) -> None:
        """Take all of the turn as reasoning. Where a prompt ends in `<think>`, the output has the
        closing tag alone."""
        self.found.remove_from(self.turn)
        self._open(_Section("reasoning"), self.turn)
        self._emit(end)

    def _close(self, end: int, position: int) -> None:
        """End the section. Unmarked output may follow code, but not output that was marked."""
        self._emit(end)
        if self.section.kind in ("code", "execution"):
            self.found.after_code = self.section.kind == "code"
        if self.section.kind in ("execution", "reasoning"):
            self.turn = position
        self._open(_PROSE, position)

    def _open(self, section: _Section, position: int) -> None:
        self.section, self.position = section, position

    def _emit(self, end: int, kind: BlockKind | None = None) -> None:
        """Add the text up to `end`, as the section's kind unless another is given."""
        start, self.position = self.position, end
        self.found.add_section(kind or self.section.kind, self.raw[start:end], start)
