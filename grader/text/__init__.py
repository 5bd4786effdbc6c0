"""Splitting raw agent output into blocks, execution output and verbal text."""

from .blocks import Block
from .split import Output, split_output

__all__ = ["Block", "Output", "split_output"]
