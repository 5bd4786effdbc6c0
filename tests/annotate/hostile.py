"""Transcripts that attack whoever reads them."""

from __future__ import annotations

from grader.records import Step, Task, Transcript
from tests.hostile import ATTACKS

OUTPUTS = [f"{attack} The proportion is **0.25**." for attack in ATTACKS]


def hostile_transcripts() -> list[Transcript]:
    """One transcript per attack, the attack also in the question, the truth and the options."""
    return [
        Transcript(
            transcript_id=f"h{i}",
            task=Task(
                task_id=f"h{i}",
                question=f"What is the proportion? {output[:300]}",
                context=output[:300],
                ground_truth=f"0.25{output[:60] if i % 2 else ''}",
                answer_kind="text",
            ),
            steps=(Step(raw_output=output), Step(raw_output=output)),
            agent="<b>agent</b>",
        )
        for i, output in enumerate(OUTPUTS)
    ]
