"""Yes or no, accept or reject, where the answer only says whether a null hypothesis is rejected:
"normality is rejected", of a question whether something is normally distributed."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ...text import Block
from ...text.sentences import sentence_around
from .significance import significance_options

_ASKED = re.compile(
    r"\b(?:is|are|was|were|does|do|did|can|could|has|have)\b(?:[^.?\n]|\.\d){3,300}\?", re.I
)
# Null hypotheses that say what is asked: a rejection means no.
_OF_NULL = re.compile(
    r"""
    \b normally \s distributed \b | \b normality \b | \A normal \Z
    | \b (?: a | the ) \s normal \s distribution \b
    | \b (?: be | is | are ) \s (?: \w+ly \s )? normal \b | \b homos[ck]ed
    | \b (?: equal | constant | homogeneous ) \s (?: \w+ \s )? varianc
    | \b independent \b (?! [ -] (?: samples? | variable | t\b | two ) )
    | \b (?: valid | exogenous | equal | identical | the \s same )
      (?: \? | \s (?: at | in | across | for | between | among ) \b )
    """,
    re.IGNORECASE | re.VERBOSE,
)
_OPPOSED = re.compile(  # an option opposed to one that names a null hypothesis
    r"\b(?:not|non|unequal|different|heteros[ck]ed|dependent|associated|related|invalid"
    r"|endogenous)",
    re.IGNORECASE,
)
_CONSTANT = re.compile(
    r"\bhomos[ck]ed|\b(?:equal|constant|homogeneous)\s(?:\w+\s)?varianc", re.IGNORECASE
)
_ASSUMPTION = re.compile(  # of a test, rejected or not: says nothing of its result
    r"\bnormal(?:ity|ly)\b|\b(?:homo|hetero)s[ck]ed|\b(?:equal|constant|homogene\w+)[^.;]{0,12}\bvariances?\b|\bLevene\b"
    r"|\bShapiro\b",
    re.IGNORECASE,
)
_DEPARTS = re.compile(
    r"\b(?:not|non|against|depart\w*|deviat\w*|violat\w*)\b|n['’]t\b", re.IGNORECASE
)
_STATIONARY = re.compile(r"\bstationar", re.IGNORECASE)
# Null hypotheses that deny it: a rejection means yes.
_OF_ALTERNATIVE = re.compile(
    r"""
    \b (?: differ \w* | significan\w* | associat\w+ | relat (?: ed | ion \w* )
         | depend (?: s | ent ) | effects? | caus\w+ | correlat\w+ | cointegrat\w+
         | autocorrelat\w+ | heteros[ck]ed\w+ | reject \w* | evidence ) \b
    """,
    re.IGNORECASE | re.VERBOSE,
)
_ASKS_TO_REJECT = re.compile(r"\breject(?:ed)?\b", re.IGNORECASE)
_REJECTS = re.compile(
    r"\breject(?:s|ed|ing)?\b|\bviolated\b|\b(?:given up|abandoned|discarded)\b"
    r"|\b(?:retain(?:ed)?|null(?:\shypothesis)?\sstands)\b"
    r"|\b(?:survives?|(?:be|is) (?:maintained|upheld|sustained))\b",
    re.IGNORECASE,
)
_OF_REJECTION = ("reject", "violat", "given", "abandon", "discard")  # of these, how they begin
_DENIES = re.compile(
    r"""
    (?: \b (?: not | never | cannot | no | hardly | scarcely | unable
             | insufficient | without | fail (?: s | ed | ure )? ) \b | n['’]t \b )
    [^,;:.]{0,40} $
    """,
    re.IGNORECASE | re.VERBOSE,
)
_BY_NO_TEST = re.compile(r"\b(?:none|neither)\b[^,;:.]{0,40}$", re.IGNORECASE)  # <rejects> it
_OPEN = re.compile(
    r"\b(?:if|whether|when|would|could|might|may|should|test(?:s|ed|ing)? (?:whether|for)|smaller"
    r"|neither rejected nor|alternative|at the (?:1|10)\s?%)(?!\w)|\?",
    re.IGNORECASE,
)
_CLAUSE_END = re.compile(
    r";|,? (?:and|so) the\b|, (?:and|so|but) (?:an?|it|its|we|this|that|one)\b"
)
_KPSS = re.compile(r"\bkpss\b", re.IGNORECASE)  # its null hypothesis is that of a stationary series
_OBJECT = re.compile(  # but not: rejects the null hypothesis, rejects it
    r"\s(?:the\s)?(?!(?:null|test|it|this|that|at|for|in|by|with|and)\b|hypothes|h_?0)"
    r"([a-z]{4,}(?:\s[a-z]{4,})?)",
    re.IGNORECASE,
)
_MOST, _STEM = 20, 6


def said_rejection(
    blocks: Sequence[Block], known: Mapping[str, str], question: str
) -> tuple[Block, int, int, str] | None:
    """The last place in the prose that says whether a null hypothesis is rejected, as a block,
    start, end and the option that this means. None if the question asks something else, or if the
    prose never says it, leaves it open, or says both."""
    options, null = _options(blocks, known, question), ""
    if options is None:
        options = _of_two_names(known)
        if options is None:
            return None
        null = known[options[0]]
    found: list[tuple[Block, int, int, str]] = []
    for block in blocks:
        if block.kind not in ("prose", "answer"):
            continue
        for said in list(_REJECTS.finditer(block.text))[-_MOST:]:
            start, end = said.span()
            first, last = sentence_around(block.text, start, end)
            joint = _CLAUSE_END.search(block.text, end, last)
            last = joint.start() if joint else last
            before = block.text[first:start]
            if null:
                if not _names(block.text[first:last], null):
                    continue
            elif _ASSUMPTION.search(before) and not _ASSUMPTION.search(question):
                continue
            if _OPEN.search(block.text, first, last) or _is_of_else(block.text, end, question):
                continue
            is_of_rejection = said[0].lower().startswith(_OF_REJECTION)
            is_denied = _DENIES.search(before) is not None or (
                is_of_rejection and _BY_NO_TEST.search(before) is not None
            )
            is_rejected = is_denied != is_of_rejection
            found.append((block, start, end, options[is_rejected]))
    return found[-1] if len({option for *_, option in found}) == 1 else None


def _names(sentence: str, null: str) -> bool:
    """Whether a sentence names a null hypothesis as the option does; "constant variance" is
    homoskedastic."""
    if _CONSTANT.search(null):
        return _CONSTANT.search(sentence) is not None
    said = sentence.lower()
    return all(word[:_STEM] in said for word in null.lower().split())


def _is_of_else(text: str, end: int, question: str) -> bool:
    """Whether what is rejected is something that the question does not name: "rejects equal
    variances"."""
    found = _OBJECT.match(text, end)
    if found is None:
        return False
    asked = question.lower()
    return not any(word[:_STEM] in asked for word in found[1].lower().split())


def _options(
    blocks: Sequence[Block], known: Mapping[str, str], question: str
) -> tuple[str, str] | None:
    """The options that mean that the null hypothesis is not rejected, and that it is. None for
    other options, or if the question asks nothing that a test decides."""
    for kept in ("accept", "not reject"):
        if known.keys() == {kept, "reject"}:
            return kept, "reject"
    asked = _ASKED.search(question) if known.keys() >= {"yes", "no"} else None
    if asked is None:
        said = None if "yes" in known else significance_options(known, question)
        return said[::-1] if said else None
    if _ASKS_TO_REJECT.search(asked[0]):
        return "no", "yes"
    if _STATIONARY.search(asked[0]):
        texts = [question, *(block.text for block in blocks if block.kind != "ui")]
        return None if any(map(_KPSS.search, texts)) else ("no", "yes")
    if _OF_NULL.search(asked[0]):
        return ("no", "yes") if _DEPARTS.search(asked[0]) else ("yes", "no")
    return ("no", "yes") if _OF_ALTERNATIVE.search(asked[0]) else None


def _of_two_names(known: Mapping[str, str]) -> tuple[str, str] | None:
    """The same of options that name what a test decides: homoskedastic, heteroskedastic."""
    nulls = [key for key, wording in known.items() if _OF_NULL.search(wording)]
    others = [key for key, wording in known.items() if _OPPOSED.search(wording)]
    is_pair = len(known) == 2 and len(nulls) == len(others) == 1 and nulls != others
    return (nulls[0], others[0]) if is_pair else None
