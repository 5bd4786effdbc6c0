"""JSON that others wrote: read whatever its bytes, and used whatever its types."""

from __future__ import annotations

import codecs
import json
from pathlib import Path
from typing import Any

from .errors import InputError


def parse_json(data: bytes) -> Any:
    """The value of a JSON text. Broken UTF-8 is tolerated, a byte order mark and NUL bytes are
    passed over. Raises `ValueError` if it is no JSON, or nested too deeply."""
    text = data.removeprefix(codecs.BOM_UTF8).decode("utf-8", errors="replace")
    try:
        return json.loads(text.replace("\x00", ""))
    except RecursionError:
        raise ValueError("nested too deeply") from None


def load_json(path: Path) -> Any:
    """The value of a whole JSON file. Raises `InputError`."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(path, f"cannot read: {error.strerror}", "Check the path") from None
    if not data.strip():
        raise InputError(path, "the file is empty", "Name a file with something in it")
    try:
        return parse_json(data)
    except ValueError as error:
        line = getattr(error, "lineno", None)
        raise InputError(path, f"not valid JSON ({error})", "Repair the file", line) from None


def as_mapping(value: object) -> dict[str, Any]:
    """An object as it is; anything else counts as an empty one."""
    return value if isinstance(value, dict) else {}


def as_list(value: object) -> list[Any]:
    """A list as it is, an absent or empty value as an empty one, any other as a list of one."""
    if not value:
        return []
    return value if isinstance(value, list) else [value]


def as_text(value: object) -> str | None:
    """Strings as they are, an absent value as None, any other as JSON writes it."""
    if value is None or isinstance(value, str):
        return value
    return json.dumps(value)


def as_texts(value: object) -> tuple[str, ...]:
    """The items of a list as texts; none if the value is absent or empty. Raises `ValueError`
    for anything else: whether `"yes,no"` is one text or two is not for us to say."""
    if not value:
        return ()
    if not isinstance(value, list):
        raise ValueError(f"not a list: {as_text(value)}"[:80])
    return tuple([as_text(item) or "" for item in value])
