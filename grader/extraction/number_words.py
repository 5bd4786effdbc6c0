"""Numbers below 100 in words: `fourteen of them`, `there are no duplicates`, `six and a quarter per
cent`."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ..numbers import Quantity
from ..text.keywords import words

_WORDS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
    " sixteen seventeen eighteen nineteen"
).split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_VALUES = (
    {word: float(value) for value, word in enumerate(_WORDS)}
    | {"no": 0.0, "none": 0.0}
    | {
        f"{ten}-{unit}".removesuffix("-zero"): 10.0 * place + value
        for place, ten in enumerate(_TENS, 2)
        for value, unit in enumerate(_WORDS[:10])
    }
)
_ANY_WORD = "|".join([*_WORDS, *_TENS])
# "one" is mostly a pronoun, and "no" mostly an answer or a denial.
_PLAIN_WORDS = sorted(_VALUES.keys() - {"one", "no"}, key=len, reverse=True)
_FIRST_LETTERS = "".join(sorted({word[0] for word in _PLAIN_WORDS}))
_NUMBER_WORD = re.compile(
    rf"""
    \b (?: (?= [{_FIRST_LETTERS}] )                          # looked at first, for speed
           (?a: {"|".join(_PLAIN_WORDS)} )                   # fourteen
         | (?: only | exactly | just | is ) [ ] (one) (?! [ ]of )    # exactly one
         | (?: there[ ] (?: is | are | was | were ) | found | contains? | has | have )
           [ ] (no) (?= [ ] \w )                             # there are no duplicates
         | (?-i: (No) ) (?= [ ] \w )                         # No rows are empty
       ) \b
    (?! [-'’] )                                              # but not: one's, two-sided
    """,
    re.IGNORECASE | re.VERBOSE,
)
# Before a number word: a known set of things, or the beginning of a longer number.
_NO_COUNT_BEFORE = re.compile(
    rf"""
    \b (?: the | these | those | all | of | both | our | its           # the three groups
         | remaining | other | first | last | next | top | between     # the remaining two
         | group | table | step | phase | stage | part | figure        # step two
         | point | hundred (?: \s and )? | thousand (?: \s and )?      # two hundred and five
         | (?<! than \s ) one \s (?: \w+ \s ){{0,2}} in               # one day in five
         | {_ANY_WORD} ) \s $                                          # twenty five
    """,
    re.IGNORECASE | re.VERBOSE,
)
# After one: the rest of a longer number, a share.
_NO_COUNT_AFTER = re.compile(
    rf"""
    \s (?: hundred | thousand | million | billion | dozen | point | per \s? cent
         | thirds? | quarters? | half | halves | fifths? | tenths?
         | or \s (?: more | fewer | less )
         | (?: to | and | or ) \s (?: [0-9] | (?: {_ANY_WORD} ) \b )
         | {_ANY_WORD} ) \b
    """,
    re.IGNORECASE | re.VERBOSE,
)
_OF_THEM = re.compile(r"\sof\s(?:them|these|those|all|the\s[0-9])")
_PARTS = {"": 0.0, "half": 0.5, "quarter": 0.25, "three": 0.75}
_WHOLES = ("ten", "whole", "tens", "unit")  # groups of the next pattern
_SHARE = re.compile(  # no round one, which is mostly a level or a part: "the top ten percent"
    rf"""
    (?<! hundred\s ) (?<! hundred\sand\s ) (?<! thousand\s ) (?<! point\s ) (?<! [-\w] )
    (?<! minus\s ) (?<! negative\s )
    (?: (?: (?P<ten> {"|".join(_TENS)} ) [ -] )? (?P<whole> {"|".join([*_WORDS, *_TENS])} )
        \s and \s (?: an? \s | one \s )? (?P<part> half | quarter | three (?= [ -]quarters ) )
        (?: [ -]quarters )?
      | (?P<tens> {"|".join(_TENS)} ) [ -] (?P<unit> {"|".join(_WORDS[1:10])} ) )
    \s per \s? cent (?: age \s points? )? (?! \w )
    """,
    re.IGNORECASE | re.VERBOSE,
)
_CLAUSE = re.compile(r"[^.,;:()\n0-9]{0,60}")
_TIMES = frozenset(
    "hour hours day days week weeks month months quarter quarters year years time times".split()
)
_ASKING = frozenset({"how", "many"})
_LEAD = 24
_STEM = 5  # letters in which two forms of a word are alike


def number_words_in(question: str) -> frozenset[str]:
    """The number words of a question, in lower case: a text that has them may only repeat them."""
    return frozenset(words(question) & _VALUES.keys())


def values_of(said: Iterable[str]) -> frozenset[float]:
    """The values of number words: 3 of "three"."""
    return frozenset([_VALUES[word] for word in said])


def find_shares(text: str) -> list[Quantity]:
    """Every share below 100 percent that a text gives in words and that is no round one, in order:
    36 of "thirty-six percentage points"."""
    found = []
    for match in _SHARE.finditer(text):
        whole = sum([_VALUES[word.lower()] for word in match.group(*_WHOLES) if word])
        value = whole + _PARTS[(match["part"] or "").lower()]
        start, end = match.span()
        found.append(Quantity(value, is_percent=True, text=match[0], start=start, end=end))
    return found


def find_number_words(
    text: str,
    asked: frozenset[str],
    counted: frozenset[str] = frozenset(),
    repeated: frozenset[str] = frozenset(),
) -> list[Quantity]:
    """Every small whole number that a text gives in words, in order: of one of the things `asked`
    about, of what is not named, or of a whole ("fourteen of them"). counted: the name of what is
    counted, if it is known: only of that there may be none. repeated: words to leave out."""
    found = []
    named = _stems(counted or asked)
    stems = _stems(asked - _TIMES) | named
    for match in _NUMBER_WORD.finditer(text):
        group = match.lastindex or 0
        start, end = match.span(group)
        value = _VALUES[match[group].lower()]
        is_other = _NO_COUNT_BEFORE.search(text[max(0, start - _LEAD) : start])
        things = stems if value else named
        if match[0] == "No" and not _repeats(text, end, stems - _stems(_ASKING)):
            continue
        if is_other or _NO_COUNT_AFTER.match(text, end):
            continue
        if match[group].lower() in repeated:
            continue
        if not _counts(text, end, things):
            continue
        found.append(Quantity(value, text=match[group], start=start, end=end, is_integer=True))
    return found


def _counts(text: str, end: int, stems: set[str]) -> bool:
    """Whether a number word that ends there is followed by what is counted, by "of them" or by the
    end of its clause."""
    after = _clause_behind(text, end)
    if not after.strip(" *_`") or _OF_THEM.match(text, end):
        return True
    return not stems.isdisjoint(_stems(words(after)))


def _repeats(text: str, end: int, stems: set[str]) -> bool:
    """Whether the clause behind "No" has two words of the question, or its only one: else it may
    deny something else of what is counted ("No rows were dropped")."""
    said = stems & _stems(words(_clause_behind(text, end)))
    return len(said) >= min(2, len(stems))


def _clause_behind(text: str, end: int) -> str:
    clause = _CLAUSE.match(text, end)
    return clause[0].lower() if clause else ""


def _stems(said: Iterable[str]) -> set[str]:
    """What the forms of each of some words ("row", "rows") have in common."""
    return {word[:_STEM].rstrip("s") for word in said}
