"""Interactive consoles pasted as text: Jupyter (`In [1]:`, `Out[1]:`), Python, R, Stata."""

from __future__ import annotations

import re
from typing import Literal

_JUPYTER_IN = re.compile(r"In \[\d*\]: ?|   \.{3}: ?")
_CELL = re.compile(r"In \[\d*\]:\s*$")  # whose code begins on the next line
# A line of code behind a blank line of a cell; no value that is printed, `t(78) = 2.41`.
_CODE = re.compile(
    r"""
    [)\]}@%!] | \#(?!\#) | (?: import | from ) \s \w
    | (?: if | for | while | with | try | def | class | elif | else | except ) \b .* : \s* $
    | [A-Za-z_][\w.]* (?: \[ [^\]\n]* \] [\w.]* )* (?: , \s? [A-Za-z_]\w* )*
      \s? [-+*/|&]?= (?! = | \s? (?: [-+]?[0-9] | nan\b ) )
    | (?! (?: np | numpy | array | tensor )\b ) [a-z_][\w.]* \( (?: .* [)\]] )? \s* $
    | [a-z_]\w* (?: \. [a-z_]\w* )+ \s* $
    """,
    re.VERBOSE,
)
_VALUE = re.compile(r"[-+]?[0-9][0-9.,e%+-]*\s*$")  # printed right below the code
_JUPYTER_OUT = re.compile(r"Out\[\d*\]: ?")
_PYTHON_IN = re.compile(r"(?:>>>|\.\.\.) ?|\. (?=[a-z]{2,}\b)")
_R_IN = re.compile(r"> (?=[A-Za-z_.(\"'].*(?:<-|\(|\$|\[|=)|[A-Za-z_.]\w*\s*$)|\+ {2,}\S")
_PROMPT = re.compile(
    r"^(?:(?:In \[|Out\[)\d*\]:(?: |$)|>>> "
    r"|> [A-Za-z_.]\w*[ \t]*(?:<-|\(|$(?!\n>))"  # but no line of a quotation
    r"|\. [a-z]{2,}(?: \w+)*(?:,|$)|> [A-Za-z.][\w.]*(?:\$[\w.$]+|[\[(].*[)\],+{|>])[ \t]*$)",
    re.M,
)

_LONGEST_PROSE = 600
_WORDS_IN_A_ROW = re.compile(r"\b(?:[a-z]+,? ){3}")
_FULL_STOP = re.compile(r"[^\W_][%)*_]{0,4}[.!?](?:[*_)]{0,4}$|\s+[A-Z*])")
_VERDICT = re.compile(r"\W{0,3}(?:Yes|No|So|Thus|Therefore|Hence)\b[*_]{0,2}[,:]")
_MARKDOWN = re.compile(r"#{1,6} |\|.*\|$|[-*] \S|[0-9]{1,2}\. \S", re.MULTILINE)
_GAP = re.compile(r"\n[ \t]*\n")

Kind = Literal["code", "execution", "prose"]
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
    printed pieces and the sentences between them, in order with their offsets (without prompts and
    `Out[n]:`), and where it ends, as sentences about it may follow."""
    first = _PROMPT.search(section)
    begin = first.start() if first else len(section)
    last_prompt = max((match.end() for match in _PROMPT.finditer(section)), default=0)
    end = _end(section, last_prompt)
    found: list[tuple[Kind, int, list[str]]] = []
    position = begin
    in_cell = is_behind_gap = is_in_body = False
    for line in section[begin:end].splitlines(keepends=True):
        typed = _JUPYTER_IN.match(line) or _PYTHON_IN.match(line) or _R_IN.match(line)
        shown = _JUPYTER_OUT.match(line)
        skip = (typed or shown).end() if typed or shown else 0  # type: ignore[union-attr]
        if typed or shown:
            in_cell = _CELL.match(line) is not None
        elif in_cell and _VALUE.match(line):
            in_cell = False
        elif is_behind_gap and not line.isspace():
            goes_on = is_in_body and line[0] in " \t"
            in_cell = in_cell and (goes_on or _CODE.match(line) is not None)
        is_behind_gap = line.isspace()
        if not is_behind_gap:  # of a loop or a function
            is_in_body = line[0] in " \t" or line.rstrip().endswith(":")
        kind: Kind = "code" if typed or in_cell else "execution"
        if found and found[-1][0] == kind and not shown:
            found[-1][2].append(line[skip:])
        else:
            found.append((kind, position + skip, [line[skip:]]))
        position += len(line)
    pieces = [(kind, at, "".join(lines)) for kind, at, lines in found]
    return begin, [part for piece in pieces for part in _without_prose(section, piece)], end


def _without_prose(section: str, piece: Piece) -> list[Piece]:
    """A piece, and the sentences behind what it prints, as a piece of prose."""
    kind, at, text = piece
    if kind == "code" or "." not in text:
        return [piece]
    is_behind_gap = section.endswith("\n\n", 0, at)
    end = _end(text, 0, may_be_prose=is_behind_gap)
    return [(kind, at, text[:end]), ("prose", at + end, text[end:])] if end < len(text) else [piece]


def _end(section: str, since: int, *, may_be_prose: bool = False) -> int:
    """Where a console ends: before the sentences that follow it, with the lines between them.
    since: where its last prompt ends; may_be_prose: whether all of it may be sentences."""
    gaps = [match.end() for match in _GAP.finditer(section.rstrip(), since)]
    end = len(section)
    following = end
    for start in reversed([0, *gaps] if may_be_prose else gaps):
        paragraph = section[start:following].strip()
        if _is_prose(paragraph):
            end = start
        elif "\n" in paragraph and not _MARKDOWN.match(paragraph):
            break
        following = start
    return end


def _is_prose(paragraph: str) -> bool:
    """Whether a paragraph begins, at once or after a heading or a line like "Result:", with words
    in a row, or with "Yes," or the like, and has a full stop: no program prints so."""
    if len(paragraph) > _LONGEST_PROSE or not _FULL_STOP.search(paragraph):
        return False
    if _VERDICT.match(paragraph):
        return True
    line, _, rest = paragraph.partition("\n")
    if line.startswith("#"):
        line, _, rest = rest.partition("\n")
    if line.endswith(":") and not rest.startswith("["):  # statsmodels has "Notes:\n[1] Standard"
        line = rest.partition("\n")[0]
    return _WORDS_IN_A_ROW.search(line) is not None
