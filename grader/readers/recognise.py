"""Recognising the format of a file, or that it holds no transcripts."""

from __future__ import annotations

import codecs
from collections.abc import Iterable
from itertools import chain, islice
from pathlib import Path
from typing import Any

from ..errors import InputError
from ..files.json_input import as_list, json_or_none
from ..files.jsonl import all_lines
from ..invisible import one_line
from .dsgym import looks_like_dsgym
from .native import OUTPUT_FIELDS
from .parquet import has_transcripts
from .shards import JSON_LINES, PARQUET, is_one_text, open_shard, whole_json

EMPTY, OTHER = "empty", "no transcripts in it"  # what is found instead of a format
_LOOKED_AT = 1000  # lines; a file without a transcript among these has none


def recognise(path: Path) -> str:
    """The name of a file's format, or EMPTY or OTHER. Raises `InputError` if it cannot be read."""
    if path.name.endswith(PARQUET):
        return "parquet" if has_transcripts(path) else OTHER
    with open_shard(path) as file:
        lines = (line for _, line in all_lines(file, path))
        first = next(lines, None)
        if first is None:
            return EMPTY
        record = json_or_none(first)
        if looks_like_dsgym(record):
            return "dsgym"
        if path.name.endswith(JSON_LINES) and not is_one_text(path):
            return _of_lines(islice(chain([first], lines), _LOOKED_AT))
    if isinstance(record, dict) and not {"transcript_id", *OUTPUT_FIELDS}.isdisjoint(record):
        return "native"
    if by_suffix(path) is None and not _may_be_json(first):
        return OTHER
    return _of_list(whole_json(path))


def _of_lines(lines: Iterable[bytes]) -> str:
    """The format of JSON lines: that of the first record of a sample or a transcript. Broken lines
    may be transcripts and are left to the reader, which reports them."""
    found = OTHER
    for line in lines:
        record = json_or_none(line)
        if looks_like_dsgym(record):
            return "dsgym"
        if isinstance(record, dict) and _may_be_transcript(record):
            return "native"
        if not isinstance(record, dict):
            found = "native"
    return found


def _of_list(value: object) -> str:
    """The format of a whole JSON file."""
    if looks_like_dsgym(value):
        return "dsgym"
    records = as_list(value)[:_LOOKED_AT]
    is_native = any(_may_be_transcript(one) for one in records if isinstance(one, dict))
    return "native" if is_native else OTHER


def keys_in(path: Path) -> str:
    """The keys of the object in a JSON file, or of the first one in its list, for a message; "" if
    there is none."""
    with open_shard(path) as file:
        first_line = next((line for line in file if not line.isspace()), b"")
        value = json_or_none(first_line + file.read()) if _may_be_json(first_line) else None
    first = next(iter(as_list(value)), None)
    if not first or not isinstance(first, dict):
        return ""
    what = "a list of objects" if isinstance(value, list) else "an object"
    return f": {what} with {one_line(', '.join(first))[:120]}"


def may_be_recording(path: Path) -> bool:
    """Whether there are transcripts in a file, as far as it can be read."""
    try:
        return recognise(path) not in (EMPTY, OTHER)
    except InputError:
        return True


def by_suffix(path: Path) -> str | None:
    """The format that a file's name implies, if any."""
    suffixes = {"native": JSON_LINES, "parquet": PARQUET, "dsgym": (".json",)}
    return next((name for name, ends in suffixes.items() if path.name.endswith(ends)), None)


def _may_be_json(line: bytes) -> bool:
    """Whether a list or an object may begin with this line."""
    return line.removeprefix(codecs.BOM_UTF8).lstrip().startswith((b"[", b"{"))


def _may_be_transcript(record: dict[str, Any]) -> bool:
    """False for an object of another kind, such as a label."""
    held = OUTPUT_FIELDS.intersection(record)
    if held == {"messages"}:  # as calls of judges have, in a run's `llm_calls.jsonl`
        return "prompt_hash" not in record
    return bool(held)
