"""Reading JSON that others wrote, whatever its encoding and types."""

from __future__ import annotations

import codecs
import json
import logging
import math
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

from ..absent import is_empty_cell
from ..errors import InputError
from ..invisible import encodable

log = logging.getLogger("grader")
Name = TypeVar("Name", bound=str)
_MOST_DIGITS = 4000  # below the limit of `sys.get_int_max_str_digits`
_COMPRESSED = {b"\x1f\x8b": ".gz", b"\x28\xb5\x2f\xfd": ".zst"}  # first bytes -> ending of names
_NO_TEXT = frozenset(range(1, 32)) - frozenset(b"\t\n\r")  # bytes of control characters
_EXACT = 2.0**53  # below it, a whole float is the integer that was meant


def _finite(literal: str) -> float | str:
    """A number, or its text if it overflows: written again it would be no JSON."""
    value = float(literal)
    return value if math.isfinite(value) else literal


def _integer(literal: str) -> int | str:
    """An integer, or its text if Python reads none of so many digits."""
    return int(literal) if len(literal) <= _MOST_DIGITS else literal


# Python writes these although they are no JSON: NaN is a data frame's gap, infinities are words.
_DECODER = json.JSONDecoder(
    parse_float=_finite,
    parse_int=_integer,
    parse_constant=lambda name: None if name == "NaN" else name,
)


def parse_json(text: bytes | str) -> Any:
    """The value of a JSON text; a NaN in it is null, an infinity or `1e999` a text. Broken UTF-8 is
    tolerated, a byte order mark and NUL bytes are skipped. Raises `ValueError` if it is no JSON, or
    nested too deeply."""
    if isinstance(text, bytes):
        text = text.removeprefix(codecs.BOM_UTF8).decode("utf-8", errors="replace")
    try:
        return _DECODER.decode(text.replace("\x00", ""))
    except RecursionError:
        raise ValueError("nested too deeply") from None


def json_or_none(text: bytes | str) -> Any:
    """The value of a JSON text; None for what is no JSON."""
    try:
        return parse_json(text)
    except ValueError:
        return None


def json_of(path: Path, data: bytes) -> Any:
    """The value of the JSON that a file holds. data: its bytes, decompressed. Raises
    `InputError`."""
    if not data.strip():
        raise InputError(path, "the file is empty", "Name a file with something in it")
    check_encoding(path, data)
    warned_of(path, data)
    try:
        return parse_json(data)
    except ValueError as error:
        line = getattr(error, "lineno", None)
        raise InputError(path, f"not valid JSON ({error})", "Repair the file", line) from None


def check_encoding(path: Path, beginning: bytes) -> None:
    """Raise `InputError` if the first bytes of a file show UTF-16 or UTF-32, or no text."""
    for signature, ending in _COMPRESSED.items():
        if beginning.startswith(signature):
            raise InputError(path, "compressed", f"Let its name end in {ending}")
    if beginning and not beginning[:4].strip(b"\x00"):
        raise InputError(path, "begins with NUL bytes", "Get the file again: it is damaged")
    encoding = json.detect_encoding(beginning[:4])
    if encoding.endswith(("-le", "-be")) and _NO_TEXT.intersection(beginning[:4]):
        raise InputError(path, "not a text but binary data", "Name a file of JSON")
    if not encoding.startswith("utf-8"):
        name = encoding[:6].upper()
        raise InputError(path, f"written in {name}, not in UTF-8", "Save it as UTF-8")


def warned_of(path: Path, text: bytes, first: int = 1) -> bool:
    """Whether a text is not UTF-8; then warns. `first` is the number of its first line."""
    try:
        text.decode()
    except UnicodeDecodeError as error:
        line = first + text.count(b"\n", 0, error.start)
        log.warning(
            "%s:%d: not UTF-8; each byte that cannot be read becomes U+FFFD, and signs of numbers "
            "are lost so. Save the file as UTF-8",
            path, line,
        )  # fmt: skip
        return True
    return False


def watched(path: Path, lines: Iterator[tuple[int, bytes]]) -> Iterator[tuple[int, bytes]]:
    """The numbered lines of a file, unchanged, with a warning at the first that is not UTF-8."""
    for number, line in lines:
        yield number, line
        if warned_of(path, line, number):
            break
    yield from lines


def as_mapping(value: object) -> dict[str, Any]:
    """An object as it is; anything else counts as an empty one."""
    return value if isinstance(value, dict) else {}


def as_list(value: object) -> list[Any]:
    """A list as it is, an absent or empty value as an empty one, any other as a list of one."""
    if not value:
        return []
    return value if isinstance(value, list) else [value]


def as_text(value: object) -> str | None:
    """Strings as they are, an absent value as None, any other as JSON writes it, with whole floats
    as integers; what is no JSON (a numpy integer) as Python does; what is nested too deeply for
    Python to write, as an empty text."""
    if value is None or isinstance(value, str):
        return value
    try:
        return json.dumps(without_point(value))
    except TypeError:
        return str(value)
    except RecursionError:
        return ""


def without_point(value: object) -> object:
    """A whole float as an integer, also in lists and objects; anything else unchanged. One gap in a
    column of years makes them floats: 2010.0."""
    if isinstance(value, float) and abs(value) < _EXACT and value.is_integer():
        return int(value)
    if isinstance(value, list):
        return [without_point(item) for item in value]
    if isinstance(value, dict):
        return {name: without_point(item) for name, item in value.items()}
    return value


def as_texts(value: object) -> tuple[str, ...]:
    """The items of a list as texts; none if the value is absent or empty. Raises `ValueError`
    for anything else, as `"yes,no"` may be one text or two."""
    if not value:
        return ()
    if not isinstance(value, list):
        raise ValueError(f"not a list: {as_text(value)}"[:80])
    return tuple([as_text(item) or "" for item in value])


def as_choices(value: object) -> tuple[str, ...]:
    """The options of a task: the items of a list, or an object of letters and wordings, or of a
    list of each (`label`, `text`), or a list of objects of one each, as `A. wording`. Raises
    `ValueError` for anything else."""
    if isinstance(value, list) and value and all(map(_is_lettered, value)):
        value = {name: [one[name] for one in value] for name in ("label", "text")}
    if isinstance(value, dict):
        if value.keys() == {"label", "text"}:
            letters, wordings = as_texts(value["label"]), as_texts(value["text"])
            if len(letters) != len(wordings):
                raise ValueError("choices: as many labels as texts are wanted")
            value = dict(zip(letters, wordings, strict=True))
        return tuple([f"{letter}. {as_text(wording)}" for letter, wording in value.items()])
    for one in value if isinstance(value, list) else ():
        if isinstance(one, list | dict):
            raise ValueError(f"choices: no text: {as_text(one)}"[:120])
    try:
        return as_texts(value)
    except ValueError as error:
        raise ValueError(f"choices: {error}") from None


def _is_lettered(choice: object) -> bool:
    """Whether an option is an object of a letter and a wording."""
    return isinstance(choice, dict) and choice.keys() == {"label", "text"}


def as_covariates(values: object) -> dict[str, str]:
    """The covariates that have a value, by name; see `as_covariate`. Empty if `values` is absent or
    empty. Raises `ValueError` for anything else but an object."""
    if not values:
        return {}
    if not isinstance(values, Mapping):
        raise ValueError(f"covariates: not an object of names and values: {as_text(values)}"[:120])
    found = {encodable(str(name)): as_covariate(value) for name, value in values.items()}
    return {name: text for name, text in found.items() if text is not None}


def as_covariate(value: object) -> str | None:
    """A covariate as text, with one spelling for a value: a data frame's `True` becomes JSON's
    `true`. None for a missing value."""
    text = (as_text(value) or "").strip()
    if is_empty_cell(text):
        return None
    return text.lower() if text.lower() in ("true", "false") else encodable(text)


def name_in(record: dict[str, Any], field: str, valid: Collection[Name]) -> Name | None:
    """The name that a field holds; None if it holds nothing. Raises `ValueError` for an invalid
    one."""
    stated = as_text(record.get(field))
    if not stated:
        return None
    for name in valid:
        if name == stated:
            return name
    raise ValueError(f"{field} {stated[:80]!r} is none of {', '.join(valid)}")
