"""The run directory: where running, grading, labelling and reporting meet."""

from .creating import created
from .directory import (
    GradeAppender,
    RunDirectory,
    transcripts_of,
)

__all__ = [
    "GradeAppender",
    "RunDirectory",
    "created",
    "transcripts_of",
]
