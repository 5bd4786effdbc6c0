"""Small pieces of wording: counted nouns, paragraphs, file names."""

from __future__ import annotations

import re

from annotate.wording import counted

__all__ = ["counted", "sentences", "slug"]


def slug(text: str) -> str:
    """A short file-name part: letters, digits, dashes."""
    return re.sub(r"[^A-Za-z0-9]+", "-", text[:60]).strip("-")[:40]


def sentences(*said: str) -> str:
    """The sentences as one paragraph; empty ones are dropped."""
    return " ".join(filter(None, said))
