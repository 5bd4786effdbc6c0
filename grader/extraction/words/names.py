"""Published answers of several names (`Chad, Mali`) or of words with labels (`Winner: red, Loser:
blue`), and where a text lists them all, with no other among them."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from ...truth import without_label

_NAME_SEPARATOR = re.compile(
    r"""
    [,;|\n] | : (?!\d) | \s and \s
    | (?<= ['\"] ) \s+ (?= ['\"] )                 # of numpy: ['Chad' 'Mali']
    """,
    re.VERBOSE,
)
_NAME_LABEL = re.compile(
    r"""
    (?: \A | [,;\n] ) [\W_]{0,9} ( [^,;:\n]{1,60}? ) [\W_]{0,9} : (?!\d)       # Winner: red
    """,
    re.VERBOSE,
)
_ANSWERS = frozenset({"yes", "no", "true", "false"})
_NAME = re.compile(r"\w[^.!?:]{0,60}", re.DOTALL)
# The texts of patterns here are to be compiled with re.VERBOSE.
_ARTICLE = r"(?: the | an? ) [ ] (?=\w)"
# Before a name and no part of it: `and the Chad`.
_AROUND_NAME = re.compile(rf"^ (?: and \s+ )? (?: {_ARTICLE} )?", re.IGNORECASE | re.VERBOSE)
_BEFORE_LIST = rf"""
    (?: \A | [:\n] | \b (?: is | are | include | namely ) ) [\W_]{{0,9}}     # They are:
    (?: 1 [.)] [\W_]{{0,9}} )?                                               # 1.
    (?: \b {_ARTICLE} )?
"""
# May follow each name: `Chad (0.4)`, `US (United States)`; not `Chad (and Mali)`.
GLOSS = r"""
    (?: [\s*_`\"'”]{0,4}
        \( (?! [^()\n]{0,40}
               (?: [,;/&+] \s (?! [^()\n,;]{0,20} [0-9] )         # but: (FDR 0.02, log2FC 3)
                 | \b (?: and | (?-i: or ) | not? | but | with | except | without | exclud\w* | plus
                        | also | too | well | unlike | instead | than | formerly | if | unless
                        | maybe | perhaps | possibly | wrong\w* | false | incorrect | dropped
                        | removed | rejected | omitted | ignored | left ) \b ) )
        [^()\n]{1,40} \) )?
"""
_IN_LIST = rf"""
    {GLOSS}
    (?: [\W_] | \b [0-9]{{1,2}} [.)] | \b and \b | \b {_ARTICLE} ){{1,12}}   # Chad, and 2. Mali
"""
# A comma at a line's end goes on with the list, unless only a bracket follows.
_AFTER_LIST = rf"""
    {GLOSS}
    (?= [^\w\n,;]{{0,9}}
        (?: , (?= \s{{0,9}} [\])}}] ) )?            # a comma, if the next line closes the list
        (?: \Z
          | \n (?! \s{{0,9}} (?: [-*•] \s | \d{{1,2}} [.)] \s ) )      # no further item
          | \. \s ) )
"""
_MOST_NAMES = 50


class _Listed(NamedTuple):
    names: tuple[str, ...]  # in their order, as `_plain` writes them
    name: re.Pattern[str]  # one of them
    row: re.Pattern[str]  # as many of them, as a list
    labels: re.Pattern[str] | None  # a label with its colon


def find_names(text: str, truth: str, in_order: bool = False) -> tuple[int, int] | None:
    """The start and end of the last part of a text that lists the published names; None if there
    is none, if a label follows it once more, or if the names are not several. in_order: only in
    their order; so are names with labels, repeated names, and yes and no."""
    listed = _listed(truth)
    if listed is None:
        return None
    spans = [
        match.span("names")
        for match in listed.row.finditer(text)
        if _is_list(match["names"], listed, in_order)
    ]
    if not spans or (listed.labels and listed.labels.search(text, spans[-1][1])):
        return None
    return spans[-1]


def _is_list(row: str, listed: _Listed, in_order: bool) -> bool:
    said = tuple(map(_plain, listed.name.findall(row)))
    if in_order or listed.labels or len(set(said)) < len(said) or not _ANSWERS.isdisjoint(said):
        return said == listed.names
    return sorted(said) == sorted(listed.names)


def _plain(name: str) -> str:
    return " ".join(name.lower().split())


@lru_cache(maxsize=1024)
def _listed(truth: str) -> _Listed | None:
    """Patterns for a text that lists the published names; None if these are not several."""
    bare = without_label(truth).strip(" \n[](){}")
    names = [_AROUND_NAME.sub("", part.strip(" \n'\"“”")) for part in _NAME_SEPARATOR.split(bare)]
    names = [name for name in names if name]
    if not 2 <= len(names) <= _MOST_NAMES or not all(map(_NAME.fullmatch, names)):
        return None
    name = "|".join(map(_name_pattern, sorted(names, key=len, reverse=True)))
    # Atomic: what is a name or a separator is settled, or names like "north", "north east" would
    # be tried in every combination.
    row = rf"(?>{name})(?:(?>{_IN_LIST})(?>{name})){{{len(names) - 1}}}"
    labels = "|".join(map(_name_pattern, _NAME_LABEL.findall(bare)))
    return _Listed(
        tuple(map(_plain, names)),
        re.compile(name, re.IGNORECASE | re.VERBOSE),
        re.compile(rf"{_BEFORE_LIST}(?P<names>{row}){_AFTER_LIST}", re.IGNORECASE | re.VERBOSE),
        re.compile(rf"\b(?:{labels})[\s*_`\"']{{0,4}}:", re.IGNORECASE) if labels else None,
    )


def _name_pattern(name: str) -> str:
    return r"\s+".join(map(re.escape, name.split()))
