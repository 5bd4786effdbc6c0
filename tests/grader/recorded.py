"""Records as files hold them, and files of them, for tests."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

GOOD: dict[str, Any] = {
    "transcript_id": "a",
    "task_id": "t",
    "question": "q?",
    "ground_truth": "1",
    "steps": [{"raw_output": "1"}],
}
DSGYM: dict[str, Any] = {
    "sample_id": "d_0",
    "query": "q?",
    "ground_truth": "0.2",
    "prediction": "0.9",
    "raw_response": "It is 0.2.",
    "metrics": {"exact_match": {"score": 0.0}},
    "extra_info": {"query_id": "0"},
}
NAMES = ["content", "role", "turn", "mode", "drift", "phase", "turn_index", "nudge_events",
         "agent_turns", "observations", "raw_output", "response", "x"]  # fmt: skip
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=4)
    ),
    max_leaves=20,
)


def records(*names: str) -> st.SearchStrategy[dict]:
    return st.dictionaries(st.sampled_from(names), JSON)


def write(path: Path, *records: object) -> Path:
    lines = [r if isinstance(r, bytes) else json.dumps(r).encode() for r in records]
    path.write_bytes(b"".join(line + b"\n" for line in lines))
    return path
