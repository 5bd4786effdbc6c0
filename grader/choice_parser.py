"""Choice tasks: which option does an output settle on? Every mention of an option is scored
by where and how it stands; the option with the best mention is the answer."""

from __future__ import annotations

import re

from .choices import find_options, normalise_option
from .phrases import EXPLICIT, declines
from .records import Candidate, Extraction, Half, Task
from .region import ANSWER_BEARING
from .scan import Scan
from .settings import GradeSettings
from .text import Block

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
    "negated": -4.0,  # "not an experiment"
    "supposed": -3.0,  # "would be false if"
    "declined": -3.0,  # "has yet to be tested"
    "reasoning_only": -2.0,
}
_TIE = 0.3
_STATED = re.compile(
    r"\b(?:option|choice)\W{0,3}$"
    r"|\b(?:answer|choose|chose|select|pick|opt for|go with|conclu\w+|therefore|thus|hence|so"
    r"|decision|verdict|statement|corresponds to)\b[^.\n]{0,60}$",
    re.IGNORECASE,
)
_NEGATED = re.compile(
    r"\b(?:not|n't|never|no longer|rather than|instead of|rul(?:es?|ed|ing) out"
    r"|exclud(?:e|es|ed|ing))(?: an?| the| option)?\W{0,3}$",
    re.IGNORECASE,
)
_NEGATED_AFTER = re.compile(r"\W{0,3}(?:does|do|is|are|was|would|can)(?:\s?not\b|n['’]t\b)", re.I)
_SUPPOSED = re.compile(
    r"(?:\b(?:would (?:only )?be|could be|might be|if|unless|whether)|\([^()]{0,30}\boption)"
    r"\W{0,3}$",
    re.IGNORECASE,
)
_CONDITIONAL = re.compile(r"\bif\b[^\n]{5,140}\bwould\b[^.\n]{0,40}$|\botherwise\W{0,3}$", re.I)
_QUOTE = re.compile(r"(?:\*\*|__|[\"'“`])\W{0,2}$")
_LITTLE_WORDS = frozenset({"yes", "no", "true", "false"})
_STANDS_OUT = {"answer_section", "explicit", "stated", "first_word", "emphasised"}


def parse_choice(scan: Scan, half: Half, task: Task, settings: GradeSettings) -> Extraction:
    """The option that one half of an output settles on. Two options whose best mentions score
    alike are ambiguous."""
    best: dict[str, tuple[float, Candidate, Block]] = {}
    blocks = [block for block in scan.output.blocks if block.kind in ANSWER_BEARING[half]]
    opening = scan.opening()
    closing = blocks[-1] if blocks else None
    for block in blocks:
        whole = normalise_option(block.text, task) if len(block.text) < 200 else None
        for mention in find_options(block.text, task):
            names = _evidence(block, mention, task)
            names += ["whole_block"] if whole == mention.value else []
            names += ["opening"] if block is opening else []
            names += ["concluding_section"] if scan.is_concluding(block) else []
            names += ["closing"] if block is closing else []
            score = sum(WEIGHTS[name] for name in names) + scan.block_score(block)
            key = str(mention.value)
            if key in _LITTLE_WORDS and not _STANDS_OUT & set(names) and whole is None:
                continue  # "there is no doubt" is no answer
            if key not in best or score >= best[key][0]:
                best[key] = score, mention, block
    ranked = sorted(best.values(), key=lambda entry: -entry[0])
    if not ranked or ranked[0][0] < 0:
        return Extraction(parser="keyword", half=half)
    score, chosen, block = ranked[0]
    kept = [mention for value, mention, _ in ranked if score - value <= _TIE]
    return Extraction(
        parser="keyword",
        half=half,
        region_text=block.text,
        region_score=round(scan.block_score(block), 6),
        low_confidence=score <= settings.region_threshold,
        candidates=tuple(kept),
        rejected=tuple(mention for _, mention, _ in ranked[len(kept) :]),
        ambiguous=len(kept) > 1,
        scalar=chosen.value if len(kept) == 1 else None,
    )


def _evidence(block: Block, mention: Candidate, task: Task) -> list[str]:
    before = block.text[max(0, mention.span[0] - 160) : mention.span[0]]
    names = []
    if block.kind == "answer":
        names.append("answer_section")
    if block.kind == "reasoning":
        names.append("reasoning_only")
    explicit = list(EXPLICIT.finditer(before))
    if explicit and not find_options(before[explicit[-1].end() :], task):
        names.append("explicit")
    elif _STATED.search(before):
        names.append("stated")
    if not block.text[: mention.span[0]].strip(" \t\n*_#>\"'`([$"):
        names.append("first_word")
    if _QUOTE.search(before):
        names.append("emphasised")
    if _NEGATED.search(before) or _NEGATED_AFTER.match(block.text, mention.span[1]):
        names.append("negated")
    if _SUPPOSED.search(before) or _CONDITIONAL.search(before):
        names.append("supposed")
    if declines(block.text):
        names.append("declined")
    return names
