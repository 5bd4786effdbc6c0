"""What to label next: a queue drawn by a stated design, and the weights that undo it."""

from .drawing import (
    Sample,
    draw,
    labelled_part,
    resized,
)

__all__ = [
    "Sample",
    "draw",
    "labelled_part",
    "resized",
]
