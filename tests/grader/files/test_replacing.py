from __future__ import annotations

import os
from pathlib import Path

import pytest

from grader.errors import InputError, UserError
from grader.files.replacing import replacing, write_atomically


def test_a_file_is_replaced_as_a_whole_or_not_at_all(tmp_path: Path) -> None:
    path, link = tmp_path / "x.txt", tmp_path / "link.txt"
    write_atomically(path, "old")
    link.symlink_to(path)
    with pytest.raises(InputError), replacing(link) as place:
        place.write_text("half")
        assert path.read_text() == "old"
        raise InputError(path, "damaged", "Repair it")
    assert path.read_text() == "old"
    write_atomically(link, "new")
    assert path.read_text() == "new" and link.is_symlink()
    assert sorted(tmp_path.iterdir()) == [link, path]


def test_what_is_no_file_is_written_to_directly(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reading = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    with os.fdopen(reading, "rb") as reader, pipe.open("wb") as end:
        write_atomically(Path(f"/dev/fd/{end.fileno()}"), "said")
        assert reader.read(4) == b"said"
    with pytest.raises(UserError, match="cannot write: Is a directory"):
        write_atomically(tmp_path, "x")
