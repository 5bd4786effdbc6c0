"""Readers of recorded runs: one file per format, each yields `Transcript` records."""

from .transcripts import (
    READERS,
    from_native,
    is_readable,
    read,
    read_chunks,
    recognised_shards,
    refuse_twin,
    some_readable,
    to_native,
)

__all__ = [
    "READERS",
    "from_native",
    "is_readable",
    "read",
    "read_chunks",
    "recognised_shards",
    "refuse_twin",
    "some_readable",
    "to_native",
]
