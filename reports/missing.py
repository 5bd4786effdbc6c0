"""What a run lacks for a complete report, and the commands that supply it."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from grader.grader_names import CASCADE, LENIENT

from .frames import RunFrames
from .pairing import has_paired_modes
from .undecided import UNJUDGED, is_unjudged


class Gap(NamedTuple):
    """Something the run lacks: its name, what the report cannot say without it, and the command
    that supplies it, with `{run}` for the run directory and `{database}` for the option that names
    its label database."""

    what: str
    consequence: str
    command: str


def _unlabelled(frames: RunFrames) -> int:
    """How many gradable transcripts have neither a final label nor a dispute about it."""
    found = frames.audit
    return found.transcripts - found.labelled - len(found.undecided) if found else 0


# (applies, gap). A run's recordings never change: recording more needs a new run.
GAPS: tuple[tuple[Callable[[RunFrames], bool], Gap], ...] = (
    (
        lambda f: not f.graders,
        Gap("grades", "nothing is graded", "grader grade {run}"),
    ),
    (
        lambda f: bool(f.missing),
        Gap(
            "transcripts of tasks that could not be run",
            "no rate covers these tasks (not_run.jsonl says why); repeat the command of the run",
            "grader run --tasks FILE --agent AGENT --run {run}",
        ),
    ),
    (
        lambda f: f.lacks_truths,
        Gap(
            "published answers of some tasks",
            "their transcripts cannot be graded",
            "grader grade {run} --run NEW_RUN --tasks TASKS",
        ),
    ),
    (
        lambda f: bool(f.graders) and not f.verdicts(LENIENT),
        Gap(
            "the lenient (LLM) layer",
            "the cascade is the strict grader alone",
            "grader grade {run} --lenient auto --model MODEL --base-url URL",
        ),
    ),
    (
        lambda f: bool(f.undecided(CASCADE)),
        Gap(
            "LLM verdicts of some strict failures",
            "the cascade's pass rate is known within bounds only",
            "grader grade {run} --lenient auto --model MODEL --base-url URL",
        ),
    ),
    (
        lambda f: any(map(f.not_graded, f.grades)),
        Gap(
            "grades of some transcripts",
            "rates cover only the transcripts graded so far, the first in the file, not a random "
            "part",
            "grader grade {run}",
        ),
    ),
    (
        lambda f: not f.human_matches,
        Gap(
            "human labels",
            "no recall, precision or calibrated accuracy",
            "grader annotate {run} --web{database}",
        ),
    ),
    (
        lambda f: _unlabelled(f) > 0,
        Gap(
            "labels of some transcripts",
            "recall and precision rest on the labelled part",
            "grader annotate {run} --web{database}",
        ),
    ),
    (
        lambda f: f.audit is not None and bool(f.audit.undecided),
        Gap(
            "a decision where annotators disagree",
            "rates leave these transcripts out",
            "grader labels adjudicate {run}{database}",
        ),
    ),
    (
        lambda f: bool((f.transcripts["n_nudges"] > 0).any()) and not f.graders_before_nudge,
        Gap(
            "grades of the steps before the first nudge",
            "what nudging recovered is not known (Table 1, lower half; Table 2)",
            "grader grade {run} --before-nudge",
        ),
    ),
    (
        is_unjudged,
        Gap(
            "LLM verdicts of the steps before the first nudge",
            f"{UNJUDGED} (Table 1; Table 2; Figure 2)",
            "grader grade {run} --before-nudge --lenient auto --model MODEL --base-url URL",
        ),
    ),
    (
        lambda f: not (f.transcripts["n_nudges"] > 0).any(),
        Gap(
            "nudges",
            "no nudge effect to report (Table 2)",
            "grader run --tasks FILE --agent AGENT --nudge A --run NEW_RUN",
        ),
    ),
    (
        lambda f: not has_paired_modes(f),
        Gap(
            "a second nudge mode on the same tasks",
            "no comparison of nudge modes here; make it with a run in the other mode",
            "grader compare {run} OTHER_RUN",
        ),
    ),
    (
        lambda f: not f.covariates,
        Gap(
            "task covariates",
            "no Table 3; Figure 3 shows the whole run only",
            "grader grade {run} --run NEW_RUN --tasks TASKS --covariates COVARIATES",
        ),
    ),
    (
        lambda f: bool(f.steps["anchoring_score"].isna().all()),
        Gap("anchoring scores", "no Figure 4", "grader grade {run} --run NEW_RUN"),
    ),
    (
        lambda f: bool(f.verdicts(CASCADE)) and not f.calls and bool(f.verdicts(LENIENT)),
        Gap(
            "recorded LLM calls",
            "tokens and cost of the lenient layer are not known",
            "grader grade {run} --run NEW_RUN --lenient auto",
        ),
    ),
)


def gaps(frames: RunFrames, run: str = "RUN") -> list[Gap]:
    """The gaps of one run; `run` is its directory as commands name it."""
    return [
        gap._replace(command=gap.command.format(run=run, database=frames.database_option))
        for applies, gap in GAPS
        if applies(frames)
    ]
