from __future__ import annotations

import pytest

from grader import grade
from grader.extraction.words.parser import LONGEST_ANSWER
from grader.make_task import make_task
from grader.reading import Reading
from grader.records import Task
from grader.strict import STRICT_GRADERS, grade_reading
from tests.grader.transcripts import transcript

COLOUR = Task(task_id="c", question="What colour is it?", ground_truth="red", answer_kind="text")
BRIGHTEST = COLOUR.model_copy(update={"question": "Which colour is the brightest?"})
ANIMAL = Task(task_id="a", question="Which animal?", ground_truth="grey cat", answer_kind="choice")
WEIGHED = ("strict_keyword", "strict_blind")
CODE = "```python\nprint('red')\n```"


@pytest.mark.parametrize(
    ("text", "verdict", "reason"),
    [
        ("The answer is red.", "correct", "same_words"),
        ("<answer>Red</answer>", "correct", "same_words"),
        (CODE + "\n<pre>red</pre>The colour is printed above.", "incorrect", "other_words"),
        (CODE + "\n<pre>red</pre>", "correct", "same_words"),
        ("The answer is blue.", "incorrect", "other_words"),
        ("It is not red.", "incorrect", "other_words"),
        ("It is reddish.", "incorrect", "other_words"),
        ("I could not do it.", "incorrect", "other_words"),
        ("It is red.\n\nDo you want me to go on?", "correct", "same_words"),
        ("Sorry, I cannot determine this from the data.", "no_answer", "no_text"),
        ("<answer>I cannot determine this.</answer>", "no_answer", "no_text"),
        (CODE, "no_answer", "no_text"),
        ("---", "no_answer", "no_text"),
        ("", "no_answer", "no_text"),
    ],
)
@pytest.mark.parametrize("grader", WEIGHED)
def test_the_published_words_are_looked_for(
    text: str, verdict: str, reason: str, grader: str
) -> None:
    grade = grade_reading(Reading(transcript(text, COLOUR)), grader)
    assert (grade.verdict, grade.reason) == (verdict, reason)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("- red 1.1\n- blue 2.4\n\nAnswer: blue", "blue"),
        ("I weighed red and blue.\n<answer>blue</answer>", "blue"),
        ("<information>red 2.5, blue 2.9</information><answer>blue</answer>", "blue"),
        ("Final answer: blue, as red has less of it.", "blue"),
        ("I compared red and blue. **Blue** is the brightest.", "blue"),
        ("I compared **red** and **blue**.\n\nBlue is the brightest.", "blue"),
        ("<pre>red</pre>\nThe blue is the brightest.", "blue"),
        ("The brightest is blue. The darkest is red.", "blue"),
        ("Red is the darkest.\n\nBlue is the brightest.", "blue"),
        ("<think>It is red? No.</think>Blue is the brightest.", "blue"),
        ("Answer: blue (red is second)", "blue"),
        (r"\boxed{\text{blue}}", "blue"),
        ("Answer: the colour blue", "blue"),
        ("Red is the brightest at noon. At night the brightest is blue.", "blue"),
        ("The brightest is that of blue.", "blue"),
        ("**Brightest:** blue", "blue"),
        ("Blue is the brightest and red the darkest.", "blue"),
        ("Many would argue the brightest is red.", None),
        ("Blue performs brightest.", "blue"),
        ("Brightest: blue (0.93)", "blue"),
        ("The red is less bright than the blue.", None),
        ("<pre>red 1.1\nblue 2.4</pre>\nDone.", None),
        ("Red is 1.1 and blue 2.4 bright.", None),
        ("The brightest colour is red.\n\nLet me know if you need more.", "red"),
        ("The answer is red.\n\nLet me know if you need more.", "red"),
        ("## Answer\nred", "red"),
        ("Brightest: red", "red"),
        ("So the red is the brightest.", "red"),
        ("I would choose the red.", "red"),
        ("The answer is red. I am sure that the answer is correct.", "red"),
        ("The answer is red.\n\nThis answer is consistent with the table, not blue.", "red"),
        ("The answer is red. But that answer is wrong.", None),
        ("Blue is near. Therefore, the answer is red.", "red"),
        ("<answer>Based on the table, the answer is: red</answer>", "red"),
        # sentences that repeat the question
        ("Red, the brightest colour, was used.", None),
        ("The brightest colour shines with red.", None),
        ("The rival of the brightest colour is in red.", None),
    ],
)
@pytest.mark.parametrize("truth", ["red", "blue"])
def test_words_that_are_mentioned_only_are_no_answer(
    text: str, answer: str | None, truth: str
) -> None:
    task = BRIGHTEST.model_copy(update={"ground_truth": truth})
    for grader in WEIGHED:
        verdict = grade_reading(Reading(transcript(text, task)), grader).verdict
        assert verdict == ("correct" if truth == answer else "incorrect")


@pytest.mark.parametrize(
    ("question", "truth", "text", "is_found"),
    [
        ("Who captured the most vessels?", "Perry", "Perry captured the most vessels.", True),
        ("Who captured the most vessels?", "Perry", "Perry captured the fewest vessels.", False),
        ("Who scored more goals: Dempsey or Wynalda?", "Dempsey",
         "Dempsey scored more goals than Wynalda.", True),
        ("Who scored more goals: Dempsey or Wynalda?", "Wynalda",
         "Dempsey scored more goals than Wynalda.", False),
        ("In what city is the school located?", "Newbury, Ohio",
         "The school is located in Newbury, Ohio.", True),
        ("Which three countries are poorest?", "Chad, Mali",
         "The three poorest countries are Chad, Mali, and Kenya.", False),
        ("Which month had the highest sales?", "January 2015",
         "The highest sales were recorded in Jan 2015.", True),
        ("Who captured the most vessels?", "Perry", "Perry's rival captured the most.", False),
        ("Who captured the most vessels?", "Perry", "Perry hardly captured most vessels.", False),
        ("Who captured the most vessels?", "Perry",
         "The captain who captured the most vessels served with Perry.", False),
        ("Which country has the highest GDP?", "Chad",
         "The country with the highest GDP borders on Chad.", False),
        ("Where is the school located?", "Newbury",
         "The rival school is located in Newbury.", False),
        ("On which date did the trial start?", "2015-01-03",
         "The trial started on January 3, 2015 and ended on May 5, 2015.", True),
        ("On which date did the trial start?", "2015-05-05",
         "The trial started on January 3, 2015 and ended on May 5, 2015.", False),
        ("On which date did the trial start?", "2015-05-05",
         "The trial was paused on May 5, 2015.", False),
    ],
)  # fmt: skip
def test_sentences_that_repeat_the_question(
    question: str, truth: str, text: str, is_found: bool
) -> None:
    task = make_task("t", question, truth)
    for grader in WEIGHED:
        verdict = grade_reading(Reading(transcript(text, task)), grader).verdict
        assert (verdict == "correct") == is_found


def test_an_answer_may_be_a_word_of_praise() -> None:
    task = COLOUR.model_copy(update={"ground_truth": "consistent"})
    grade = grade_reading(Reading(transcript("The answer is consistent.", task)), "strict_blind")
    assert grade.verdict == "correct"


@pytest.mark.parametrize("grader", WEIGHED)
def test_praise_that_the_question_asks_about_is_an_answer(grader: str) -> None:
    question = "Is the hypothesis supported or rejected by the data?"
    text = "At first sight, the answer is rejected.\n\nWith all rows, the answer is supported."
    for truth, verdict in (("supported", "correct"), ("rejected", "incorrect")):
        task = make_task("t", question, truth, kind="text")
        assert grade_reading(Reading(transcript(text, task)), grader).verdict == verdict


@pytest.mark.parametrize("grader", STRICT_GRADERS)
def test_a_choice_task_without_options_asks_for_words(grader: str) -> None:
    for text, verdict in (("A Grey cat.", "correct"), ("A dog.", "incorrect"), ("", "no_answer")):
        assert grade_reading(Reading(transcript(text, ANIMAL)), grader).verdict == verdict


def test_the_baseline_takes_any_mention() -> None:
    grade = grade_reading(Reading(transcript("It is not red.", COLOUR)), "strict_heuristic")
    assert (grade.verdict, grade.value) == ("correct", "red")


@pytest.mark.parametrize(
    ("text", "verdict"),
    [("<pre>red 3</pre>It is blue.", "incorrect"), ("<pre>blue 3</pre>It is red.", "correct")],
)
def test_the_baseline_takes_what_is_said_before_what_is_printed(text: str, verdict: str) -> None:
    grade = grade_reading(Reading(transcript(text, COLOUR)), "strict_heuristic")
    assert grade.verdict == verdict


@pytest.mark.parametrize("truth", ["red", "blue", None])
def test_what_is_said_is_found_without_the_published_words(truth: str | None) -> None:
    task = COLOUR.model_copy(update={"ground_truth": truth})
    for text, said in (
        ("I looked.\n\nIt is red.", "It is red."),
        ("<answer>red</answer>So I am done.", "red"),
        ("<think>Maybe red.</think>", "Maybe red."),
    ):
        assert Reading(transcript(text, task)).blind().scalar == said


def test_of_a_long_text_the_end_stands_for_it() -> None:
    grade = grade_reading(Reading(transcript("So it is blue. " * 100, COLOUR)), "strict_blind")
    assert grade.value is not None and len(grade.value) == LONGEST_ANSWER
    start, end = grade.evidence["span"]
    assert end - start == LONGEST_ANSWER


@pytest.mark.parametrize(
    ("text", "passes"),
    [
        ("Highest count: red", True),
        ("Confounder: red", False),
        ("**Most frequent colour:** red", True),
        ("Null hypothesis: red", False),
        ("Not the most frequent colour: red", False),
        ("The most frequent colour is red. It is more than half of all.", True),
        ("The most frequent colour is red. Without outliers it is Blue.", False),
        ("The count is highest in red.", True),
        ("The count is highest in red's complement.", False),
        ("The cheapest one is red.", False),
    ],
)
def test_plain_ways_to_give_words(text: str, passes: bool) -> None:
    task = Task(
        task_id="t", question="What is the colour with the highest count?", ground_truth="red",
        answer_kind="text",
    )  # fmt: skip
    assert (grade(f"We counted.\n\n{text}", task).verdict == "correct") == passes


@pytest.mark.parametrize(
    "text",
    ["We counted.\n\nFINAL ANSWER: red", "The colour is red.\n\nWe counted.", "It is **red**"],
)
def test_the_words_stand_where_the_grade_says(text: str) -> None:
    found = grade(text, "red", "What is the colour?").evidence
    assert found["region"][slice(*found["span"])] == "red"


def test_a_missing_or_empty_published_answer_is_ungraded() -> None:
    for truth in (None, "", "."):
        task = COLOUR.model_copy(update={"ground_truth": truth})
        grade = grade_reading(Reading(transcript("red.", task)), "strict_blind")
        assert grade.verdict == "ungraded"


def test_a_long_answer_that_is_stated_is_compared_whole() -> None:
    truth = "the value " + "of the stock at the end of the year, " * 20 + "in dollars"
    task = COLOUR.model_copy(update={"ground_truth": truth})
    for text in (f"<answer>{truth}</answer>", f"It is long. The answer is: {truth}"):
        assert grade_reading(Reading(transcript(text, task)), "strict_blind").verdict == "correct"
