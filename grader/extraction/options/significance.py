"""Yes or no, where a question asks whether something is significant and the answer only says that
it is, or is not: "the difference is not significant"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...text import Block
from ...text.sentences import sentence_around

_ASKED = re.compile(
    r"\b(?:is|are|was|were|does|do|did)\b(?:(?!\bnot\b|n['’]t)[^.?\n]){0,200}"
    r"\b(?:significan|evidence)[^.?\n]{0,200}\?",
    re.IGNORECASE,
)
_SAID = re.compile(
    r"\b(in|non-?)?significant(?:ly)?\b"
    r"|\b(in)?(?:sufficient|convincing|strong|enough|statistical)\sevidence\b",
    re.IGNORECASE,
)
_NOT = re.compile(r"\b(?:not|no|never|neither|nor|without|fails?|lacks?|cannot)\b|n['’]t\b", re.I)
_OPEN = re.compile(
    r"\b(?:if|whether|would|could|might|may|should|expect\w*|hypothes\w+"
    r"|test(?:s|ed|ing)? (?:for|of)|marginally|almost|nearly|partly"
    r"|although|but|while|whereas|however|except|only)\b|\?|[<>]\s*$",
    re.IGNORECASE,
)
_MOST = 20


def said_significance(blocks: Sequence[Block], question: str) -> tuple[Block, int, int, str] | None:
    """The last place in the prose that says whether something is significant, as a block, start,
    end and "yes" or "no". None if the question does not ask that, if the prose never says it,
    or does so with reservations or in two ways."""
    asked = _ASKED.search(question)
    if asked is None:
        return None
    found: list[tuple[Block, int, int, str]] = []
    for block in blocks:
        if block.kind not in ("prose", "answer"):
            continue
        for said in list(_SAID.finditer(block.text))[-_MOST:]:
            first, last = sentence_around(block.text, said.start(), said.end())
            if said[0].lower().endswith("evidence"):
                last = said.start()  # what follows says of what: that the means are not all equal
            sentence = block.text[first:last]
            if _OPEN.search(sentence):
                return None
            is_denied = (_NOT.search(sentence) is not None) != bool(said[1] or said[2])
            found.append((block, said.start(), said.end(), "no" if is_denied else "yes"))
    if len({answer for *_, answer in found}) != 1:
        return None
    return found[-1]
