"""A DSGym metric: import this module, then name `grading_cascade` among the metrics.

import grader.integrations.dsgym_metric
Evaluator(metrics=["grading_cascade"], metric_configs={"grading_cascade": {"lenient": "off"}})
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from dsgym.eval.metric_registry import register_metric
from dsgym.eval.metrics.base import BaseMetric, MetricResult

from ..extraction.choices import infer_answer_kind
from ..records import Step, Task, Transcript
from ..settings import GradeSettings
from .single import SingleGrader, lenient_from

NAME = "grading_cascade"


class CascadeMetric(BaseMetric):  # type: ignore[misc,unused-ignore]
    """1.0 if the cascade passes the prediction, 0.0 if it fails it or finds no answer. Where it
    could not grade there is no score (DSGym then counts the sample as skipped).

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
        prediction: str,
        ground_truth: str | None = None,
        query: str | None = None,
        **context: Any,
    ) -> MetricResult:
        """Grade one prediction; the whole final response is best, a bare answer will do."""
        extra: Mapping[str, Any] = context.get("extra_info") or {}
        question = query or str(extra.get("question") or "")
        choices = tuple(map(str, extra.get("choices") or ()))
        transcript = Transcript(
            transcript_id=f"{extra.get('metadata_id', '')}:{extra.get('query_id', '')}",
            task=Task(
                task_id=str(extra.get("metadata_id", "")),
                question=question,
                context=str(extra.get("context") or ""),
                ground_truth=ground_truth,
                answer_kind=infer_answer_kind(ground_truth, choices, question),
                choices=choices,
            ),
            steps=(Step(instruction_text=question, raw_output=prediction),),
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
