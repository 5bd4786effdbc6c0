from __future__ import annotations

from typing import Any

import pytest

from grader.api import grade
from grader.extraction.answer_kind import infer_answer_kind
from grader.extraction.words.given_values import find_values
from grader.extraction.words.names import find_names
from grader.extraction.words.values import published_values
from grader.settings import GradeSettings

SETTINGS = GradeSettings()
LABELLED = "Central: 1,285.06, East: 1,663.40"
NAMES = "Chad, Mali, South Africa"
GROUPED = "Male: mean 5, SD 1; Female: mean 8, SD 2"
FRACTIONS = "Grade 0: 381/487 (78.2%), Grade 1: 23/352 (6.5%)"
OLD_AND_NEW = "Old: 17.5, New: 12.2, Difference: 5.3\n\nThe difference between "
WON = "Winner: red, Loser: blue"
CLASSES = "{ 'Robbery': 'Violent', 'Fraud': 'Other' }"


def gives(text: str, truth: str) -> bool:
    if published_values(truth):
        return find_values(text, truth, SETTINGS) is not None
    return find_names(text, truth) is not None


@pytest.mark.parametrize(
    ("truth", "text"),
    [
        (LABELLED, "- Central Region: $1,285.06\n- East Region: $1,663.40\n\nEast leads."),
        (LABELLED, "East has 1663.4, Central 1,285."),
        (LABELLED, "| region | average |\n|---|---|\n| Central | 1285.06 |\n| East | 1663.4 |"),
        ("Mean: 41.67, CI: [40.48, 42.87]", "The mean is 41.7 and the CI is (40.5, 42.9)."),
        ("Grade 0: 43.87, Grade 1: 60.70", "Grade 0: 43.87; Grade 1: 60.70"),
        ("@mean[50.94], @sd[15.69]", "@mean[50.94]\n@sd[15.69]"),
        ("Share: 12.2%, n: 40", "The share is 0.122 (n = 40)."),
        ('[["mean_age", "3.1"], ["sd_age", "2"]]', "The mean of the age is 3.1, the SD age is 2."),
        ("[4, 6, 9]", "They are 4, 6 and 9."),
        ("[4, 6, 9]", "1. 4\n2. 6\n3. 9"),
        (NAMES, "The countries are Chad, Mali, and South Africa."),
        (NAMES, "These are:\n1. Chad\n2. Mali\n3. South Africa\n\nAll of them are in Africa."),
        (NAMES, "'chad', 'mali', 'south africa'"),
        (NAMES, "They are South Africa, Mali and Chad."),
        ("['Bond 2030', 'Bond 2032']", "1. Bond 2032\n2. Bond 2030"),
        ("[4, 6, 9]", "9, 4 and 6"),
        ("Net:36.30", "Net: 36.30"),
        ("Net:36.30", "Choose Net, at a fee of €36.30."),
        ("304, 792, 813", "FINAL_ANSWER: 792, 813, 304"),
        ("1,2,3", "They are 1, 2 and 3."),
        ("0.25; 0.5", "The shares are 0.25 and 0.5."),
        ("$5 and $6", "The prices are $5 and $6."),
        ("5.1%, 7.2%, and 8%", "0.051, 0.072, 0.08"),
        ("Top: ['Chad', 'Mali']", "Chad and Mali"),
        (NAMES, "- Chad (0.4)\n- Mali (0.3)\n- South Africa (0.1)"),
        ("Mean: 4, SD: 2, Max: 9", "Average 4, standard deviation 2, maximum 9"),
        ("Mean: 4, SD: 2", "The mean is 4 and the SD is 2 (standard error 0.3)."),
        ("Mean: 4, SD: 2", "Raw data: mean 5, SD 3. Cleaned data: mean 4, SD 2."),
        ("[4.1, 4.9]", "The interval is 4.1 to 4.9."),
        ("Columns: 22, Columns with gaps: 7", "Columns: 22\nColumns with gaps: 7"),
        (GROUPED, "Male: mean 5, SD 1\nFemale: mean 8, SD 2"),
        ("Old: 17.5, New: 12.2, Difference: 5.3", OLD_AND_NEW + "old and new prices is 5.3."),
        (
            FRACTIONS,
            "Grade 0: 381/487 (78.2%)\nGrade 1: 23/352 (6.5%)\n\nSo Grade 0 (78.2%) leads.",
        ),
        ("Pressure: 120/80, pulse: 70", "A pressure of 121/79 and a pulse of 70."),
        ("48 women (58%), 35 men (42%)", "There are 48 women (58%) and 35 men (42%)."),
        ("95% CI: (7.09, 7.83)", "The 95% CI is 7.09 to 7.83."),
        (WON, "**Winner:** red\n**Loser:** blue"),
        (CLASSES, "{'Robbery': 'Violent', 'Fraud': 'Other'}"),
        (CLASSES, "{\n    'Robbery': 'Violent',\n    'Fraud': 'Other',\n}"),
        ("['Chad' 'Mali'\n 'South Africa']", "They are: 'Chad', 'Mali', 'South Africa'."),
        ("['Bond 2030', 'Bond 2032']", "1. Bond 2030 (0.0%)\n2. Bond 2032 (0.0%)"),
        ("{'Group 1': 5.2, 'Group 2': 7}", "Group 1: 5.21, group 2: 7.0"),
        (NAMES, "They are the Chad, Mali, and the South Africa."),
        (NAMES, "1. Chad (price: $3,393)\n2. Mali (low)\n3. South Africa (Republic of)"),
    ],
)
def test_all_published_values_are_given(truth: str, text: str) -> None:
    assert gives(text, truth)


@pytest.mark.parametrize(
    ("truth", "text"),
    [
        (LABELLED, "Central: 1,663.40, East: 1,285.06"),
        (LABELLED, "Central: 1,285.06"),
        (LABELLED, "Central: 1,285.06, East: not 1,663.40"),
        (LABELLED, "Central: 12 of 1,285.06, East: 1,663.40"),
        ("[4, 6, 9]", "9, 6, 5"),
        ("Net:36.30", "Net with a fee of 46.30"),
        ("Net:36.30", "Gross:36.30"),
        ("[4, 6, 9]", "9, 9, 4"),
        ("[4, 6]", "6, 4"),
        ("4 and 6", "4 and 7"),
        ("Chad, Chad, Mali", "Chad, Mali, Mali"),
        ("[4, 6, 9]", "4, 6, 8, 9"),
        ("[4, 6, 9]", "4, 6, 9, 10"),
        ("[4.1, 4.9]", "Men: [4.1, 4.9], women: [5.1, 5.9]"),
        ("Mean: 4, SD: 2", "The mean is 4, with a standard error of 2."),
        ("Mean: 4, SD: 2", "Cleaned data: mean 4, SD 2. Raw data: mean 5, SD 3."),
        (NAMES, "These are:\n1. Chad\n2. Mali\n3. South Africa\n4. Kenya"),
        (NAMES, "The countries are Chad, Mali, South Africa and Kenya."),
        (NAMES, "The countries are Kenya, Chad, Mali and South Africa."),
        (NAMES, "Chad, South Africa"),
        (NAMES, "Chad (not Mali), Mali, South Africa"),
        (NAMES, "Chad, Mali, South Africa (excluded)"),
        (NAMES, "Chad\nA\nMali\nSouth Africa"),
        (GROUPED, "Male: mean 8, SD 2\nFemale: mean 5, SD 1"),
        (GROUPED, "Male: mean 5, SD 1\nFemale: mean 8, SD 2\n\nCorrected, male: mean 6, SD 1"),
        ("Old: 17.5, New: 12.2, Difference: 5.3", OLD_AND_NEW + "old and new prices is 6."),
        (FRACTIONS, "Grade 0: 762/974 (78.2%)\nGrade 1: 23/352 (6.5%)"),
        ("Pressure: 120/80, pulse: 70", "Pressure: 160/106.7, pulse: 70"),
        (WON, "Winner: blue\nLoser: red"),
        (WON, "Winner: red\nLoser: blue\n\nNo:\nWinner: blue"),
        (CLASSES, "{'Robbery': 'Violent',\n 'Fraud': 'Other',\n 'Arson': 'Violent'}"),
        ("Group 2", "Group 2"),
        ("red", "red"),
        ("7/141 (5.0%) of all", "7/141 (5.0%) of all"),
        ("48 women (58%), 35 men (42%)", "48 men (58%), 35 women (42%)"),
        ("95% CI: (7.09, 7.83)", "95% CI: (6.09, 7.83)"),
        ("48 women, 35 men", "48 women, 35 men\nAfter cleaning: 40 women, 30 men"),
        ("48 women, 35 men", "48 women, 35 men were expected but 50 women, 33 men were found"),
        (NAMES, "Chad (plus Niger), Mali, South Africa"),
        (NAMES, "Chad (wrong), Mali, South Africa"),
    ],
)
def test_what_is_less_or_other_or_one_value_only(truth: str, text: str) -> None:
    assert not gives(text, truth)


def test_several_values_are_words() -> None:
    several_values = ("[4, 6]", "0.25, 0.5", "1,2,3", "3; 4", "3 | 4", "3\n4", "0.2-0.3", "4 to 6")
    for several in (*several_values, "48 women (58%), 35 men (42%)"):
        assert infer_answer_kind(several) == "text"
    for one in ("0,28", "1,234", "12 days, or so", "3.5 kg, 2", "5 of 10"):
        assert infer_answer_kind(one) == "number"


@pytest.mark.parametrize(
    ("truth", "right", "wrong"),
    [
        ("[304, 792, 813]", "792, 304, 813", "792, 305, 813"),
        ("[1, 1, 2]", "1, 1, 2", "1, 2, 1"),
        ("[304.5, 792.1]", "304.6 and 792", "304.6 and 892"),
        ("[True, False]", "True, False", "False, True"),
        ("Chad, Mali, Chad", "Chad, Mali, Chad", "Mali, Chad, Chad"),
        ("Chad, 2010", "It was Chad in 2010.", "It was Chad in 2011."),
        ("['Chad', 2010]", "The country is Chad and the year is 2010.", "Mali, 2010"),
        ("Yes, 0.03", "Yes (p = 0.03)", "Yes (p = 0.3)"),
        ("linear, 0.21", "It is linear with r = 0.21.", "nonlinear, 0.21"),
        ("A: 5; B: 7", "A has 5 and B has 7.", "A: 7; B: 5"),
        (
            "treatment 5.2 vs control 4.1",
            "Control: 4.1; treatment: 5.2",
            "control 5.2, treatment 4",
        ),
        ("x1, x3 and x7", "x7, x1, x3", "x1, x3, x8"),
        ("2015-01-03, 2016-02-04", "2016-02-04 and 2015-01-03", "2016-02-04 and 2015-01-13"),
        ("0.5 ± 0.1", "0.50 +/- 0.10", "0.5 ± 0.3"),
    ],
)
def test_forms_of_several_values(truth: str, right: str, wrong: str) -> None:
    for lead in ("We looked.\n\n", "Final answer: "):
        assert grade(lead + right, truth, "What are they?").verdict == "correct"
        assert grade(lead + wrong, truth, "What are they?").verdict == "incorrect"


TABLE = "| Rank | Name | n |\n|---:|:---|---|\n| 1 | **Mali** | 304 |\n| 2 | Chad | 792 |\n"


@pytest.mark.parametrize(
    ("truth", "text", "verdict"),
    [
        ("Chad, Mali", f"The two are:\n\n{TABLE}", "correct"),
        ("792, 304, 1000", f"{TABLE}| 3 | Niger | 1,000 |\n\nThese are all.", "correct"),
        ("304, 792", f"{TABLE}| 3 | Niger | 1,000 |\n\nThese are all.", "incorrect"),
        ("Chad, Mali", f"{TABLE}| 3 | Niger | 1,000 |\n\nThese are all.", "incorrect"),
        ("Chad, Mali", "Final answer: Chad, Mali, Niger", "incorrect"),
        ("Chad, Mali", "Final answer: Chad, Mali", "correct"),
        ("Doha, Qatar", "Final answer: Doha, Qatar, where it is hot", "correct"),
        ('[["mean_close", "65.28"], ["sd_close", "18.92"]]',
         "| Statistic | Value |\n|---|---|\n| Mean | 65.28 |\n| SD | 18.92 |", "correct"),
        ('[["mean_close", "65.28"], ["sd_close", "18.92"]]', "Mean 65.28, SD 28.92", "incorrect"),
    ],
)  # fmt: skip
def test_columns_of_tables_and_lists_that_go_on(truth: str, text: str, verdict: str) -> None:
    assert grade(f"We looked.\n\n{text}", truth, "Which are they?").verdict == verdict


@pytest.mark.parametrize(
    ("truth", "text", "verdict"),
    [
        ([1.0, 2.0], "[1.0, 2.0]", "correct"),
        ("[1, 2]", "[1.0, 2.0]", "correct"),
        ("[-1, 0]", "[-1, 0.0]", "correct"),
        ("304, 792 and 813", "304.0, 792.0 and 813.00", "correct"),
        ("304, 792 and 813", "304.0, 792.0 and 814.0", "incorrect"),
        ("304, 792 and 813", "304, 792 and 813.5", "incorrect"),
        ("[4.1, 140]", "[4.1, 139]", "incorrect"),
        ("[4.1, 140]", "[4.1, 140.0]", "correct"),
        ("[4.1, 140]", "[4.1, 139.6]", "correct"),
        ([1.0, 2.5], "[1.01, 2.5]", "correct"),
        ("[4.1, 140.0]", "[4.1, 139]", "correct"),
        ("[50.0, 60.0]", "[50.02, 60]", "correct"),
        ("[4.1, 139900000]", "[4.1, 1.4e8]", "correct"),
        ("n: 140, mean: 4.2", "The n is 139, the mean 4.2.", "incorrect"),
        ("Mean: 4500, SD: 1200", "Mean: 4510.0, SD: 1200.0", "correct"),
    ],
)
def test_a_whole_number_may_be_given_as_a_float(truth: Any, text: str, verdict: str) -> None:
    assert grade(f"The answer is {text}", truth).verdict == verdict


@pytest.mark.parametrize("item", ["north east ", "north (east) ", "north, east, "])
def test_names_within_names_are_not_tried_in_every_combination(item: str) -> None:
    names = ["north", "east", "north east", *(f"r{n}" for n in range(47))]
    assert not gives(f"The regions are {item * 50}zzz", ", ".join(names))


def test_a_long_list() -> None:
    truth = ", ".join(map(str, range(1, 700, 2)))
    assert gives(f"The IDs are {truth}.", truth)
    assert not gives(f"The IDs are {truth}, 701.", truth)


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("Which three countries are the largest?", "correct"),
        ("Which three orders were placed in order to save?", "correct"),
        ("Rank the countries by size.", "incorrect"),
        ("Name the countries, sorted by size.", "incorrect"),
        ("Give the sizes in ascending order.", "incorrect"),
        ("What are A, B and C, respectively?", "incorrect"),
    ],
)
@pytest.mark.parametrize(
    ("text", "truth"),
    [("Mali, Chad, Niger", "Chad, Mali, Niger"), ("<answer>6, 4, 9</answer>", "[4, 6, 9]")],
)
def test_the_order_counts_if_it_is_asked_for(
    question: str, verdict: str, text: str, truth: str
) -> None:
    assert grade(text, truth, question).verdict == verdict


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("Mean: 45.8\n\nSD: 3.1", "correct"),
        ("<answer>Mean: 45.8, SD: 3.1</answer>", "correct"),
        ("@mean[45.8]\n@sd[3.1]", "correct"),
        ("@mean[45.8], @sd[3.9]", "incorrect"),
        ("The SD is 3.1.\n\nFinal answer: mean 45.8, SD 3.4", "incorrect"),
        ("```python\nprint(m, s)\n```\n<pre>Mean: 45.8\nSD: 3.1</pre>", "correct"),
        ("I cannot determine this from the data.", "no_answer"),
    ],
)
@pytest.mark.parametrize("grader", ["strict_keyword", "strict_blind"])
def test_the_graders_want_all_values(text: str, verdict: str, grader: str) -> None:
    asked = "What are the mean and the standard deviation?"
    assert grade(text, "Mean: 45.8, SD: 3.1", asked, grader=grader).verdict == verdict


@pytest.mark.parametrize(
    ("text", "truth", "value", "region"),
    [
        (f"Mean: 45.8\nSD: 3.1\n\n{'We are sure. ' * 20}", "Mean: 45.8, SD: 3.1",
         "Mean: 45.8\nSD: 3.1", "Mean: 45.8\nSD: 3.1"),
        ("We see 45.8 (mean).\n\nThe mean is 45.8.\n\nThe SD is 3.1.", "Mean: 45.8, SD: 3.1",
         "mean is 45.8.\nThe SD is 3.1", None),
        ("They are [4, 6].\n\nDone.", "[4, 6]", "4, 6", "They are [4, 6]."),
        ("These are:\n1. Chad\n2. Mali\n\nDone.", NAMES[:10], "Chad\n2. Mali", None),
    ],
)  # fmt: skip
def test_the_part_that_gives_the_values_is_recorded(
    text: str, truth: str, value: str, region: str | None
) -> None:
    found = grade(text, truth, "Which?")
    start, end = found.evidence["span"]
    assert (found.verdict, found.value) == ("correct", value)
    assert found.evidence["region"][start:end] == value
    assert region in (None, found.evidence["region"])
