"""Tasks that offer options, for the tests of these."""

from __future__ import annotations

from grader.records import Task

LETTERS = Task(
    task_id="t",
    question="Which is more likely?\nA. X causes Y\nB. Y causes X\n"
    "C. No causal relationship exists\nPlease answer with A, B, or C.",
    ground_truth="C",
    answer_kind="choice",
    choices=("a", "b", "c"),
)
GROUPS = Task(
    task_id="g",
    question='Which did better? Please answer with "treatment group" or "control group".',
    ground_truth="control group",
    answer_kind="choice",
    choices=("treatment group", "control group"),
)
YES_NO = Task(task_id="y", question="Is it? Answer yes or no.", ground_truth="no",
              answer_kind="choice")  # fmt: skip
