"""Interactive consoles pasted as text: Jupyter (`In [1]:`, `Out[1]:`), Python, R, Stata."""

from __future__ import annotations

import re
from typing import Literal

_JUPYTER_IN = re.compile(r"In \[\d*\]: ?|   \.{3}: ?")
_JUPYTER_OUT = re.compile(r"Out\[\d*\]: ?")
_PYTHON_IN = re.compile(r"(?:>>>|\.\.\.) ?|\. (?=[a-z]{2,}\b)")
_R_IN = re.compile(r"> (?=[A-Za-z_.(\"'].*(?:<-|\(|\$|\[|=)|[A-Za-z_.]\w*\s*$)|\+ {2,}\S")
_PROMPT = re.compile(
    r"^(?:In \[\d*\]: |Out\[\d*\]: |>>> |> [A-Za-z_.]\w*\s*(?:<-|\(|$)"
    r"|\. [a-z]{2,}(?: \w+)*(?:,|$)|> [A-Za-z.][\w.]*(?:\$[\w.$]+|[\[(].*[)\],+{|>])[ \t]*$)",
    re.M,
)

_LONGEST_PROSE = 600
_WORDS_IN_A_ROW = re.compile(r"\b(?:[a-z]+,? ){3}")

Kind = Literal["code", "execution"]
Piece = tuple[Kind, int, str]


def is_console(section: str) -> bool:
    """True if a text has a console's prompts at the start of lines."""
    if ">" not in section and "[" not in section and not section.startswith(". "):
        return False
    if not ("> " in section or "In [" in section or "Out[" in section or ". " in section):
        return False
    return _PROMPT.search(section) is not None


def split_console(section: str) -> tuple[int, list[Piece], int]:
    """Three parts of a text with a console: where it begins (its first prompt), its typed and
    printed pieces in order with their offsets (without prompts and `Out[n]:`), and where it ends,
    as the last paragraph may be a sentence about it."""
    first = _PROMPT.search(section)
    begin = first.start() if first else len(section)
    end = _end(section)
    found: list[tuple[Kind, int, list[str]]] = []
    position = begin
    for line in section[begin:end].splitlines(keepends=True):
        typed = _JUPYTER_IN.match(line) or _PYTHON_IN.match(line) or _R_IN.match(line)
        shown = _JUPYTER_OUT.match(line)
        skip = (typed or shown).end() if typed or shown else 0  # type: ignore[union-attr]
        kind: Kind = "code" if typed else "execution"
        if found and found[-1][0] == kind and not shown:
            found[-1][2].append(line[skip:])
        else:
            found.append((kind, position + skip, [line[skip:]]))
        position += len(line)
    return begin, [(kind, at, "".join(lines)) for kind, at, lines in found], end


def _end(section: str) -> int:
    last = section.rstrip().rfind("\n\n") + 2
    said = section[last:]
    if last < 2 or len(said) > _LONGEST_PROSE or _PROMPT.search(said):
        return len(section)
    return last if _is_prose(said) else len(section)


def _is_prose(said: str) -> bool:
    """Whether a paragraph has words in a row and a full stop at its end: no program prints so."""
    said = said.strip()
    if not said.rstrip("*_)").endswith((".", "!", "?")):
        return False
    return _WORDS_IN_A_ROW.search(said.partition("\n")[0]) is not None
