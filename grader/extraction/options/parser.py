"""Choice tasks: the option that an output settles on. Every mention of an option is scored by its
place and form; the option with the best mention is the answer."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import NamedTuple

from ...records import Candidate, Extraction, Half, Task
from ...settings import GradeSettings
from ...text import Block
from ...text.sentences import sentence_around
from ..mentions.clauses import asks_for_most, given_in
from ..mentions.denials import denial_start
from ..mentions.evidence import (
    LEADING_SIGNS,
    MOST_MENTIONS,
    STANDS_OUT,
    WEIGHTS,
    block_evidence,
    mention_evidence,
    ticked_block,
)
from ..mentions.finding import find_mentions, lists
from ..mentions.passing import is_passing_remark
from ..question import Question
from ..region import ANSWER_BEARING, nothing_found
from ..scan import Scan
from .by_number import chosen_number
from .by_sentence import said_by_sentence
from .choices import options, other_words, stated_option
from .items import is_answering_cell, items_of
from .significant_ones import significant_one

_TIE = 0.3
_LONGEST_OPTION = 200
_LEAD = 100  # characters in which a phrase that leads to an answer is looked for
_LITTLE_WORDS = frozenset({"yes", "no", "true", "false"})
# A direction in arrows is one of several that are tried, unless it stands out; the first word of a
# text often names the first one tried.
_STANDS_OUT_ALONE = STANDS_OUT - {"first_word"}
_ARROW = re.compile(r"→|->|=>|⇒|⟶")
_BUT = re.compile(r"\b(?:but|however)\b", re.IGNORECASE)
_BEFORE_OF = re.compile(r"\s(?:of|in)\b")
# Where "yes" or "true" answers, whichever of them the task has for options.
_LEADS_TO_ANSWER = re.compile(
    r"""
    (?: \b (?: answer (?: \s to \s [^.\n]{0,60}? )? | option | choice ) (?: \s letter )?
        \W{0,4} (?: \b (?: is | would \s be ) \b )?   # the answer to the question is <yes>
      | \\boxed \{ (?: \\text \{ )?                  # \boxed{\text{<yes>}}
      | \b (?: conclusion | therefore | thus | hence | so ) )
    \W{0,4} $                                        # Conclusion: <yes>
    """,
    re.IGNORECASE | re.VERBOSE,
)
_ANSWER_ENDS = re.compile(r"[ \t*_`\"'”’)\]}$]*(?:\n|$|[.,;!(—–]|(?:because|since|as)\b)")

_WORDED = frozenset({"wording", "named"})  # rules of mentions by an option's words
_TERM = re.compile(r"\[T\.$|\bC\([^\n\]]*$")
_MARKS_OPTION = re.compile(r"[*_]{0,2}[).:\]][\s*_]{0,4}")


class _Scored(NamedTuple):
    score: float
    mention: Candidate
    block: Block
    names: list[str]


_DENYING_PREFIXES = ("not ", "non-", "non", "un", "in")


def parse_choice(scan: Scan, half: Half, task: Task, settings: GradeSettings) -> Extraction:
    """The option of a task that one half of an output settles on. Two options whose best
    mentions score alike are ambiguous."""
    known = options(task)
    best: dict[str, list[_Scored]] = {}  # the best mentions of each option
    scored_mentions = _scored_mentions(scan, half, known)
    for scored in chain(_in_other_words(scan, half, task), scored_mentions):
        alike = best.setdefault(str(scored.mention.value), [])
        if alike and scored.score > alike[-1].score:
            alike.clear()
        if not alike or scored.score == alike[-1].score:
            alike.append(scored)
    ranked = sorted([alike[-1] for alike in best.values()], key=lambda scored: -scored.score)
    if not ranked or ranked[0].score < 0 or _all_in_passing(best, ranked[0], known, scan.question):
        ranked = _by_sentence(scan, known) if half == "verbal" else []
    elif len(ranked) > 1 and ranked[0].score - ranked[1].score <= _TIE and half == "verbal":
        ranked = _between_alike(ranked, _by_sentence(scan, known)) or ranked
    if not ranked:
        return nothing_found(half)
    score, chosen, block, _ = ranked[0]
    region_score = scan.block_score(block)
    kept = [scored.mention for scored in ranked if score - scored.score <= _TIE]
    return Extraction(
        parser="keyword",
        half=half,
        region_text=block.text,
        region_score=round(region_score, 6),
        low_confidence=region_score <= settings.region_threshold,
        candidates=tuple(kept),
        rejected=tuple([scored.mention for scored in ranked[len(kept) :]]),
        ambiguous=len(kept) > 1,
        scalar=chosen.value if len(kept) == 1 else None,
    )


def _between_alike(alike: Sequence[_Scored], said: Sequence[_Scored]) -> list[_Scored]:
    """What a sentence says where options are named alike: not by one option's words, as others are
    named there too, nor by its number if letters are given."""
    has_letters = any(one.mention.text.isalpha() for one in alike)
    barred = {"distinct_words", "number"} if has_letters else {"distinct_words"}
    return [one for one in said if one.mention.rule not in barred]


def _all_in_passing(
    best: Mapping[str, list[_Scored]], one: _Scored, known: Mapping[str, str], question: Question
) -> bool:
    """Whether all of the best mentions of an option are made in passing."""
    alike = best[str(one.mention.value)]
    return all(
        "given" not in n and is_passing_remark(b.text, m, n, known, question)
        for _, m, b, n in alike
    )


def _scored_mentions(scan: Scan, half: Half, known: Mapping[str, str]) -> Iterator[_Scored]:
    """The mentions of options in one half, in order, each with its score; all options of a list ("A
    and B") get the same."""
    blocks = [block for block in scan.output.blocks if block.kind in ANSWER_BEARING[half]]
    opening, opposites, ticked = scan.opening(), _opposites(known), ticked_block(blocks)
    for block in blocks:
        mentions = find_mentions(block.text, known)[-MOST_MENTIONS:]
        if not mentions:
            continue
        whole = stated_option(block.text, known) if len(block.text) < _LONGEST_OPTION else None
        of_block = block_evidence(block, scan.is_concluding(block))
        of_block += ["opening"] if block is opening else []
        of_block += ["closing"] if block is blocks[-1] else []
        of_block += ["ticked"] if block is ticked else []
        of_block += ["unfinished"] if scan.output.unfinished else []
        block_score = scan.block_score(block)
        can_give = block.kind == "prose" and asks_for_most(scan.question)
        given = given_in(block.text, known, scan.question) if can_give else None
        if block.kind == "prose":
            significant = significant_one(block.text, mentions, scan.question.text)
            given = given or significant
        items = items_of(mentions, block)
        first_word = len(block.text) - len(block.text.lstrip(LEADING_SIGNS))
        if mentions[0].span[0] in items:
            first_word = -1
        for listed in lists(block.text, mentions, known):
            first = listed[0]
            evidence = of_block + mention_evidence(
                block.text,
                first,
                first_word,
                known,
                supposes=scan.question.supposes,
                is_item=first.span[0] in items,
            )
            if "first_word" in evidence and (
                _is_conceded(block.text, first, mentions) or (given and given.value != first.value)
            ):
                evidence.remove("first_word")
            for mention in listed:
                names = evidence + (["whole_block"] if whole == mention.value else [])
                is_given = given and mention.span == given.span and mention.rule in _WORDED
                if is_given and given is significant and "negated" in names:
                    names.remove("negated")
                if is_given and STANDS_OUT.isdisjoint({*names} - {"emphasised"}):
                    names.append("given")
                if "negated" in names and (opposite := opposites.get(str(mention.value))):
                    names.remove("negated")
                    mention = _denied(mention, opposite, block.text)
                if mention.value in _LITTLE_WORDS and is_answering_cell(
                    block.text, mention.span, scan.question
                ):
                    names.append("label")
                if whole is None and _is_no_answer(block.text, mention, names):
                    continue
                if block.kind == "execution" and _is_of_term(block.text, mention):
                    continue
                score = sum(WEIGHTS[name] for name in names) + block_score
                yield _Scored(score, mention, block, names)


def _is_conceded(text: str, first: Candidate, mentions: Sequence[Candidate]) -> bool:
    """Whether a sentence goes on from its first option to another, with a "but" between them."""
    _, last = sentence_around(text, *first.span)
    others = [m for m in mentions if first.span[1] < m.span[0] < last and m.value != first.value]
    return bool(others) and _BUT.search(text, first.span[1], others[-1].span[0]) is not None


def _in_other_words(scan: Scan, half: Half, task: Task) -> Iterator[_Scored]:
    """The answers among the mentions of the task's `other_words`, as mentions of its options.
    Only where they plainly answer: a printed `True` or "the null is false" says something else."""
    others = other_words(task)
    if not others or half == "execution":
        return
    for scored in _scored_mentions(scan, half, {word: word for word in others}):
        mention, text = scored.mention, scored.block.text
        start, end = mention.span
        leads = _LEADS_TO_ANSWER.search(text[max(0, start - _LEAD) : start]) is not None
        alone = not {"whole_block", "first_word"}.isdisjoint(scored.names)
        if not (alone or leads):
            continue
        labels = mention.rule == "letter" and _is_label(
            text, end, others[str(mention.value)], leads
        )
        if labels or _ANSWER_ENDS.match(text, end):
            meant = replace(mention, value=others[str(mention.value)])
            yield scored._replace(mention=meant)


def _is_label(text: str, end: int, wording: str, leads: bool) -> bool:
    """Whether a letter that ends there is marked as that of an option, with its wording behind it:
    `(D) 6`. leads: words lead to the letter as the answer, so that any wording will do."""
    mark = _MARKS_OPTION.match(text, end)
    if mark is None or leads:
        return mark is not None
    return text[mark.end() : mark.end() + len(wording)].lower() == wording


def _by_sentence(scan: Scan, known: Mapping[str, str]) -> list[_Scored]:
    """The option that a sentence gives without naming it, if one does."""
    said = said_by_sentence(scan.output.blocks, known, scan.question)
    if said is None and (number := chosen_number(scan, known)):
        block, start, end, key = number
        said = block, Candidate(key, block.text[start:end], (start, end), rule="number")
    return [_Scored(0.0, said[1], said[0], ["stated"])] if said else []


def _is_no_answer(text: str, mention: Candidate, names: list[str]) -> bool:
    """True for a little word ("there is no doubt", "the null hypothesis of no change"), for the
    name of a topic ("the increase of the price"), and for a direction that does not stand out: it
    is one of several that are tried ("a → b: p = 0.3")."""
    start, end = mention.span
    if mention.value in _LITTLE_WORDS:
        is_named = mention.value == "no" and text.endswith(" of ", 0, start)
        return is_named or STANDS_OUT.isdisjoint(names)
    if _ARROW.search(mention.text) and _STANDS_OUT_ALONE.isdisjoint(names):
        return True
    return (
        mention.rule == "wording"
        and " " not in mention.text
        and text[max(0, start - 4) : start].lower() == "the "
        and _BEFORE_OF.match(text, end) is not None
    )


def _is_of_term(text: str, mention: Candidate) -> bool:
    """True for a level of a factor that labels a row of a regression: `C(arm)[T.treatment]`."""
    start = mention.span[0]
    return _TERM.search(text[max(0, start - _LEAD) : start]) is not None


def _opposites(known: Mapping[str, str]) -> dict[str, str]:
    """Option -> the one that is its denial: "significant" -> "not significant"."""
    keys = {wording.lower(): key for key, wording in known.items()}
    denials = {
        key: next(
            filter(None, [keys.get(f"{no}{wording.lower()}") for no in _DENYING_PREFIXES]), None
        )
        for key, wording in known.items()
    }
    if {"true", "false"} <= known.keys():
        denials |= {"true": "false", "false": "true"}
    if known.keys() == {"accept", "reject"}:
        denials |= {"accept": "reject", "reject": "accept"}
    return {key: denial for key, denial in denials.items() if denial}


def _denied(mention: Candidate, opposite: str, text: str) -> Candidate:
    """A denied mention of an option as a mention of its opposite."""
    start, end = mention.span
    start = denial_start(text, start)
    return Candidate(opposite, text[start:end], (start, end), rule=mention.rule)
