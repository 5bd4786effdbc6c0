"""Choice tasks: which option does an output settle on? Every mention of an option is scored
by where and how it stands; the option with the best mention is the answer."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from ..records import Candidate, Extraction, Half
from ..settings import GradeSettings
from ..text import Block
from .choices import find_mentions, lists, stated_option
from .phrases import EXPLICIT, declines
from .region import ANSWER_BEARING, nothing_found
from .scan import Scan

WEIGHTS: dict[str, float] = {
    "answer_section": 4.0,  # inside <answer> or an equivalent
    "whole_block": 4.0,  # the block is the option and nothing else
    "explicit": 3.5,  # "final answer: B"
    "stated": 2.5,  # "so the answer is B", "I would choose B"
    "first_word": 2.0,  # "Yes. The interval ..."
    "emphasised": 0.7,
    "concluding_section": 1.5,  # under a heading like "Conclusion"
    "opening": 0.7,
    "closing": 0.7,
    "negated": -8.0,  # "not an experiment", "fail to reject"
    "supposed": -3.0,  # "would be false if"
    "declined": -3.0,  # "has yet to be tested"
    "in_reasoning": -2.0,
}
_TIE = 0.3
_STATED = re.compile(
    r"\b(?:option|choice)\W{0,3}$"
    r"|\b(?:answer|choose|chose|select|pick|opt for|go with|conclu\w+|therefore|thus|hence|so"
    r"|decision|verdict|statement|corresponds to)\b[^.\n]{0,60}$",
    re.IGNORECASE,
)
# A denial ("isn't", "fail to", "no evidence to"), and what may stand between it and an option.
_NEGATED = re.compile(
    r"(?:\b(?:not|never|no longer|cannot|hardly|neither|nor|rather than|instead of|far from|non"
    r"|rul(?:es?|ed|ing) out|exclud(?:e|es|ed|ing)|fail(?:s|ed|ing|ure)?|unable|insufficient"
    r"|lack of|no(?=\s+(?:\w+\s+)?(?:evidence|reason|grounds?|basis)))|n['’]t)"
    r"(?:[\s-]+(?:\w+ly|an?|the|option|to|be|been|is|appears?|seems?|have|any|enough|sufficient"
    r"|strong|convincing|evidence|reason|grounds?|basis|called|considered|deemed|said|say|conclude"
    r"|that|it|this)){0,6}\W{0,3}$",
    re.IGNORECASE,
)
_NEGATED_AFTER = re.compile(
    r"\W{0,3}(?:(?:does|do|is|are|was|were|would|can)(?:\s?not\b|n['’]t\b)"
    r"|(?:is|are|was|were|must be|can be)\s(?:\w+ly\s)?(?:incorrect|invalid|wrong|ruled out"
    r"|excluded|impossible|implausible)\b)",
    re.IGNORECASE,
)
_SUPPOSED = re.compile(
    r"(?:\b(?:would (?:only )?be|could be|might be|if|unless|whether)|\([^()]{0,30}\boption)"
    r"\W{0,3}$",
    re.IGNORECASE,
)
_CONDITIONAL = re.compile(r"\bif\b[^\n]{5,140}\bwould\b[^.\n]{0,40}$|\botherwise\W{0,3}$", re.I)
_QUOTE = re.compile(r"(?:\*\*|__|[\"'“`])\W{0,2}$")
MOST_MENTIONS = 400  # of one block, the last ones, so that time stays bounded
_WORDS_BEFORE = 160  # characters
LEADING_SIGNS = " \t\n*_#>\"'`([$"
_LONGEST_OPTION = 200
_LITTLE_WORDS = frozenset({"yes", "no", "true", "false"})
_STANDS_OUT = {"answer_section", "explicit", "stated", "first_word", "emphasised"}


class _Scored(NamedTuple):
    score: float
    mention: Candidate
    block: Block


def parse_choice(
    scan: Scan, half: Half, known: Mapping[str, str], settings: GradeSettings
) -> Extraction:
    """Which of the options `known` one half of an output settles on. Two options whose best
    mentions score alike are ambiguous."""
    best: dict[str, _Scored] = {}
    for scored in _scored_mentions(scan, half, known):
        key = str(scored.mention.value)
        if key not in best or scored.score >= best[key].score:
            best[key] = scored
    ranked = sorted(best.values(), key=lambda scored: -scored.score)
    if not ranked or ranked[0].score < 0:
        return nothing_found(half)
    score, chosen, block = ranked[0]
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


def _scored_mentions(scan: Scan, half: Half, known: Mapping[str, str]) -> Iterator[_Scored]:
    """The mentions of options in one half, in order, each with what speaks for it in figures:
    for all options of a list ("A and B") alike."""
    blocks = [block for block in scan.output.blocks if block.kind in ANSWER_BEARING[half]]
    opening, opposites = scan.opening(), _opposites(known)
    for block in blocks:
        mentions = find_mentions(block.text, known)[-MOST_MENTIONS:]
        if not mentions:
            continue
        whole = stated_option(block.text, known) if len(block.text) < _LONGEST_OPTION else None
        of_block = _block_evidence(block, scan.is_concluding(block))
        of_block += ["opening"] if block is opening else []
        of_block += ["closing"] if block is blocks[-1] else []
        block_score = scan.block_score(block)
        first_word = len(block.text) - len(block.text.lstrip(LEADING_SIGNS))
        for listed in lists(block.text, mentions):
            evidence = of_block + mention_evidence(block.text, listed[0], first_word, known)
            for mention in listed:
                names = evidence + (["whole_block"] if whole == mention.value else [])
                if "negated" in names and (opposite := opposites.get(str(mention.value))):
                    names.remove("negated")
                    mention = _denied(mention, opposite, block.text)
                if whole is None and _is_by_the_way(mention, names):
                    continue
                yield _Scored(sum(WEIGHTS[name] for name in names) + block_score, mention, block)


def _is_by_the_way(mention: Candidate, names: list[str]) -> bool:
    """True for a little word that is no answer, as in "there is no doubt"."""
    return mention.value in _LITTLE_WORDS and _STANDS_OUT.isdisjoint(names)


def _opposites(known: Mapping[str, str]) -> dict[str, str]:
    """Option -> the one that is its denial: "significant" -> "not significant"."""
    keys = {wording.lower(): key for key, wording in known.items()}
    denials = {key: keys.get(f"not {wording.lower()}") for key, wording in known.items()}
    return {key: denial for key, denial in denials.items() if denial}


def _denied(mention: Candidate, opposite: str, text: str) -> Candidate:
    """A denied mention of an option as a mention of its opposite."""
    start, end = mention.span
    lead = max(0, start - _WORDS_BEFORE)
    if denial := _NEGATED.search(text[lead:start]):
        start = lead + denial.start()
    return Candidate(opposite, text[start:end], (start, end), rule=mention.rule)


def _block_evidence(block: Block, is_concluding: bool) -> list[str]:
    """What speaks for or against every mention in a block."""
    names = []
    if block.kind == "answer":
        names.append("answer_section")
    if block.kind == "reasoning":
        names.append("in_reasoning")
    if declines(block.text):
        names.append("declined")
    if is_concluding:
        names.append("concluding_section")
    return names


def mention_evidence(
    text: str, mention: Candidate, first_word: int, known: Mapping[str, str]
) -> list[str]:
    """What speaks for or against one mention: the words around it. first_word: where the first
    word of the block's text begins."""
    start, end = mention.span
    before = text[max(0, start - _WORDS_BEFORE) : start]
    names = []
    explicit = list(EXPLICIT.finditer(before))
    if explicit and not find_mentions(before[explicit[-1].end() :], known):
        names.append("explicit")
    elif _STATED.search(before):
        names.append("stated")
    if start <= first_word:
        names.append("first_word")
    if _QUOTE.search(before):
        names.append("emphasised")
    if _NEGATED.search(before) or _NEGATED_AFTER.match(text, end):
        names.append("negated")
    if _SUPPOSED.search(before) or _CONDITIONAL.search(before):
        names.append("supposed")
    return names
