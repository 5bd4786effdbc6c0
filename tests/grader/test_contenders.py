"""What `strict_keyword` says of a number that it passes from outside the answer region."""

from __future__ import annotations

import pytest

from grader.readers import read
from grader.reading import Reading
from grader.strict import grade_reading
from tests.shared_data import FIXTURES


@pytest.mark.parametrize(("identifier", "parser"), [("st075", "blind"), ("st001", "keyword")])
def test_a_grade_tells_who_read_it_and_of_the_answer_region(identifier: str, parser: str) -> None:
    transcripts = read(FIXTURES / "styles/transcripts.jsonl")
    one = next(one for one in transcripts if one.transcript_id == identifier)
    grade = grade_reading(Reading(one), "strict_keyword")
    assert (grade.verdict, grade.evidence["parser"]) == ("correct", parser)
    assert isinstance(grade.evidence["region_score"], float)
