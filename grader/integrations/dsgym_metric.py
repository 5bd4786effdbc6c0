"""A DSGym metric: import this module, then name `grading_cascade` among the metrics.

import grader.integrations.dsgym_metric
Evaluator(metrics=["grading_cascade"], metric_configs={"grading_cascade": {"lenient": "off"}})
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from dsgym.eval.metric_registry import register_metric
from dsgym.eval.metrics.base import BaseMetric, MetricResult

from ..files.json_input import as_mapping
from ..readers.dsgym import dsgym_task, sample_id
from ..records import Step, Transcript
from ..settings import GradeSettings
from ..truth import stated
from .single import SingleGrader, lenient_from

NAME = "grading_cascade"


class CascadeMetric(BaseMetric):  # type: ignore[misc,unused-ignore]
    """A DSGym metric: 1.0 if the cascade passes the prediction, 0.0 if it fails it or finds no
    answer, no score if it could not grade (DSGym then counts the sample as skipped).

    Configuration: lenient (`auto`, `off`, or `replay` of `replay_file`), model, base_url, calls
    (folder for the log of the judge's calls), and any of `GradeSettings`.
    """

    def __init__(
        self,
        lenient: str = "auto",
        model: str | None = None,
        base_url: str | None = None,
        replay_file: str | None = None,
        calls: str | None = None,
        **settings: Any,
    ) -> None:
        super().__init__(lenient=lenient, model=model, base_url=base_url, **settings)
        self._grader = SingleGrader(
            GradeSettings.model_validate(settings),
            lenient_from(lenient, model, base_url, replay_file),
            Path(calls) if calls else None,
        )

    @property
    def name(self) -> str:
        return NAME

    def evaluate(
        self,
        prediction: object,
        ground_truth: object = None,
        query: str | None = None,
        **context: Any,
    ) -> MetricResult:
        """Grade one prediction; the whole final response is best, a bare answer will do. Raises
        `ValueError` for options that are no list."""
        extra = as_mapping(context.get("extra_info"))
        task = dsgym_task(sample_id(extra), query, ground_truth, extra)
        output = prediction if isinstance(prediction, str) else stated(prediction)
        transcript = Transcript(
            transcript_id=task.task_id,
            task=task,
            steps=(Step(instruction_text=task.question, raw_output=output or ""),),
            problem="no_output: the prediction is missing" if output is None else None,
        )
        grades = self._grader.grade(transcript)
        decision = grades[-1]
        ungraded = decision.verdict == "ungraded"
        return MetricResult(
            metric_name=NAME,
            score=None if ungraded else float(decision.verdict == "correct"),
            details={
                "verdict": decision.verdict,
                "value": decision.value,
                "reason": decision.reason,
                "verdicts": {grade.grader: grade.verdict for grade in grades},
                **decision.evidence,
            },
        )


register_metric(NAME, CascadeMetric)
