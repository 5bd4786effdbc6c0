"""Disagreements among annotators, as `grader labels adjudicate` lists and settles them."""

from __future__ import annotations

import json

import pytest

from annotate.session import Session
from grader.run import RunDirectory

from ..runs import say


def test_settling_what_nobody_has_labelled_leaves_no_file(
    run: RunDirectory, capsys: pytest.CaptureFixture[str]
) -> None:
    code, _, err = say(capsys, "labels", "adjudicate", run.path, "t001", "match")
    assert (code, "nobody has labelled 't001'" in err) == (2, True)
    assert not run.labels_path.exists()


def test_what_is_listed_sends_no_escape(
    session: Session, run: RunDirectory, capsys: pytest.CaptureFixture[str]
) -> None:
    session.label(0, "transcript", "match", note="\x1b[2J\u202eowned")
    Session(session.transcripts, session.store, "bob", session.queue).label(
        0, "transcript", "no_answer"
    )
    _, out, _ = say(capsys, "labels", "adjudicate", run.path)
    assert "owned" in out
    assert "\x1b" not in out and "\u202e" not in out


def test_a_majority_is_told_from_what_awaits_adjudication(
    run: RunDirectory, session: Session, capsys: pytest.CaptureFixture[str]
) -> None:
    said = {"ada": "match match", "bob": "non_match non_match", "cat": "match"}
    for name, verdicts in said.items():
        annotator = Session(session.transcripts, session.store, name, session.queue)
        for place, verdict in enumerate(verdicts.split()):
            annotator.label(place, "transcript", verdict)
    _, out, _ = say(capsys, "labels", "adjudicate", run.path)
    awaiting, settled = out.split("Settled by a majority: 1")
    assert "Await adjudication: 1" in awaiting
    assert "t001" in awaiting and "t001" not in settled
    assert "t000" in settled and "t000" not in awaiting
    found = json.loads(say(capsys, "labels", "adjudicate", run.path, "--json")[1])
    assert (list(found["open"]), list(found["majority"])) == (["t001"], ["t000"])
    assert found["open"]["t001"][0] == {
        "annotator": "ada", "stage": "transcript", "verdict": "match", "reason": ""
    }  # fmt: skip
    assert "1 await adjudication, because annotators disagree, and rates leave them out" in (
        " ".join(say(capsys, "calibrate", run.path)[1].split())
    )
    _, _, error = say(capsys, "labels", "adjudicate", run.path, "t001", "match")
    assert error == "Settled; 0 await adjudication.\n"
    for verdict in ("non_match", "match"):  # each replaces what counts, and says so
        _, _, error = say(capsys, "labels", "adjudicate", run.path, "t000", verdict)
        other = "non_match" if verdict == "match" else "match"
        assert error == f"Settled (it counted as {other} before); 0 await adjudication.\n"


@pytest.mark.parametrize("names", [["ada"], ["ada", "bob"]])
def test_what_is_not_in_dispute_is_not_settled(
    run: RunDirectory, session: Session, capsys: pytest.CaptureFixture[str], names: list[str]
) -> None:
    for name in names:
        annotator = Session(session.transcripts, session.store, name, session.queue)
        annotator.label(0, "transcript", "match")
    code, _, error = say(capsys, "labels", "adjudicate", run.path, "t000", "no_answer")
    said = f"annotators do not disagree on 't000' ({', '.join(names)}: match)"
    assert (code, said in error, "`grader annotate`" in error) == (2, True, True)
    assert len(session.store.history()) == len(names)
