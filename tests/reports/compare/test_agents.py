"""Runs with several agents: each is an arm of its own, and none passes for a repeat."""

from __future__ import annotations

from grader.records import Grade, NudgeMode, Step, Task, Transcript, Verdict
from reports.compare import arms_of, paired_table, task_table
from reports.compare.stability import flips_table, stability_table
from reports.frame_rows import build_frames
from reports.frames import RunFrames
from reports.missing import gaps
from reports.pairing import has_paired_modes
from reports.row_filters import row_columns
from reports.tables import make_tables

VERDICTS: dict[str, Verdict] = {"alpha": "correct", "beta": "incorrect"}


def run(
    *agents: str,
    modes: tuple[NudgeMode | None, ...] = (None,),
    tasks: int = 4,
    repeats: int = 1,
    said: str = "",
) -> RunFrames:
    """alpha passes all tasks, beta none."""
    rows, grades = [], []
    for agent in agents:
        for mode in modes:
            for number in range(tasks * repeats):
                task = Task(
                    task_id=f"t{number % tasks}",
                    ground_truth="5",
                    covariates={"kind": "ab"[number % 2]},
                )
                row = Transcript(
                    transcript_id=f"{agent}{mode}{number}",
                    task=task,
                    agent=agent,
                    nudge_mode=mode,
                    outcome="clean",
                    steps=(Step(raw_output=said),),
                    metadata={"repeat": number // tasks + 1},
                )
                rows.append(row)
                grades += [
                    Grade(transcript_id=row.transcript_id, task_id=row.task.task_id, grader=grader,
                          verdict=VERDICTS[agent])
                    for grader in ("strict_keyword", "cascade")
                ]  # fmt: skip
    return build_frames("run", rows, grades)


def test_a_run_is_cut_into_its_agents() -> None:
    arms = arms_of({"r": run("alpha", "beta")})
    assert {name: len(arm) for name, arm in arms.items()} == {"alpha": 4, "beta": 4}
    (row,) = [row for row in paired_table(arms).rows if row["grader"] == "cascade"]
    assert (row["n"], row["only_first"], row["only_second"]) == (4, 4, 0)
    assert {row["group"] for row in task_table(arms, "cascade").rows} == {"Only in alpha"}


def test_agents_and_modes_of_several_runs() -> None:
    both = run("alpha", "beta", modes=("A", "B"))
    assert list(arms_of({"r": both})) == [
        "alpha, mode A", "beta, mode A", "alpha, mode B", "beta, mode B",
    ]  # fmt: skip
    assert list(arms_of({"r": run("alpha", "beta"), "s": run("beta")})) == [
        "r, alpha", "r, beta", "s",
    ]  # fmt: skip
    assert list(arms_of({"r": run("alpha"), "s": run("beta")})) == ["r", "s"]


def test_another_agent_is_no_repeat() -> None:
    assert stability_table(arms_of({"r": run("alpha", "beta")})) is None
    assert flips_table({"r": run("alpha"), "s": run("beta")}) is None
    table = stability_table(
        arms_of({"r": run("alpha", "beta", repeats=2), "s": run("beta", said="5")})
    )
    assert table is not None
    assert {row["run"] for row in table.rows} == {
        "r, alpha", "r, beta", "All runs together, beta",
    }  # fmt: skip


def test_the_report_tells_agents_apart() -> None:
    frames = run("alpha", "beta", modes=("A", "B"))
    tables = make_tables(frames)
    assert [row["n"] for row in tables["covariates"].rows] == [4] * 8
    assert "beta, mode B" in str(tables["covariates"].rows[-1]["panel"])
    assert [c.header for c in tables["modes"].columns][1:3] == [
        "alpha, mode A (format + question)", "beta, mode A (format + question)",
    ]  # fmt: skip
    one_agent = make_tables(run("alpha", modes=("A", "B")))["modes"]
    assert one_agent.columns[1].header == "Mode A (format + question)"
    by_agent = {
        row["level"]: row["n"] for row in tables["outcomes"].rows if row["panel"] == "Agent"
    }
    assert by_agent == {"alpha": 8, "beta": 8}
    assert "Agent" in tables["transcripts"].csv().title().split(",", 4)
    assert ("agent", "Agent") in row_columns(frames)
    assert ("agent", "Agent") not in row_columns(run("alpha"))


def test_agents_are_no_nudge_modes() -> None:
    wanted = "a second nudge mode on the same tasks"
    assert wanted in {gap.what for gap in gaps(run("alpha", "beta"))}
    assert wanted not in {gap.what for gap in gaps(run("alpha", modes=("A", "B")))}
    assert not has_paired_modes(run("alpha", "beta", modes=("A",)))


def test_no_gap_denies_a_table_that_is_there() -> None:
    for frames in (run("alpha", modes=("A", "B")), run("alpha", "beta")):
        assert "modes" in make_tables(frames)
        assert not any("Table S.3" in gap.consequence for gap in gaps(frames))
