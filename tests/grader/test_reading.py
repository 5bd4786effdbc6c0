"""One transcript read for several published answers."""

from __future__ import annotations

import pytest

from grader.readers import read
from grader.reading import Reading
from grader.strict import STRICT_GRADERS, grade_reading
from tests.shared_data import FIXTURES


@pytest.mark.parametrize("grader", list(STRICT_GRADERS))
def test_another_published_answer_is_graded_as_if_it_were_read_anew(grader: str) -> None:
    for one in read(FIXTURES / "transcripts.jsonl"):
        reading = Reading(one)
        for truth in ("0.31", "12%", "-4", "(0.2, 0.4)"):
            task = one.task.model_copy(update={"ground_truth": truth})
            anew = Reading(one.model_copy(update={"task": task}))
            shared = reading.with_truth(truth)
            assert grade_reading(shared, grader) == grade_reading(anew, grader)
