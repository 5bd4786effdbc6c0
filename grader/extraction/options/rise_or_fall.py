"""Increase or decrease, where an output tells the change in other words: "the charge brought
traffic down"."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ...text import Block
from ...text.keywords import words
from ...text.sentences import last_sentence
from ..question import Question

_UP = re.compile(
    r"\b(?:rose|risen|ris(?:es?|ing)|grew|grow[ns]?|growing|rais(?:es?|ed|ing)|climb(?:s|ed)?"
    r"|increas\w+|higher|larger|up|went up|more)\b",
    re.IGNORECASE,
)
_DOWN = re.compile(
    r"\b(?:fell|fallen|falls?|falling|dropp?(?:s|ed|ing)?|declin\w+|lower(?:s|ed|ing)?|reduc\w+"
    r"|decreas\w+|shr[aiu]nk\w*|cuts?|down|smaller|fewer|less)\b",
    re.IGNORECASE,
)
_LEAVES_OPEN = re.compile(
    r"\b(?:not|no|never|nor|neither|cannot|insignificant\w*|whether|if|would|could|might|may|without"
    r"|although|though|but|while|whereas|than|indistinguish\w*|negligib\w*|unchanged|zero|chance"
    r"|p\s?[=≈]\s?0?\.[1-9]\d*)\b|n['’]t\b|\?",
    re.IGNORECASE,
)


def said_rise_or_fall(
    blocks: Sequence[Block], known: Mapping[str, str], question: Question
) -> tuple[Block, int, int, str] | None:
    """The last sentence of the prose, if it says that something the question names went up, or
    down, and nothing else, as block, start, end and option; None if not, or if these are no
    options."""
    prose = [block for block in blocks if block.kind in ("prose", "answer")]
    if not prose or not known.keys() >= {"increase", "decrease"}:
        return None
    block = prose[-1]
    start, end = last_sentence(block.text)
    sentence = block.text[start:end]
    up, down = _UP.search(sentence), _DOWN.search(sentence)
    if bool(up) == bool(down) or _LEAVES_OPEN.search(sentence):
        return None
    if question.target.isdisjoint(words(sentence)):
        return None
    return block, start, end, "increase" if up else "decrease"
