"""Table 3: tests of whether grades depend on task covariates."""

from __future__ import annotations

from annotate.shown_numbers import show_count, show_number, show_p
from annotate.statistics.covariates import (
    COVARIATE,
    PERMUTATIONS,
    SMALL_EXPECTED,
    IndependenceTest,
    covariate_tests,
)

from ..frames import RunFrames
from ..names import MODE_TITLES, NO_AGENT, grader_title
from ..table import Column, Table
from ..undecided import untested_note
from ..wording import sentences

NOTE = (
    "Pearson's chi-squared test of independence; V is Cramér's V. Where an expected count is below "
    f"{SMALL_EXPECTED:.0f} the p-value is Fisher's exact (2 × 2) or from {PERMUTATIONS:,} "
    "permutations. Holm corrects over all rows. n counts the tasks with a value of the covariate. "
    "Numbers with many values are tested by quarters of the tasks that can be graded. In each mode "
    "a task counts once for an agent: its first graded repeat. Tests of several modes or agents on "
    "the same tasks are not independent."
)
COLUMNS = (
    Column("Covariate", "covariate", numeric=False),
    Column("n", "n", show_count),
    Column("χ²", "statistic", show_number),
    Column("df", "dof", show_count),
    Column("p", "p_value", show_p),
    Column("p (Holm)", "p_holm", show_p),
    Column("V", "cramers_v", show_number),
    Column("Smallest expected", "min_expected", lambda v: show_number(v, 1)),
    Column("Method", "method", numeric=False),
    Column("Remark", "reason", numeric=False),
)


def _part(frames: RunFrames, test: IndependenceTest) -> list[str]:
    """The part of the run that a test covers: its agent, if there are several, and its mode."""
    agent = [test.agent or NO_AGENT] if len(frames.agents) > 1 else []
    return [*agent, MODE_TITLES[test.mode]]


def covariates_table(frames: RunFrames) -> Table | None:
    """Table 3: every covariate × {strict, cascade pass} × nudge mode × agent; None without
    covariates. A cascade that left transcripts undecided is not tested."""
    targets = [g for g in frames.layers if g in frames.grades and not frames.undecided(g)]
    if not frames.covariates or not targets:
        return None
    # a covariate's quarters are those of the tasks that can be graded, as in `grader calibrate`
    table = frames.transcripts[frames.transcripts["problem"].isna()].copy()
    for grader in targets:
        table[grader] = table.index.map(frames.passed(grader)).astype(object)
    columns = [COVARIATE + name for name in frames.covariates]
    tests = covariate_tests(table, columns, targets, mode_column="mode")
    rows = tuple(
        {"panel": ", ".join([grader_title(t.target), *_part(frames, t)]), **t.model_dump()}
        for t in tests
    )
    return Table(
        "covariates",
        "Table 3. Task covariates and grades",
        COLUMNS,
        rows,
        sentences(NOTE, untested_note({"": frames})),
        group="panel",
    )
