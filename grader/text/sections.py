"""Sections of an output: the headings of its blocks, and those under one that announces the
answer."""

from __future__ import annotations

import re

from .blocks import Block

_CONCLUDING = re.compile(
    r"""
    \W{0,8} (?: (?: step \s )? \d{1,2} [.):–-]{0,2} \s )? \W{0,8}        # ## Step 4:
    (?: the[ ] | my[ ] | overall[ ] | short[ ] | executive[ ] )?
    (?: final[ ] (?: answer | result | estimate | value )
      | answer | conclusions? | concluding[ ]remarks? | summary | bottom[ ]line
      | take-?aways? | verdict | tl;?dr | in[ ]short | in[ ]summary | in[ ]conclusion ) \b
    # of the model, to the end of the heading: `**Conclusion.** The model`
    (?= [^\n.:*\#]{0,30} (?: [:*\#\n] | \.[*_] | $ ) )
    """,
    re.IGNORECASE | re.VERBOSE,
)
_LONGEST_HEADING = 150
_HEADING = re.compile(
    r"""
    \s* (?: \#{1,6} \s                                               # ## Results
          | (?: \*\* | __ ) [^*_\n]{1,80} (?: \*\* | __ )            # **Results**
            [:.]? \s* (?: \n | $ ) )
    """,
    re.VERBOSE,
)


# What is checked or described beside the answer.
_BESIDE = re.compile(
    r"\b(?:robustness|sensitivity|(?:pre-?trends?|balance|placebo|sanity) (?:check|test)s?"
    r"|diagnostics?|assumptions?|limitations?|caveats?|remarks?|data quality|what is missing)\b",
    re.IGNORECASE,
)


def headings(blocks: tuple[Block, ...]) -> dict[int, str]:
    """The heading that each block of prose stands under, by the block's offset; none for blocks
    before the first one, or before later code or output."""
    found: dict[int, str] = {}
    heading = ""
    for block in blocks:
        if block.kind != "prose":
            heading = ""
        elif _HEADING.match(block.text, 0, _LONGEST_HEADING):
            heading = block.text[:_LONGEST_HEADING].partition("\n")[0]
        if heading:
            found[block.start] = heading
    return found


def is_beside(heading: str) -> bool:
    """True for a heading of what is said beside the answer: "Robustness check"."""
    return _BESIDE.search(heading) is not None


def concluding_blocks(blocks: tuple[Block, ...]) -> frozenset[int]:
    """Offsets of the blocks of prose under a heading like "Summary" or "Conclusion:", up to the
    next heading, code or output."""
    found: set[int] = set()
    concluding = False
    for block in blocks:
        if block.kind != "prose":
            concluding = False
        elif _CONCLUDING.match(block.text, 0, _LONGEST_HEADING):
            concluding = True
        elif _HEADING.match(block.text, 0, _LONGEST_HEADING):
            concluding = False
        if concluding:
            found.add(block.start)
    return frozenset(found)
