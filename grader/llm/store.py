"""A folder of replies shared between runs (`--cache DIR`): one file per request key.

Files are written whole or not at all, so several processes can share the folder.
"""

from __future__ import annotations

import json
import logging
from pathlib import Path

from ..errors import cannot_write
from ..files.replacing import write_atomically
from .calls import LlmCall
from .request import Reply

log = logging.getLogger("grader")


class ReplyStore:
    """Replies by request key, on disk."""

    def __init__(self, folder: Path) -> None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise cannot_write(folder, error) from error
        self._folder = folder

    def find(self, key: str) -> Reply | None:
        """The stored reply; None if there is none, or if its file cannot be read."""
        path = self._path(key)
        try:
            return LlmCall.model_validate(json.loads(path.read_bytes())).to_reply()
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as error:
            log.warning("%s: unreadable cached reply ignored (%s)", path, type(error).__name__)
            return None

    def add(self, call: LlmCall) -> None:
        """Store a call that has a reply. Raises `UserError` if the disk refuses."""
        path = self._path(call.key)
        try:
            path.parent.mkdir(exist_ok=True)
        except OSError as error:
            raise cannot_write(path.parent, error) from error
        write_atomically(path, call.to_json())

    def _path(self, key: str) -> Path:
        return self._folder / key[:2] / f"{key}.json"
