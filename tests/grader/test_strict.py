from __future__ import annotations

import pytest

from grader import grade
from grader.errors import UserError
from grader.extraction.blind import contenders
from grader.reading import Reading
from grader.records import Task
from grader.settings import GradeSettings
from grader.strict import STRICT_GRADERS, grade_reading
from tests.grader.transcripts import grade_strict, transcript


def test_keyword_takes_the_candidate_closest_to_the_truth() -> None:
    text = "The mean rate is 0.31 for men, 0.25 for women"
    assert grade_strict(transcript(text), "strict_keyword").value == "0.25"
    assert grade_strict(transcript(text, truth="0.31"), "strict_keyword").value == "0.31"


def test_first_of_equally_close_candidates() -> None:
    grade = grade_strict(transcript("The mean rate is 0.24 here and 0.26 there"), "strict_keyword")
    assert grade.value == "0.24"


def test_the_chosen_value_is_recorded_when_it_fails() -> None:
    grade = grade_strict(transcript("The mean rate is 0.40."), "strict_keyword")
    assert (grade.verdict, grade.value, grade.reason) == ("incorrect", "0.40", "outside_tolerance")
    assert grade.evidence["region"] == "The mean rate is 0.40."


def test_ambiguous_is_no_answer_even_with_the_truth_in_it() -> None:
    text = "The mean rate by site was 0.21, 0.25, 0.31 and 0.44 in order"
    grade = grade_strict(transcript(text), "strict_keyword")
    assert (grade.verdict, grade.reason, grade.value) == ("no_answer", "ambiguous", "0.25")


def test_blind_does_not_depend_on_the_truth() -> None:
    text = "The mean rate is **0.25**; the median 0.31."
    values = {
        grade_strict(transcript(text, truth=truth), "strict_blind").value
        for truth in ("0.25", "0.31", "99")
    }
    assert values == {"0.25"}


@pytest.mark.parametrize(
    ("text", "question", "value"),
    [
        ("- s = 3.253 (sample standard deviation)\n- n = 203\n\n**SE = 3.253 / 14.248 = 0.228**",
         "What is the standard error of the mean? Round to three decimals.", "0.228"),
        ('{"observation": "mean 35.98"}\n{"final_answer": null}', "What is the mean?", None),
        ("It's 0.25. Do you want me to run a regression too?", "What share is rented?", "0.25"),
        ("The program lowers it by about 1.71 days (ATE = −1.71).",
         "What is the average effect of the program?", "-1.71"),
        ("The program lowers it by 1.71 days (ATE = −1.71).",
         "By how many days does the program reduce it?", "1.71"),
        ("| | before | after | change |\n|--|--|--|--|\n| flow | 1,097.8 | 850.0 | -247.8 |",
         "What is the change in the flow?", "-247.8"),
        ("In the north the slope is 0.40.\n\nElsewhere the slope is 0.49. You asked for this one.",
         "What is the slope?", "0.49"),
        ("They earned $1,901.02 more, i.e. 1.90 thousand dollars.",
         "What is the effect, in thousands of dollars?", "1.90 thousand"),
        ("@mean_fare[34.65], @median_fare[21]", "What is the median fare?", "21"),
        ("R² is 0.53 on the training data and 0.45 on the test data.",
         "What is R² on the test set?", "0.45"),
        ("Stores had 22.02 jobs. They gained 2.55 jobs. This is the effect of the law.",
         "What is the effect of the law on jobs?", "2.55"),
        ("The time $t$ satisfies $e^{rt}=2$, hence\n\n$$t\\approx 39\\ \\text{years}$$",
         "What is the doubling time, in years?", "39"),
        ("Users die 0.64 times as often as the others, 0.18 per year.",
         "What is the rate ratio?", "0.64"),
    ],
)  # fmt: skip
def test_what_blind_takes(text: str, question: str, value: str | None) -> None:
    task = Task(task_id="t", question=question, ground_truth="0.25")
    assert grade_strict(transcript(text, task), "strict_blind").value == value


def test_blind_has_a_confidence_that_falls_with_doubt() -> None:
    clear = grade_strict(transcript("Final answer: 0.25"), "strict_blind")
    doubtful = grade_strict(transcript("rates 0.25 and 0.31 were seen"), "strict_blind")
    assert clear.evidence["confidence"] > 0.9 > doubtful.evidence["confidence"]


@pytest.mark.parametrize("grader", ["strict_keyword", "strict_blind"])
def test_output_after_all_that_is_said_speaks(grader: str) -> None:
    text = "The mean was 6.3 there.\n\n```python\nf()\n```\nOutput: 3.93\nSTDOUT: \nSTDERR: "
    assert grade_strict(transcript(text), grader).value == "3.93"


@pytest.mark.parametrize("grader", ["strict_keyword", "strict_blind"])
def test_a_power_of_ten_may_be_part_of_the_unit(grader: str) -> None:
    text = "The mean volume changed by -244.3 × 10^8 m³."
    for truth in ("-244.3", "-24430000000"):
        assert grade_strict(transcript(text, truth=truth), grader).verdict == "correct"
    assert grade_strict(transcript("2.4 × 10^8 m³", truth="2.4"), grader).verdict == "incorrect"


@pytest.mark.parametrize("grader", STRICT_GRADERS)
@pytest.mark.parametrize(
    ("text", "truth", "verdict"),
    [
        ("The mean rate is $3.4 million.", "3400000", "correct"),
        ("The mean rate is $3.4 million.", "3.4", "correct"),
        ("The mean rate is $3.4 billion.", "3.4 million", "incorrect"),
        ("The mean rate is 3.4 thousand.", "3.4 million", "incorrect"),
        ("The mean rate is 12.5×10^3 kWh.", "12.5×10^6", "incorrect"),
        ("The mean rate is 500 thousand.", "0.5 million", "correct"),
    ],
)
def test_a_scale_word_counts(grader: str, text: str, truth: str, verdict: str) -> None:
    assert grade_strict(transcript(text, truth=truth), grader).verdict == verdict


@pytest.mark.parametrize("grader", STRICT_GRADERS)
def test_the_value_has_its_scale_word(grader: str) -> None:
    grade = grade_strict(transcript("The mean rate is $3.4 million a year."), grader)
    assert grade.value == "$3.4 million"
    start, end = grade.evidence["span"]
    assert grade.evidence["region"][start:end] == "$3.4 million"


def test_values_of_different_scales_are_two() -> None:
    text = "The mean rate was $3.4 million in March and $3.4 billion in June."
    grade = grade_strict(transcript(text), "strict_keyword")
    assert grade.evidence["candidates"] == ["$3.4 million", "$3.4 billion"]


def test_each_measure_stands_where_a_grader_has_it() -> None:
    for text in ("The mean rate is 0.25.", "No idea."):
        found = {name: grade_strict(transcript(text), name).evidence for name in STRICT_GRADERS}
        assert not {"region_score", "low_confidence"} & set(found["strict_heuristic"])
        assert not {"region_score", "low_confidence"} & set(found["strict_blind"])
        assert {"region_score", "low_confidence"} <= set(found["strict_keyword"])
        assert "confidence" in found["strict_blind"]
    assert grade_strict(transcript("It is 0.25."), "strict_blind").evidence["evidence_score"] > 0.5


@pytest.mark.parametrize("grader", STRICT_GRADERS)
def test_no_number_is_no_answer(grader: str) -> None:
    assert grade_strict(transcript("I could not do it."), grader).verdict == "no_answer"


@pytest.mark.parametrize("grader", STRICT_GRADERS)
@pytest.mark.parametrize(
    ("truth", "reason"),
    [(None, "no_ground_truth"), ("  ", "no_ground_truth"), ("about two", "unparseable")],
)
def test_a_missing_or_unreadable_truth_is_ungraded(
    grader: str, truth: str | None, reason: str
) -> None:
    grade = grade_strict(transcript("It is 2.", truth=truth), grader)
    assert grade.verdict == "ungraded"
    assert grade.reason.startswith(reason)


@pytest.mark.parametrize("grader", STRICT_GRADERS)
@pytest.mark.parametrize("text", ["Yes.", "I could not do it."])
def test_a_published_answer_that_is_no_option_is_ungraded(grader: str, text: str) -> None:
    task = Task(task_id="t", ground_truth="maybe", answer_kind="choice", choices=("yes", "no"))
    grade = grade_strict(transcript(text, task), grader)
    assert grade.verdict == "ungraded"
    assert grade.reason == "unparseable_ground_truth: 'maybe' is none of the options"


def test_a_task_with_choices_that_asks_for_a_number() -> None:
    task = Task(task_id="t", question="Which?", ground_truth="B", answer_kind="number",
                choices=("cats", "dogs"))  # fmt: skip
    reason = grade_reading(Reading(transcript("B", task)), "strict_keyword").reason
    assert reason.endswith('the task has choices. Set answer_kind to "choice"')


def test_execution_stands_in_where_the_prose_has_no_number() -> None:
    text = "<pre>mean rate 0.25</pre>The code above prints the mean rate."
    grade = grade_strict(transcript(text), "strict_keyword")
    assert (grade.verdict, grade.evidence["half"]) == ("correct", "execution")


def test_only_the_final_response_is_graded() -> None:
    both = transcript(["The mean rate is 0.25.", "The mean rate is 0.40."])
    assert grade_strict(both, "strict_keyword").verdict == "incorrect"


def test_before_nudge_grades_the_last_step_before_the_first_nudge() -> None:
    nudged = transcript(
        ["It fails.", "The mean rate is 0.40.", "0.25"],
        kinds=("original_prompt", "inspector_revision", "nudge_generic"),
    )
    grade = grade_reading(Reading(nudged, GradeSettings(), before_nudge=True), "strict_keyword")
    assert (grade.grader, grade.value) == ("strict_keyword:before_nudge", "0.40")
    assert grade.evidence["step"] == 2


def test_a_preview_of_a_step_is_not_graded() -> None:
    nudged = transcript(
        ["The mean rate is 0.25", "0.25"], kinds=("original_prompt", "nudge_generic")
    )
    cut = nudged.steps[0].model_copy(update={"metadata": {"truncated": True}})
    nudged = nudged.model_copy(update={"steps": (cut, nudged.steps[1])})
    grade = grade_reading(Reading(nudged, GradeSettings(), before_nudge=True), "strict_keyword")
    assert grade.verdict == "ungraded"
    assert grade.reason.startswith("truncated_record")


def test_unknown_grader() -> None:
    with pytest.raises(UserError, match="strict_keyword"):
        grade_strict(transcript("1"), "strict_keywords")


@pytest.mark.parametrize(
    "text",
    [
        "9" * 200_000,
        "<a " * 50_000,
        "<details>" * 20_000,
        "1," * 100_000,
        "```" * 50_001,
        "(" * 100_000 + "5",
        "\x00\ud800\u202e 0.25",
        "0.25 " * 100_000,
        "- " * 100_000,
        "p = " * 50_000,
    ],
    ids=lambda text: repr(text[:12]),
)
def test_hostile_text_never_raises(text: str) -> None:
    for grader in STRICT_GRADERS:
        grade_strict(transcript(text), grader)


@pytest.mark.parametrize("grader", ["strict_keyword", "strict_blind"])
@pytest.mark.parametrize(
    "text",
    ["The median is not 45.", "It isn't 45.", "The median cannot be 45.", "Not equal to 45."],
)
def test_a_number_that_is_denied_is_no_answer(text: str, grader: str) -> None:
    assert grade(text, "45", "What is the median?", grader=grader).verdict == "no_answer"


def test_a_conclusion_goes_before_what_it_is_drawn_from() -> None:
    text = "The offer raised grades by 0.24 and use by 0.67, so the effect is 0.36 grades."
    question = "What is the effect of use on grades? Round to two decimals."
    assert grade(text, "0.36", question, grader="strict_blind").value == "0.36"


COUNTED = (
    "- Fewer employees: 133\n- No change: 4\n- More employees: 167\n\n"
    "That's 133 out of 304 restaurants, a proportion of 0.4375."
)


@pytest.mark.parametrize(
    ("truth", "verdict", "value"),
    [("43.75%", "correct", "0.4375"), ("133", "correct", "133"), ("54.9%", "incorrect", "133")],
)
def test_keyword_passes_a_contender_outside_the_region(
    truth: str, verdict: str, value: str
) -> None:
    graded = grade(COUNTED, truth, "What percentage of the restaurants had fewer employees?")
    assert (graded.verdict, graded.value) == (verdict, value)


def test_contenders_are_the_first_and_a_close_second() -> None:
    question = "What is the effect of age? Round to two decimals."
    close = "Model 1 puts the effect of age at 0.31.\n\nModel 2 puts the effect of age at 0.36."
    clear = "Final answer: the effect of age is 0.31.\n\nBy comparison, model 2 has 0.36."
    for text, values in ((close, ["0.36", "0.31"]), (clear, ["0.31"]), ("I could not fit it.", [])):
        reading = Reading(transcript(text, Task(task_id="t", question=question, ground_truth="1")))
        found = contenders(reading.ranked, reading.settings)
        assert [one.mark.number.text for one in found] == values


def test_a_contender_is_another_value_by_the_settings() -> None:
    task = Task(task_id="t", question="What is the mean weight?", ground_truth="100")
    narrow = GradeSettings(relative_tolerance=0.001)
    for last in ("101", "110"):
        text = f"The mean is 100. So the mean is {last}."
        assert grade(text, task, settings=narrow).verdict == "correct"


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("The answer is 5.\n\nRows read: 150", "150"),
        ("Models fitted: 3\n\nI conclude that the effect is 0.25", "3"),
        ("Missing values: 12\n\nSo the answer is 0.25.", "12"),
    ],
)
@pytest.mark.parametrize("grader", list(STRICT_GRADERS)[1:])
def test_a_labelled_count_is_not_the_answer(text: str, other: str, grader: str) -> None:
    assert grade(text, other, "What is the effect?", grader=grader).verdict == "incorrect"
