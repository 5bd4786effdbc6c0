"""Paired comparison: counts, interval, McNemar, lists."""

from __future__ import annotations

from dataclasses import replace
from math import sqrt

import pandas as pd
import pytest
from scipy.stats import binomtest, norm
from statsmodels.stats.multitest import multipletests

from annotate.sample.weights import Weighting
from annotate.statistics.mcnemar import PairedTest
from reports.compare import arms_of, paired_difference, paired_table, task_table, unpaired_table
from reports.frames import RunFrames
from reports.pairing import common_tasks


def _test(both: int, first: int, second: int, neither: int) -> PairedTest:
    n = both + first + second + neither
    return PairedTest(
        n=n, both=both, only_first=first, only_second=second, neither=neither, p_value=None
    )


def test_interval_is_walds_on_half_more_in_each_cell() -> None:
    found = paired_difference(_test(47, 15, 19, 72))
    differences = [0] * 119 + [-1] * 15 + [1] * 19
    extra = [0.5 * d for d in (0, 0, -1, 1)]
    n = len(differences) + 2
    mean = (sum(differences) + sum(extra)) / n
    square = (sum(d * d for d in differences) + 0.5 * 2) / n
    error = sqrt((square - mean**2) / n)
    assert found.low == pytest.approx(mean - norm.ppf(0.975) * error)
    assert found.high == pytest.approx(mean + norm.ppf(0.975) * error)


def test_no_pairs_no_interval() -> None:
    assert paired_difference(_test(0, 0, 0, 0)).low is None


def test_modes_compared(run_ab: RunFrames) -> None:
    table = paired_table(arms_of({"run": run_ab}))
    (row,) = [r for r in table.rows if r["grader"] == "cascade"]
    assert (row["both"], row["only_first"], row["only_second"], row["neither"]) == (55, 15, 16, 67)
    assert row["difference"] == pytest.approx(1 / 153)
    assert row["p_value"] == pytest.approx(binomtest(15, 31).pvalue)


def test_unpaired_tasks_are_listed(run_ab: RunFrames) -> None:
    modes = run_ab.by_mode()
    few = modes["B"].part(modes["B"].transcripts.index[3:], "few")
    arms = {"A": modes["A"], "few": few}
    assert len(common_tasks(arms)) == 150
    table = unpaired_table(arms)
    assert [row["task"] for row in table.rows] == ["task000", "task001", "task002"]
    assert {row["run"] for row in table.rows} == {"A (3)"}


def test_task_lists(run_ab: RunFrames) -> None:
    table = task_table(arms_of({"run": run_ab}), "strict_keyword")
    groups = [row["group"] for row in table.rows]
    assert len(groups) == 153
    assert groups.count("Only in mode A") == 15
    assert groups.count("Only in mode B") == 19
    assert groups.count("Passed in every run") == 47
    assert groups[:34].count("Passed in every run") == 0


def test_what_is_not_graded_everywhere_is_no_failure(run_ab: RunFrames) -> None:
    arms = arms_of({"run": run_ab})
    grades = run_ab.grades["strict_keyword"]
    key = next(key for key in arms["mode B"].transcripts.index if grades[key].verdict == "correct")
    open_one = grades[key].model_copy(update={"verdict": "ungraded"})
    changed = replace(run_ab, grades=run_ab.grades | {"strict_keyword": grades | {key: open_one}})
    rows = task_table(arms_of({"run": changed}), "strict_keyword").rows
    (row,) = [row for row in rows if row["group"] == "Not graded in every run"]
    assert row["task"] == run_ab.tasks[key]


def test_a_run_in_one_mode_is_one_arm(run_a: RunFrames) -> None:
    assert list(arms_of({"a": run_a})) == ["a"]


def test_the_terminal_shows_the_corrected_p(run_ab: RunFrames) -> None:
    """One p, that of the note: a raw one beside it would be taken for it."""
    table = paired_table(arms_of({"run": run_ab}))
    brief = {column.header for column in table.columns if column.brief}
    assert "p (Holm)" in brief
    assert "p" not in brief
    raw = [row["p_value"] for row in table.rows]
    corrected = [row["p_holm"] for row in table.rows]
    assert corrected == pytest.approx(multipletests(raw, method="holm")[1])
    assert min(corrected) > min(raw)


def test_labels_that_do_not_weigh_the_same_are_not_paired(run_ab: RunFrames) -> None:
    matched = dict.fromkeys(run_ab.transcripts.index, True)
    labels = pd.DataFrame({"final": "match"}, index=run_ab.transcripts.index)
    weighting = Weighting(design="all", sampled=matched, strata=dict.fromkeys(matched, "all"))
    part = {key: True for key in matched if run_ab.tasks[key] < "task077"}
    few = weighting.model_copy(update={"sampled": part})
    nearly_even, uneven = (
        weighting.model_copy(
            update={"weights": dict.fromkeys(matched, 1.0) | dict.fromkeys(part, most)}
        )
        for most in (1.02, 2.0)
    )
    for given, tasks in ((weighting, [153]), (few, [77]), (nearly_even, [153]), (uneven, [])):
        table = paired_table(arms_of({"": replace(run_ab, labels=labels, weighting=given)}))
        assert [row["n"] for row in table.rows if row["grader"] == "human"] == tasks
        assert ("No row by human label with mode A or mode B" in table.note) == (not tasks)
