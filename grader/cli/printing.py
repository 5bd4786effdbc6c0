"""What every command prints."""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any


class _Collector(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.messages: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.messages.append(record.getMessage())


@contextmanager
def collected_warnings() -> Iterator[list[str]]:
    """The warnings logged in the meantime, so that `--json` tells of them too."""
    logger, collector = logging.getLogger("grader"), _Collector()
    logger.addHandler(collector)
    try:
        yield collector.messages
    finally:
        logger.removeHandler(collector)


def print_json(summary: Mapping[str, Any]) -> None:
    """Print the summary of a command (`--json`) on stdout, as one line."""
    sys.stdout.write(json.dumps(summary) + "\n")
