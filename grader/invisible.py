"""Invisible characters: one table, for text shown to people and text sent to models. Also
characters that no file can hold. Escaping for HTML is the template engine's job."""

from __future__ import annotations

import re

# Code points that are drawn as nothing (Unicode's Default_Ignorable_Code_Point, and the marks of
# interlinear annotation). U+FE0E and U+FE0F, which pick the form of the emoji before them, are
# not among them.
INVISIBLE: tuple[tuple[int, int, str], ...] = (
    (0x00AD, 0x00AD, "soft hyphen"),
    (0x034F, 0x034F, "grapheme joiner"),
    (0x061C, 0x061C, "Arabic letter mark"),
    (0x115F, 0x1160, "Hangul fillers"),
    (0x17B4, 0x17B5, "Khmer inherent vowels"),
    (0x180B, 0x180F, "Mongolian selectors and separator"),
    (0x200B, 0x200F, "zero-width space and joiners, direction marks"),
    (0x202A, 0x202E, "direction embeddings and overrides"),
    (0x2060, 0x206F, "word joiner, invisible operators, direction isolates"),
    (0x3164, 0x3164, "Hangul filler"),
    (0xFE00, 0xFE0D, "variation selectors"),
    (0xFEFF, 0xFEFF, "byte order mark"),
    (0xFFA0, 0xFFA0, "halfwidth Hangul filler"),
    (0xFFF0, 0xFFFB, "interlinear annotation"),
    (0x1BCA0, 0x1BCA3, "shorthand format controls"),
    (0x1D173, 0x1D17A, "musical format controls"),
    (0xE0000, 0xE0FFF, "tags and variation selectors"),
)
_CONTROL = "\x00-\x08\x0b-\x1f\x7f-\x9f"
_INVISIBLE = "".join(f"{chr(first)}-{chr(last)}" for first, last, _ in INVISIBLE)
_SURROGATES = "\ud800-\udfff"

CONTROL = re.compile(f"[{_CONTROL}]")
HIDDEN = re.compile(f"[{_INVISIBLE}]")
# All that must not be shown as it is; tabs and newlines may.
UNSHOWABLE = re.compile(f"[{_CONTROL}{_INVISIBLE}{_SURROGATES}]")


def encodable(text: str) -> str:
    """The text with lone surrogates, which JSON can spell but UTF-8 cannot hold, as U+FFFD."""
    if text.isascii():
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def storable_text(text: str) -> str:
    """`encodable`, with NUL characters, which neither a database such as Postgres nor an argument
    of a program can hold, as U+FFFD too."""
    return encodable(text).replace("\x00", "\ufffd")


def displayable(text: str) -> str:
    """The text with control characters shown as symbols, direction overrides and other
    invisible characters shown by their code, and broken characters as U+FFFD. Tabs and line
    ends stay. What comes back has no terminal escape and can always be encoded as UTF-8."""
    return UNSHOWABLE.sub(_symbol, text.replace("\r\n", "\n"))


def one_line(text: str) -> str:
    """`displayable`, with every run of white space as one space."""
    return " ".join(displayable(text).split())


def _symbol(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code < 0x20:
        return "\n" if code == 0x0D else chr(0x2400 + code)
    if code == 0x7F:
        return "\u2421"
    if 0xD800 <= code <= 0xDFFF:
        return "\ufffd"
    return f"\u27e8U+{code:04X}\u27e9"
