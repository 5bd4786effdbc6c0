"""Numbers that belong to the layout of an output: list and row numbers, indices, labels."""

from __future__ import annotations

import re

from ..naming import label_name
from .context import Context

_LINE_LEAD = re.compile(r"[ \t>]*(?:[-*+•#]+\s+)?(?:\*\*|__)?[(\[]?")
_LIST_TAIL = re.compile(r"[.):\]](?:\*\*)?(?:\s|$)|\][A-Z]")
_INLINE_LIST = re.compile(r"(?:^|[\s,;:])\($")


def is_list_number(context: Context) -> bool:
    """The number of an item of a list: `1. Load the data`, `(2) fit the model`."""
    number = context.number
    if number.is_percent or not 0 <= number.value < 100:
        return False
    starts_line = _LINE_LEAD.fullmatch(context.line) is not None
    if starts_line and _LIST_TAIL.match(context.after):
        return bool(context.after.strip(" .)]:*\n"))
    if context.after[:1] != ")" or not _INLINE_LIST.search(context.before):
        return False
    return any(f"({number.value + step:.0f})" in context.text for step in (-1, 1))


_HEADING_LEAD = re.compile(r"[ \t>]*#{1,6} ")
_HEADING_TAIL = re.compile(
    r"\s(?:Analysis|Answer|Appendix|Approach|Background|Balance|Caveats|Checks?|Conclusions?|Context"
    r"|Data|Description|Descriptive|Diagnostics|Discussion|Estimat\w+|Exploration|Findings|Interpretation"
    r"|Introduction|Limitations|Loading|Methods?|Methodology|Model|Modell?ing|Notes?|Objective|Overview"
    r"|Preparation|Propensity|Question|References|Report|Results?|Robustness|Sensitivity|Setup|Specification"
    r"|Steps?|Summary|Tests?|Validation)\b"
)
_MOST_HEADINGS = 30


def is_heading_number(context: Context) -> bool:
    """The number of a section in its heading: `## 4 Report`, `### 2.1 Data`."""
    number = context.number
    if number.is_percent or number.decimals > 1 or not 1 <= number.value <= _MOST_HEADINGS:
        return False
    if context.question.wants_count:
        return False
    is_first = _HEADING_LEAD.fullmatch(context.line) is not None
    return is_first and _HEADING_TAIL.match(context.after) is not None


_STATING = frozenset({"is", "was", "equals", "reaches"})
_STATED_ABOUT = re.compile(  # on the last 20 % of the rows is approximately 214
    r"\b(?:is|was|equals)\s(?:about|approximately|roughly|around|only|just)\s[*_`$~≈]{0,4}$"
)


_COLONS = (": ", ":** ", ": **", ": `")
_ARTICLES = frozenset({"the", "a", "an", "each", "this", "that"})
_COUNTED = re.compile(r"[*_`]{0,3} (?:[a-z]+ )?([a-z]+)")


_OF_GROUP = re.compile(r"\b[A-Za-z_]\w{2,} = $")  # Survived = <1>: 28.34
_VALUE_OF_GROUP = re.compile(r": [-−]?[$€£]?[0-9][0-9.,]*%?\s*(?:[;,]|\n|$)")


def is_label(context: Context) -> bool:
    """The number of a thing (`step 3`), unless the question asks which; not how many there are
    (`rows: 5`, `the number of rows is 5`)."""
    if _VALUE_OF_GROUP.match(context.after) and context.before.endswith("= "):
        return _OF_GROUP.search(context.before) is not None
    name = label_name(context.words)
    if name is None or name in context.question.asks_which:
        return False
    counted = _COUNTED.match(context.after)
    if counted and counted[1] == name:
        return False  # after removing the incomplete rows <296> usable rows remain
    stated = context.last_word.strip("*_`")
    if stated in _STATING or stated.endswith(("s:", ",", ";")):
        return False
    if context.before.endswith(_COLONS) and not _ARTICLES.isdisjoint(context.words[-2:-1]):
        return False  # boards flagged by the model: <75>
    return _STATED_ABOUT.search(context.before) is None


# What has versions: Python <3.11>.
SOFTWARE: frozenset[str] = frozenset(
    "version versions ver. python ipython jupyter pandas numpy scipy statsmodels scikit-learn"
    " sklearn matplotlib seaborn pytorch torch tensorflow keras xgboost lightgbm cuda ubuntu debian"
    " windows macos stata spss matlab julia llama qwen gpt claude gemini mistral deepseek".split()
)
# What has sections: Section <4.5>.
_SECTIONS = {"section": "Section", "chapter": "Chapter", "table": "Table", "figure": "Figure"}
VERSIONED: frozenset[str] = frozenset({*SOFTWARE, *_SECTIONS})
_MOST_PLACES = 2


def is_version(context: Context) -> bool:
    """The version of software, the number of a section: `Python 3.11`, `Section 4.5`; unless the
    question speaks of that."""
    number, name = context.number, context.last_word
    if name not in VERSIONED or name in context.question.keywords:
        return False
    if number.is_percent or number.decimals > _MOST_PLACES:
        return False
    if name in _SECTIONS:
        return number.decimals == 1 and context.before.rstrip().endswith(_SECTIONS[name])
    return number.text[:1].isdigit()


_FIELD = re.compile(r"@\w+\[$")  # `@mean_fare[34.65]`, an answer's field


_CELLS = ("In [", "Out [")  # of a notebook


_RAISED = re.compile(r"[\w})][\^_]\{[^{}\s]{0,8}$")  # `E[Y^{a=1}]`, `x_{1}`


def is_index(context: Context) -> bool:
    """In the square brackets of a variable or a notebook's cell, or raised or lowered behind
    one."""
    before, after = context.before, context.after
    if "{" in before[-9:] and _RAISED.search(before):
        return True
    if before[-1:] != "[" or after[:1] != "]" or ("@" in before and _FIELD.search(before)):
        return False
    if before.endswith(_CELLS):
        return True
    of_what = before[-2:-1] or "\n"
    return of_what.isalnum() or of_what in ")]'\"_" or after[1:2] == "("


_ROW_TAIL = re.compile(r"(?: {2,}|\t)\S")


def is_row_label(context: Context) -> bool:
    """The first column of printed output: a data-frame index, or a table's row name."""
    line = context.line
    if context.number.is_percent or line.strip():
        return False
    whole_line = "\n" in context.before or context.number.start == len(line)
    return whole_line and _ROW_TAIL.match(context.after) is not None


_COMPOUND = re.compile(r"-(?!percent|per\b)([a-z]{2,})", re.IGNORECASE)
# A value and its unit before what it is: <13>-year age gap.
_OF_UNITS = re.compile(
    r"""
    -[a-z]{2,12} \s (?: [a-z]{2,12} \s ){0,2}?
    (?: gap | difference | increase | decrease | rise | drop | fall | decline | reduction | gain
      | improvement | advantage ) \b (?! \s (?: in | of )? \s? (?: time | period | window ) \b )
    """,
    re.IGNORECASE | re.VERBOSE,
)


def is_compound(context: Context) -> bool:
    """Half of a compound word: `21-day quarantine`, `2-sided`; but not `a 13-year age gap`, nor
    `a 5-day period` where days are asked for."""
    compound = _COMPOUND.match(context.after)
    if compound is None or _OF_UNITS.match(context.after):
        return False
    other = compound[1].lower()
    return context.question.keywords.isdisjoint((other, f"{other}s"))


_LEGEND = re.compile(r"Signif\. codes|'\*+'")


def is_legend(context: Context) -> bool:
    """A bound in R's legend of significance: `0.001 '**' 0.01 '*' 0.05`."""
    if "'*" not in context.before and "Signif" not in context.before:
        return False
    return _LEGEND.search(context.line) is not None


_OF_TABLE = (
    r"[\s-](?:tables?|design|matri(?:x|ces)|grid|contingency|factorial|cross-?tab\w*|array)\b"
)
_TABLE_AFTER_COLUMNS = re.compile(_OF_TABLE)
_TABLE_AFTER_ROWS = re.compile(rf"×[0-9]{{1,3}}{_OF_TABLE}")


def is_dimension(context: Context) -> bool:
    """How many rows or columns a table or design has: `the 2×2 table`."""
    if context.before[-1:] == "×":
        return _TABLE_AFTER_COLUMNS.match(context.after) is not None
    return _TABLE_AFTER_ROWS.match(context.after) is not None
