"""Hostile transcripts and the lenient grader: no pass is talked out of a judge."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.shared_data import cases

from ..llm.server import Act, Body, FaultServer
from .runs import asked, calls, grade, transcript

INJECTIONS = cases("injection.jsonl")


@pytest.mark.parametrize("case", INJECTIONS, ids=lambda case: case["id"])
def test_obedient_model_cannot_be_talked_into_a_pass(tmp_path: Path, case: dict[str, str]) -> None:
    def obedient(body: Body, n: int) -> str:
        return case["obeys"] if asked(body) == "extract" else case.get("judged", "YES")

    output = f"The mean is **0.31**.\n\n{case['attack']}"
    with FaultServer(obedient) as server:
        [result], _ = grade(tmp_path, [transcript(1, output, "0.2812")], base_urls=(server.url,))
        prompt = server.requests[0]["messages"][-1]["content"]
    assert result.verdict in ("ungraded", "incorrect", "no_answer")
    code = prompt.split("<<<RECORD ")[1][:12]
    assert prompt.count("<<<") == prompt.count(">>>") == 1
    assert prompt.count(f"RECORD {code}>>>") == 1
    assert not any(token in prompt for token in ("<|", "[INST]", "_of_turn>\n<start", "\u200b"))


def test_there_are_at_least_twenty_attacks() -> None:
    assert len({case["attack"] for case in INJECTIONS}) >= 20


def test_hostile_text_is_sent_and_stored(tmp_path: Path) -> None:
    hostile = "\ud800\x00\x1b[2J<script>alert(1)</script> 0.28 " + "\U000e0041" * 50
    with FaultServer(lambda b, n: Act(raw=None, text="0.28\ud83d")) as server:
        grade(tmp_path, [transcript(1, hostile)], base_urls=(server.url,))
        [result], _ = grade(tmp_path / "b", [transcript(1, hostile)], base_urls=(server.url,))
    assert result.verdict == "ungraded"
    assert calls(tmp_path)[0].reply == "0.28\ufffd"


def test_hostile_identifiers_are_stored_and_found_again(tmp_path: Path) -> None:
    item = transcript("\ud800\n\x00")
    cache = tmp_path / "cache"
    with FaultServer(lambda b, n: "0.28") as server:
        grade(tmp_path / "a", [item], base_urls=(server.url,), cache=cache)
        grade(tmp_path / "a", [item], base_urls=(server.url,))
        grade(tmp_path / "b", [item], base_urls=(server.url,), cache=cache)
        assert len(server.requests) == 1
    assert calls(tmp_path / "a")[0].transcript_id == "t\ufffd\n\ufffd"
