"""The option that a text chooses by words that no other option has: "I would go with the paired
one", of a paired and a two-sample t-test."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from ...text import Block
from ...text.sentences import sentences

_WORD = re.compile(r"[^\W\d_]{4,}")
_STEM = 5  # letters in which two forms of a word are alike: north, northern
_CHOOSES = re.compile(
    r"""
    \b I (?: ['’]d | ['’]ll | \s would | \s will ) \s use \b
    | \b (?: go (?: ing )? \s with | choos \w* | chose | pick | prefer | recommend | opt \s for
         | call (?: s | ed ) \s for | needed | required | select
         | is \s the \s (?: one | right | best | better | correct | most | answer )
         | answer \s is ) \b
    """,
    re.IGNORECASE | re.VERBOSE,
)
_LEAVES_OPEN = re.compile(
    r"\b(?:not|never|no|nor|neither|cannot|than|instead|unlike|whether|if|unless|although|though"
    r"|while|whereas|but|except|or)\b|n['’]t\b|\?",
    re.IGNORECASE,
)
_LAST_BLOCKS, _LAST_SENTENCES, _LONGEST = 2, 4, 2000


def chosen_by_words(
    blocks: Sequence[Block], known: Mapping[str, str]
) -> tuple[Block, int, int, str] | None:
    """The last sentence of the prose with such a word of an option, as block, start, end and
    option; None if it chooses nothing, leaves the choice open, or has words of several options."""
    stems = _distinct_stems(tuple(known.items()))
    prose = [block for block in blocks if block.kind == "prose"][-_LAST_BLOCKS:]
    said = [
        (block, start, end)
        for block in prose
        for start, end in sentences(block.text, max(0, len(block.text) - _LONGEST))
    ]
    for block, start, end in reversed(said[-_LAST_SENTENCES:]):
        sentence = block.text[start:end]
        words = _WORD.findall(sentence.lower())
        options = {stems[word[:_STEM]] for word in words if word[:_STEM] in stems}
        if options:
            is_choice = len(options) == 1 and _CHOOSES.search(sentence)
            if not is_choice or _LEAVES_OPEN.search(sentence):
                return None
            return block, start, end, options.pop()
    return None


@lru_cache(maxsize=1024)
def _distinct_stems(known: tuple[tuple[str, str], ...]) -> dict[str, str]:
    """Stem of a word -> the only option that has it."""
    found: dict[str, set[str]] = {}
    for key, wording in known:
        for word in _WORD.findall(wording.lower()):
            found.setdefault(word[:_STEM], set()).add(key)
    return {stem: keys.pop() for stem, keys in found.items() if len(keys) == 1}
