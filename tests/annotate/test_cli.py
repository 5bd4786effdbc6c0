"""The commands as a user runs them: import, calibrate, export, adjudicate, annotate."""

from __future__ import annotations

import argparse
import json
import re
from pathlib import Path

import pytest

from annotate import frames, labels_cli
from annotate.cli import annotator_name
from annotate.labels import LabelStore
from annotate.session import Session
from grader.errors import UserError
from grader.run import RunDirectory
from tests.shared_data import SHARED, needs_shared

from .runs import make_run, say, transcript


@pytest.fixture
def labels_file(tmp_path: Path) -> Path:
    path = tmp_path / "labels.jsonl"
    rows = [
        {"transcript_id": f"t{i:03d}", "label": "match" if i % 3 else "non_match"}
        for i in range(12)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_import_then_calibrate(
    run: RunDirectory, labels_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, _ = say(capsys, "labels", "import", run.path, labels_file, "--json")
    counts = {"imported": 12, "already_stored": 0, "repeated_in_file": 0}
    assert (code, json.loads(out)) == (0, counts)
    code, out, _ = say(capsys, "calibrate", run.path)
    assert code == 0
    for expected in ("12 of 12 transcripts", "strict_keyword", "100%", "62.5%", "66.7%", "PPI++"):
        assert expected in out
    assert "nan" not in out.lower()
    code, out, _ = say(capsys, "calibrate", run.path, "--json", "--goal", "10")
    assert json.loads(out)["calibrations"][0]["confusion"]["tp"] == 8


def test_an_import_tells_rows_stored_before_from_rows_given_twice(
    run: RunDirectory, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "labels.jsonl"
    path.write_text('{"transcript_id": "t000", "label": "match"}\n' * 2)
    for expected in (
        "1 label imported, 0 were there already, 1 row repeats another.",
        "0 labels imported, 1 was there already, 1 row repeats another.",
    ):
        assert say(capsys, "labels", "import", run.path, path)[2].strip() == expected


def test_labels_are_counted_in_words(
    run: RunDirectory, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, target = tmp_path / "labels.jsonl", tmp_path / "out.csv"
    path.write_text('{"transcript_id": "t000", "label": "match"}\n')
    say(capsys, "labels", "import", run.path, path)
    said = say(capsys, "labels", "export", run.path, target)[2]
    assert said == f"1 label written to {target}.\n"


def test_a_name_is_one_annotator_however_it_is_typed(
    run: RunDirectory, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = ("Jos\u00e9", "Jose\u0301")
    rows = [{"transcript_id": "t000", "label": "match", "annotator": name} for name in names]
    path = tmp_path / "labels.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    say(capsys, "labels", "import", run.path, path)
    assert list(frames.labels(run.path).annotator) == [names[0]]
    assert annotator_name(names[1]) == names[0]


def test_a_user_without_a_name_must_give_one(monkeypatch: pytest.MonkeyPatch) -> None:
    def nameless() -> str:
        raise KeyError("getpwuid(): uid not found: 12345")

    monkeypatch.setattr("getpass.getuser", nameless)
    assert annotator_name("ada") == "ada"
    with pytest.raises(UserError, match="Give --annotator NAME"):
        annotator_name(None)


def test_calibrating_without_labels_says_how_to_get_them(
    run: RunDirectory, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, _ = say(capsys, "calibrate", run.path)
    assert code == 0
    said = " ".join(out.split())
    assert "`grader labels import DIR FILE`" in said and "n/a (no labels)" in said
    assert "n/a (n=0)" not in said


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["calibrate", "nowhere"], "not a run directory"),
        (["calibrate", "RUN", "--covariates", "colour"], "unknown covariate 'colour'"),
        *(
            (["calibrate", "RUN", "--level", level], "--level must lie between 0.5 and 0.9999")
            for level in ("2", "0.9999999999999999", "0.01", "nan")
        ),
        (["calibrate", "RUN", "--goal", "0"], "--goal"),
        (["calibrate", "RUN", "--goal", "nan"], "--goal"),
        (["calibrate", "RUN", "--database", "nonsense://x"], "not a database URL"),
        *(
            ([*command, "--database", ""], "an empty --database")
            for command in (
                ["calibrate", "RUN"],
                ["annotate", "RUN", "--terminal"],
                ["labels", "export", "RUN"],
                ["labels", "adjudicate", "RUN"],
                ["report", "RUN"],
            )
        ),
        (["labels", "import", "RUN", "none.csv"], "cannot read"),
        (["labels", "adjudicate", "RUN", "t999", "match"], "not in this run"),
        (["labels", "adjudicate", "RUN", "t001"], "say which verdict"),
        (["labels", "adjudicate", "RUN", "--reason", "x"], "name a TRANSCRIPT_ID"),
        (["labels", "adjudicate", "RUN", "--annotator", "ada", "--json"], "name a TRANSCRIPT_ID"),
        (["labels", "adjudicate", "RUN", "t001", "match"], "nobody has labelled 't001'"),
        (["annotate", "RUN", "--design", "randon"], "Did you mean 'random'"),
        (["annotate", "RUN", "--annotator", " "], "--annotator"),
        *(
            (["annotate", "RUN", "--seed", seed], f"--seed was {seed}; a seed lies between")
            for seed in (str(2**63), str(-(2**63) - 1), "9" * 20)
        ),
        (["annotate", "RUN", "--terminal"], "--web"),
    ],
)
def test_bad_usage_is_one_clear_line(
    run: RunDirectory, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    arguments = [str(run.path) if a == "RUN" else a for a in arguments]
    code, out, err = say(capsys, *arguments)
    assert (code, out) == (2, "")
    assert message in err
    assert "Traceback" not in err


def test_export_and_adjudicate(
    run: RunDirectory,
    session: Session,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    session.label(0, "transcript", "match", note="[red]markup[/red]")
    bob = Session(session.transcripts, session.store, "bob", session.queue)
    bob.label(0, "transcript", "non_match")
    code, out, _ = say(capsys, "labels", "adjudicate", run.path)
    assert code == 0
    assert "[red]markup[/red]" in out
    code, out, _ = say(capsys, "labels", "adjudicate", run.path, "--json")
    assert list(json.loads(out)["open"]) == ["t000"]
    settle = ("labels", "adjudicate", run.path, "t000", "match", "--annotator", "judge")
    assert say(capsys, *settle)[0] == 0
    code, out, _ = say(capsys, "labels", "adjudicate", run.path)
    assert "No open disagreements" in out
    code, out, _ = say(capsys, "labels", "export", run.path)
    assert [json.loads(line)["annotator"] for line in out.splitlines()] == ["ada", "bob", "judge"]
    target = tmp_path / "out.csv"
    assert say(capsys, "labels", "export", run.path, target, "--history")[0] == 0
    assert target.read_text().splitlines()[0].startswith("transcript_id,annotator,stage,verdict")


@pytest.mark.parametrize("name", ["labels.csv", "labels.jsonl"])
def test_an_export_without_a_label_replaces_no_file(
    run: RunDirectory, tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    target = tmp_path / name
    for _ in range(2):
        assert say(capsys, "labels", "export", run.path, target)[0] == 0  # an empty one
    target.write_text("labels of a server".rjust(400))
    code, _, err = say(capsys, "labels", "export", run.path, target)
    assert code == 2
    assert f"no label to write, so {target} stays as it is. Name the --database" in err
    assert target.read_text().strip() == "labels of a server"


def test_frames(run: RunDirectory, labels_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    say(capsys, "labels", "import", run.path, labels_file)
    labels = frames.labels(run.path)
    assert len(labels) == 12
    assert labels.verdict.value_counts().to_dict() == {"match": 8, "non_match": 4}
    assert len(frames.labels(run.path, history=True)) == 12
    grades = frames.grades(run.path)
    assert len(grades) == 36
    assert "evidence.confidence" in grades.columns
    cases = frames.cases(run.path)
    assert (cases["cascade pass"] == cases["human match"]).all()
    calibration = frames.calibration(run.path).set_index("grader")
    assert calibration.loc["cascade", "tp"] == 8
    assert calibration.loc["cascade", "recall"] == 1.0
    rates = frames.pass_rates(run.path)
    assert set(rates.name) == {"poststratified", "ppi", "rogan_gladen", "classical"}


def test_frames_leave_out_labels_from_the_snippet_alone_as_calibrate_does(
    run: RunDirectory, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "labels.csv"
    rows = [f"t{i:03d},match,{'snippet' if i % 2 else 'transcript'}" for i in range(12)]
    path.write_text("transcript_id,verdict,stage\n" + "\n".join(rows) + "\n")
    say(capsys, "labels", "import", run.path, path)
    printed = json.loads(say(capsys, "calibrate", run.path, "--final-only", "--json")[1])
    rates = frames.pass_rates(run.path, final_only=True)
    (said,) = (row for row in printed["pass_rates"] if row["grader"] == "cascade")
    assert said["labelled"] == 6
    expected = [estimate["high"] for estimate in said["estimates"]]
    assert [None if high != high else high for high in rates[rates.grader == "cascade"].high] == (
        expected
    )
    assert list(frames.pass_rates(run.path)[rates.grader == "cascade"].high) != expected


@pytest.mark.parametrize("count", [0, 1])
def test_frames_without_rows_have_their_columns(
    run: RunDirectory, tmp_path: Path, count: int
) -> None:
    bare = make_run(tmp_path / "bare", [transcript(i) for i in range(count)]).path
    for made in (frames.labels, frames.grades, frames.calibration, frames.pass_rates, frames.cases):
        found = made(bare)
        assert len(found) == (count if made is frames.cases else 0)
        varying = re.compile(r"evidence\.|covariate:|.* pass$")
        assert list(found) == [x for x in made(run.path) if not varying.match(str(x))]


def test_reading_a_run_without_labels_makes_no_file(
    run: RunDirectory, capsys: pytest.CaptureFixture[str]
) -> None:
    assert len(frames.labels(run.path)) == 0
    assert len(frames.cases(run.path)) == 12
    assert list(frames.calibration(run.path).recall) == [None] * 3
    assert list(frames.pass_rates(run.path).reason.unique()) == ["no labels"]
    assert say(capsys, "calibrate", run.path)[0] == 0
    assert say(capsys, "labels", "adjudicate", run.path)[:2] == (0, "No open disagreements.\n")
    assert say(capsys, "labels", "export", run.path)[:2] == (0, "")
    assert say(capsys, "report", run.path)[0] == 0
    assert not run.labels_path.exists()


def test_the_help_explains_every_argument() -> None:
    parser = argparse.ArgumentParser()
    labels_cli.add_arguments(parser)
    (acts,) = (x.choices for x in parser._actions if isinstance(x, argparse._SubParsersAction))
    for act in acts.values():
        assert act.description
        assert [argument.dest for argument in act._actions if not argument.help] == []


@needs_shared
def test_recorded_transcripts_end_to_end(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = SHARED / "data" / "transcripts"
    run = tmp_path / "run"
    source = data / "transcripts.jsonl"
    assert say(capsys, "grade", source, "--run", run, "--lenient", "off")[0] in (0, 1)
    assert say(capsys, "labels", "import", run, data / "labels.jsonl")[0] == 0
    code, out, _ = say(capsys, "calibrate", run, "--json")
    found = json.loads(out)
    assert (code, found["labelled"]) == (0, 60)
    for row in found["calibrations"]:
        counts = row["confusion"]
        assert counts["tp"] + counts["fn"] == 36
        assert counts["fp"] + counts["tn"] == 24
    cascade = next(r for r in found["pass_rates"] if r["grader"] == "cascade")
    headline = next(e for e in cascade["estimates"] if e["name"] == "poststratified")
    assert headline["low"] < 0.6 < headline["high"]


def test_labels_are_not_written_over_the_run(
    run: RunDirectory, store: LabelStore, capsys: pytest.CaptureFixture[str]
) -> None:
    before = run.labels_path.read_bytes()
    code, _, said = say(capsys, "labels", "export", run.path, run.labels_path, "--format", "csv")
    assert (code, run.labels_path.read_bytes()) == (2, before)
    assert "labels.sqlite: a record of the run" in said
