"""The list of transcripts: which judgements of one contradict each other."""

from __future__ import annotations

import pytest

from reports.tables.transcripts import disagreements


@pytest.mark.parametrize(
    ("judged", "said"),
    [
        ({"human": "match", "cascade": "correct"}, []),
        ({"human": "match", "cascade": "incorrect"}, ["missed match"]),
        ({"human": "match", "cascade": "no_answer"}, ["missed match"]),
        ({"human": "match", "cascade": "ungraded"}, []),
        ({"human": "match", "cascade": None}, []),
        ({"human": "non_match", "cascade": "correct"}, ["false pass"]),
        ({"human": "non_match", "cascade": "incorrect"}, []),
        ({"human": None, "cascade": "correct"}, []),
        ({"human": None, "cascade": "incorrect"}, []),
        ({"strict_keyword": "incorrect", "cascade": "correct"}, ["strict ≠ lenient"]),
        ({"strict_keyword": "incorrect", "cascade": "incorrect"}, []),
        ({"strict_keyword": "correct", "cascade": "correct"}, []),
        ({"strict_keyword": "correct", "strict_blind": "incorrect"}, ["strict ≠ blind"]),
        ({"strict_keyword": "no_answer", "strict_blind": "incorrect"}, []),
        ({"strict_keyword": "correct", "strict_blind": None}, []),
        ({"snippet": "match", "human": "non_match"}, ["snippet ≠ transcript"]),
        ({"snippet": "match", "human": "match"}, []),
        ({"snippet": "match", "human": None}, []),
    ],
)
@pytest.mark.parametrize("halves", [False, True])
def test_judgements_that_contradict_each_other(
    judged: dict[str, str | None], said: list[str], halves: bool
) -> None:
    apart = ["output ≠ prose"] if halves else []
    assert disagreements(judged, "strict_keyword", halves) == said + apart
