"""What speaks for the numbers of an output: evidence that depends on a block's other numbers."""

from __future__ import annotations

import pytest

from grader import extract
from grader.extraction.evidence import weigh_candidates
from grader.extraction.question import read_question
from grader.extraction.scan import Scan
from grader.text import split_output

CELL = "\n```python\nplot(x)\n```\n```output\ndone\n```\n"
QUESTION = "What is the mean price of the homes?"


def evidence(text: str) -> dict[str, set[str]]:
    """The names of the evidence for each number of a text, by how it is written."""
    scan = Scan(split_output(text), read_question(QUESTION))
    found: dict[str, set[str]] = {}
    for mark, _, _, named in weigh_candidates(scan):
        found.setdefault(mark.number.text, set()).update(named)
    return found


@pytest.mark.parametrize(
    ("text", "sole"),
    [
        ("The mean price is 4.20.", {"4.20"}),
        ("The mean price is 4.20 (p = 0.03), from 310 rows.", {"4.20"}),  # the others have marks
        ("The mean price is 4.20 in March, 4.50 in May.", set()),
        ("The mean is 4.20.\n\nThe price was 4.10.", {"4.20", "4.10"}),  # two blocks
    ],
)
def test_the_only_number_without_a_mark(text: str, sole: set[str]) -> None:
    found = evidence(text)
    assert {number for number in found if "sole_plain" in found[number]} == sole


@pytest.mark.parametrize(
    ("printed", "candidates"),
    [
        ("Output: 4.20\nSTDERR: a.py:13: Warning\n\n  fit()", {"4.20"}),
        ("4.10\n\nmean: 4.20", {"4.20"}),
        ("done", set()),
    ],
)
def test_the_last_paragraph_with_a_number_of_the_last_printout(
    printed: str, candidates: set[str]
) -> None:
    earlier = "```python\nfit(x)\n```\n<pre>Output: 3.10</pre>\n"
    assert set(evidence(f"{earlier}```python\nf()\n```\n<pre>{printed}</pre>")) == candidates


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("4.20 is the mean price, 4.10 the median.", {"4.20"}),
        ("**≈ $4.20** is the mean price.", {"$4.20"}),
        ("Price: 4.20", set()),
        ("Prices fell, and\n4.20 is left", set()),  # begins a line, not the block
        ("- 4.20 is the mean\n- 4.10 is the median", set()),  # one of several
    ],
)
def test_a_block_that_begins_with_its_number(text: str, first: set[str]) -> None:
    found = evidence(text)
    assert {number for number in found if "first_word" in found[number]} == first


@pytest.mark.parametrize(
    ("text", "asked_for"),
    [
        ("It is 4.20. That is what you asked for. The median is 4.10.", {"4.20"}),
        ("The median is 4.10. The mean price you asked for is 4.20.", {"4.20"}),
        ("*All homes.* This is what was asked for. It is 4.20. The median is 4.10.", {"4.20"}),
    ],
)
def test_what_was_asked_for(text: str, asked_for: set[str]) -> None:
    found = evidence(text)
    assert {number for number in found if "asked_for" in found[number]} == asked_for


@pytest.mark.parametrize(
    ("text", "name", "numbers"),
    [
        ("2 + 3 = 5 homes.\n5 * 2 = 10 euros.", "used_further", {"5"}),
        ("20 km + 30 km = 50 km.\n50 km - 10 km = 40 km.", "used_further", {"50"}),
        ("One costs 5.\n5 * 2 = 10 euros.", "used_further", {"5"}),
        ("<pre>5</pre>One costs 5.\n5 * 2 = 10 euros.", "used_further", {"5"}),
        ("<pre>5\n\n10</pre>One costs 5.\n5 * 2 = 10 euros.", "used_further", set()),
        ("The mean price is 5.\n5 * 2 = 10 euros.", "used_further", set()),  # what is asked for
        ("3 + 2 = 5 homes.\nAs a check, 5 - 2 = 3.", "used_further", set()),
        ("2 + 3 = 5 homes.\n5 * 2 = 10 euros.", "last_computed", {"10"}),
        ("```python\nprint(4)\n```\n```\n4\n```\nOr 4 / 2 = 2.", "last_computed", set()),
        (f"The first costs 4.20.{CELL}The mean is 4.50.", "interim", {"4.20"}),
        (f"<pre>4.20</pre>The mean price is 4.20.{CELL}The last is 4.50.", "interim", set()),
        (f"I expect a mean price of 4.20.{CELL}The last is 4.50.", "interim", {"4.20"}),
        (f"The first costs 4.20.{CELL}That is what I drew.", "interim", set()),
        ("First 4.20.\nThen 4.50.\nSo 4.80 it is.", "last_sentence", {"4.80"}),
        ("First 4.20.\nThen 4.50.\nThat is it.", "last_sentence", set()),
        ("```python\nx\n```\nFirst 4.20.\nThen 4.50.", "last_sentence", set()),
    ],
)
def test_worked_solutions(text: str, name: str, numbers: set[str]) -> None:
    found = evidence(text)
    assert {number for number in found if name in found[number]} == numbers


@pytest.mark.parametrize(
    ("text", "question", "answer"),
    [
        ("mean: 5.2\nmax: 7.0", "What is the maximum?", 7.0),
        ("mean: 5.2\nmaximum: 7.0", "What is the max?", 7.0),
        ("count 10\nmean 5.2\nmin 1.0\nmax 7.0", "What is the minimum?", 1.0),
        ("mean: 5.2\nsd: 1.1", "What is the standard deviation?", 1.1),
    ],
)
def test_short_names_are_names(text: str, question: str, answer: float) -> None:
    assert extract(text, question).scalar == answer


DESCRIBED = """```python
print(df.age.describe())
```
<pre>
count    500.00
mean      52.32
std       12.42
25%       43.00
50%       51.50
75%       60.25
max       92.00
</pre>"""


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What is the median age?", 51.5),
        ("What is the 75th percentile of age?", 60.25),
        ("What is the first quartile of age?", 43),
        ("What is the mean age?", 52.32),
    ],
)
def test_percentiles_as_pandas_prints_them(question: str, answer: float) -> None:
    assert extract(DESCRIBED, question).scalar == answer


@pytest.mark.parametrize("gap", ["\n", "\n\n"])
@pytest.mark.parametrize(
    ("opening", "closing"), [("$$", "$$"), ("$$\n", "\n$$"), ("\\[\n", "\n\\]")]
)
def test_a_formula_on_lines_of_its_own_ends_the_sentence_before(
    gap: str, opening: str, closing: str
) -> None:
    formula = r"SE = \frac{s}{\sqrt{n}} = \frac{11.41}{\sqrt{64}} \approx 1.43"
    text = (
        f"The standard error is{gap}{opening}{formula}{closing}{gap}"
        "The mean weight of 252.7 g is estimated with a margin of error of 2.8 g."
    )
    assert extract(text, "What is the standard error of the mean weight, in grams?").scalar == 1.43


def test_a_formula_behind_a_full_stop_has_words_of_its_own_only() -> None:
    assert (
        "overlap" not in evidence("The mean price of the homes is known.\n\n$$x = 4.20$$")["4.20"]
    )
    assert "overlap" in evidence("The mean price of the homes is\n\n$$x = 4.20$$")["4.20"]


def test_what_is_said_needs_more_evidence_than_what_is_printed_alone() -> None:
    assert extract("<pre>price  4.20\nyear  31</pre>", QUESTION).scalar == 4.20
    said = f"{CELL}One was sold for 4.20, another for 4.10."
    assert extract(said, QUESTION).scalar is None


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        (
            "<answer>This depends on the convention: plugging in the proportion gives 0.012, the "
            "conservative p = 0.5 gives 0.015.</answer>",
            None,
        ),
        ("<answer>It is 0.012, which depends on the proportion.</answer>", 0.012),
        (
            "* **Pooled**: 0.012.\n* **Unpooled**: 0.014.\n\nDepending on which you prefer, it "
            "is somewhere between 0.012 and 0.014.",
            None,
        ),
        (
            "The standard error is **0.012**. Depending on the formula it may differ a little.",
            0.012,
        ),
    ],
)
def test_what_depends_on_a_choice_is_open(text: str, answer: float | None) -> None:
    question = "How large is the standard error? Round to three decimals."
    assert extract(text, question).scalar == answer
