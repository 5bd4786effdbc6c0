"""The lenient grader against scripted judges over HTTP: verdicts, grounding, votes, retries."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from grader.lenient import LenientSettings, open_lenient, wants_judging
from grader.records import Step, Verdict
from grader.run import RunDirectory

from ..llm.server import Act, FaultServer
from .runs import asked, grade, transcript


@pytest.mark.parametrize(
    ("output", "truth", "reply", "verdict", "reason"),
    [
        ("mean **0.28**", "0.28", "0.28", "correct", "within_tolerance"),
        ("mean 0.2847", "0.28", "0.28", "correct", "within_tolerance"),
        ("share 28%", "0.28", "28%", "correct", "within_tolerance"),
        ("mean 0.31", "0.28", "0.31", "incorrect", "outside_tolerance"),
        ("mean 28", "0.28", "28", "incorrect", "outside_tolerance"),
        ("no idea", "0.28", "UNCLEAR", "no_answer", "unclear"),
        ("mean 0.31", "0.28", "0.28", "ungraded", "ungrounded"),
        ("mean 0.31", "0.28", "0.4", "incorrect", "outside_tolerance"),
        ("sum $3.4 million", "3.4", "$3.4 million", "correct", "within_tolerance"),
        ("sum $3.4 million", "3400000", "3,400,000", "correct", "within_tolerance"),
        ("sum 3,400,000", "3400000", "3.4 million", "correct", "within_tolerance"),
        ("sum $3.4 billion", "3400000", "3.4 million", "ungraded", "ungrounded"),
        ("sum $3.4 billion", "3400000", "3.4 billion", "incorrect", "outside_tolerance"),
    ],
)
def test_number(
    tmp_path: Path, output: str, truth: str, reply: str, verdict: str, reason: str
) -> None:
    with FaultServer(lambda body, n: reply) as server:
        [result], summary = grade(tmp_path, [transcript(1, output, truth)], base_urls=(server.url,))
    assert (result.grader, result.verdict, result.reason) == ("lenient", verdict, reason)
    assert result.value == (None if verdict == "no_answer" else reply)
    assert result.evidence["judges"][0]["replies"] == [{"purpose": "extract", "reply": reply}]
    assert summary.tally.usage.calls == len(server.requests) == 1


def test_truth_is_only_ever_in_the_judge_prompt(tmp_path: Path) -> None:
    truth = "0.123456789"
    with FaultServer(lambda b, n: "twelve" if asked(b) == "extract" else "NO") as server:
        items = [
            transcript(1, "twelve", truth),
            transcript(2, "twelve", truth, kind="choice", choices=("twelve", truth)),
            transcript(3, "twelve", truth, kind="choice"),
            transcript(4, "twelve", truth, kind="text", question="How many?"),
        ]
        grade(tmp_path, items, base_urls=(server.url,))
    for body in server.requests:
        is_listed_option = "The options were" in body["messages"][-1]["content"]
        if asked(body) == "extract" and not is_listed_option:
            assert truth not in json.dumps(body)
    assert sum(asked(body) == "judge" for body in server.requests) == 2


@pytest.mark.parametrize(
    ("wording", "truth", "judged", "verdict", "reason"),
    [
        ("twelve", "12", "YES", "correct", "judged_same"),
        ("twelve", "13", "NO", "incorrect", "judged_different"),
        ("5 hours", "5", "yes.", "correct", "judged_same"),
        ("three million four hundred thousand", "3400000", "YES", "correct", "judged_same"),
        ("5 hours", "7", "YES", "ungraded", "contradicted"),
        ("about 3.4 million", "3.4", "YES", "correct", "judged_same"),
        ("about 3.4 billion", "3.4 million", "YES", "ungraded", "contradicted"),
        ("less than 5", "5", "YES", "ungraded", "contradicted"),
        ("5, 9", "5", "YES", "ungraded", "contradicted"),
        ("5-10", "5", "YES", "ungraded", "contradicted"),
        ("30,4", "30.4", "YES", "correct", "judged_same"),
        ("1.097,75 kg", "1097.75", "YES", "correct", "judged_same"),
        ("5,6", "5", "YES", "ungraded", "contradicted"),
        ("1,234 kg", "1.234", "YES", "ungraded", "contradicted"),
        ("5 (4 to 6)", "5", "YES", "correct", "judged_same"),
        ("0.28 ± 0.02", "0.28", "YES", "correct", "judged_same"),
        ("twelve", "12", "It depends", "ungraded", "unparseable_reply"),
    ],
)
def test_judge_only_where_the_reply_is_no_number(
    tmp_path: Path, wording: str, truth: str, judged: str, verdict: str, reason: str
) -> None:
    script = lambda b, n: wording if asked(b) == "extract" else judged  # noqa: E731
    with FaultServer(script) as server:
        [result], _ = grade(
            tmp_path, [transcript(1, f"It took {wording}.", truth)], base_urls=(server.url,)
        )
    assert (result.verdict, result.reason, asked(server.requests[1])) == (verdict, reason, "judge")


def test_reply_not_in_the_form_is_asked_for_once_more(tmp_path: Path) -> None:
    with FaultServer(lambda b, n: "I think it is 0.28!" if n == 1 else "0.28") as server:
        [result], _ = grade(tmp_path, [transcript()], base_urls=(server.url,))
    first, second = (body["messages"][-1]["content"] for body in server.requests)
    assert second != first and "was not in the form" in second
    assert result.verdict == "correct"
    assert [r["purpose"] for r in result.evidence["judges"][0]["replies"]] == [
        "extract",
        "extract_again",
    ]


def test_unusable_reply_is_kept_and_ungraded(tmp_path: Path) -> None:
    with FaultServer(lambda b, n: f"Well, {n} thoughts.") as server:
        [result], summary = grade(tmp_path, [transcript()], base_urls=(server.url,))
    assert (result.verdict, result.reason) == ("ungraded", "unparseable_reply")
    kept = [r["reply"] for r in result.evidence["judges"][0]["replies"]]
    assert kept == ["Well, 1 thoughts.", "Well, 2 thoughts."]
    assert summary.ungraded_because == {"unparseable_reply": 1}


VOTES = {  # replies of three judges -> verdict, reason
    ("0.28", "0.28", "0.31"): ("correct", "within_tolerance"),
    ("0.31", "0.28", "0.31"): ("incorrect", "outside_tolerance"),
    ("0.28", "0.31", "UNCLEAR"): ("ungraded", "tie"),
    ("0.28", "no form", "0.28"): ("correct", "within_tolerance"),
    ("0.28", "no form", "0.31"): ("ungraded", "tie"),
    ("no form", "no form", "0.28"): ("ungraded", "unparseable_reply"),
    ("0.281", "0.282", "0.31"): ("ungraded", "ungrounded"),
}


@pytest.mark.parametrize(("replies", "expected"), VOTES.items())
def test_majority(tmp_path: Path, replies: tuple[str, str, str], expected: tuple[str, str]) -> None:
    by_model = dict(zip("abc", replies, strict=True))
    with FaultServer(lambda body, n: by_model[body["model"]]) as server:
        [result], _ = grade(
            tmp_path,
            [transcript(1, "either 0.28 or 0.31")],
            models=("a", "b", "c"),
            base_urls=(server.url,),
        )
    assert (result.verdict, result.reason) == expected
    assert [j["replies"][0]["reply"] for j in result.evidence["judges"]] == list(replies)


def test_one_of_two_judges_is_no_majority(tmp_path: Path) -> None:
    down = Act(status=400, text="no")
    with FaultServer(lambda body, n: "0.28" if body["model"] == "a" else down) as server:
        [result], _ = grade(
            tmp_path, [transcript()], models=("a", "b"), base_urls=(server.url,) * 2
        )
    assert (result.verdict, result.reason) == ("ungraded", "rejected")
    verdicts = [judge["verdict"] for judge in result.evidence["judges"]]
    assert verdicts == ["correct", "ungraded"]


def test_agreement_of_judges_at_different_addresses(tmp_path: Path) -> None:
    items = [transcript(i, f"{i}: 0.28 or 0.31") for i in range(10)]
    odd = lambda b, n: "0.31" if "1: 0.28" in b["messages"][-1]["content"] else "0.28"  # noqa: E731
    with FaultServer(lambda b, n: "0.28") as one, FaultServer(odd) as two:
        grades, summary = grade(
            tmp_path,
            items,
            models=("m", "m"),
            base_urls=(one.url, two.url),
            key_variables=("KEY_A", "KEY_B"),
        )
        keys = (set(one.authorizations), set(two.authorizations))
    assert [g.reason for g in grades].count("tie") == 1
    assert summary.as_dict()["agreement"] == {
        "n": 10,
        "unanimous": 9,
        "rate": 0.9,
        "pairs": [
            {
                "judges": sorted([f"m at {one.url}", f"m at {two.url}"]),
                "n": 10,
                "same": 9,
                "rate": 0.9,
            }
        ],
    }
    assert keys == ({"Bearer secret-a"}, {"Bearer none"})
    assert all("secret-a" not in p.read_text() for p in tmp_path.iterdir() if p.is_file())


def test_what_cannot_be_judged_is_not_asked(tmp_path: Path) -> None:
    items = [
        transcript(1, truth=None),
        transcript(2, truth="n/a"),
        transcript(3, " \n"),
        transcript(4).model_copy(update={"problem": "no_steps: none recorded", "steps": ()}),
    ]
    with FaultServer(lambda b, n: "0.28") as server:
        grades, _ = grade(tmp_path, items, base_urls=(server.url,))
    assert [g.verdict for g in grades] == ["ungraded", "ungraded", "no_answer", "ungraded"]
    assert server.requests == []


def test_consistency_is_asked_per_step_on_request(tmp_path: Path) -> None:
    item = transcript().model_copy(
        update={
            "steps": (
                Step(raw_output="just words"),
                Step(raw_output="<pre>0.28</pre>\nI get 0.31."),
            )
        }
    )
    script = lambda b, n: "NO" if asked(b) == "consistency" else "UNCLEAR"  # noqa: E731
    with FaultServer(script) as server:
        [result], _ = grade(tmp_path, [item], base_urls=(server.url,), consistency=True)
    assert result.evidence["consistency"] == [{"step": 2, "agree": False, "reply": "NO"}]


def test_before_nudge(tmp_path: Path) -> None:
    item = transcript().model_copy(
        update={
            "steps": (
                Step(raw_output="first thoughts"),
                Step(raw_output="0.28", instruction_type="nudge_generic"),
            )
        }
    )
    with FaultServer(lambda b, n: "UNCLEAR") as server:
        run = RunDirectory.create(tmp_path)
        settings = LenientSettings(models=("m",), base_urls=(server.url,))
        lenient = open_lenient(settings, run, before_nudge=True)
        assert lenient is not None
        with lenient:
            [result] = lenient.grade_many([item])
        assert "0.28" not in server.requests[0]["messages"][-1]["content"].split("<<<")[1]
    assert result.grader == "lenient:before_nudge"


def test_which_transcripts_are_judged() -> None:
    ids = [f"t{i}" for i in range(2000)]
    plain, everything = LenientSettings(), LenientSettings(judge_passes=True)
    sampled = LenientSettings(sample=0.25)

    def judged(settings: LenientSettings, verdict: Verdict) -> set[str]:
        return {name for name in ids if wants_judging(settings, name, verdict)}

    assert judged(plain, "incorrect") == judged(plain, "no_answer") == set(ids)
    assert judged(plain, "correct") == set()
    assert judged(everything, "correct") == set(ids)
    assert judged(everything, "ungraded") == judged(sampled, "ungraded") == set()
    chosen = judged(sampled, "correct")
    assert len(chosen) / len(ids) == pytest.approx(0.25, abs=0.04)
    assert chosen < judged(LenientSettings(sample=0.5), "correct")
