"""Readers of recorded runs: one file per format, each yields `Transcript` records."""

from .native import from_native, to_native
from .transcripts import (
    READERS,
    check_format,
    is_readable,
    read,
    read_chunks,
    recognised_shards,
    refuse_twin,
    some_readable,
    unique_id,
)

__all__ = [
    "READERS",
    "check_format",
    "from_native",
    "is_readable",
    "read",
    "read_chunks",
    "recognised_shards",
    "refuse_twin",
    "some_readable",
    "to_native",
    "unique_id",
]
