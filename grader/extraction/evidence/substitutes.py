"""The words of what a question asks for, and sentences that say of something else what it asks:
"the mean salary of men is 51,000", where that of women is asked for."""

from __future__ import annotations

import re
from collections.abc import Collection

from ...text.keywords import COMPARATIVES, STOP_WORDS, words
from ..question import Question, once

# "salary of women", "score of group B".
_PHRASE = re.compile(
    r"\b([a-z]{3,} (?:of|in|for|among|from|at|on|between)) (?=(?:(?:the|all|an?) )?"
    r"(?:(?:column|variable) )?((?:(?:(?<=between )|(?<=between the ))\w+ and )?"
    r"(?:non-)?[a-z]\w{2,})(?: ([a-z]|\d+)\b)?)"
)
# Behind it stand terms of the model, as in "a regression on price and income".
_MODEL = re.compile(
    r"\b(?:regress|model)"
    r"(?:(?!\band (?:report|give|state|compute|calculate|find|what|how))[^.;?!\n])*",
    re.IGNORECASE,
)
_SAME = {"average": "mean", "women": "female", "men": "male"}

_NO_THINGS = (
    STOP_WORDS
    | frozenset(COMPARATIVES.split("|"))
    | frozenset("data dataset sample total column variable variables two three both".split())
)


def asks_of_things(question: Question) -> bool:
    """Whether a question has a phrase in which a text may name another thing."""
    return bool(_asked_phrases(question))


def replaced_in(sentence: str, question: Question) -> set[str]:
    """The things of the question in whose place a sentence has others: "women" for "the mean salary
    of men is 51,000", where that of women is asked for."""
    asked = _asked_phrases(question)
    found: set[str] = set()
    for phrase, things in _phrases(sentence).items():
        if phrase in asked and things - question.keywords and not things & asked[phrase]:
            found |= asked[phrase]
    return found


@once
def _asked_phrases(question: Question) -> dict[str, set[str]]:
    return _phrases(question.text.lower())


def _phrases(text: str) -> dict[str, set[str]]:
    """The things that a text names behind a noun and a preposition ("salary of"), by these."""
    found: dict[str, set[str]] = {}
    for phrase, thing, label in _PHRASE.findall(text):
        if thing not in _NO_THINGS:
            name = f"{thing} {label}" if label else thing.removesuffix("s")
            found.setdefault(phrase, set()).add(name)
    return found


@once
def asked_words(question: Question) -> frozenset[str]:
    """The words of a question that say what is asked for, not how it is to be estimated: of "the
    coefficient on age in a regression on age and sex", those of the first part."""
    of_model = {word for found in _MODEL.findall(question.text) for word in words(found)}
    head = f"{question.head} "
    of_head = (things for phrase, things in _asked_phrases(question).items() if head in phrase)
    named = {word for things in of_head for thing in things for word in thing.split()}
    return stems(question.target - question.held_fixed - (of_model - question.focus)) | stems(named)


def stems(said: Collection[str]) -> frozenset[str]:
    """Words without the s of a plural, and one for all that mean the same."""
    return frozenset([_SAME.get(word, word.removesuffix("s")) for word in said])
