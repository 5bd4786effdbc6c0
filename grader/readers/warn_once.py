"""Warnings about transcripts, each given once for all transcripts that it holds for."""

from __future__ import annotations

import logging

log = logging.getLogger("grader")
_MOST = 100  # different warnings, as an input may have any number of faults
_warned: set[str] = set()


def warn_once(about: str, transcript_id: str, message: str, *arguments: object) -> None:
    """Warn of a fault, naming the first transcript that has it. about: a name of the fault; of one
    with the same name nothing more is said."""
    if about not in _warned and len(_warned) < _MOST:
        _warned.add(about)
        name = transcript_id or "a transcript"
        log.warning(f"%s, and perhaps others: {message}", name, *arguments, extra={"once": about})
