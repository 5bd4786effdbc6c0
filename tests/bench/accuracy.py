"""How right are the strict graders? Against labels, and against swapped truths.

    python -m tests.bench.accuracy RUN LABELS [--answers REPLIES] [--misses]

RUN: a recorded run (anything `grader grade` reads). LABELS: JSON lines with transcript_id,
label (match, non_match, no_answer) and, where known, intended_answer and intended_is_percent, or
other_answers: options and names that are not what is answered.
REPLIES: JSON lines with transcript_id and reply, used as intended answers where LABELS has none.

Swapped truth: every transcript is graded again with up to ten other numbers that occur in it, in
any step, as the truth (none within tolerance of the intended answer or of its percent form; the
same that `grader stress` takes), or with its other_answers. Whatever is accepted then is a false
pass: it measures what letting the truth choose the extraction costs.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

from annotate.statistics.reliability import Reliability, reliability
from grader.errors import UserError
from grader.files.jsonl import read_records
from grader.numbers import Quantity, parse_number
from grader.readers import read
from grader.reading import Reading
from grader.records import Transcript
from grader.run import transcripts_of
from grader.settings import GradeSettings
from grader.strict import STRICT_GRADERS, grade_reading
from reports.stress.cases import SWAPS, as_truth, in_any_form, other_numbers


class Labelled(NamedTuple):
    """A transcript as it is read for all graders, whether its answer matches, the answer it intends
    (if known), and other answers in words."""

    reading: Reading
    match: bool
    intended: Quantity | None
    others: tuple[str, ...] = ()

    @property
    def transcript(self) -> Transcript:
        return self.reading.transcript


class Counts(NamedTuple):
    """Confusion counts of one grader; `misses` names every disagreement with the labels."""

    tp: int
    fp: int
    fn: int
    tn: int
    misses: list[str]


def load(run: Path, labels: Path, answers: Path | None) -> list[Labelled]:
    """Transcripts that have a label."""
    by_id = {r["transcript_id"]: r for r in _lines(labels)}
    replies = {r["transcript_id"]: r["reply"] for r in _lines(answers)} if answers else {}
    return [
        Labelled(
            Reading(t),
            label["label"] == "match",
            _intended(label, replies.get(t.transcript_id)),
            tuple(label.get("other_answers") or ()),
        )
        for t in read(transcripts_of(run))
        if (label := by_id.get(t.transcript_id))
    ]


def confusion(data: list[Labelled], grader: str) -> Counts:
    """One grader against the labels."""
    cells: Counter[tuple[bool, bool]] = Counter()
    misses = []
    for reading, match, intended, _ in data:
        grade = grade_reading(reading, grader)
        passed = grade.verdict == "correct"
        cells[passed, match] += 1
        if passed != match:
            meant = intended.text if intended else "none"
            misses.append(
                f"{reading.transcript.transcript_id}: "
                f"{'false pass' if passed else 'missed'}: truth "
                f"{reading.transcript.task.ground_truth}, meant {meant}, took {grade.value} "
                f"({grade.reason}) from {str(grade.evidence.get('region', ''))[:110]!r}"
            )
    return Counts(
        cells[True, True], cells[True, False], cells[False, True], cells[False, False], misses
    )


def swapped(data: list[Labelled], grader: str) -> tuple[int, int, list[str]]:
    """Accepted and tried swapped truths, and the transcripts that accepted any."""
    accepted = tried = 0
    names = []
    settings = GradeSettings()
    for reading, _, intended, words in data:
        transcript, truths = reading.transcript, list(words)
        if transcript.task.answer_kind in ("number", "percent"):
            truths = [as_truth(one) for one in other_numbers(transcript, intended, settings)]
        for truth in truths[:SWAPS]:
            grade = grade_reading(reading.with_truth(truth), grader)
            tried += 1
            if grade.verdict == "correct":
                accepted += 1
                names.append(f"{transcript.transcript_id} accepts {truth}")
    return accepted, tried, names


def confidence_reliability(data: list[Labelled]) -> Reliability:
    """Is the blind extractor's confidence the share of right extractions? (Not of matches:
    an answer extracted as meant is right even where the agent was wrong.)"""
    stated, right, ids = [], [], []
    for reading, _, intended, _ in data:
        extraction = reading.blind()
        if intended is None or extraction.confidence is None or not extraction.candidates:
            continue
        first = extraction.candidates[0]
        assert isinstance(first.value, float)
        ids.append(reading.transcript.transcript_id)
        stated.append(extraction.confidence)
        given = Quantity(first.value, first.is_percent)
        right.append(in_any_form(given, intended, GradeSettings()))
    return reliability(stated, right, ids)


def _intended(label: dict[str, Any], reply: str | None) -> Quantity | None:
    if isinstance(value := label.get("intended_answer"), (int, float)):
        percent = bool(label.get("intended_is_percent"))
        return Quantity(float(value), percent, label.get("intended_answer_text") or str(value))
    return parse_number(reply) if reply else None


def _lines(path: Path) -> list[dict[str, Any]]:
    """Raises `InputError` for a file that is missing or has a line that is no object."""
    return [record for _, record in read_records(path)]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("run", type=Path)
    parser.add_argument("labels", type=Path)
    parser.add_argument("--answers", type=Path)
    parser.add_argument("--misses", action="store_true", help="name every miss")
    options = parser.parse_args()
    try:
        data = load(options.run, options.labels, options.answers)
    except UserError as error:
        parser.error(str(error))
    out = sys.stdout.write
    out(f"{len(data)} labelled transcripts, {sum(d.match for d in data)} match\n")
    for grader in STRICT_GRADERS:
        tp, fp, fn, tn, misses = confusion(data, grader)
        accepted, tried, names = swapped(data, grader)
        share = f"{100 * accepted / tried:.1f}%" if tried else "n/a"
        out(f"{grader:<17} recall {tp}/{tp + fn}  false passes {fp}/{fp + tn}  "
            f"swapped truth accepted {accepted}/{tried} = {share}\n")  # fmt: skip
        if options.misses:
            out("".join(f"    {line}\n" for line in misses + names))
    calibration = confidence_reliability(data)
    brier = "n/a" if calibration.brier is None else f"{calibration.brier:.3f}"
    out(f"confidence of strict_blind (right extractions), n={calibration.n}: Brier {brier}\n")
    for band in calibration.bands:
        if band.hits.n and band.mean is not None:
            shown = f"{band.low:.1f} to {band.high:.1f}: mean {band.mean:.2f}"
            out(f"    {shown}, right {band.hits.successes} of {band.hits.n}\n")


if __name__ == "__main__":
    main()
