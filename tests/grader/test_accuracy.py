"""The strict graders against labels: what fixtures/README.md says that they find."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from grader.cli import main
from grader.files.jsonl import read_records
from grader.run import RunDirectory
from tests.bench.accuracy import Counts, Labelled, confusion, load, swapped
from tests.shared_data import FIXTURES, ROOT, SHARED, needs_shared

# The share of swapped truths that each set may accept, by strict_keyword and by strict_blind.
SWAPPED = {
    "fixtures": (0.05, 0.01),
    "styles": (0.05, 0.01),
    "unseen": (0.05, 0.02),
    "held_out": (0.05, 0.02),
    "families": (0.02, 0.01),
    "front_ends": (0.06, 0.02),
    "mixed": (0.03, 0.012),
    "chats": (0.05, 0.012),
    "ordinary": (0.04, 0.01),
    "six_families": (0.04, 0.008),
    "findings": (0.025, 0.005),
    "analysts": (0.035, 0.01),
    "choices": (0.01, 0.01),
    "decisions": (0.02, 0.02),
    "other_words": (0.02, 0.02),
}
GRADERS = ("strict_keyword", "strict_blind")


def stated() -> dict[tuple[str, str], tuple[str, str, str]]:
    """What fixtures/README.md says that the graders find now, by set and grader: `36 of 36`
    matches, `0 of 24` others, and `0.2 %` of swapped truths, which is empty if it was at first."""
    found: dict[tuple[str, str], tuple[str, str, str]] = {}
    folder = ""
    for line in (FIXTURES / "README.md").read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) != 8:
            continue
        if cells[0]:
            whole = re.fullmatch(r"`(\w+)/`(?: \(.*\))?", cells[0])  # not a part of a set
            folder = whole[1] if whole else ""
        if folder:
            names = GRADERS if cells[2] == "both" else (cells[2].strip("`"),)
            share = cells[5].removesuffix(" (now)") if cells[5].endswith(" (now)") else ""
            found |= {(folder, name): (cells[6], cells[7], share) for name in names}
        elif cells[0] != "run" and not cells[0].startswith("---"):
            assert cells[6:] == ["", ""], f"nothing checks what is found now in: {cells[0]}"
    return found


def labelled(folder: str) -> list[Labelled]:
    place = FIXTURES / ("" if folder == "fixtures" else folder)
    return load(place / "transcripts.jsonl", place / "labels.jsonl", None)


def shares(counts: Counts) -> tuple[str, str]:
    """The matches found, and the others passed, as the README writes them."""
    matches, others = counts.tp + counts.fn, counts.fp + counts.tn
    return f"{counts.tp:,} of {matches:,}", f"{counts.fp} of {others}"


@pytest.mark.parametrize("folder", SWAPPED)
def test_fixture_runs(folder: str) -> None:
    data = labelled(folder)
    for grader, limit in zip(GRADERS, SWAPPED[folder], strict=True):
        counts = confusion(data, grader)
        *now, share = stated()[folder, grader]
        assert shares(counts) == tuple(now), (grader, counts.misses)
        accepted, tried, names = swapped(data, grader)
        assert tried > 200
        assert share in ("", f"{accepted / tried:.1%}".replace("%", " %"))
        assert accepted <= limit * tried, (grader, names)


@pytest.mark.parametrize("document", [ROOT / "README.md", FIXTURES / "README.md"])
def test_the_baseline(document: Path) -> None:
    sentence = re.search(
        r"last number, the baseline, finds.*?\.\s", document.read_text("utf-8"), re.DOTALL
    )
    assert sentence is not None
    figures = re.findall(r"([\d,]+ of [\d,]+)\s+in\s+`(\w+)/`", sentence[0])
    assert len(figures) == sentence[0].count(" of ")
    for figure, folder in figures:
        assert shares(confusion(labelled(folder), "strict_heuristic"))[0] == figure, folder


def test_the_cascade_with_recorded_judges(tmp_path: Path) -> None:
    place = FIXTURES / "other_words"
    replies = f"replay:{place / 'judge_replies.jsonl'}"
    options = ["--run", str(tmp_path / "run"), "--lenient", replies]
    assert main(["grade", str(place / "transcripts.jsonl"), *options]) == 0
    passed = {
        name: grades["cascade"].verdict == "correct"
        for name, grades in RunDirectory(tmp_path / "run").grades_by_transcript().items()
    }
    labels = {
        row["transcript_id"]: row["label"] == "match"
        for _, row in read_records(place / "labels.jsonl")
    }
    found = [
        sum(passed[one] for one, match in labels.items() if match is wanted)
        for wanted in (True, False)
    ]
    readme = (ROOT / "README.md").read_text("utf-8")
    assert f"(now) | `cascade` | {found[0]} of 72 | {found[1]} of 48 |" in readme


def test_of_a_run_directory_only_the_transcripts_are_read(tmp_path: Path) -> None:
    for name in ("transcripts.jsonl", "labels.jsonl"):
        shutil.copy(FIXTURES / name, tmp_path)
    (tmp_path / "grades.jsonl").write_text('{"transcript_id": "dev01", "verdict": "correct"}\n')
    data = load(tmp_path, FIXTURES / "labels.jsonl", None)
    assert len(data) == 60 and all(one.transcript.steps for one in data)


@needs_shared
@pytest.mark.parametrize("grader", GRADERS)
def test_recorded_lambda_run(grader: str) -> None:
    data = load(
        SHARED / "data/lambda_run/dsgym_results.json",
        ROOT / "tests/cases/lambda_run_labels.jsonl",
        SHARED / "data/judge_replies/replies.jsonl",
    )
    counts = confusion(data, grader)
    assert (counts.tp, counts.fp, counts.fn, counts.tn) == (23, 0, 0, 2), counts.misses
