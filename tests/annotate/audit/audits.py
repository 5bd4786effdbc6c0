"""Labels and audits, for the tests of the audit."""

from __future__ import annotations

import json
import math
from datetime import UTC, datetime
from typing import Any

import pytest

from annotate.audit import Audit
from annotate.labels.rows import StoredLabel
from grader.records import LabelVerdict


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


def label(key: str, verdict: LabelVerdict, annotator: str = "ada", **more: Any) -> StoredLabel:
    """A label of a transcript, given after its full text was read."""
    return StoredLabel.model_validate(
        {
            "label_id": 0,
            "revision": 1,
            "transcript_id": key,
            "annotator": annotator,
            "stage": "transcript",
            "verdict": verdict,
            "created_at": datetime(2026, 1, 1, tzinfo=UTC),
            **more,
        }
    )
