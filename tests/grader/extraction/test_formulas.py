from __future__ import annotations

import pytest

from grader.extraction.formulas import in_formulas
from grader.numbers import find_numbers


@pytest.mark.parametrize(
    ("text", "values", "computed"),
    [
        (r"$$E = \frac{1}{2} \times 14 \times 0.4^2 = 1.1\,\text{J}$$", ["1.1"], ["1.1"]),
        (r"\[ \begin{aligned} k &= 8 - 3 \\ &= 5 \mathrm{~m}^{2} \end{aligned} \]", ["5"], ["5"]),
        (r"\begin{align*} a &= 2 + 3 = 5 \\ b &= 7 \end{align*}", ["5", "7"], ["5"]),
        (r"$S=(25,000)(e^{3.2}-1)=\$ 588,313$", ["588,313"], ["588,313"]),
        (r"\( p = \frac{12}{30} = 0.4 = 40\% \)", ["12/30", "0.4", r"40\%"], ["0.4", r"40\%"]),
        (r"$F = 9.26^2 \approx \mathbf{85.79}$", ["85.79"], ["85.79"]),
        (r"$t = 5 - 2 = 3.1 \pm 0.2\ \mathrm{s}$", ["3.1"], ["3.1"]),
        (r"$r = 5/4 = 1.3\ \text{per } 100$", ["5/4", "1.3"], ["1.3"]),
        (r"$x = 5$ and $y=-3.2$", ["5", "-3.2"], []),
        (r"$n_1 = 120, n_2 = 95$", ["120", "95"], []),
        (r"$a = 2 + 3 \quad b = 7$", ["7"], []),
        (r"CI: $[0.1, 0.3]$, $1 + 2$", ["0.1", "0.3", "$1", "2"], []),
        ("It costs $5 (2 + 3 = 5) and $6", ["$5", "2", "3", "5", "$6"], []),
        (r"unclosed \[ 2 + 3 = 5", ["2", "3", "5"], []),
    ],
)
def test_values_and_parts(text: str, values: list[str], computed: list[str]) -> None:
    numbers = find_numbers(text)
    found = in_formulas(text, numbers)
    assert [n.text for n in numbers if n.start not in found.parts] == values
    assert [n.text for n in numbers if n.start in found.computed] == computed
