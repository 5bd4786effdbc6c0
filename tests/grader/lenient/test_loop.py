"""The thread that drives the judges' requests."""

from __future__ import annotations

import sys

from grader.lenient.loop import LoopThread


def test_threads_take_turns_as_before_when_the_last_loop_is_closed() -> None:
    before = sys.getswitchinterval()
    first, second = LoopThread(), LoopThread()
    first.__enter__()
    second.__enter__()
    assert sys.getswitchinterval() < before
    first.__exit__()
    assert sys.getswitchinterval() < before
    second.__exit__()
    assert sys.getswitchinterval() == before
