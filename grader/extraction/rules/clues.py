"""Which of the rules are tried on a number, so that few of them are: those with a clue near it.

Sets of rules are whole numbers here, with a bit for each rule in the order of the table.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import cache, lru_cache
from typing import NamedTuple

from ...text.formats import BlockKind
from ..question import Question, once
from .context import Context
from .rule_table import RULES, Rule


class Possible(NamedTuple):
    """The sets of rules that can fire in a text at all, and that have a clue in all of it or need
    none."""

    allowed: int
    hinted: int


def possible_rules(lowered: str, kind: BlockKind, question: Question) -> Possible:
    """The rules that can fire in a text, given in lower case, for a question."""
    hinted = _WITHOUT_CLUES
    for hint, rules in _HINTS:
        if hint in lowered:
            hinted |= rules
    return Possible(_of_kind(kind) & _asked(question), hinted)


def first_mark(context: Context, possible: Possible) -> Rule | None:
    """The first rule that fires on a number, or None for a plain candidate."""
    for fires, rule in _tests(rules_to_try(context, possible)):
        if fires(context):
            return rule
    return None


def rules_to_try(context: Context, possible: Possible) -> int:
    """The set of the rules that can fire on a number."""
    rules = possible.allowed & (
        possible.hinted
        | _BY_SIGN_BEFORE.get(context.before.rstrip()[-1:], 0)
        | _BY_SIGN_AFTER.get(context.after.lstrip()[:1], 0)
        | _BY_WORD.get(context.last_word, 0)
    )
    return rules if context.number.is_integer else rules & _OF_ANY_NUMBER


@lru_cache(maxsize=4096)
def _tests(rules: int) -> tuple[tuple[Callable[[Context], bool], Rule], ...]:
    """The rules of a set in the order of the table, each with its test in front."""
    return tuple([(r.fires, r) for place, r in enumerate(RULES) if rules >> place & 1])


@cache
def _of_kind(kind: BlockKind) -> int:
    """The set of the rules that can fire in a text of this kind."""
    return _those(lambda rule: rule.kind in (None, kind))


@once
def _asked(question: Question) -> int:
    """The set of the rules that can fire for a question."""
    return _those(lambda rule: rule.asked is None or rule.asked(question))


def _those(belong: Callable[[Rule], bool]) -> int:
    """The set of the rules for which something holds."""
    return sum([1 << place for place, rule in enumerate(RULES) if belong(rule)])


def _by_clue(clues_of: Callable[[Rule], Collection[str]]) -> dict[str, int]:
    """The set of rules that each clue belongs to."""
    found: dict[str, int] = {}
    for place, rule in enumerate(RULES):
        for clue in clues_of(rule):
            found[clue] = found.get(clue, 0) | 1 << place
    return found


_HINTS = tuple(_by_clue(lambda rule: rule.hints).items())
_BY_SIGN_BEFORE = _by_clue(lambda rule: rule.before)
_BY_SIGN_AFTER = _by_clue(lambda rule: rule.after)
_BY_WORD = _by_clue(lambda rule: rule.words)
_WITHOUT_CLUES = _those(lambda r: not (r.hints or r.before or r.after or r.words))
_OF_ANY_NUMBER = _those(lambda rule: not rule.whole)
