"""Splitting raw agent output into blocks, execution output and verbal text."""

from .split import (
    Block,
    Output,
    split_output,
)

__all__ = [
    "Block",
    "Output",
    "split_output",
]
