"""A run as data frames, the input of every table and figure."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import pandas as pd

from annotate.audit import Audit
from annotate.labels.rows import StoredLabel
from annotate.sample.weights import Weighting
from annotate.statistics.cells import Drawn, unlabelled_strata
from annotate.statistics.covariates import COVARIATE
from grader.grader_names import (
    CASCADE,
    LENIENT,
    STRICT_LAYER,
    base_name,
    is_before_nudge,
    suffix_of,
)
from grader.llm.calls import LlmCall
from grader.records import Grade, Verdict
from grader.settings import GradeSettings

from .disagreement import Disagreement
from .names import NO_AGENT, grader_order


@dataclass(frozen=True)
class RunFrames:
    """One run, or a part of one.

    transcripts: one row per transcript in evaluation order, indexed by transcript_id
        (`frame_rows.TRANSCRIPT_COLUMNS`, plus one `covariate:NAME` column a covariate).
        `seconds` and `tokens` are sums over steps, None if no step recorded them; `mode` is ""
        and `outcome` `UNKNOWN` where none is recorded, `repeat` 1; `halves_agree` is of the final
        response, by the keyword parser, None where one of its halves has no scalar;
        `wants_number` says whether the task asks for one; `task_hash` is of question, options
        and published answer, `recording_hash` of what was recorded, however it is graded.
    steps: one row per step (`frame_rows.STEP_COLUMNS`), `turn` counted from 1.
    grades: current grades by grader name, then transcript_id.
    labels: indexed by transcript_id, the current human verdict at each stage and the final one,
        of transcripts that can be graded.
    disagreements: final responses whose two halves end in different numbers.
    calls: the LLM calls recorded for the run.
    settings: those that made the grades.
    given: the current labels themselves, by transcript_id.
    missing: the ids of tasks that could not be run.
    database: the address of the labels, without its password; "" for the run's own.
    audit: the audit of the whole run (`grader calibrate`); None for a part of it or without labels.
    weighting: which labels are a sample of the run, and their weights; None without labels.
    """

    name: str
    transcripts: pd.DataFrame
    steps: pd.DataFrame
    grades: dict[str, dict[str, Grade]]
    labels: pd.DataFrame
    disagreements: tuple[Disagreement, ...] = ()
    calls: tuple[LlmCall, ...] = ()
    manifest: Mapping[str, Any] | None = None
    settings: GradeSettings = field(default_factory=GradeSettings)
    given: Mapping[str, Sequence[StoredLabel]] = field(default_factory=dict)
    missing: tuple[str, ...] = ()
    database: str = ""
    audit: Audit | None = None
    weighting: Weighting | None = None

    def __len__(self) -> int:
        return len(self.transcripts)

    @cached_property
    def tasks(self) -> dict[str, str]:
        """Task_id by transcript_id."""
        return dict(zip(self.transcripts.index, self.transcripts["task_id"], strict=True))

    def tasks_of(self, transcript_ids: Iterable[str]) -> list[str]:
        """The task of each transcript; a transcript not in the run counts as its own task."""
        return [self.tasks.get(key, key) for key in transcript_ids]

    @cached_property
    def graders(self) -> list[str]:
        """The graders of complete transcripts, in the order tables show them."""
        return sorted((g for g in self.grades if not is_before_nudge(g)), key=grader_order)

    @cached_property
    def graders_before_nudge(self) -> list[str]:
        """The graders that saw only the steps before the first nudge (suffixed names)."""
        return sorted((g for g in self.grades if is_before_nudge(g)), key=grader_order)

    @property
    def database_option(self) -> str:
        """The option of commands about this run that names its database, after a blank."""
        return f" --database {shlex.quote(self.database)}" if self.database else ""

    @property
    def strict_layer(self) -> str:
        """The strict grader that the cascade begins with."""
        return self.layers[0]

    @property
    def layers(self) -> tuple[str, str]:
        """The graders shown where a table or figure does not show all."""
        return layers_of([self])

    @property
    def lacks_truths(self) -> bool:
        """Whether some task has no published answer."""
        problems = self.transcripts["problem"].dropna()
        return any("no_ground_truth" in problem for problem in problems)

    def verdicts(self, grader: str) -> dict[str, Verdict]:
        """Verdict by transcript_id; empty for a grader that did not run."""
        return {key: grade.verdict for key, grade in self.grades.get(grader, {}).items()}

    def passed(self, grader: str) -> dict[str, bool]:
        """Whether a grader passed each transcript; `ungraded` ones are left out."""
        return {k: v == "correct" for k, v in self.verdicts(grader).items() if v != "ungraded"}

    def undecided(self, grader: str) -> list[str]:
        """Strict failures that the LLM judge should decide for a cascade but left ungraded. Leaving
        them out of `passed` favours the cascade, since none of them is a strict pass."""
        return [
            key
            for key, grade in self.grades.get(grader, {}).items()
            if grade.verdict == "ungraded" and grade.evidence.get("decided_by") == LENIENT
        ]

    def lacks_judge(self, grader: str) -> bool:
        """Whether a cascade is the strict grader alone: some failed, and no LLM judge read them."""
        return (
            base_name(grader) == CASCADE
            and not self.verdicts(LENIENT + suffix_of(grader))
            and not all(self.passed(grader).values())
        )

    def not_graded(self, grader: str) -> int:
        """The number of transcripts that a grader has not graded yet, if it graded others. For the
        lenient grader, which judges strict failures only, see `undecided`."""
        graded = self.grades.get(grader, {})
        return len(self) - len(graded) if graded and not grader.startswith(LENIENT) else 0

    @cached_property
    def sampled(self) -> dict[str, bool]:
        """The final labels used for rates: those that are a sample of the run."""
        known = self.weighting.sampled if self.weighting else {}
        return {key: match for key, match in self.human_matches.items() if key in known}

    @cached_property
    def drawn(self) -> Drawn | None:
        """How the labels of these transcripts were drawn; None if all have the same weight."""
        drawn = self.weighting.drawn_from if self.weighting else None
        if drawn is None:
            return None
        strata = {key: drawn.strata[key] for key in self.transcripts.index if key in drawn.strata}
        return Drawn(strata, {key: w for key, w in drawn.weights.items() if key in strata})

    @property
    def unlabelled(self) -> list[str]:
        """The strata that lack a label here, in a part of the run too: labels of the others do not
        describe these transcripts."""
        return unlabelled_strata(self.drawn.strata, self.drawn.weights) if self.drawn else []

    @cached_property
    def human_matches(self) -> dict[str, bool]:
        """Final human label by transcript_id: does the agent's answer match the published one?"""
        final = self.labels["final"].dropna()
        return {str(key): verdict == "match" for key, verdict in final.items()}

    @cached_property
    def modes(self) -> list[str]:
        """Nudge modes in the run, in order A, B, none, unknown."""
        order = {"A": 0, "B": 1, "none": 2, "": 3}
        return sorted(self.transcripts["mode"].unique(), key=lambda mode: order.get(mode, 9))

    @cached_property
    def agents(self) -> list[str]:
        """The agents of the run, in order of appearance; "" where none is recorded."""
        return [str(agent) for agent in self.transcripts["agent"].unique()]

    @cached_property
    def covariates(self) -> list[str]:
        """Names of the task covariates recorded with the run."""
        columns = self.transcripts.columns
        return [c.removeprefix(COVARIATE) for c in columns if c.startswith(COVARIATE)]

    def by_mode(self) -> dict[str, RunFrames]:
        """The run cut into its nudge modes."""
        mode = self.transcripts["mode"]
        return {m: self.part(self.transcripts.index[mode == m], m) for m in self.modes}

    def by_agent(self) -> dict[str, RunFrames]:
        """The run cut into its agents, under their titles. An agent that is called as those which
        are not recorded is one of them."""
        title = self.transcripts["agent"].replace("", NO_AGENT)
        return {t: self.part(self.transcripts.index[title == t], t) for t in title.unique()}

    def part(self, transcript_ids: Iterable[str], name: str) -> RunFrames:
        """The same frames restricted to some transcripts (in the order of the run)."""
        keep = set(transcript_ids)
        transcripts = self.transcripts[self.transcripts.index.isin(keep)]
        kept = [str(key) for key in transcripts.index]
        return replace(
            self,
            name=name,
            audit=None,
            transcripts=transcripts,
            steps=self.steps[self.steps["transcript_id"].isin(keep)],
            grades={
                grader: {key: grades[key] for key in kept if key in grades}
                for grader, grades in self.grades.items()
            },
            labels=self.labels[self.labels.index.isin(keep)],
            disagreements=tuple(d for d in self.disagreements if d.transcript_id in keep),
            calls=tuple(c for c in self.calls if c.transcript_id in keep),
        )


def layers_of(runs: Iterable[RunFrames]) -> tuple[str, str]:
    """The graders to show of several runs together: the first strict grader of a cascade that all
    of them ran, else that any ran; and the cascade."""
    ran = [set(run.grades) for run in runs]
    shared = set.intersection(*ran) if ran else set()
    known = shared & set(STRICT_LAYER) or set().union(*ran)
    return next((name for name in STRICT_LAYER if name in known), STRICT_LAYER[0]), CASCADE
