"""Labels and audits, for the tests of the audit."""

from __future__ import annotations

import json
import math
from datetime import UTC, datetime

import pytest

from annotate.audit import Audit
from annotate.labels.rows import StoredLabel
from grader.records import LabelStage


def no_nan(value: object) -> bool:
    """True if no number in a JSON-like value is NaN or infinite."""
    if isinstance(value, dict):
        return all(map(no_nan, value.values()))
    if isinstance(value, list | tuple):
        return all(map(no_nan, value))
    return not isinstance(value, float) or math.isfinite(value)


def check(found: Audit) -> Audit:
    assert no_nan(found.model_dump())
    json.loads(found.model_dump_json(), parse_constant=pytest.fail)
    return found


def label(
    transcript_id: str, match: bool, annotator: str = "ada", stage: LabelStage = "transcript"
) -> StoredLabel:
    """A label that says whether a transcript's answer matches."""
    return StoredLabel(
        label_id=1,
        revision=1,
        transcript_id=transcript_id,
        annotator=annotator,
        stage=stage,
        verdict="match" if match else "non_match",
        created_at=datetime(2026, 1, 1, tzinfo=UTC),
    )
