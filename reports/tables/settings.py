"""Settings, prompts and hashes, which are needed to reproduce the report."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..frames import RunFrames
from ..table import Column, Table

COLUMNS = (
    Column("Entry", "entry", numeric=False),
    Column("Value", "value", numeric=False),
)
NOTE = "From the run's manifest; sha256 of the run's files when the report was made."


def settings_table(frames: RunFrames) -> Table:
    """The manifest, one row an entry (`settings.relative_tolerance`), in its own order."""
    rows = tuple({"entry": key, "value": value} for key, value in _flat(frames.manifest or {}, ""))
    return Table("settings", "Settings and hashes", COLUMNS, rows, NOTE)


def _flat(value: Any, path: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping) and value:
        for key, inner in value.items():
            yield from _flat(inner, f"{path}.{key}" if path else str(key))
    elif isinstance(value, list | tuple):
        yield path, ", ".join(map(str, value)) or "(none)"
    else:
        yield path, "(none)" if value in (None, {}, "") else str(value)
