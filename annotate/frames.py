"""A run as pandas frames, for notebooks.

    from annotate import frames
    frames.labels("runs/march")        one row per label
    frames.grades("runs/march")        one row per (transcript, grader)
    frames.cases("runs/march")         one row per transcript: covariates, passes, human match
    frames.calibration("runs/march")   one row per grader
    frames.pass_rates("runs/march")    one row per (grader, estimate)

`database` names a label database other than the run's own file; `final_only` leaves out labels
given from the snippet alone, as `grader calibrate --final-only` does. A frame without rows has its
columns.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pandas as pd

from grader.records import Grade
from grader.run import RunDirectory

from .audit import AuditSettings, audit
from .audit.case_frame import case_frame
from .cases import cases_of
from .labels import LabelStore, open_store
from .labels.consensus import final_labels, human_matches
from .labels.rows import StoredLabel
from .statistics.calibrate import Calibration, calibrate
from .statistics.estimates import Estimate


def labels(run: Path | str, *, database: str | None = None, history: bool = False) -> pd.DataFrame:
    """Current labels, oldest first; with `history` every label ever given, also superseded and
    retracted ones. Raises `InputError` if there is no run, `UserError` if its labels cannot be
    read."""
    with _store(run, database) as store:
        rows = store.history() if history else store.current()
    return pd.DataFrame([row.model_dump() for row in rows], columns=list(StoredLabel.model_fields))


def grades(run: Path | str) -> pd.DataFrame:
    """The grades that count; the evidence is spread over columns `evidence.KEY`. Raises
    `InputError` if there is no run, or its manifest does not state what the grades were made with.
    """
    rows = []
    for found in RunDirectory.open(run).grades_by_transcript().values():
        for grade in found.values():
            row = grade.model_dump(exclude={"evidence"})
            rows.append({**row, **{f"evidence.{k}": v for k, v in grade.evidence.items()}})
    return _frame(rows, (name for name in Grade.model_fields if name != "evidence"))


def cases(run: Path | str, *, database: str | None = None) -> pd.DataFrame:
    """One row per transcript: `covariate:NAME`, outcome, `GRADER pass` and `human match` as yes or
    no. Raises as `grades` and `labels`."""
    with _store(run, database) as store:
        found = human_matches(final_labels(store.current()))
    return case_frame(cases_of(RunDirectory.open(run)), found)


def calibration(
    run: Path | str, *, database: str | None = None, final_only: bool = False
) -> pd.DataFrame:
    """One row per grader and configuration: counts, then each rate with n, s.e. and interval.
    Raises as `grades` and `labels`."""
    with _store(run, database) as store:
        found = audit(RunDirectory.open(run), store, AuditSettings(final_only=final_only))
    rows = [_calibration_row(row) for row in found.calibrations]
    return _frame(rows, _calibration_row(calibrate("", {}, {})))


def pass_rates(
    run: Path | str, *, database: str | None = None, final_only: bool = False
) -> pd.DataFrame:
    """One row per grader and estimate of the agent's true pass rate. Raises as `grades` and
    `labels`."""
    with _store(run, database) as store:
        found = audit(RunDirectory.open(run), store, AuditSettings(final_only=final_only))
    rows = [
        {"grader": row.grader, "automated": row.automated.value, **estimate.model_dump()}
        for row in found.pass_rates
        for estimate in row.estimates
    ]
    return _frame(rows, ("grader", "automated", *Estimate.model_fields))


def _calibration_row(row: Calibration) -> dict[str, Any]:
    flat: dict[str, Any] = {"grader": row.grader, "configuration": row.configuration}
    flat |= row.confusion.model_dump()
    for name in ("detected", "recall", "precision", "specificity", "accuracy"):
        rate = getattr(row, name)
        flat |= {name: rate.value, f"{name}_n": rate.n, f"{name}_se": rate.standard_error}
        flat |= {f"{name}_low": rate.low, f"{name}_high": rate.high}
    for name in ("recall", "precision"):
        interval = getattr(row, f"{name}_bootstrap")
        flat |= {f"{name}_boot_low": interval.low, f"{name}_boot_high": interval.high}
    return {**flat, "precision_bound": row.precision_bound}


def _frame(rows: Sequence[Mapping[str, Any]], columns: Iterable[str]) -> pd.DataFrame:
    """The rows as a frame; `columns` are those that it has without a row."""
    return pd.DataFrame(rows if rows else None, columns=None if rows else list(columns))


def _store(run: Path | str, database: str | None) -> AbstractContextManager[LabelStore]:
    return open_store(RunDirectory.open(run), database, reading=True)
