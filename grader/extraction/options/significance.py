"""Yes or no, where a question asks whether something is significant and the answer only says that
it is, or is not: "the difference is not significant"; so for "there is a difference" or "no
difference", "significant" or "not significant"."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ...text import Block
from ...text.sentences import sentence_around

_ASKED = re.compile(
    r"\b(?:is|are|was|were|does|do|did)\b(?:(?!\bnot\b|n['’]t)[^.?\n]){0,200}"
    r"\b(?:significan|evidence)[^.?\n]{0,200}\?",
    re.IGNORECASE,
)
_SAID = re.compile(
    r"\b(in|non-?)?significant(?:ly)?\b"
    r"|\b(?:reach|attain)\w*\s(?:statistical\s)?significance\b|\bstatistically\sindis(tinguishable)\b"
    r"|\b(chance)(?: alone)? (?:is|does|explains|can)\b"  # chance alone is no explanation
    r"|\b(in)?(?:sufficient|convincing|strong|solid|ample|enough|statistical|good|clear|real)\sevidence\b"
    r"|(?<=\bno )evidence\b(?=\W*(?:$|[.,(;]| (?:of|for|that) [^.;,]{0,40}?"
    r"\b(?:differ\w*|effects?|associations?|relation\w*)))"
    r"|\bevidence do(?:es)?(?: not|n['’]t) (?:support|suggest|show|indicate)\b",
    re.IGNORECASE,
)
_DIFFER = re.compile(
    r"\bdiffer(?:s|ed)?\b|\bdifferent\b|\bthere(?:['’]s| is) (?:\w+ )?a (?:\w+ )?difference\b", re.I
)
# Sentences in which "differ" does not say what a test found.
_OF_HYPOTHESIS = re.compile(r"\bH_?\{?[01aA]\}?\b|\bhypothes\w+|\bnull\b", re.IGNORECASE)
_JOINTS = re.compile(r";\s|,\s(?:so|thus|hence|therefore|and)\b", re.IGNORECASE)
_THERE_IS = re.compile(r"(?:there (?:is|are) )?(?:an? )?")
_NOT = re.compile(r"\b(?:not|no|never|neither|nor|without|fails?|lacks?|cannot)\b|n['’]t\b", re.I)
_OPEN = re.compile(
    r"\b(?:if|whether|would|could|might|may|should|expect\w*|hypothes\w+"
    r"|test(?:s|ed|ing)? (?:for|of)|marginally|almost|nearly|partly"
    r"|although|but|while|whereas|however|except|only)\b|\?|[<>]\s*$",
    re.IGNORECASE,
)
_MOST = 20


def said_significance(
    blocks: Sequence[Block], known: Mapping[str, str], question: str
) -> tuple[Block, int, int, str] | None:
    """The last place in the prose that says whether something is significant, as a block, start,
    end and option. None if the options are not about that, if the prose never says it, or does so
    with reservations or in two ways."""
    options = significance_options(known, question)
    if options is None:
        return None
    asks_for_difference = "differen" in known.get(options[1], "")
    found: list[tuple[Block, int, int, str]] = []
    for block in blocks:
        if block.kind not in ("prose", "answer") or block.text.startswith("|"):
            continue
        said_here = list(_SAID.finditer(block.text))
        if asks_for_difference:
            said_here += _DIFFER.finditer(block.text)
        for said in sorted(said_here, key=re.Match.start)[-_MOST:]:
            first, last = sentence_around(block.text, said.start(), said.end())
            if said[0].lower().endswith("evidence"):
                last = said.start()  # what follows says of what: that the means are not all equal
            for joint in _JOINTS.finditer(block.text, first, said.start()):
                first = joint.end()
            sentence = block.text[first:last]
            if said.re is _DIFFER and _OF_HYPOTHESIS.search(sentence):
                continue
            if _OPEN.search(sentence):
                return None
            has_prefix = said.re is _SAID and any(said.groups())
            is_denied = (_NOT.search(sentence) is not None) != has_prefix
            found.append((block, said.start(), said.end(), options[is_denied]))
    if len({answer for *_, answer in found}) != 1:
        return None
    return found[-1]


def significance_options(known: Mapping[str, str], question: str) -> tuple[str, str] | None:
    """The options that say that something is significant, and that it is not; None for others, or
    if the question does not ask that."""
    if known.keys() >= {"yes", "no"}:
        return ("yes", "no") if _ASKED.search(question) else None
    bare = {_bare(wording): key for key, wording in known.items()}
    for wording, key in bare.items():
        is_about_this = "significan" in wording or "differen" in wording
        for no in ("no ", "not ") if is_about_this and len(known) == 2 else ():
            if denial := bare.get(no + wording):
                return key, denial
    return None


def _bare(wording: str) -> str:
    """An option without "there is a" in front."""
    lowered = " ".join(wording.lower().split())
    return lowered[match.end() :] if (match := _THERE_IS.match(lowered)) else lowered
