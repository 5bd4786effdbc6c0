"""From labels to one final judgement per transcript."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Literal

from grader.records import LabelStage, LabelVerdict, Record

from .rows import StoredLabel

Basis = Literal["adjudication", "transcript", "snippet"]


class FinalLabel(Record):
    """The judgement that counts for one transcript.

    `basis` is where it comes from: an adjudication, else the transcript-stage labels, else the
    snippet-stage ones. `verdict` is None where annotators disagree without a majority, or where
    all that is known is that the full transcript must be read. An adjudication is unanimous.
    """

    transcript_id: str
    verdict: LabelVerdict | None
    basis: Basis
    annotators: tuple[str, ...]
    unanimous: bool


def final_labels(
    labels: Iterable[StoredLabel], *, stage: Literal["any", "transcript"] = "any"
) -> dict[str, FinalLabel]:
    """Final judgement by transcript_id, from the current labels, oldest first: of several
    adjudications the last counts. One that asks for the transcript settles nothing.

    With `stage="transcript"` snippet labels do not count. With several annotators the verdict of
    more than half counts; without such a majority the transcript stays undecided until adjudicated.
    If more than half say `non_match` or `no_answer`, but neither alone has a majority, the verdict
    is `non_match`.
    """
    grouped: dict[str, list[StoredLabel]] = {}
    for label in labels:
        grouped.setdefault(label.transcript_id, []).append(label)
    found = (_final(key, given, stage) for key, given in grouped.items())
    return {final.transcript_id: final for final in found if final is not None}


def human_matches(finals: Mapping[str, FinalLabel]) -> dict[str, bool]:
    """transcript_id -> "the agent's answer matches the published one", for decided transcripts.
    `no_answer` is not a match."""
    return {key: f.verdict == "match" for key, f in finals.items() if f.verdict is not None}


def disagreements(labels: Iterable[StoredLabel]) -> dict[str, LabelVerdict | None]:
    """Disputed transcripts without an adjudication, each with the verdict of the majority; None
    without a majority, which awaits adjudication."""
    finals = final_labels(labels).values()
    return {f.transcript_id: f.verdict for f in finals if not f.unanimous}


def by_annotator(labels: Iterable[StoredLabel], stage: LabelStage) -> dict[str, dict[str, str]]:
    """annotator -> transcript_id -> verdict at one stage, adjudications and escalations left
    out: the input of `agreement`."""
    table: dict[str, dict[str, str]] = {}
    for label in labels:
        if label.stage == stage and not label.adjudication and label.verdict != "needs_transcript":
            table.setdefault(label.annotator, {})[label.transcript_id] = label.verdict
    return table


def snippet_outcomes(labels: Iterable[StoredLabel]) -> list[tuple[str, str, LabelVerdict]]:
    """(transcript_id, verdict, final verdict) of each snippet label whose transcript has a final
    label that comes from reading it, or from an adjudication: the input of `stage_agreement`."""
    labels = list(labels)
    finals = final_labels(labels, stage="transcript")
    return [
        (label.transcript_id, label.verdict, verdict)
        for label in labels
        if label.stage == "snippet" and not label.adjudication
        if (final := finals.get(label.transcript_id)) and (verdict := final.verdict)
    ]


def _final(key: str, given: list[StoredLabel], stage: str) -> FinalLabel | None:
    own = [label for label in given if not label.adjudication]
    bases: tuple[tuple[Basis, list[StoredLabel]], ...] = (
        ("adjudication", [x for x in given if x.adjudication and _decides(x)][-1:]),
        ("transcript", [x for x in own if x.stage == "transcript" and _decides(x)]),
        ("snippet", [x for x in own if x.stage == "snippet" and stage == "any"]),
    )
    for basis, labels in bases:
        if labels:
            verdicts = Counter(label.verdict for label in labels if _decides(label))
            return FinalLabel(
                transcript_id=key,
                verdict=_majority(verdicts),
                basis=basis,
                annotators=tuple(sorted({label.annotator for label in labels})),
                unanimous=len(verdicts) <= 1,
            )
    return None


def _decides(label: StoredLabel) -> bool:
    return label.verdict != "needs_transcript"


def _majority(verdicts: Counter[LabelVerdict]) -> LabelVerdict | None:
    half = verdicts.total() / 2
    for verdict, count in verdicts.items():
        if count > half:
            return verdict
    return "non_match" if verdicts.total() - verdicts["match"] > half else None
