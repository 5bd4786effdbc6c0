"""Grade data-analysis agents, and grade the graders.

Short verbs for notebooks (imported on first use, so that importing the package stays cheap):

>>> from grader import extract, grade, verify
>>> verify("The rate is 0.20 (20%).", "0.2", question="What is the rate?")
1.0
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"
__all__ = [
    "Extraction",
    "Grade",
    "GradeSettings",
    "Label",
    "Step",
    "Task",
    "Transcript",
    "UserError",
    "extract",
    "grade",
    "grade_column",
    "grade_file",
    "verify",
]

if TYPE_CHECKING:
    from .api import extract, grade, verify
    from .errors import UserError
    from .frames import grade_column, grade_file
    from .records import Extraction, Grade, Label, Step, Task, Transcript
    from .settings import GradeSettings

_HOME = {
    **dict.fromkeys(("extract", "grade", "verify"), "api"),
    **dict.fromkeys(("grade_column", "grade_file"), "frames"),
    **dict.fromkeys(("Extraction", "Grade", "Label", "Step", "Task", "Transcript"), "records"),
    "GradeSettings": "settings",
    "UserError": "errors",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f".{_HOME[name]}", __name__), name)
