"""Yes or no, where the answer only says whether a null hypothesis is rejected: "normality is
rejected", of a question whether something is normally distributed."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..text import Block
from .mentions import sentence_around

_ASKED = re.compile(r"\b(?:is|are|was|were|does|do|did|can|could|has|have)\b(?:[^.?\n]|\.\d){3,300}\?", re.I)
# Null hypotheses that say what is asked: a rejection means no.
_OF_NULL = re.compile(
    r"""
    \b normally \s distributed \b | \b normality \b | \b (?: a | the ) \s normal \s distribution \b
    | \b (?: be | is | are ) \s (?: \w+ly \s )? normal \b | \b homosced
    | \b (?: equal | constant | homogeneous ) \s (?: \w+ \s )? varianc
    | \b independent \b (?! [ -] (?: samples? | variable | t\b | two ) )
    """,
    re.IGNORECASE | re.VERBOSE,
)
_STATIONARY = re.compile(r"\bstationar", re.IGNORECASE)
# Null hypotheses that deny it: a rejection means yes.
_OF_ALTERNATIVE = re.compile(
    r"""
    \b (?: differ \w* | significan\w* | associat\w+ | relat (?: ed | ion \w* ) | depend (?: s | ent ) \b
         | effects? | caus\w+ | correlat\w+ | cointegrat\w+ | autocorrelat\w+ | heterosced\w+
         | reject \w* | evidence ) \b
    """,
    re.IGNORECASE | re.VERBOSE,
)
_REJECTS = re.compile(r"\breject(?:s|ed|ing)?\b|\bretain(?:ed)?\b", re.IGNORECASE)
_DENIES = re.compile(
    r"""
    (?: \b (?: not | never | cannot | no | unable | insufficient | without
             | fail (?: s | ed | ure )? ) \b | n['’]t \b )
    [^,;:.]{0,40} $
    """,
    re.IGNORECASE | re.VERBOSE,
)
_OPEN = re.compile(
    r"\b(?:if|whether|when|would|could|might|may|should|test(?:s|ed|ing)? (?:whether|for)|smaller"
    r"|alternative|at the (?:1|10)\s?%)(?!\w)|\?",
    re.IGNORECASE,
)
_KPSS = re.compile(r"\bkpss\b", re.IGNORECASE)  # its null hypothesis is that of a stationary series
_MOST = 20


def said_rejection(blocks: Sequence[Block], question: str) -> tuple[Block, int, int, str] | None:
    """The last place in the prose that says whether a null hypothesis is rejected, as a block, start,
    end and what that means: "yes" or "no". None if the question asks something else, or if the
    prose never says it, leaves it open, or says both."""
    asked = _ASKED.search(question)
    means_yes = None if asked is None else _meaning(asked[0], question, blocks)
    if means_yes is None:
        return None
    found: list[tuple[Block, int, int, str]] = []
    for block in blocks:
        if block.kind not in ("prose", "answer"):
            continue
        for said in list(_REJECTS.finditer(block.text))[-_MOST:]:
            first, last = sentence_around(block.text, said.start(), said.end())
            if _OPEN.search(block.text, first, last):
                continue
            denied = _DENIES.search(block.text[first : said.start()]) is not None
            rejected = denied if said[0].lower().startswith("retain") else not denied
            found.append((block, said.start(), said.end(), "yes" if rejected == means_yes else "no"))
    return found[-1] if len({answer for *_, answer in found}) == 1 else None


def _meaning(asked: str, question: str, blocks: Sequence[Block]) -> bool | None:
    """Whether a rejection means yes; None if the question asks nothing that a test decides."""
    if _STATIONARY.search(asked):
        texts = [question, *(block.text for block in blocks if block.kind != "ui")]
        return None if any(map(_KPSS.search, texts)) else True
    if _OF_NULL.search(asked):
        return False
    return True if _OF_ALTERNATIVE.search(asked) else None
