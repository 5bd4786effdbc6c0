"""JSON that others wrote: read whatever its bytes, and used whatever its types."""

from __future__ import annotations

import codecs
import json
from collections.abc import Collection
from pathlib import Path
from typing import Any, TypeVar

from .errors import InputError

Name = TypeVar("Name", bound=str)


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
    check_encoding(path, data)
    try:
        return parse_json(data)
    except ValueError as error:
        line = getattr(error, "lineno", None)
        raise InputError(path, f"not valid JSON ({error})", "Repair the file", line) from None


def check_encoding(path: Path, beginning: bytes) -> None:
    """Raise `InputError` if a file that begins so is in UTF-16 or UTF-32."""
    encoding = json.detect_encoding(beginning[:4])
    if not encoding.startswith("utf-8"):
        name = encoding[:6].upper()
        raise InputError(path, f"written in {name}, not in UTF-8", "Save it as UTF-8")


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


def as_choices(value: object) -> tuple[str, ...]:
    """The options of a task: the items of a list, or an object of letters and wordings as
    `A. wording`. Raises `ValueError` for anything else."""
    if isinstance(value, dict):
        return tuple([f"{letter}. {as_text(wording)}" for letter, wording in value.items()])
    try:
        return as_texts(value)
    except ValueError as error:
        raise ValueError(f"choices: {error}") from None


def name_in(record: dict[str, Any], field: str, valid: Collection[Name]) -> Name | None:
    """The name that a field holds; None if it holds nothing. Raises `ValueError` if it is none of
    the valid ones."""
    stated = as_text(record.get(field))
    if not stated:
        return None
    for name in valid:
        if name == stated:
            return name
    raise ValueError(f"{field} {stated[:80]!r} is none of {', '.join(valid)}")
