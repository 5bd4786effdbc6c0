"""Make hostile text safe and honest to show: nothing invisible, nothing that acts."""

from __future__ import annotations

import re

from grader.invisible import UNSHOWABLE


def displayable(text: str) -> str:
    """The text with control characters shown as symbols, direction overrides and other
    invisible characters shown by their code, and broken characters as U+FFFD. Tabs and line
    ends stay. What comes back has no terminal escape and can always be encoded as UTF-8."""
    return UNSHOWABLE.sub(_visible, text.replace("\r\n", "\n"))


def one_line(text: str) -> str:
    """`displayable`, with every run of white space as one space."""
    return " ".join(displayable(text).split())


def _visible(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code < 0x20:
        return "\n" if code == 0x0D else chr(0x2400 + code)
    if code == 0x7F:
        return "\u2421"
    if 0xD800 <= code <= 0xDFFF:
        return "\ufffd"
    return f"\u27e8U+{code:04X}\u27e9"
