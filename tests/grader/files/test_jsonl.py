from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.errors import InputError, UserError
from grader.files.jsonl import Appender, read_records


def records(path: Path) -> list[dict]:
    return [record for _, record in read_records(path)]


@given(cut=st.integers(0, 60))
def test_a_file_cut_at_any_byte_keeps_its_finished_records(
    tmp_path_factory: pytest.TempPathFactory, cut: int
) -> None:
    path = tmp_path_factory.mktemp("cut") / "x.jsonl"
    whole = b"".join(json.dumps({"n": n, "é": "ü"}).encode() + b"\n" for n in range(3))
    path.write_bytes(whole[:cut])
    finished = [{"n": n, "é": "ü"} for n in range(3)]
    kept = records(path)
    assert kept == finished[: len(kept)]
    assert len(kept) >= whole[:cut].count(b"\n")
    with Appender(path) as appender:
        appender.write('{"n": 9}')
    assert records(path) == [*kept, {"n": 9}]


@pytest.mark.parametrize("line", [b'{"a": "\xff"}', b'{"a": 1}\x00\x00'])
def test_a_whole_last_line_is_kept_whatever_its_bytes(tmp_path: Path, line: bytes) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(line)
    before = records(path)
    with Appender(path) as appender:
        appender.write('{"n": 9}')
    assert records(path) == [*before, {"n": 9}]
    assert len(before) == 1


def test_a_broken_line_in_the_middle_is_named(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(b'{"a":1}\n{"a":\n{"a":3}\n')
    with pytest.raises(InputError, match=r"x\.jsonl:2: not a JSON object"):
        records(path)


@pytest.mark.parametrize("replaced", [False, True])
def test_a_file_that_is_gone_is_no_place_to_write_to(tmp_path: Path, replaced: bool) -> None:
    path = tmp_path / "x.jsonl"
    with Appender(path) as appender:
        appender.write('{"n": 1}')
        path.rename(tmp_path / "y.jsonl")
        if replaced:
            path.touch()
        with pytest.raises(UserError, match=r"x\.jsonl: deleted or moved while it was written"):
            appender.write('{"n": 2}')


def test_a_disk_that_refuses_leaves_the_file_readable(tmp_path: Path) -> None:
    import resource
    import signal

    path = tmp_path / "x.jsonl"
    old = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        with Appender(path) as appender:
            appender.write(json.dumps({"n": 1}))
            resource.setrlimit(resource.RLIMIT_FSIZE, (40, old[1]))
            with pytest.raises(UserError, match="cannot write"):
                appender.write(json.dumps({"long": "x" * 100}))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, old)
        signal.signal(signal.SIGXFSZ, handler)
    assert records(path) == [{"n": 1}]


def test_what_cannot_be_opened_is_one_clear_error(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"cannot write: Is a directory\. Check the path"):
        Appender(tmp_path)
    with pytest.raises(InputError, match=r"cannot read: Is a directory"):
        records(tmp_path)
