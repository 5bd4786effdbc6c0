from __future__ import annotations

import pytest

from grader import grade
from grader.make_task import make_task
from grader.text import split_output
from grader.text.markup import without_known_tags

# As pandas writes a data frame.
FRAME = """<table border="1" class="dataframe">
  <thead>
    <tr style="text-align: right;">
      <th></th>
      <th>coef</th>
      <th>p</th>
    </tr>
  </thead>
  <tbody>
    <tr>
      <th>x</th>
      <td>1.5</td>
      <td>0.02</td>
    </tr>
  </tbody>
</table>"""
ROWS = "|  | coef | p |\n|---|---|---|\n| x | 1.5 | 0.02 |"


@pytest.mark.parametrize(
    ("text", "without"),
    [
        ("5<br>6", "5 6"),
        ("<p>1</p><p>2</p>", " 1  2 "),
        ("<b>1</b>2", "12"),
        ("10<sup>-5</sup>", "10^-5"),
        ("<td>1</td><td>2</td>", " 1  2 "),
        ("<TR><TD>a<TD>5<TR><TD>b<TD>6", "| a | 5 |\n| b | 6 |"),
        ("<tr></tr>", ""),
        ("a<tr>5</tr><tr>6<td>7</table>8", "a\n5\n6\n| 7 |\n8"),
    ],
)
def test_what_tags_leave(text: str, without: str) -> None:
    assert without_known_tags(text) == without


@pytest.mark.parametrize(
    ("raw", "kind"),
    [
        (f"See below.\n{FRAME}\nSo it is.", "prose"),
        (f"<details><summary>ran</summary><pre>{FRAME}</pre></details>", "execution"),
        (f"<p>See</p>{FRAME.replace(chr(10), '')}<p>So</p>", "prose"),
    ],
)
def test_a_table_is_one_block_of_markdown(raw: str, kind: str) -> None:
    tables = [block for block in split_output(raw).blocks if ROWS in block.text]
    assert [block.kind for block in tables] == [kind]


def test_lines_of_an_answer_are_not_joined() -> None:
    task = make_task("t", "What is the mean?", "56")
    assert grade("<answer>5<br>6</answer>", task).verdict != "correct"
