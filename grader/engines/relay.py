"""Warnings that workers log, told where the pass runs."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import NamedTuple


class Told(NamedTuple):
    """A message that a worker logged, and what it is about, if that is told only once."""

    level: int
    message: str
    about: str


class Relay(logging.Handler):
    """In a worker: keeps the warnings of its logger, in place of printing them."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self._kept: list[Told] = []
        logger = logging.getLogger("grader")
        logger.addHandler(self)
        logger.propagate = False

    def emit(self, record: logging.LogRecord) -> None:
        about = getattr(record, "once", "")
        self._kept.append(Told(record.levelno, record.getMessage(), about))

    def taken(self) -> list[Told]:
        """The warnings since the last call."""
        taken, self._kept = self._kept, []
        return taken


class Teller:
    """Where the pass runs: logs what workers told, once where several tell the same."""

    def __init__(self) -> None:
        self._told: set[str] = set()

    def tell(self, warnings: Iterable[Told]) -> None:
        for level, message, about in warnings:
            key = about or message
            if key not in self._told:
                self._told.add(key)
                logging.getLogger("grader").log(level, "%s", message)
