"""Spellings of a missing value (`NA`, `null`, ...): one list, read in two ways."""

from __future__ import annotations

# What pandas, R, JSON and spreadsheets write where there is nothing.
_WRITTEN = (
    "", "NA", "<NA>", "N/A", "n/a", "#N/A", "NaN", "nan", "NaT", "None", "NULL", "null",
)  # fmt: skip
_CELLS = frozenset(_WRITTEN)
# People write published answers: any letter case, or a sign alone, means that there is none.
_ANSWERS = frozenset((*(text.lower() for text in _WRITTEN), "-", "--", "–", "—", "?", "."))


def is_empty_cell(text: str) -> bool:
    """Whether a cell of a table holds no value. Only spellings of software count: `none` in small
    letters is a level of a covariate, and so is a sign."""
    return text.strip() in _CELLS


def is_no_answer(text: str) -> bool:
    """Whether a published answer says that there is none. (`published_answer` keeps a `None` that
    is an option of the task.)"""
    return text.strip().lower() in _ANSWERS
