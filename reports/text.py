"""Hostile text made safe to look at. Escaping for HTML is the template engine's job."""

from __future__ import annotations

import re

from grader.invisible import UNSHOWABLE


def visible(text: object) -> str:
    """Text with every character that a browser hides, reorders or refuses shown as `⟨U+202E⟩`.

    Newlines and tabs stay; carriage returns before newlines go.
    """
    return UNSHOWABLE.sub(lambda m: f"⟨U+{ord(m[0]):04X}⟩", str(text).replace("\r\n", "\n"))


def slug(text: str) -> str:
    """A short file-name part: letters, digits, dashes."""
    return re.sub(r"[^A-Za-z0-9]+", "-", text[:60]).strip("-")[:40]


def sentences(*said: str) -> str:
    """Sentences as one paragraph; empty ones fall away."""
    return " ".join(filter(None, said))


def counted(number: int, noun: str) -> str:
    """`1 step`, `1,200 steps`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
