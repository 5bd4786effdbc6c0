"""Sections of an output: the blocks under a heading that announces the answer."""

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
    (?= [^\n.:*\#]{0,30} (?: [:*\#\n] | $ ) )        # of the model, to the end of the heading
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
