"""Evidence for and against a mention of an option: the words around it, and its block."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ..records import Candidate
from ..text import Block
from .mentions import find_mentions
from .phrases import EXPLICIT, declines

WEIGHTS: dict[str, float] = {
    "answer_section": 4.0,  # inside <answer> or an equivalent
    "whole_block": 4.0,  # the block is the option and nothing else
    "explicit": 3.5,  # "final answer: B"
    "stated": 2.5,  # "so the answer is B", "I would choose B"
    "ticked": 2.5,  # on the line with a tick, of several
    "first_word": 2.0,  # "Yes. The interval ..."
    "label": 1.5,  # "Most probable: B" is all its line says
    "emphasised": 0.7,
    "concluding_section": 1.5,  # under a heading like "Conclusion"
    "opening": 0.7,
    "closing": 0.7,
    "negated": -8.0,  # "not an experiment", "fail to reject"
    "hypothetical": -8.0,  # "if it were, the answer would be B", "many would say B"
    "supposed": -3.0,  # "would be false if"
    "declined": -3.0,  # "has yet to be tested"
    "in_reasoning": -2.0,
}
STANDS_OUT = frozenset(
    {"answer_section", "whole_block", "explicit", "stated", "ticked", "first_word", "label",
     "emphasised", "concluding_section"}
)  # fmt: skip
MOST_MENTIONS = 400  # of one block, the last ones, so that time stays bounded
LEADING_SIGNS = " \t\n*_#>\"'`([$"
# In the examples, <B> is the option that is mentioned.
_STATED = re.compile(
    r"""
    \b (?: option | choice ) \W{0,3} $                            # option <B>
    # Since p = 0.3, we clearly <fail to reject>
    | \b (?: since | because | as | with | given ) \s (?: [^.\n] | \.\d ){3,120} ,
      \s (?: we | i ) \s (?: \w+ \s ){0,3} $
    # so the answer must be <B>, I would choose <B>, which leaves <B>
    | \b (?: answer | choose | chose | select | pick | opt[ ]for | go[ ]with | conclu\w+
           | therefore | thus | hence | so | decision | verdict | statement | corresponds[ ]to
           | leaves | leaving | what[ ]remains[ ]is ) \b
      # but not: I would choose B, since <A> is too low
      (?: (?! \b (?: since | because | while | whereas | rather | unlike ) \b ) [^.\n] ){0,60} $
    """,
    re.IGNORECASE | re.VERBOSE,
)
# A denial, and what may stand between it and an option.
_OPTION_DENIED = re.compile(
    r"""
    (?: \b (?: not | never | no[ ]longer | cannot | hardly | neither | nor     # not <B>
             | rather[ ]than | instead[ ]of | far[ ]from                       # rather than <B>
             | non                                                             # non-<normal>
             | rul (?: es? | ed | ing ) [ ]out | exclud (?: e | es | ed | ing )
             | fail (?: s | ed | ing | ure )? | unable | insufficient | lack[ ]of
             | no (?= \s+ (?: \w+ \s+ )? (?: evidence | reason | grounds? | basis ) ) )
      | n['’]t )
    # little words up to the option: not to be considered an <experiment>
    (?: [\s-]+ (?: \w+ly | an? | the | option | to | be | been | is | appears? | seems? | have
                 | any | enough | sufficient | strong | convincing | evidence | reason | grounds?
                 | basis | called | considered | deemed | said | say | conclude | that | it
                 | this ) ){0,6}
    \W{0,3} $
    # no good reason for us to <reject>
    | \b no \s (?: \w+ \s )? (?: grounds? | reason | evidence | basis ) \b [^.,;\n]{0,50} $
    """,
    re.IGNORECASE | re.VERBOSE,
)
_DENIED_AFTER = re.compile(
    r"""
    \W{0,3}
    (?: (?: does | do | is | are | was | were | would | can ) (?: \s? not \b | n['’]t \b )
      # <B> is clearly wrong, <B> must be ruled out
      | (?: is | are | was | were | must[ ]be | (?: can | would | could | may | might ) [ ]be ) \s
        (?: \w+ly \s )?
        (?: incorrect | invalid | wrong | misleading | ruled[ ]out | excluded | impossible
          | implausible ) \b )
    """,
    re.IGNORECASE | re.VERBOSE,
)
_AFFIRMED_AFTER = re.compile(
    r"""
    \W{0,3} (?: is | must[ ]be ) \s
    (?: right | correct                              # <B> is right
      | the \s (?: (?: right | correct | best ) \s )? (?: answer | option | choice ) ) \b
    """,
    re.IGNORECASE | re.VERBOSE,
)
_REJECTED = re.compile(r"\breject(?:s|ed|ing)?\b(?:\s(?:the|that|an?))?\s\W{0,2}$", re.IGNORECASE)
_SUPPOSED = re.compile(
    r"""
    (?: \b (?: would[ ] (?: only[ ] )? be | could[ ]be | might[ ]be | if | unless
             | whether (?: \s \w+ ){0,4} )           # whether the answer is <yes>
      | \( [^()]{0,30} \b option )                   # (the first option <A>
    \W{0,3} $
    """,
    re.IGNORECASE | re.VERBOSE,
)
_CONDITIONAL = re.compile(r"\bif\b[^\n]{5,140}\bwould\b[^.\n]{0,40}$|\botherwise\W{0,3}$", re.I)
_CONDITION = re.compile(r"\b(?:if|although|though|otherwise|unless)\b", re.IGNORECASE)
# A rule for deciding ("if p < 0.05, the answer is yes"), and who else would say so.
_DECISION_RULE = re.compile(
    r"""
    \b if \b \s (?! anything | you | we )            # but not: if anything, if we look closely
    [^;\n]{0,60}?
    (?: [<>≤≥]                                       # if p < 0.05, <yes>
      | \b (?: below | above | less | greater | smaller | larger | exceeds? | under | over
             | significant ) \b )
    [^;\n]* $
    """,
    re.IGNORECASE | re.VERBOSE,
)
_CONDITION_AFTER = re.compile(r"[^.,;\n]{0,20}\bif\b", re.IGNORECASE)
_OTHERS_SAY = re.compile(
    r"""
    # many people would probably say that it is <B>
    \b (?: most | many | some | one | they | others | textbooks? | people | you ) \b
    [^.;\n]{0,40}?
    \b (?: would | may | might | could | will ) \s (?: \w+ly \s )?
    (?: answer | say | suspect | think | expect | argue | guess | believe | object ) \b
    [^.,;\n]{0,60} $
    """,
    re.IGNORECASE | re.VERBOSE,
)
_QUOTE = re.compile(r"(?:(\*\*|__)|[\"'“`])\W{0,2}$")
_OPTION_LABEL = re.compile(
    r"""
    (?: ^ | \n | [.!?] \s ) [\W_]{0,9}               # a line or sentence begins, perhaps in bold
    (?: \w [\w'-]* [^\S\n]+ ){0,3} \w [\w'-]*        # Most probable
    [*_]{0,3} \s? (?: : | → | = ) [*_]{0,3}          # :
    [^\S\n]* [\W_]{0,3} $                          # <B>
    | (?: ^ | \n ) [^\S\n]* (?: → | => ) [^\S\n]* [\W_]{0,3} $      # → <B>
    """,
    re.VERBOSE,
)
# Labels of something else than the answer: "Null hypothesis: B", "Options: B".
_OTHER_LABEL = re.compile(
    r"""
    \b (?: hypothes\w+ | h0 | h1 | ha | null | alternative | treatment | control | group
         | question | options? | choices? | statement | claim
         | first | initial\w* | expected | assum\w+ | prior | naive | baseline | reference
         | (?<! best[ ] ) model                      # but not: best model
         | not | incorrect | wrong | if ) \b
    [^\n]* $
    """,
    re.IGNORECASE | re.VERBOSE,
)
_LINE_END = re.compile(r"[*_`\"'”)\]]{0,6}(?:\s\([^()\n]{1,40}\))?[\W_]{0,4}(?:\n|$)")
_REPLY_END = re.compile(r"[*_]{0,3}(?:[.,;:!\n—–]|$)")  # Is it normal? <Yes>.
_NOUN_FOLLOWS = re.compile(
    r"""
    [*_`\"']{0,4} \s+                                # <no> evidence; but not: <no> because it
    (?! because | since | as \b | the \b | there | this | it \b | we \b | i \b ) [a-z]
    """,
    re.VERBOSE,
)
_SENTENCE_BREAK = re.compile(r"[.!?](?=\s)|\n")
_TICK, _CROSS = re.compile("[✓✔✅☑]"), re.compile("[✗✘❌☐✖]")
_CONTRAST = re.compile(
    r"""
    \b (?: although | though | but | however | while | whereas | would | could | might | needs?
         | instead | otherwise | before | prior | expected ) \b
    """,
    re.IGNORECASE | re.VERBOSE,
)
_WORDS_BEFORE = 160  # characters


def block_evidence(block: Block, is_concluding: bool) -> list[str]:
    """The evidence for or against all mentions in a block."""
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
    """The evidence for or against one mention, from the words around it. first_word: where the
    first word of the block's text begins."""
    start, end = mention.span
    before = text[max(0, start - _WORDS_BEFORE) : start]
    names = _for(text, mention, before, known)
    if start <= first_word and not (
        mention.value in ("yes", "no") and _NOUN_FOLLOWS.match(text, end)
    ):
        names.append("first_word")
    if (quote := _QUOTE.search(before)) and _opens_emphasis(quote, before):
        names.append("emphasised")
    names += _against(text, mention, before, known)
    ticked = _ticked(text, start, end)
    return [*names, ticked] if ticked else names


def _for(text: str, mention: Candidate, before: str, known: Mapping[str, str]) -> list[str]:
    explicit = list(EXPLICIT.finditer(before))
    if explicit and not find_mentions(before[explicit[-1].end() :], known):
        return ["explicit"]
    end = mention.span[1]
    if mention.rule == "verdict" or _STATED.search(before) or _AFFIRMED_AFTER.match(text, end):
        return ["stated"]
    if mention.value in ("yes", "no", "true", "false") and _replies(text, before, end):
        return ["stated"]
    is_label = _OPTION_LABEL.search(before) and _LINE_END.match(text, end)
    if is_label and not _OTHER_LABEL.search(before.rpartition("\n")[2]):
        return ["label"]
    return []


def _replies(text: str, before: str, end: int) -> bool:
    """True for the answer to the last question that a text asks itself: "Is it normal? Yes."."""
    asked = before.rstrip(" *_").endswith("?")
    return asked and _REPLY_END.match(text, end) is not None and text.find("?", end) < 0


def _against(text: str, mention: Candidate, before: str, known: Mapping[str, str]) -> list[str]:
    names = []
    start, end = mention.span
    is_denied = _OPTION_DENIED.search(before) or _DENIED_AFTER.match(text, end)
    if is_denied or (_REJECTED.search(before) and not any("reject" in key for key in known)):
        names.append("negated")
    if _OTHERS_SAY.search(before):
        names.append("hypothetical")
    elif _is_supposed(text, end, before):
        first, last = sentence_around(text, start, end)
        names.append("hypothetical" if _CONDITION.search(text, first, last) else "supposed")
    return names


def _is_supposed(text: str, end: int, before: str) -> bool:
    if _SUPPOSED.search(before) or _CONDITIONAL.search(before):
        return True
    sentence = before[max(before.rfind(sign) for sign in (". ", "\n", "! ", "? ", "; ")) + 1 :]
    return bool(_DECISION_RULE.search(sentence) or _CONDITION_AFTER.match(text, end))


def _opens_emphasis(quote: re.Match[str], before: str) -> bool:
    """Whether a mark of emphasis opens what follows; quotation marks always do."""
    return not quote[1] or before.rpartition("\n")[2].count(quote[1]) % 2 == 1


def _ticked(text: str, start: int, end: int) -> str | None:
    """The evidence of the tick or cross on a mention's line, in a text of lines with one tick."""
    tick = _TICK.search(text)
    if tick is None or _TICK.search(text, tick.end()) or "\n" not in text:
        return None
    last = text.find("\n", end)
    line = text[text.rfind("\n", 0, start) + 1 : last if last >= 0 else len(text)]
    if _TICK.search(line):
        return "ticked"
    return "negated" if _CROSS.search(line) else None


def sentence_around(text: str, start: int, end: int) -> tuple[int, int]:
    """Where the sentence (or line) of text[start:end] starts and ends, at most 300 characters to
    either side."""
    first = max(0, start - 300)
    for ending in _SENTENCE_BREAK.finditer(text, first, start):
        first = ending.end()
    last = _SENTENCE_BREAK.search(text, end, end + 300)
    return first, last.start() if last else min(len(text), end + 300)


def is_passing_remark(text: str, mention: Candidate, names: list[str]) -> bool:
    """Whether a mention without evidence is made in passing: beside a contrast, or with more text
    after its sentence."""
    if not STANDS_OUT.isdisjoint(names):
        return False
    first, last = sentence_around(text, *mention.span)
    if _CONTRAST.search(text, first, last):
        return True
    return bool(text[last : last + 300].strip(" .!?\n*_"))


def denial_start(text: str, start: int) -> int:
    """The start of the denial before a mention at `start`; `start` itself without one."""
    lead = max(0, start - _WORDS_BEFORE)
    denial = _OPTION_DENIED.search(text[lead:start])
    return lead + denial.start() if denial else start
