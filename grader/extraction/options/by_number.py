"""The option of a text where all options are numbers: the one that ranks first among the numbers of
the text ("by this criterion two clusters are best")."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import itemgetter

from ...numbers import Quantity, parse_number
from ...text import Block
from ..evidence import MINIMUM_SCORE, weigh_candidates
from ..parts import Part, Weighed
from ..rules.wording import is_in_list
from ..scan import Scan

_FEWEST_LISTED = 3
_Given = tuple[float, Weighed, str]  # the score of a number, the number, the option that it is


def chosen_number(scan: Scan, known: Mapping[str, str]) -> tuple[Block, int, int, str] | None:
    """The number of the prose that gives an option, as block, start, end and option; None if an
    option is no number, or none of them has enough evidence."""
    values = {key: number for key, wording in known.items() if (number := parse_number(wording))}
    if len(values) < len(known):
        return None
    given = [
        (sum(one.evidence.values()), one, key)
        for one in weigh_candidates(scan)
        if one.block.kind in ("prose", "answer")
        for key, value in values.items()
        if _is_same(one.mark.number, value) and not is_in_list(one.mark.context)
    ]
    given = [one for one in given if not _lists_options(one[1].part, given, len(values))]
    score, best, key = max(given, key=itemgetter(0), default=(0.0, None, ""))
    if best is None or score < MINIMUM_SCORE:
        return None
    return best.block, best.mark.number.start, best.mark.number.end, key


def _lists_options(part: Part, given: Sequence[_Given], count: int) -> bool:
    """Whether a sentence has the numbers of all options, or of three: "the fits for 2, 3 and 4"."""
    return len({key for _, one, key in given if one.part is part}) >= min(count, _FEWEST_LISTED)


def _is_same(number: Quantity, option: Quantity) -> bool:
    """Whether a number is an option, perhaps with more decimals: 13.12 where 13.1 is one."""
    if number.value == option.value:
        return True
    slack = 0.5 * 10.0**-option.decimals
    return option.decimals > 0 and abs(number.value - option.value) < slack
