"""The names in a question: of what it asks for, and what these are written as; of what is only
adjusted for."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...text.keywords import STOP_WORDS, content_words

_NAME_ENDS = (
    r"in|for|between|among|from|on|when|with|by|that|which|who|if|at|under|using|to|than|as|after"
    r"|before|across|over"
)
_ASKS_FOR = re.compile(
    r"(?:\bwhat(?:'s| is| was| are| were| would be| will be)|\b(?:compute|calculate|estimate"
    r"|determine|find|report|give|obtain))(?: the| an?| its| their)? ([^,.?!;:\n]{3,100}?)"
    rf"(?=\s(?:{_NAME_ENDS})\b|[,.?!;:\n]|$)",
)
_HOW_MANY = re.compile(
    r"(?<!by )\bhow many ([^,.?!;:\n]{3,100}?)"
    rf"(?=\s(?:{_NAME_ENDS}|is|are|was|were|do|does|did|has|have|had|can|will)\b|[,.?!;:\n]|$)"
)
_BY_HOW_MUCH = re.compile(
    r"\bby (?:what (?:percent(?:age)?|share|factor|amount)|how (?:much|many \w+))"
    r" (?:do|does|did|is|was|were|has|have|had|will|would|can) ([^.?!\n]{3,200})"
)
_OF_THE_TREATED = frozenset({"ATT", "ATET", "TOT"})
# What else is in a model: "adjusted for age, sex and BMI", "controlling for income".
_HELD_FIXED = re.compile(
    r"\b(?:adjust(?:ed|ing)|control(?:led|ling)|accounting)\sfor\s"
    r"((?:(?!\b(?:in|using|with|by|via|from|among|on|what|how|is|are)\b)[^.;?!\n])*)"
)
_RUNS = re.compile(r"[a-z]{2,}(?:[ -][a-z]{2,}){2,}")
PERCENTILE = re.compile(r"\b([0-9]{1,2})(?:st|nd|rd|th)[ -](?:percen|quan)tile", re.IGNORECASE)
_ITS_NAME = ("percentile",)
_IS_CHANCE = re.compile(r"\bprobability\b(?!\s(?:weight|score|densit|distribution))")
_PROBABILITY = ("probability",)
_ABBREVIATED = (3, 4, 5)  # words of what an abbreviation stands for


def name_asked(asked: str) -> str:
    """The name of what is asked for: "partial correlation" of "what is the partial correlation
    between ...?", "rows" of "how many rows are ...?"; empty if no such name is found."""
    named = _HOW_MANY.search(asked) or _BY_HOW_MUCH.search(asked) or _ASKS_FOR.search(asked)
    return named[1] if named else ""


def acronyms_of(name: str, asked: str) -> frozenset[str]:
    """The acronyms, in capitals, that a name may be written as: CAGR of "compound annual growth
    rate of sales", SEM of "standard error of the mean"; those of an effect "on the treated"."""
    if "on the treated" in asked:
        return _OF_THE_TREATED
    noun = _initials(name.partition(" of ")[0].split())
    words = _initials([word for word in name.split() if word not in STOP_WORDS])
    return frozenset([acronym for acronym in (noun, words) if 2 < len(acronym) < 6])


def abbreviations_in(asked: str, acronyms: frozenset[str]) -> dict[str, tuple[str, ...]]:
    """The initials of three to five words in a row of a question, in lower case, and the words:
    "ipw" of "inverse probability weighting", "var" of "value at risk"; without the acronyms of what
    is asked for. Also the "p90" of a 90th percentile, and the "chance" that is a probability."""
    found: dict[str, tuple[str, ...]] = {
        f"p{rank}": _ITS_NAME for rank in PERCENTILE.findall(asked)
    }
    if "probability" in asked and _IS_CHANCE.search(asked):
        found |= dict.fromkeys(("chance", "chances"), _PROBABILITY)
    left_out = {acronym.lower() for acronym in acronyms}
    for run in _RUNS.findall(asked):
        said = run.replace("-", " ").split()
        initials = "".join([word[0] for word in said])
        may_end = [word not in STOP_WORDS for word in said]
        for size in _ABBREVIATED:
            for first in range(len(said) - size + 1):
                if may_end[first] and may_end[first + size - 1]:
                    short = initials[first : first + size]
                    if short not in left_out:
                        found[short] = tuple(said[first : first + size])
    return found


def _initials(words: Sequence[str]) -> str:
    return "".join([word[0] for word in words if word[0].isalpha()]).upper()


def only_held_fixed(asked: str) -> frozenset[str]:
    """The words of a question that only name what is adjusted for."""
    if " for " not in asked:
        return frozenset()
    held = _HELD_FIXED.findall(asked)
    if not held:
        return frozenset()
    return content_words(" ".join(held)) - content_words(_HELD_FIXED.sub(" ", asked))
