"""The options that a question offers: lettered, quoted in a list, joined by "or", or implied."""

from __future__ import annotations

import re
from itertools import chain, zip_longest

from ...truth import FENCING
from .decisions import decision

_MARK = re.compile(  # A. cats, (A) cats, A) cats, A: cats
    r"(?:^|[\s,;])(?P<before>\(?)(?P<letter>[A-Z])(?P<behind>[.):])(?=\s*\S)", re.MULTILINE
)
_OPTION_END = re.compile(  # the stop of an abbreviation is no end: exponential, i.e. ever faster
    r"\n|(?<!\bi\.e)(?<!\be\.g)(?<!\bvs)(?<!\bcf)(?<!\bSt)(?<!\bNo)[.?]\s|,?\s{1,3}(?:or|and)\s{0,9}$"
)
_LETTER_LIST = re.compile(r"\b[A-Z](?:\s*[,/]\s*[A-Z]){0,24},?\s+or\s+[A-Z]\b")
_QUOTED = re.compile(r"(?<!\w)[\"“'‘]([^\"“”'‘’\n]{1,60})[\"”'’]")
# What joins quoted phrases to a list: "a", "b" or the "c"; no word but a noun ("a" group or "b").
# The first repeat is possessive, so that a list's numbers are read in one way only.
_BETWEEN_QUOTED = re.compile(
    r"""
    (?: \n [ \t]{0,9} [0-9]{1,2} [.)] | [^\w.?!] )++
    | (?: \s \w+ )? (?: , \s | [^\w.?!]* \b (?: or | and | vs\.? | versus ) \b ) [^\w.?!]*
      (?: (?: the | an? | with ) \s )?
    """,
    re.IGNORECASE | re.VERBOSE,
)
_OR_NONE = re.compile(r"\W*\bor\s(?:is|are)\sthere\W*", re.IGNORECASE)  # or is there "no effect"
# Options: Search, Social, Email. Answer with one of: Increase, Decrease, No change.
_LISTED = re.compile(
    r"\b(?:options|choices|categories|candidates|one of(?: the following)?)\s?:\s*([^\n?]{3,400})",
    re.IGNORECASE,
)
# Which converts best: paid, email or social? Which of the channels (paid, email, social) ...
_LISTED_INSIDE = re.compile(r"[:(]((?:[^:?()\n,]{1,40},){1,20}[^:?()\n,]{2,60})(?:\)|\?)")
_LIST_COMMA = re.compile(r"\s*[,;/|]\s*(?:or\s|and\s)?|\s+or\s+")
# Is it stationary or non-stationary?
_EITHER_OR = re.compile(
    r"(?P<one>[^\W\d][\w-]*)\s+or\s+(?:a\s|an\s|the\s)?(?P<other>[^\W\d][\w-]*)(?!\s+or\b)"
)
_ALIKE = 4  # letters
# Says what to answer when: Answer "seasonal" if it rejects, else "trending".
_INSTRUCTION = re.compile(
    r"\b(?:answer|respond|reply|say|output|choose|select|classify|return)\b[^.?!\n]{0,400}",
    re.IGNORECASE,
)
# A published answer among these implies the others as options, even if the task does not list them.
CLOSED_SETS = (
    ("yes", "no"),
    ("true", "false"),
    ("reject", "not reject"),
    ("significant", "not significant"),
    ("positive", "negative"),
    tuple("abcdefghij"),
)
LETTERS = "abcdefghijklmnopqrstuvwxyz"
_LONGEST_WORDING = 1000


def lettered_options(question: str) -> dict[str, str]:
    """Options listed as A, B, C ... in a question, with their wording. Letters out of sequence
    (initials, "vitamin C.") are not options, nor are those with other signs ("worse than A.")."""
    found = list(_MARK.finditer(question))
    signs = dict.fromkeys(_signs(mark) for mark in found)
    rows = [_in_sequence([mark for mark in found if _signs(mark) == one]) for one in signs]
    marks = max([*rows, _in_sequence(found)], key=len, default=[])
    if len(marks) < 2:
        return {}
    wordings: dict[str, str] = {}
    for mark, following in zip_longest(marks, marks[1:]):
        wording = question[mark.end() : following.start() if following else None].lstrip()
        wording = _OPTION_END.split(wording[:_LONGEST_WORDING], maxsplit=1)[0]
        wordings[mark["letter"].lower()] = wording.strip(" ,;.")
    return wordings


def _signs(mark: re.Match[str]) -> str:
    return mark["before"] + mark["behind"]


def _in_sequence(marks: list[re.Match[str]]) -> list[re.Match[str]]:
    """Those marks whose letters follow one another from A on."""
    found: list[re.Match[str]] = []
    for mark in marks:
        if len(found) < len(LETTERS) and mark["letter"].lower() == LETTERS[len(found)]:
            found.append(mark)
    return found


def options_from_question(question: str, truth: str, lettered: dict[str, str]) -> list[str]:
    """The options of a task that lists none: canonical letters, or wordings; [] if its question
    offers none. Of the published answer only the form is used."""
    if lettered:
        return list(lettered)
    truth = truth.strip(FENCING).lower()
    for listed in reversed(list(_LETTER_LIST.finditer(question))):
        letters = re.findall(r"\b[A-Z]\b", listed[0])
        if truth.upper() in letters:  # else the letters are names: the correlation of X or Y
            return letters
    if quoted := quoted_with(truth, question):
        return quoted
    for answers in CLOSED_SETS:
        if decision(truth) in answers:
            return list(answers)
    return listed_with(truth, question) or either_or(truth, question)


def quoted_with(phrase: str, question: str) -> list[str]:
    """The last list of quoted phrases ("a", "b" or "c") in a question that has `phrase`, which is
    in lower case, or those of an instruction what to answer; [] if it has none. Phrases quoted
    elsewhere (the 'age' column) are no options."""
    lists: list[list[str]] = []
    end = 0
    for match in _QUOTED.finditer(question):
        if not lists or not _joins(lists[-1], question[end : match.start()]):
            lists.append([])
        lists[-1].append(match[1])
        end = match.end()
    instructions = [_QUOTED.findall(match[0]) for match in _INSTRUCTION.finditer(question)]
    for listed in (*reversed(lists), *reversed(instructions)):
        distinct = list(dict.fromkeys(listed))
        if len(distinct) > 1 and phrase in map(str.lower, distinct):
            return distinct
    return []


def _joins(listed: list[str], between: str) -> bool:
    """Whether a text between two quoted phrases makes the second one more of a list."""
    if _BETWEEN_QUOTED.fullmatch(between):
        return True
    return len(listed) > 1 and _OR_NONE.fullmatch(between) is not None


def listed_with(answer: str, question: str) -> list[str]:
    """The options that a question lists behind "Options:", if the answer, in lower case, is among
    them; [] else."""
    for listed in chain(_LISTED.finditer(question), _LISTED_INSIDE.finditer(question)):
        found = [one.strip(FENCING) for one in _LIST_COMMA.split(listed[1].strip())]
        if len(found) > 1 and answer in map(str.lower, found):
            return found
    return []


def either_or(answer: str, question: str) -> list[str]:
    """The two words that a question leaves open, if the answer, in lower case, is one of them: "is
    it stationary or non-stationary?", "did it increase or decrease?"; [] else. They must end alike,
    as opposites do; of names, what is said of each matters more than which is mentioned."""
    for found in _EITHER_OR.finditer(question):
        one, other = found["one"].lower(), found["other"].lower()
        end_alike = one[-_ALIKE:] == other[-_ALIKE:] and len(one) > _ALIKE < len(other)
        if answer in (one, other) and one != other and end_alike:
            return [one, other]
    return []
