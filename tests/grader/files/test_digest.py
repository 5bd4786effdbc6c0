from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from grader.errors import InputError
from grader.files.digest import file_sha256


def test_the_digest_is_that_of_the_content(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"abc" * 1_000_000)
    assert file_sha256(path) == hashlib.sha256(path.read_bytes()).hexdigest()
    with pytest.raises(InputError, match="cannot read"):
        file_sha256(tmp_path / "none")
