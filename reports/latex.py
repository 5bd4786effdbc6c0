r"""A table as LaTeX: booktabs, panels as rows across, the note below, text that pdflatex takes.

Needs `\usepackage{booktabs}`; with more than `LONGEST` rows also `\usepackage{longtable}`, and for
words with accents `\usepackage[T1]{fontenc}`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from grader.invisible import one_line

LONGEST = 40  # rows of a `table`, which must fit on a page; more are a `longtable`
_SMALL = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho "
    "varsigma sigma tau upsilon phi chi psi omega"
)
_CAPITAL = "Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega"
MATHS = {
    **{"≥": r"\geq", "≤": r"\leq", "≠": r"\neq", "≈": r"\approx", "−": "-", "±": r"\pm"},
    **{"×": r"\times", "÷": r"\div", "·": r"\cdot", "→": r"\rightarrow", "←": r"\leftarrow"},
    **{"∞": r"\infty", "√": r"\surd", "∑": r"\sum", "∈": r"\in", "°": r"^\circ"},
    **{"½": r"\frac12", "µ": r"\mu", "⟨": r"\langle", "⟩": r"\rangle"},
    **{chr(0x3B1 + place): f"\\{name}" for place, name in enumerate(_SMALL.split())},
    **dict(zip("ΓΔΘΛΞΠΣΥΦΨΩ", (f"\\{name}" for name in _CAPITAL.split()), strict=True)),
    "ο": "o",
}
TEXT = {
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
    **{"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"},
    **{"<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", "`": r"\textasciigrave{}"},
    **{"–": "--", "—": "---", "…": r"\ldots{}", "‘": "`", "’": "'", "“": "``", "”": "''"},
    **{
        "\u2010": "-",
        "\u2011": "-",
        "\u00a0": "~",
        "\u2009": "~",
        "\u202f": "~",
        "•": r"\textbullet{}",
    },
    **{"€": r"\texteuro{}", "£": r"\pounds{}", "§": r"\S{}", "©": r"\copyright{}"},
    **{sign: rf"\textsuperscript{{{digit}}}" for sign, digit in zip("¹²³", "123", strict=True)},
    **{sign: f"${maths}$" for sign, maths in MATHS.items()},
}
_NUMBER = re.compile(r"^Table \S+\s")  # LaTeX numbers tables itself
_JOINED = re.compile("--+|''+|,,+|.")  # LaTeX makes one sign, a dash or a quote, of the first three
LETTERS = re.compile("[\u00c0-\u017f]")  # those with accents, which pdflatex knows


def escaped(text: str) -> str:
    r"""The text on one line as LaTeX. A character that pdflatex does not know is its code.

    >>> print(escaped("χ² ≥ 5%, −3 pp — 1–2 --model a_b 中"))
    $\chi$\textsuperscript{2} $\geq$ 5\%, $-$3 pp --- 1--2 -{}-model a\_b [U+4E2D]
    """
    return "".join(map(_escaped, _JOINED.findall(one_line(text))))


def latex_table(
    name: str,
    title: str,
    headers: Sequence[str],
    numeric: Sequence[bool],
    panels: Sequence[tuple[str, Sequence[Sequence[str]]]],
    note: str,
) -> str:
    """A `table`, or a `longtable` if it has many rows, with its caption (without a number of its
    own) and label, and its note below. `panels` are the shown rows by panel; one without a title
    has no row of its own."""
    layout = "".join("r" if is_number else "l" for is_number in numeric)
    caption = rf"\caption{{{escaped(_NUMBER.sub('', title))}}}", rf"\label{{tab:{name}}}"
    heads = [r"\toprule", _row(headers), r"\midrule"]
    rows = _rows(panels, len(headers))
    if sum(len(cells) for _, cells in panels) > LONGEST:
        repeated = [r"\endfirsthead", *heads, r"\endhead", r"\bottomrule", r"\endfoot"]
        begin = [rf"\begin{{longtable}}{{{layout}}}", *caption, r"\\", *heads, *repeated]
        lines = [*begin, *rows, r"\end{longtable}", *_note(note)]
    else:
        begin = [r"\begin{table}[htbp]", *caption, rf"\begin{{tabular}}{{{layout}}}", *heads]
        end = [r"\bottomrule", r"\end{tabular}", *_note(note), r"\end{table}"]
        lines = [*begin, *rows, *end]
    return "\n".join(lines) + "\n"


def _rows(panels: Sequence[tuple[str, Sequence[Sequence[str]]]], width: int) -> list[str]:
    lines = []
    for number, (title, rows) in enumerate(panels):
        if title:
            lines += [r"\addlinespace"] * (number > 0)
            lines.append(rf"\multicolumn{{{width}}}{{l}}{{\textit{{{escaped(title)}}}}} \\")
        lines += map(_row, rows)
    return lines


def _row(cells: Sequence[str]) -> str:
    return " & ".join(map(_cell, cells)) + r" \\"


def _cell(text: str) -> str:
    """A cell; `[` at its start would be read as an option of the line end before it."""
    found = escaped(text)
    return f"{{}}{found}" if found.startswith(("[", "*")) else found


def _note(note: str) -> list[str]:
    return [rf"\par\smallskip{{\footnotesize {escaped(note)}\par}}"] if note else []


def _escaped(found: str) -> str:
    if len(found) > 1:
        return "{}".join(found)
    if found in TEXT:
        return TEXT[found]
    return found if found.isascii() or LETTERS.match(found) else f"[U+{ord(found):04X}]"
