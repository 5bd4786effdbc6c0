"""The lenient grader: language models read what strict extraction missed.

settings = LenientSettings(models=("gpt-4o-mini",))
with run.writing():
    if lenient := open_lenient(settings, run):
        with lenient:
            for grade in lenient.grade_many(transcripts):
                ...
        print(lenient.summary().as_dict())
"""

from __future__ import annotations

from .arguments import add_lenient_arguments, lenient_settings
from .grader import LenientGrader
from .opening import open_lenient
from .settings import LenientSettings, wants_judging
from .summary import LenientSummary

__all__ = [
    "LenientGrader",
    "LenientSettings",
    "LenientSummary",
    "add_lenient_arguments",
    "lenient_settings",
    "open_lenient",
    "wants_judging",
]
