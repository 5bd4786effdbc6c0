"""Finding where a text names the options of a choice task, and which of them form a list."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from ...records import Candidate
from .patterns import letter_pattern, mention_patterns

# What joins the options of a list ("A and B", "A/B"), and a further letter or number of one.
JOINT = r"""
    [\s*_`\"'”’)\]}]*
    (?: , \s* (?: and | or ) \b | [,/&] | \s (?: and | or ) \b )
    [\s*_`\"'“‘(\[{]*
"""
_JOINED = re.compile(JOINT, re.VERBOSE)
# If other words follow ("B, C and D are wrong"), a clause of its own begins.
_CLAUSE_END = re.compile(r"[ \t*_`\"'”’)\]}$]*(?:\n|$|[.,;:!?(—–])")
# A and <B> are both right
_ALL_ALIKE = re.compile(
    r"""
    [*_`\"'”’)\]}]*
    (?: \s (?: are | were | seem | fit | work | apply | (?: would | could | can ) \s be ) )?
    \s (?: both | all | equally ) \b
    (?! \s (?: (?: be \s )? (?: wrong | incorrect | invalid | false | inappropriate | unsuitable
              | excluded | ruled | rejected ) | fail ) )
    """,
    re.VERBOSE,
)
_JOINED_MARK = re.compile(
    rf"{JOINT} ( [A-Z] | \d{{1,2}} ) (?! [A-Za-z0-9_'’-] | [.,]\d | \s?% )", re.VERBOSE
)


def find_mentions(text: str, known: Mapping[str, str]) -> list[Candidate]:
    """Every mention of one of the options `known` in `text`, in order. A single letter counts
    only where it stands as an answer (alone, marked, or after words like "answer is"), or in a
    list that begins so."""
    found: list[Candidate] = []
    letters = _letters_of_names(known)
    taken = bytearray(len(text))  # 1 at a mention: a longer option hides a shorter one
    for key, wording in sorted(known.items(), key=lambda item: -len(item[1])):
        is_other_key = wording.lower() != key and wording.lower() in known  # 1. 2, 2. 3
        patterns = mention_patterns(key, "" if is_other_key else wording)
        if key in letters:
            patterns += (("named", letter_pattern(letters[key])),)
        for rule, pattern in patterns:
            for match in pattern.finditer(text):
                start, end = match.span(1)
                if 1 not in taken[start:end]:
                    taken[start:end] = b"\x01" * (end - start)
                    found.append(Candidate(value=key, text=match[1], span=(start, end), rule=rule))
    for first in [one for one in found if one.rule == "letter"]:
        found += _further(text, first.span[1], known, taken)
    return sorted(found, key=lambda candidate: candidate.span)


def _letters_of_names(known: Mapping[str, str]) -> dict[str, str]:
    """The letters that stand for the options `treatment A` and `treatment B`, which may have others
    behind them: only if these have no letters of their own, and the names are in order."""
    found: dict[str, str] = {}
    thing = ""
    for key, wording in known.items():
        letter = chr(ord("a") + len(found))
        head, _, last = wording.rpartition(" ")
        if last.lower() != letter or key != wording.lower() or (thing and head.lower() != thing):
            break
        thing = head.lower()
        found[key] = letter
    return found if len(found) > 1 else {}


def moved(mention: Candidate, by: int) -> Candidate:
    """A mention in a part of a text as one in the whole, which has `by` characters before it."""
    start, end = mention.span
    return replace(mention, span=(start + by, end + by))


def _further(
    text: str, end: int, known: Mapping[str, str], taken: bytearray
) -> Iterator[Candidate]:
    """The letters that follow one in a list, up to one that is taken: B and C of "A, B and C"."""
    listed = []
    while (match := _JOINED_MARK.match(text, end)) and not taken[match.start(1)]:
        end = match.end()
        listed.append(Candidate(match[1].lower(), match[1], match.span(1), rule="letter"))
    if _is_whole_list(text, end):
        yield from [one for one in listed if one.value in known]


def lists(
    text: str, mentions: Iterable[Candidate], known: Mapping[str, str]
) -> Iterator[list[Candidate]]:
    """Mentions in order, grouped by list, as in "A, B and C". One outside a list is alone, and so
    is each if a clause continues from the last ("B, C and D are wrong"). A list that only offers
    all options ("the answer (yes or no)") is left out."""
    group: list[Candidate] = []
    for mention in mentions:
        if group and not _JOINED.fullmatch(text, group[-1].span[1], mention.span[0]):
            yield from _as_lists(text, group, known)
            group = []
        group.append(mention)
    yield from _as_lists(text, group, known)


def _as_lists(
    text: str, group: list[Candidate], known: Mapping[str, str]
) -> Iterator[list[Candidate]]:
    if len(group) > 1 and {mention.value for mention in group} == known.keys():
        joint = text[group[-2].span[1] : group[-1].span[0]]
        if "/" in joint or "or" in joint.split():
            return
    if group and _is_whole_list(text, group[-1].span[1]):
        yield group
    else:
        yield from ([mention] for mention in group)


def _is_whole_list(text: str, end: int) -> bool:
    """Whether a list that ends there stands for all in it: no clause continues from its last."""
    is_closed = text.startswith(")", end)  # the answer (A, B, C or D) follows
    return is_closed or bool(_CLAUSE_END.match(text, end) or _ALL_ALIKE.match(text, end))
