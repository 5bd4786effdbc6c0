"""Consoles pasted as text: where the printed output ends and sentences about it begin."""

from __future__ import annotations

import pytest

from grader.text.console import is_console, split_console

CONSOLE = "In [1]: x\nOut[1]: 5\n\n"
REPORT = (
    "## Data\nThe file has nine rows.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nThe mean of x is 5."
)


@pytest.mark.parametrize(
    ("after", "said"),
    [
        ("The mean of x is 5.", "The mean of x is 5."),
        ("The fit is very good. The mean is\n\n    x = 5\n\nWe would look at it again.",
         "The fit is very good. The mean is\n\n    x = 5\n\nWe would look at it again."),
        ("Result:\n> The mean of x is **5**.", "Result:\n> The mean of x is **5**."),
        ("   a  b\n0  1  2\n\nThe mean of x is 5.", "The mean of x is 5."),
        ("Yes: paired design, t(25) = 3.76.", "Yes: paired design, t(25) = 3.76."),
        (f"   a  b\n0  1  2\n\n{REPORT}", REPORT),
        ("# A tibble: 2 x 2\n  a  b\n  1  2", ""),
        ("The mean of x is 5.\n\nIn [2]: y\nOut[2]: 6", ""),
        ("This is only a warning.\n\n   a  b\n0  1  2", ""),
        ("Notes:\n[1] Standard Errors assume that the covariance is right.", ""),
        ("   a  b\n0  1  2", ""),
    ],
)  # fmt: skip
def test_where_a_console_ends(after: str, said: str) -> None:
    _, _, end = split_console(CONSOLE + after)
    assert (CONSOLE + after)[end:] == said


def test_a_quotation_is_no_console() -> None:
    quoted = "> plan    Basic  Plus\n> region\n> East       92    60\n>\n> X2=27.861 df=6"
    assert not is_console(quoted)
    assert is_console("> x <- c(1, 2)\n> x\n[1] 1 2")


def test_cells_whose_code_begins_on_the_next_line() -> None:
    text = (
        "In [1]:\nimport pandas as pd\n\nd = pd.read_csv('d.csv')\nd.mean()\n\n"
        "Out[1]:\nx    2.5\n\nEvery x is in there, as it seems.\n\n"
        "In [2]:\nt = d.x / 2\nprint('t =', t)\n\nt = 1.25, n = 4\n\n"
        "So the mean of x is 2.5, and half of it is 1.25."
    )
    begin, pieces, end = split_console(text)
    assert begin == 0
    assert [(kind, said.split()) for kind, _, said in pieces if said.strip()] == [
        ("code", "import pandas as pd d = pd.read_csv('d.csv') d.mean()".split()),
        ("execution", ["x", "2.5"]),
        ("prose", "Every x is in there, as it seems.".split()),
        ("code", "t = d.x / 2 print('t =', t)".split()),
        ("execution", "t = 1.25, n = 4".split()),
    ]
    assert text[end:].startswith("So the mean")


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("t(78) = 2.41, p = 0.018", "execution"),
        ("          income   age", "execution"),
        ("accuracy(test): 0.874", "execution"),
        ("np.float64(4.2)", "execution"),
        ("with covariates: 1.79", "execution"),
        ("class 1 recall: 0.81", "execution"),
        ("mean = 4.2", "execution"),
        ("4.2e-3", "execution"),
        ("## Results", "execution"),
        ("clf.fit(X, y)", "code"),
        ("a, b = split(d)", "code"),
        ("d['z'] = d.x * 2", "code"),
        ("for one in d:", "code"),
        ("# the second model", "code"),
        ("d.shape", "code"),
    ],
)
def test_what_a_cell_goes_on_with(line: str, kind: str) -> None:
    _, pieces, _ = split_console(f"In [1]:\nd = load()\n\n{line}\n")
    assert [one for one, _, said in pieces if line in said] == [kind]
