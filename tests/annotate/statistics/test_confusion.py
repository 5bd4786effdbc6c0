"""How verdicts are counted against labels."""

from annotate.statistics.confusion import Confusion, confusion
from grader.records import Verdict


def test_no_answer_is_a_miss_and_ungraded_is_no_statement() -> None:
    graded: dict[str, Verdict] = {"a": "no_answer", "b": "ungraded", "c": "no_answer"}
    counts = confusion(graded, {"a": True, "b": True, "c": False, "unseen": True})
    assert counts == Confusion(fn=1, tn=1, no_answer=2, ungraded=1)
