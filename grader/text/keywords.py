"""Content words of a text, and keyword overlaps between texts."""

from __future__ import annotations

import re
from functools import lru_cache

_WORD = re.compile(r"[^\W\d_]\w*+")
_ASCII_WORD = re.compile(r"[a-z][a-z0-9_]*+")  # the same in lower-case ASCII, and faster
_TWO_LETTERS = re.compile(r"[^\W\d_]{2,}")
_LITTLE = 120
_LONG = 1000  # characters of a text whose words are not kept
# Statisticians write kappa as κ.
_GREEK = {
    ord(letter): f" {name} "
    for letter, name in {
        "α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "η": "eta", "θ": "theta",
        "κ": "kappa", "λ": "lambda", "μ": "mu", "ρ": "rho", "σ": "sigma", "τ": "tau", "φ": "phi",
        "χ": "chi", "ω": "omega",
    }.items()
}  # fmt: skip
# As alternatives of a pattern: "12 days <longer> than".
COMPARATIVES = (
    "more|less|fewer|higher|lower|larger|smaller|greater|bigger|longer|shorter|taller|older|younger"
    "|heavier|lighter|better|worse|cheaper|faster|slower"
)
STOP_WORDS = frozenset(
    """
    a about above after again all also am an and any are as at be because been before being
    below between but by can could did do does doing done down during each either else
    for from further get give given gives had has have having he her here hers him his how i
    if in into is it its itself just let me more most my no nor not now of off on once only or
    other our ours out over own per please same she should so some such than that the their
    theirs them then there these they this those through to too under until up upon us use used
    using very was we were what when where which while who whom whose why will with within
    would you your yours
    """.split()
)


def words(text: str) -> set[str]:
    """The distinct lower-case words of a text, Greek letters by their names; numbers are not
    words."""
    lowered = text.lower()
    if lowered.isascii():
        return set(_ASCII_WORD.findall(lowered))
    return set(_WORD.findall(lowered.translate(_GREEK)))


def is_bare(text: str, start: int, end: int) -> bool:
    """True for a text that is nothing but the number at text[start:end] and, at most, its unit."""
    if len(text) > _LITTLE or has_word(text[:start]):
        return False
    return count_words(text[end:]) <= 2


def count_words(text: str) -> int:
    """The number of runs of two or more letters in a text."""
    return len(_TWO_LETTERS.findall(text))


def has_word(text: str) -> bool:
    """True if a text has two letters in a row."""
    return _TWO_LETTERS.search(text) is not None


def content_words(text: str) -> frozenset[str]:
    """K(text): the distinct words of a text that are not stop words."""
    return _content_words(text) if len(text) <= _LONG else _without_stop_words(text)


def _without_stop_words(text: str) -> frozenset[str]:
    return frozenset(words(text) - STOP_WORDS)


_content_words = lru_cache(maxsize=4096)(_without_stop_words)


def share(keywords: frozenset[str], said: set[str]) -> float:
    """The share of `keywords` that are among the words `said`, in [0, 1]; 0 without keywords."""
    return len(keywords & said) / len(keywords) if keywords else 0.0


def overlap(keywords: frozenset[str], text: str) -> float:
    """The share of `keywords` that occur in `text`, in [0, 1]; 0 without keywords."""
    return share(keywords, words(text)) if keywords else 0.0


def anchoring_score(question: str, turn: str) -> float:
    """|K(question) ∩ K(turn)| / |K(question)| (Zheng & Hsu 2026, section 3); 0 when the
    question has no content words."""
    return overlap(content_words(question), turn)
