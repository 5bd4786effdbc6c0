"""What a grading pass shows on a terminal."""

from __future__ import annotations

import io
from collections import Counter
from typing import Any

import pytest
from rich.console import Console

from grader.lenient.summary import LenientSummary
from grader.llm.usage import Tally, Usage
from grader.passes.summary import Summary, as_dict, recovered, show


def shown(summary: Summary, run: str = "r", width: int = 100) -> str:
    console = Console(file=io.StringIO(), width=width)
    show(summary, run, console)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def counts(correct: int, incorrect: int, ungraded: int) -> dict[str, int]:
    return {"correct": correct, "incorrect": incorrect, "no_answer": 0, "ungraded": ungraded}


def test_beside_a_rate_stands_what_the_ungraded_could_make_of_it() -> None:
    summary = Summary(graders={"strict_keyword": counts(36, 12, 12), "cascade": counts(36, 12, 12)})
    for width in (80, 100):
        text = shown(summary, width=width)
        assert text.count("75.0% of 48") == text.count("60.0–80.0%") == 2
        assert "if all ungraded ones fail" in text
    row = as_dict(summary, "r")["graders"]["cascade"]
    assert (row["n"], row["pass_rate"], row["pass_rate_range"]) == (48, 0.75, [0.6, 0.8])


def test_a_cascade_whose_judges_left_failures_open_has_a_range_only() -> None:
    summary = Summary(graders={"strict_keyword": counts(36, 24, 0), "cascade": counts(36, 0, 24)})
    for width in (80, 100):
        text = shown(summary, width=width)
        assert all(rate in text for rate in ("60.0% of 60", "60.0–100.0%", "of 60"))
        assert "100.0% of 36" not in text and "if all ungraded ones fail" in text
    row = as_dict(summary, "r")["graders"]["cascade"]
    assert (row["n"], row["pass_rate"], row["pass_rate_range"]) == (36, None, [0.6, 1.0])


def test_nearly_all_is_not_all() -> None:
    text = shown(
        Summary(graders={"strict_keyword": counts(2499, 1, 0), "cascade": counts(2500, 0, 0)})
    )
    assert "99.96% of 2500" in text and text.count("100.0% of 2500") == 1


def test_a_line_parts_the_strict_graders_from_the_layers_whichever_they_are() -> None:
    strict = {"strict_heuristic": counts(1, 1, 0), "strict_keyword": counts(1, 1, 0)}
    lines = shown(Summary(graders=strict | {"cascade": counts(1, 1, 0)})).splitlines()
    (place,) = (number for number, line in enumerate(lines) if line.startswith("├"))
    assert "strict_keyword" in lines[place - 1] and "cascade" in lines[place + 1]


def test_before_a_nudge_the_numbers_are_whole_in_80_columns() -> None:
    graders = {"strict_heuristic": counts(40, 26, 6), "cascade": counts(40, 26, 6)}
    every = graders | {f"{name}:before_nudge": row for name, row in graders.items()}
    text = shown(Summary(transcripts=72, graders=every), width=80)
    assert text.count("60.6% of 66") == text.count("55.6–63.9%") == 4
    assert text.count("incorrect") == 2 and "before_nudge" not in text
    assert "r: 72 transcripts, the steps before the first nudge" in text


def test_strict_failures_without_a_judge_are_counted() -> None:
    summary = Summary(graders={"cascade": counts(1, 0, 2)}, not_judged=2)
    assert "no LLM has judged yet: 2" in shown(summary)
    assert "in grades.jsonl" not in shown(summary)
    assert as_dict(summary, "r")["not_judged"] == 2


def test_where_all_are_graded_there_is_no_range() -> None:
    summary = Summary(graders={"cascade": counts(1, 1, 0)})
    assert "–" not in shown(summary) and "range" not in shown(summary)
    assert as_dict(summary, "r")["graders"]["cascade"]["pass_rate_range"] == [0.5, 0.5]


def test_where_none_is_graded_the_rate_may_be_anything() -> None:
    summary = Summary(graders={"cascade": counts(0, 0, 3)})
    assert "n/a of 0" in shown(summary) and "0.0–100.0%" in shown(summary)


def test_ungraded_transcripts_of_one_reason_stand_together() -> None:
    problems = [(name, "unreachable: [Errno 1]") for name in "abcde"]
    problems += [(f"x{n}", f"reason {n}") for n in range(10)]
    text = shown(Summary(graders={"cascade": counts(1, 0, 15)}, problems=problems))
    assert "ungraded: a, b, c and 2 more: unreachable: [Errno 1]\n" in text
    assert "ungraded: x8: reason 8\n... and 1 more, in grades.jsonl" in text


@pytest.mark.parametrize("run", ["runs/[v2]", "runs/[/b]", "runs/[red]x[/red]"])
def test_the_name_of_a_run_is_shown_as_it_is(run: str) -> None:
    assert f"{run}: 3 transcripts" in shown(Summary(transcripts=3), run)


def test_what_the_judges_did_stands_in_a_line() -> None:
    def line(**counts: Any) -> str:
        done = LenientSummary(("m",), Tally(Usage(**counts))).as_dict()
        return shown(Summary(lenient=done), width=200).splitlines()[-1]

    use: dict[str, Any] = {"prompt_tokens": 1200, "completion_tokens": 34, "cost": 0.0125}
    expected = "lenient: nothing to judge, 3 calls, 1 reused, 1,234 tokens, $0.0125"
    assert line(calls=3, reused=1, **use) == expected
    assert line(calls=3, reused=1, unpriced=2, **use) == f"{expected}, 2 of unknown price"
    nothing = "lenient: nothing to judge, 0 calls, 0 reused"
    assert line() == nothing
    assert line(unpriced=1) == f"{nothing}, 1 of unknown price"


def test_an_outage_is_no_judgement_and_shows_no_artifacts() -> None:
    verdicts = Counter(correct=2, ungraded=28)
    because = Counter(unreachable=28)
    done = LenientSummary(("m",), verdicts=verdicts, ungraded_because=because).as_dict()
    graders = {
        "strict_keyword": counts(5, 30, 0),
        "lenient": counts(2, 0, 28),
        "cascade": counts(7, 0, 28),
    }
    summary = Summary(graders=graders, lenient=done)
    assert "(grading artifacts): n/a (2 so far, 28 open)" in shown(summary)
    assert "lenient: 2 of 30 transcripts judged" in shown(summary)
    assert "; ungraded: 28 unreachable" in shown(summary)
    as_json = as_dict(summary, "r")
    assert (as_json["recovered_by_lenient"], as_json["lenient"]["judged"]) == (None, 2)
    rates = {name: row["pass_rate"] for name, row in as_json["graders"].items()}
    assert rates == {"strict_keyword": 5 / 35, "lenient": 1.0, "cascade": None}


def test_a_pass_that_the_judges_could_not_look_at_is_not_complete() -> None:
    done = LenientSummary(("m",), ungraded_because=Counter(unreachable=1)).as_dict()
    graders = {"strict_keyword": counts(1, 0, 0), "lenient": counts(0, 0, 1)}
    graders["cascade"] = graders["strict_keyword"]
    assert not Summary(graders=graders, lenient=done).is_complete
    assert Summary(graders=graders, lenient=LenientSummary(("m",)).as_dict()).is_complete
    assert Summary(graders=graders).is_complete
    assert not Summary(graders={"cascade": counts(1, 0, 1)}).is_complete


def test_what_the_judges_recover_is_that_of_this_pass() -> None:
    graders = {
        name + suffix: counts(passes, 0, 0)
        for suffix, found in (("", (5, 3, 8)), (":before_nudge", (2, 1, 3)))
        for name, passes in zip(("strict_keyword", "lenient", "cascade"), found, strict=True)
    }
    assert recovered(Summary(graders=graders)) == 3
    assert recovered(Summary(graders=graders, suffix=":before_nudge")) == 1
    del graders["lenient:before_nudge"]
    assert recovered(Summary(graders=graders, suffix=":before_nudge")) is None
