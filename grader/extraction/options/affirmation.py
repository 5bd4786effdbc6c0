"""Questions of yes or no that an output answers by a sentence: one that repeats the question's
words in their order, as a statement, or denies it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from ...text import Block
from ...text.sentences import last_sentence, sentence_around
from ..mentions.echo import repeats, told

_AUXILIARY = r"(?:is|are|was|were|do|does|did|can|could|will|would|should|has|have|had)"
_ASKED = re.compile(
    rf"(?:^|[.!?:,\n]\s{{0,3}})(?:so\s|and\s)?{_AUXILIARY}\b[^.!?\n]{{1,300}}\?", re.IGNORECASE
)
_DENIES = re.compile(r"\b(?:not|never|no)\b|n['’]t\b", re.IGNORECASE)
_DENIAL = re.compile(
    rf"\b{_AUXILIARY}(?:\s\w+)?\s+not\b|n['’]t\b|\bcannot\b|\b(?:is|are|was|were)\s+no\b",
    re.IGNORECASE,
)
# None of the sensors is faulty. No outliers were found.
_OF_NONE = re.compile(r"^[\W_]*(?:none of|no)\s+", re.IGNORECASE)
_LEAD = re.compile(
    r"""
    [\W_]* (?: (?: so | thus | hence | therefore | overall | in[ ](?:conclusion|summary|short)
         | in[ ](?:that|this)[ ](?:sense|case) | to[ ]answer[ ](?:the|your)[ ]question
         | based[ ]on[ ][^,.;]{1,60} ) \b ,? \s* )*
    (?: (?: (?: we | I | one ) [ ] (?: can[ ] )? (?: conclude | see | find | know | say )
            (?: [ ]from[ ][^,.;]{1,20} )?
          | (?: our | the | this | these )[ ]\w+[ ] (?: shows? | indicates? | confirms? )
          | it[ ]is[ ](?:safe|fair)[ ]to[ ]say
          | the[ ]answer[ ] (?: to[ ](?:the|your)[ ]question[ ] )? is ) [ ] that \s )?
    """,
    re.IGNORECASE | re.VERBOSE,
)
# The reason before a conclusion: The test gives p = 0.41, so
_REASON = re.compile(
    r"^(?!.*\b(?:if|unless|whether|would|although|though)\b).{3,300}?,?\s(?:and\s)?"
    r"(?:so|hence|thus|therefore)\s(?!that\b)(?=\w+\s)|^\s*since\s[^,]{3,200},\s(?:and\s)?",
    re.IGNORECASE | re.DOTALL,
)
# What may follow: (p = 0.03), since p < 0.05, by 5.2 points, in this data set
_TAIL = re.compile(
    r"""
    \s* (?: \( [^()=<>≈]* [=<>≈] [^()]* \)
          | ,? \s (?: (?: since | because (?! [ ]of ) ) \b | (?<= , \s ) as \b )
            (?! .* (?: [;:]
                     | \b (?: would | spurious | confound\w* | naive | suggest\w* | alone ) \b ) )
            .*
          | ,? \s (?: with[ ]an? | given ) \b [^0-9]* [0-9] .*
          | \s by \s [0-9][0-9.,]* [ %]? \w{0,12} (?: \s* \( [^()=<>≈]* [=<>≈] [^()]* \) )?
          | \s in[ ]th(?: is | ese | e )[ ](?: data(?:[ ]?set)? | sample ) )
    [\W_]* $
    """,
    re.IGNORECASE | re.VERBOSE | re.DOTALL,
)
# Behind a first sentence, what may take it back.
_LIMITS = re.compile(
    r"\b(?:however|but|although|though|yet|unless|if|not|cannot|insufficient|unclear|whether|wait"
    r"|actually|at least|instead|would|seems?|appears?|suggests?|claims?|hypothes\w+|H_?[01a]|false"
    r"|refut\w+|reject\w*|against|naive|assum\w+|vanish\w*|spurious|alone|so much for)\b|n['’]t\b",
    re.IGNORECASE,
)
_SIGNIFICANTLY = re.compile(r"\b(?:statistically )?significantly\b", re.IGNORECASE)
_MODALS = frozenset({"could", "would", "should", "may", "might", "must"})
_FEWEST_WORDS = 2


def said_affirmation(blocks: Iterable[Block], question: str) -> tuple[Block, int, int, str] | None:
    """The block, place and answer ("yes" or "no") of the last sentence of an output, if it says
    what a question of yes or no asks, in its words, or denies that; else of the first one of its
    last block, if nothing behind it limits that. None else."""
    asked = _asked(question)
    said = [block for block in blocks if block.kind in ("prose", "answer")]
    if asked is None or not said:
        return None
    text = said[-1].text
    start, end = last_sentence(text)
    if answer := _answer(text[start:end], asked):
        return said[-1], start, end, answer
    start, end = sentence_around(text, 0, 1)
    answer = None if _LIMITS.search(text, end) else _answer(text[start:end], asked)
    return (said[-1], start, end, answer) if answer else None


def _answer(sentence: str, asked: tuple[str, ...]) -> str | None:
    """ "yes" for a sentence that says what is asked, "no" for one that denies it; else None."""
    if "?" in sentence:
        return None
    sentence = _REASON.sub("", sentence, count=1)
    whole = _LEAD.sub("", sentence, count=1)
    for said in (whole, _TAIL.sub("", whole, count=1)):
        of_none = _OF_NONE.search(said)
        if of_none:
            rest = said[of_none.end() :]
            said = f"any {rest}" if "any" in asked else rest
        denials = len(_DENIAL.findall(said)) + (of_none is not None)
        stated = _DENIAL.sub(" ", said)
        if "significantly" not in asked:
            stated = _SIGNIFICANTLY.sub("", stated)
        if denials <= 1 and repeats(_told(stated), asked):
            return "no" if denials else "yes"
    return None


@lru_cache(maxsize=1024)
def _asked(question: str) -> tuple[str, ...] | None:
    """The words of the last question of yes or no in a text; None if there is none, or if it
    denies or has few words."""
    asked = _ASKED.findall(question)
    if not asked or _DENIES.search(asked[-1]):
        return None
    said = _told(asked[-1])
    return said if len(said) >= _FEWEST_WORDS else None


def _told(text: str) -> tuple[str, ...]:
    """The words of a text in their order, but "could" and the like first."""
    return tuple(sorted(told(text), key=lambda word: word not in _MODALS))
