"""What stands for no value in tables and files made of them: one list, read in two ways."""

from __future__ import annotations

# What pandas, R, JSON and spreadsheets write where there is nothing.
_WRITTEN = (
    "", "NA", "<NA>", "N/A", "n/a", "#N/A", "NaN", "nan", "NaT", "None", "NULL", "null",
)  # fmt: skip
_CELLS = frozenset(_WRITTEN)
# People write answers: in any case, and with a sign alone. Each stands for no answer there.
_ANSWERS = frozenset((*(text.lower() for text in _WRITTEN), "-", "--", "–", "—", "?", "."))


def is_empty_cell(text: str) -> bool:
    """Whether a cell of a table holds no value, in the spelling of software alone: `none` in small
    letters is a level of a covariate, and so are signs."""
    return text.strip() in _CELLS


def is_no_answer(text: str) -> bool:
    """Whether a published answer says that there is none. (Where `None` is an option of the task,
    `published_answer` takes it for that.)"""
    return text.strip().lower() in _ANSWERS
