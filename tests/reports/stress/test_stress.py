"""The stress test finds what it is made to find, with graders that are known to err."""

from __future__ import annotations

import pytest

from grader.numbers import parse_number
from grader.records import Grade, Step, Task, Transcript, Verdict
from grader.settings import GradeSettings
from reports.stress import StressCase, other_numbers, reference, stress
from reports.stress.tables import exceeded, stress_tables, worst_cases

SETTINGS = GradeSettings()


def made(raw: str, truth: str = "12.5") -> Transcript:
    task = Task(task_id="t", question="What is the mean height?", ground_truth=truth)
    return Transcript(transcript_id="x", task=task, steps=(Step(raw_output=raw),))


def run(raw: str, *graders: str) -> list[StressCase]:
    answer = parse_number("12.5")
    assert answer is not None
    return list(stress([(made(raw), answer)], graders, SETTINGS))


def grade(grader: str, verdict: Verdict, value: str | None) -> Grade:
    return Grade(transcript_id="x", task_id="t", grader=grader, verdict=verdict, value=value)


@pytest.mark.parametrize(
    ("grades", "expected"),
    [
        ([grade("cascade", "correct", "12.5")], 12.5),
        ([grade("cascade", "incorrect", "9"), grade("lenient", "incorrect", "9")], 9.0),
        ([grade("cascade", "incorrect", "9")], None),
        ([grade("cascade", "correct", "$3.4 million")], 3.4e6),
        ([grade("cascade", "correct", "12.5%")], 0.125),
        ([grade("cascade", "no_answer", None), grade("lenient", "no_answer", None)], None),
        ([], None),
    ],
)
def test_reference(grades: list[Grade], expected: float | None) -> None:
    found = reference(made("12.5"), {g.grader: g for g in grades})
    assert (found.readings()[-1] if found else None) == expected


def test_the_answer_in_full_is_no_swapped_truth() -> None:
    raw = "The sum of the column is 3,400,000.\n\nSo the mean height is **$3.4 million**, of 81."
    answer = parse_number("$3.4 million")
    assert answer is not None
    cases = list(stress([(made(raw, "3400000"), answer)], ["strict_keyword"], SETTINGS))
    assert [c.detail for c in cases if c.family == "swapped"] == ["truth 81"]
    assert not [c for c in cases if c.violated]


def test_another_scale_is_a_swapped_truth_in_full() -> None:
    raw = "The mean height is **$3.4 million**; that of all towns is $3.4 billion, or 7%."
    answer = parse_number("$3.4 million")
    assert answer is not None
    cases = list(stress([(made(raw, "3400000"), answer)], ["strict_keyword"], SETTINGS))
    assert [c.detail for c in cases if c.family == "swapped"] == ["truth 3400000000", "truth 7%"]
    assert not [c for c in cases if c.violated]


def test_other_numbers_leave_out_the_answer_in_every_form() -> None:
    answer = parse_number("12.5")
    assert answer is not None
    raw = "12.5, 12.6, 12.5%, 0.125, 1250, 77, 77.0, 0 and p < 0.05; 31"
    assert [n.value for n in other_numbers(made(raw), answer, SETTINGS)] == [77.0, 31.0]


def test_other_numbers_of_a_percent_answer() -> None:
    answer = parse_number("7%")
    assert answer is not None
    raw = "7%, 7, 0.07, 700, 0.0007 and 70%"
    assert [n.value for n in other_numbers(made(raw), answer, SETTINGS)] == [700.0, 0.0007, 70.0]
    assert [n.value for n in other_numbers(made(raw), None, SETTINGS)] == [7.0, 700.0, 0.0007, 70.0]


def test_other_numbers_are_of_all_steps() -> None:
    answer = parse_number("12.5")
    assert answer is not None
    one = made("The mean of **12.5** is of 31 plants.")
    steps = (Step(raw_output="There are 77 rows."), *one.steps)
    case = one.model_copy(update={"steps": steps})
    assert [n.value for n in other_numbers(case, answer, SETTINGS)] == [77.0, 31.0]


def test_other_numbers_are_at_most_ten_spread_over_the_text() -> None:
    answer = parse_number("12.5")
    assert answer is not None
    found = other_numbers(made(" ; ".join(f"{100 + 7 * i}.5" for i in range(40))), answer, SETTINGS)
    assert [n.value for n in found] == [114.5 + 28 * i for i in range(10)]


def test_the_last_of_the_other_numbers_is_drawn_too() -> None:
    answer = parse_number("12.5")
    assert answer is not None
    found = other_numbers(made(" ; ".join(f"{100 + 7 * i}.5" for i in range(11))), answer, SETTINGS)
    assert len(found) == 10
    assert (found[0].value, found[-1].value) == (100.5, 170.5)


def test_last_number_passes_a_swapped_truth_and_flips_under_suggestions() -> None:
    cases = run("The mean height is **12.5**, from 40 plants.\n\nIn 9 plots.", "strict_heuristic")
    swapped = [c for c in cases if c.family == "swapped" and c.violated]
    assert [c.detail for c in swapped] == ["truth 9"]
    clean = run("The mean height is **12.5**.", "strict_heuristic")
    flipped = {c.test for c in clean if c.family == "noise" and c.violated}
    assert "numbered suggestions" in flipped
    assert "answer in scientific notation" not in flipped


def test_tolerance_cases_pass_inside_and_fail_outside() -> None:
    cases = [
        c for c in run("The mean height is **12.5**.", "strict_blind") if c.family == "tolerance"
    ]
    assert [(c.test, c.grade.verdict) for c in cases] == [
        ("truth just inside tolerance", "correct"),
        ("truth just outside tolerance", "incorrect"),
    ]
    assert not any(c.violated for c in cases)


def test_no_tolerance_cases_without_a_tolerance() -> None:
    answer = parse_number("12.5")
    assert answer is not None
    settings = GradeSettings(relative_tolerance=0)
    case = made("The mean height is **12.5**, from 40 plants.")
    found = {c.family for c in stress([(case, answer)], ["strict_blind"], settings)}
    assert found == {"swapped", "noise"}


def test_table_thresholds_and_worst_cases() -> None:
    cases = run("The mean height is **12.5**.", "strict_heuristic", "strict_blind")
    tables = stress_tables(cases)
    rows = {row["test"]: row for row in tables["stress-strict_heuristic"].rows}
    assert rows["numbered suggestions"]["violated"].value == 1.0
    assert rows["numbered suggestions"]["lost"] == 1
    assert exceeded(tables.values(), {"noise": 1.0}) == []
    assert exceeded(tables.values(), {"noise": None}) == []
    over = exceeded(tables.values(), {"noise": 0.5})
    assert over
    assert all("strict_heuristic" in line for line in over)
    noise = stress_tables([case for case in cases if case.family == "noise"])
    untested = exceeded(noise.values(), {"swapped": 0.05})
    assert untested == ["False passes: no case tests the limit of 5%"]
    assert all(case.violated for case in worst_cases(cases))
