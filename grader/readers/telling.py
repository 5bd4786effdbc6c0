"""Warnings of transcripts, told once for all that they hold for."""

from __future__ import annotations

import logging

log = logging.getLogger("grader")
_MOST = 100  # of input that nobody has looked at
_told: set[str] = set()


def tell_once(about: str, transcript_id: str, message: str, *arguments: object) -> None:
    """Warn of something, naming the first transcript with it. about: what it is; told already, it
    is not told again."""
    if about not in _told and len(_told) < _MOST:
        _told.add(about)
        name = transcript_id or "a transcript"
        log.warning(f"%s, and perhaps others: {message}", name, *arguments, extra={"once": about})
