"""The run directory: where running, grading, labelling and reporting meet."""

from .directory import (
    GradeAppender,
    RunDirectory,
    transcripts_of,
)

__all__ = [
    "GradeAppender",
    "RunDirectory",
    "transcripts_of",
]
