"""Several published values or names: the part of an output that gives them all."""

from __future__ import annotations

import re

from ...records import Candidate, Extraction
from ...settings import GradeSettings
from ...text.markdown_table import columns
from ..phrases import FIELD, corrections
from ..region import ANSWER_BEARING
from ..scan import LONGEST_BLOCK, Scan
from .fields import find_fields, published_fields
from .given_values import find_values
from .names import find_names
from .values import published_values

_ASKS_FOR_ORDER = re.compile(
    r"""
    \b (?: in \b [^.?!,]{0,30} \b order \b (?! \s to \b )      # in ascending order
        | order (?: ed )? \s (?: by | from | the | them ) \b
        | from \s (?: the \s )? (?: \w+est | most | least | top | bottom | high | low ) \s to \b
        | start (?: s | ing )? \s with \b
        | (?: rank | sort | descend | ascend | sequence | chronolog | respective | each \b ) )
    | , [^,.?!]{1,40} ,? \s and \s                               # of a, b and c
    """,
    re.IGNORECASE | re.VERBOSE,
)
_OF_OTHERS = re.compile(
    r"""
    \b (?: not | non | no | without | exclud \w* | remov \w* | dropp \w* | except | unimportant
         | insignificant | previous \w* | earlier | initial \w* | hypothes \w* | candidates?
         | least | lowest | instead )
    (?= \b [^.!?]* $ )                              # in the sentence of the list
    """,
    re.IGNORECASE | re.VERBOSE,
)
# np.float64(40.1), np.str_('Chad'), as consoles show the values of lists
_NUMPY = re.compile(r"\b(?:np|numpy)\.(?:float|int|uint|str_|bool_?)[0-9]*\(([^()\n]{1,60})\)")
_LATEX_TEXT = re.compile(r"\\text\s?\{([^{}]{1,20})\}")  # 1, 2, \text{ and } 3
_LEAD = 200
_LONGEST_SHOWN = 200  # of a longer part, only the beginning is recorded


def find_several(
    said: Extraction, scan: Scan, truth: str, settings: GradeSettings
) -> Extraction | None:
    """The part of an output that gives all of several published values or names, in the last block
    that holds it; None if they are not all given, or not several. Their order counts if the
    question asks for one."""
    text = _LATEX_TEXT.sub(r"\1", _NUMPY.sub(r"\1", _all_that_is_said(said, scan)))
    in_order = _ASKS_FOR_ORDER.search(scan.question.text) is not None
    if FIELD.search(text) and published_fields(truth):
        span = find_fields(text, truth, settings)
    else:
        span = _find_listed(text, truth, settings, in_order)
        span = span or _find_column(text, truth, settings, in_order, scan.question.text)
    if span is None or _is_of_others(text, span[0], scan.question.text):
        return None
    given = text[slice(*span)]
    region = next((b.text for b in reversed(scan.output.blocks) if given in b.text), text)
    start, shown = region.rindex(given), given[:_LONGEST_SHOWN]
    found = Candidate(value=shown, text=shown, span=(start, start + len(shown)), rule="values")
    return said.model_copy(update={"region_text": region, "candidates": (found,)})


def _is_of_others(text: str, start: int, question: str) -> bool:
    """Whether the line of a list says, before it, that it lists something else ("Excluded:"), in
    words that the question does not use; or the text takes it back."""
    line = text[max(0, start - _LEAD) : start].rpartition("\n")[2]
    return _names_others(line, question) or start < max(corrections(text), default=0)


def _names_others(label: str, question: str) -> bool:
    said = (match[0].lower() for match in _OF_OTHERS.finditer(label))
    return any(word not in question.lower() for word in said)


def _find_listed(
    text: str, truth: str, settings: GradeSettings, in_order: bool
) -> tuple[int, int] | None:
    if published_values(truth):
        return find_values(text, truth, settings, in_order)
    return find_names(text, truth, in_order)


def _find_column(
    text: str, truth: str, settings: GradeSettings, in_order: bool, question: str
) -> tuple[int, int] | None:
    """The rows of the last table that has the published values or names, and no others, as a
    column."""
    for column in columns(text):
        cells = "\n".join(column.cells)
        is_list = _find_listed(cells, truth, settings, in_order) == (0, len(cells))
        if is_list and not _names_others(column.heading, question):
            return column.start, column.end
    return None


def _all_that_is_said(said: Extraction, scan: Scan) -> str:
    """The explicit answer of an output with the rest of its block; else its whole half, or the end
    of a long one."""
    answer = said.candidates[0]
    if answer.rule == "explicit":
        field = FIELD.search(said.region_text)  # the first of several begins the answer
        start = answer.span[0]
        return said.region_text[min(start, field.start()) if field else start :]
    if answer.rule == "answer_section":
        return said.region_text
    kinds = ANSWER_BEARING[said.half]
    half = "\n".join([block.text for block in scan.output.blocks if block.kind in kinds])
    return half[-LONGEST_BLOCK:]
