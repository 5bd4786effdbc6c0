"""Label files for tests: their rows, writing them, and what is read from them."""

from __future__ import annotations

import json
from pathlib import Path

from annotate.labels import LabelStore

KNOWN = {"dev01", "dev02", "dev03"}


def write(path: Path, *rows: object) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def verdicts(store: LabelStore) -> list[str]:
    return [label.verdict for label in store.current()]


def dated(*said: tuple[int, str]) -> list[dict[str, str]]:
    """Rows of one annotator on one transcript: (day, verdict)."""
    common = {"transcript_id": "dev01", "annotator": "ada"}
    return [{**common, "verdict": v, "created_at": f"2026-01-0{day}"} for day, v in said]
