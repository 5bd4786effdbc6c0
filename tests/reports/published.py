"""A run built from the counts that Zheng & Hsu (2026) publish, transcripts included.

Every transcript's text is such that the real strict graders reach the published verdict; the
lenient layer's verdicts are written down. Counts that the paper does not give (which task is
which) are chosen by position. All wording is made up.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from grader.cascade import combine
from grader.instrument import instrument_transcript
from grader.llm.calls import LlmCall
from grader.reading import Reading
from grader.records import Grade, NudgeMode, Outcome, Step, Task, Transcript, Verdict
from grader.run import RunDirectory
from grader.settings import GradeSettings
from grader.strict import STRICT_GRADERS, grade_reading
from tests.graded import add_grades

N = 153
QUESTION = "What is the average stem height of plot {i}? Please round to the nearest hundredth."
SILENT = "The file is loaded. Which column should be used for the average stem height?"
SUGGESTIONS = "\n\nNext, you can:\n1. Plot the stem heights.\n2. Compare the plots."


@dataclass(frozen=True)
class Case:
    """What is to happen on one task: the final response's kind, and that before any nudge."""

    outcome: Outcome
    nudges: int
    final: str  # bare | listed | printed | wrong | missed | silent
    before: str  # "" = no nudge | hidden | misled | silent


def truth_of(i: int) -> str:
    return f"{20 + 0.37 * i:.2f}"


def text(kind: str, i: int) -> str:
    """A final response of one kind: the truth bare, in a sentence before a numbered list, with
    printed output beside it; a wrong number; the truth where only an LLM finds it; nothing."""
    truth, wrong = truth_of(i), f"{3 * (20 + 0.37 * i):.2f}"
    said = f"The average stem height is **{truth}**."
    return {
        "bare": truth,
        "listed": said + SUGGESTIONS,
        "printed": f"<pre>{truth}</pre>\n\n{said}{SUGGESTIONS}",
        "wrong_printed": f"<pre>{wrong}</pre>\n\nThe average stem height is **{wrong}**."
        + SUGGESTIONS,
        "wrong": f"The average stem height is **{wrong}**.",
        "missed": f"Checked: {truth} is right.\n\nThe average stem height is **{wrong}**.",
        "hidden": f"The stem heights of the plot: 1.25, 2.5, 3.75, 8.5, 9.25 and {truth}.",
        "misled": "The stem heights of the plot: 1.25, 2.5, 3.75, 8.5, 9.25 and 7.77.",
        "silent": SILENT,
    }[kind]


def mode_a() -> list[Case]:
    """31 clean, 24 error-recovered, 94 nudge-recovered, 4 failed; 170 nudges; strict 62 (of them
    19 end in the number), lenient 8 more, 2 matches missed by both, 81 non-matches."""
    quiet = ["printed"] * 17 + ["wrong_printed"] * 3 + ["wrong"] * 35
    cases = [
        Case("clean" if k % 55 < 31 else "error_recovered", 0, final, "")
        for k, final in enumerate(quiet)
    ]
    finals = ["bare"] * 19 + ["printed"] * 26 + ["missed"] * 10 + ["wrong"] * 39
    before = ["hidden"] * 8 + ["misled"] * 8 + ["silent"] * 78
    # The matches found before any nudge are among the matches.
    for k, (final, earlier) in enumerate(zip(finals, before, strict=True)):
        cases.append(Case("nudge_recovered", 2 if k < 64 else 1, final, earlier))
    return cases + [Case("failed", 3, "silent", "silent")] * 4


def mode_b() -> list[Case]:
    """26 clean, 21 error-recovered, 98 nudge-recovered, 8 failed; 175 nudges; strict 66 and
    lenient 71, of which 47 and 55 on tasks that mode A passed too."""
    a = mode_a()
    strict_a = [i for i, c in enumerate(a) if c.final in ("bare", "printed")]
    lenient_a = [i for i, c in enumerate(a) if c.final == "missed"][:8]
    rest = [i for i in range(N) if i not in strict_a and i not in lenient_a]
    strict_b = {*strict_a[:47], *lenient_a, *rest[:11]}
    lenient_b = set(rest[11:16])
    failed = set(rest[-8:])
    order = [i for i in range(N) if i not in failed]
    cases: dict[int, Case] = dict.fromkeys(failed, Case("failed", 3, "silent", "silent"))
    for k, i in enumerate(order):
        outcome: Outcome = "clean" if k < 26 else "error_recovered" if k < 47 else "nudge_recovered"
        nudges = 0 if k < 47 else 2 if k < 47 + 53 else 1
        final = "printed" if i in strict_b else "missed" if i in lenient_b else "wrong"
        cases[i] = Case(outcome, nudges, final, "silent" if nudges else "")
    return [cases[i] for i in range(N)]


def transcript(i: int, case: Case, mode: NudgeMode) -> Transcript:
    task = Task(
        task_id=f"task{i:03d}",
        question=QUESTION.format(i=i),
        ground_truth=truth_of(i),
        covariates={
            "variable_type": ("categorical", "continuous", "mixed")[i % 7 % 3],
            "analysis_type": ("descriptive", "inferential")[i % 2],
        },
    )
    nudge = "nudge_original" if mode == "A" else "nudge_generic"
    outputs = [*([case.before] * case.nudges), case.final]
    steps = [
        Step(
            instruction_type="original_prompt" if k == 0 else nudge,  # type: ignore[arg-type]
            instruction_text=task.question if k == 0 else "State a single numerical answer.",
            raw_output=text(kind, i),
            elapsed_time=10.0 + k,
            token_count=100 + i,
            token_counter="whitespace",
        )
        for k, kind in enumerate(outputs)
    ]
    if case.outcome == "error_recovered":
        steps.insert(
            0, steps[0].model_copy(update={"execution_error": True, "raw_output": "error"})
        )
        steps[1] = steps[1].model_copy(update={"instruction_type": "inspector_revision"})
    made = Transcript(
        transcript_id=f"{mode}{i:03d}",
        task=task,
        steps=tuple(steps),
        agent="made up",
        nudge_mode=mode,
        outcome=case.outcome,
    )
    return instrument_transcript(made)


def lenient_verdict(kind: str, i: int, mode: NudgeMode) -> Verdict:
    """What the lenient layer says of a response that strict did not pass. It misses the last
    two of mode A's hidden matches."""
    if kind == "missed":
        return "incorrect" if (mode, i) in MISSED_BY_ALL else "correct"
    return {"hidden": "correct", "silent": "no_answer"}.get(kind, "incorrect")  # type: ignore[return-value]


MISSED_BY_ALL = {("A", i) for i in [i for i, c in enumerate(mode_a()) if c.final == "missed"][8:]}


def grades_of(made: Transcript, case: Case, before: bool) -> list[Grade]:
    """The grades of one transcript: strict by the real graders, lenient as written down, and
    the real cascade rule over both."""
    i = int(made.transcript_id[1:])
    reading = Reading(made, GradeSettings(), before_nudge=before)
    grades = [grade_reading(reading, name) for name in STRICT_GRADERS]
    strict = next(g for g in grades if g.grader.startswith("strict_keyword"))
    kind = (case.before or case.final) if before else case.final
    suffix = ":before_nudge" if before else ""
    if strict.verdict != "correct":
        verdict = lenient_verdict(kind, i, made.nudge_mode or "none")
        grades.append(
            strict.model_copy(
                update={"grader": "lenient" + suffix, "verdict": verdict, "evidence": {}}
                | ({"value": truth_of(i)} if verdict == "correct" else {})
            )
        )
    return [*grades, combine(grades)]


def write_published_run(path: Path, modes: str = "A", labels: bool = True) -> RunDirectory:
    """The run on disk. Labels exist for mode A, whose human result is published."""
    run = RunDirectory.create(path)
    cases = {"A": mode_a(), "B": mode_b()}
    grades: list[Grade] = []
    with run.append_transcripts() as transcripts:
        for mode in modes:
            for i, case in enumerate(cases[mode]):
                made = transcript(i, case, mode)  # type: ignore[arg-type]
                transcripts.add(made)
                grades += [
                    *grades_of(made, case, before=False),
                    *grades_of(made, case, before=True),
                ]
    add_grades(run, grades)
    if labels and "A" in modes:
        write_labels(run)
    run.update_manifest(created_at="2026-01-01T00:00:00")
    return run


def write_labels(run: RunDirectory) -> None:
    """72 matches, 81 non-matches; the snippet agreed in 136 of 153 (89 %)."""
    from annotate.labels import LabelStore, NewLabel
    from annotate.labels.rows import GivenLabel

    store = LabelStore.open(run.labels_path)
    rows = []
    for i, case in enumerate(mode_a()):
        final = "match" if case.final in ("bare", "listed", "printed", "missed") else "non_match"
        other = "non_match" if final == "match" else "match"
        for stage, verdict in (("snippet", other if i % 9 == 8 else final), ("transcript", final)):
            label = GivenLabel(
                transcript_id=f"A{i:03d}",
                annotator="first",
                stage=stage,  # type: ignore[arg-type]
                verdict=verdict,  # type: ignore[arg-type]
                created_at=datetime(2026, 1, 1, tzinfo=UTC),
            )
            rows.append(NewLabel(label, f"{stage}{i}"))
    store.add_many(rows)
    store.close()


def call(i: int, cost: float | None = 0.001) -> LlmCall:
    """One recorded LLM call."""
    return LlmCall(
        key=f"k{i}",
        at="2026-01-01T00:00:00.000+00:00",
        transcript_id=f"A{i:03d}",
        task_id=f"task{i:03d}",
        purpose="extract",
        model="gpt-4o-mini",
        base_url="",
        prompt_id="extract_number-1",
        prompt_hash="abcdef0123",
        parameters={},
        messages=(),
        source="server",
        reply="1",
        prompt_tokens=100,
        completion_tokens=2,
        cost=cost,
        latency=0.5,
    )
