"""Transcripts by id, read from the file when they are asked for."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.errors import InputError
from grader.run import RunDirectory
from grader.run.transcript_index import TranscriptIndex
from tests.grader.transcripts import transcript


@pytest.fixture
def path(tmp_path: Path) -> Path:
    run = RunDirectory.create(tmp_path)
    with run.append_transcripts() as transcripts:
        for n in range(50):
            one = transcript("é" * n + " 0.25")
            transcripts.add(one.model_copy(update={"transcript_id": f"t{n}"}))
    with run.transcripts_path.open("ab") as file:
        file.write(b"\n\xff not json\n")
    return run.transcripts_path


def test_any_transcript_is_found(path: Path) -> None:
    index = TranscriptIndex(path)
    assert len(index) == 51
    assert list(index) == [*(f"t{n}" for n in range(50)), "transcripts.jsonl:52"]
    assert index.read("t33").steps[0].raw_output == "é" * 33 + " 0.25"
    assert "line 52 is not valid JSON" in (index.read("transcripts.jsonl:52").problem or "")
    assert ("t0" in index, "t50" in index) == (True, False)
    with pytest.raises(KeyError):
        index.read("t50")


def test_a_file_that_was_rewritten_is_noticed(path: Path) -> None:
    index = TranscriptIndex(path)
    path.write_bytes(b"".join(reversed(path.read_bytes().splitlines(keepends=True))))
    with pytest.raises(InputError, match="rewritten"):
        index.read("t33")
    path.unlink()
    with pytest.raises(InputError, match="cannot read"):
        index.read("t33")
    with pytest.raises(InputError, match="cannot read"):
        TranscriptIndex(path)
