"""The option of a text where all options are numbers: the one that ranks first among the numbers of
the text ("by this criterion two clusters are best")."""

from __future__ import annotations

from collections.abc import Mapping
from operator import itemgetter

from ...numbers import Quantity, parse_number
from ...text import Block
from ..evidence import MINIMUM_SCORE, weigh_candidates
from ..parts import Weighed
from ..rules.question_numbers import is_in_list
from ..scan import Scan

_FEWEST_LISTED = 3


def chosen_number(scan: Scan, known: Mapping[str, str]) -> tuple[Block, int, int, str] | None:
    """The number of the prose that gives an option, as block, start, end and option; None if an
    option is no number, or none of them has enough evidence."""
    values = {key: number for key, wording in known.items() if (number := parse_number(wording))}
    if len(values) < len(known):
        return None
    given = [
        (sum(one.evidence.values()), one, key)
        for one in weigh_candidates(scan)
        if one.block.kind in ("prose", "answer") and not is_in_list(one.mark.context)
        for key, value in values.items()
        if _is_same(one.mark.number, value)
    ]
    told: dict[tuple[int, int], set[str]] = {}  # sentence -> the options whose numbers it has
    for _, one, key in given:
        told.setdefault(_place(one), set()).add(key)
    fewest = min(len(values), _FEWEST_LISTED)  # "the fits for 2, 3 and 4" chooses none
    chosen = [found for found in given if len(told[_place(found[1])]) < fewest]
    score, best, key = max(chosen, key=itemgetter(0), default=(0.0, None, ""))
    if best is None or score < MINIMUM_SCORE:
        return None
    return best.block, best.mark.number.start, best.mark.number.end, key


def _place(one: Weighed) -> tuple[int, int]:
    """The sentence of a number: where its block starts and where it starts in that."""
    return one.block.start, one.part.start


def _is_same(number: Quantity, option: Quantity) -> bool:
    """Whether a number is an option, perhaps with more decimals: 13.12 where 13.1 is one."""
    if number.value == option.value:
        return True
    slack = 0.5 * 10.0**-option.decimals
    return option.decimals > 0 and abs(number.value - option.value) < slack
