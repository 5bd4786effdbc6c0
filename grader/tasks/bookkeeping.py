"""Which metadata of a task file are covariates, and which are bookkeeping."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from pathlib import Path

from ..files.json_input import as_covariates
from ..numbers import parse_number

_NAMES = frozenset({
    "id", "original_id", "reference", "question_type", "multiple_choices", "keywords",
    "github_name", "gold_program_name", "guidelines", "notebook_path", "output_fname",
    "paper_path", "paper_title", "src_file_or_path",
})  # fmt: skip
_FEWEST = 10  # tasks; of fewer, each may well have a level of its own
_LONGEST = 100  # characters of a level
log = logging.getLogger("grader")


def described(path: Path, metadata: Iterable[Mapping[str, object]]) -> list[dict[str, str]]:
    """The covariates in the metadata of each task of a file, without bookkeeping: known names of
    it, texts of which each task has one of its own, and long ones that seldom repeat. Warns of what
    the values alone show to be bookkeeping."""
    found = [as_covariates({n: one[n] for n in one if n not in _NAMES}) for one in metadata]
    columns: dict[str, list[str]] = {}
    for covariates in found:
        for name, value in covariates.items():
            columns.setdefault(name, []).append(value)
    left_out = [name for name, values in columns.items() if not _has_levels(values)]
    if left_out:
        log.warning(
            "%s: not taken as covariates, as the texts there are long or each of one task: %s "
            "(--covariates may hold them)", path, ", ".join(left_out)
        )  # fmt: skip
    return [{n: one[n] for n in one if n not in left_out} for one in found]


def _has_levels(values: list[str]) -> bool:
    """Whether a column's values describe its tasks, rather than name each or retell it. Numbers
    do: they are cut into quarters."""
    texts = [value for value in values if parse_number(value) is None]
    if 2 * len(texts) < len(values):
        return True
    distinct = len(set(values))
    if 2 * sum(len(text) > _LONGEST for text in texts) > len(values):
        return 2 * distinct <= len(values)
    return len(values) < _FEWEST or distinct < len(values)
