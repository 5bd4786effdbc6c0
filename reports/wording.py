"""Small pieces of wording: counted nouns, paragraphs, file names."""

from __future__ import annotations

import re


def slug(text: str) -> str:
    """A short file-name part: letters, digits, dashes."""
    return re.sub(r"[^A-Za-z0-9]+", "-", text[:60]).strip("-")[:40]


def sentences(*said: str) -> str:
    """The sentences as one paragraph; empty ones are dropped."""
    return " ".join(filter(None, said))


def counted(number: int, noun: str) -> str:
    """`1 step`, `1,200 steps`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
