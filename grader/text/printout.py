"""Telling code, printed output and prose apart in text without markup."""

from __future__ import annotations

import re

from .keywords import count_words

_ITEM = r"(?:[-+]?[0-9.]++|'[^'\n]*+'|\"[^\"\n]*+\")"
_LITERAL = re.compile(rf"\s*+[\[(]\s*+{_ITEM}(?:\s*+,\s*+{_ITEM})++\s*+[\])]\s*+")  # [2010, 2012]
_FORMULA = re.compile(r"\\(?:boxed|[dt]?frac|text|mathrm|sqrt|times|cdot|approx)\b")
_DIGIT = re.compile(r"[0-9]")
_GAP = re.compile(r"\S {2,}\S")
_RULES = ("=====", "-----")
_ONE_VALUE = re.compile(r"\s*\S{1,80}\s*")
_CODE_LINE = re.compile(
    r"^[^\S\n]*(?:import |from \w+ import|def |for \w+ in |print\("
    r"|[A-Za-z_]\w* = |\w+ <- |select )",
    re.M | re.I,
)


def looks_like_output(text: str) -> bool:
    """True for a paragraph that reads like printed output and not like a sentence: it has
    digits, and its lines hold few words in a row."""
    if not _DIGIT.search(text, 0, 2000):
        return False
    sample = text[:4000]
    if sample.lstrip()[:1] in "#|*-" and not re.match(r"\s*(?:-\d|-{5}|={5})", sample):
        return False
    if sample.startswith(("    ", "> ", "`", "\t")):
        return True
    lines = [line for line in sample.splitlines() if line.strip()]
    if not lines:
        return False
    columns = sum(1 for line in lines if _is_of_columns(line))
    if columns * 2 > len(lines):
        return True
    if sample.lstrip()[:1] not in "([0123456789-−{":
        return False
    words = count_words(sample)
    return words <= 2 * len(lines) and not (sample.rstrip().endswith((".", "!", "?")) and words > 2)


def _is_of_columns(line: str) -> bool:
    """True for a line with a gap between words, or one drawn of dashes or equals signs."""
    return line.startswith(_RULES) or ("  " in line and _GAP.search(line) is not None)


def is_one_value(text: str) -> bool:
    """True for a single short token, as a console prints the value of an expression."""
    return _ONE_VALUE.fullmatch(text) is not None


def is_literal(text: str) -> bool:
    """True for a program that is nothing but a list of numbers or quoted words: it computes
    none."""
    return _LITERAL.fullmatch(text) is not None


def looks_like_formula(text: str) -> bool:
    """True for a text with commands of LaTeX that calls nothing."""
    return _FORMULA.search(text) is not None and "print(" not in text and "import " not in text


def looks_like_code(text: str) -> bool:
    """True if a line of a text starts like a statement of Python, R or SQL."""
    return _CODE_LINE.search(text) is not None
