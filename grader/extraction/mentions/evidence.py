"""Evidence for and against a mention of an option: the words around it, and its block."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ...records import Candidate
from ...text import Block
from ..phrases import EXPLICIT
from ..refusals import declines
from .denials import WORDS_BEFORE, against, verdict_behind
from .finding import find_mentions

WEIGHTS: dict[str, float] = {
    "answer_section": 4.0,  # inside <answer> or an equivalent
    "whole_block": 4.0,  # the block is the option and nothing else
    "explicit": 3.5,  # "final answer: B"
    "stated": 2.5,  # "so the answer is B", "I would choose B"
    "ticked": 2.5,  # on the line with a tick, of several
    "last_sentence": 2.0,  # "The p-value is 0.44. No."
    "first_word": 2.0,  # "Yes. The interval ..."
    "label": 1.5,  # "Most probable: B" is all its line says
    "given": 1.5,  # "B has the highest mean", where this is what is asked
    "emphasised": 0.7,
    "concluding_section": 1.5,  # under a heading like "Conclusion"
    "opening": 0.7,
    "closing": 0.7,
    "negated": -8.0,  # "not an experiment", "fail to reject"
    "hypothetical": -8.0,  # "if it were, the answer would be B", "many would say B"
    "supposed": -3.0,  # "would be false if"
    "declined": -3.0,  # "has yet to be tested"
    "in_reasoning": -2.0,
    "unfinished": -4.0,  # the output breaks off
}
STANDS_OUT = frozenset(
    {"answer_section", "whole_block", "explicit", "stated", "ticked", "last_sentence",
     "first_word", "label", "given", "emphasised", "concluding_section"}
)  # fmt: skip
MOST_MENTIONS = 400  # of one block, the last ones, so that time stays bounded
LEADING_SIGNS = " \t\n*_#>\"'`([$"
# In the examples, <B> is the option that is mentioned.
_STATED = re.compile(
    r"""
    \b (?: option | choice ) (?: [ ]letter )? (?: [ ]is )? \W{0,3} $     # option <B>, option is <B>
    # the most plausible of these relations is <B>
    | \b (?: most | more | best ) (?: [ ]\w+ly )? [ ]
      (?: likely | plausible | probable | appropriate | suitable | reasonable | accurate
        | supported | consistent ) \b
      (?: (?! \b (?: since | because | while | whereas | than | not ) \b ) [^.\n] ){0,60}
      \b is \W{0,3} $
    # Since p = 0.3, we clearly <fail to reject>
    | \b (?: since | because | as | with | given ) \s (?: [^.\n] | \.\d ){3,120} ,
      \s (?: we | i ) \s (?: \w+ \s ){0,3} $
    # I would call that a <strong negative> association, not a weak one
    | \b (?: we | i ) \s (?: would \s | will \s | can \s )?
      (?: call | classify | describe | regard | characteri[sz]e | consider | treat ) \b
      [^.,;\n]{0,40} $
    # this is not an experiment but an <observational> study
    | \b not \s [^.;\n]{1,40} ,? \s but \s (?: rather \s )? (?: (?: an? | the ) \s )? \W{0,3} $
    | \d \)? \s? (?: → | -> | => ) \W{0,3} $                               # p = 0.3 > 0.05 → <no>
    # so the answer must be <B>, I would choose <B>, which leaves <B>
    | \b (?: answer | choose | chose | select | pick | opt[ ]for | go[ ]with | conclu\w+
           | lean (?: s | ing )? [ ] towards? | (?: stay | stick ) [ ] (?: with | to )
           | settle [ ] (?: on | for ) | confident [ ] in
           | therefore | thus | hence | so | decision | verdict | statement | corresponds[ ]to
           | leaves | leaving | what[ ]remains[ ]is ) \b
      # but not: I would choose B, since <A> is too low
      (?: (?! \b (?: since | because | while | whereas | rather | unlike | ahead[ ]of ) \b
            | ,[ ](?: with | followed ) \b ) [^.\n] ){0,60} $
    """,
    re.IGNORECASE | re.VERBOSE,
)
# So the closest option is <C>.
_CHOSEN = re.compile(
    r"\b(?:closest|nearest|correct|right|matching) (?:option|choice)(?: letter)?"
    r" (?:is|would be)\W{0,3}$",
    re.IGNORECASE,
)
# We must <reject> the null hypothesis.
_ACTS = frozenset({"accept", "reject"})
_TRUE_OR_FALSE = frozenset({"true", "false"})
_AGENT_BEFORE = re.compile(
    r"\b(?:we|i)\s(?:(?:can|must|should|would|have to|therefore|thus|hence|\w+ly)\s){0,3}$",
    re.IGNORECASE,
)
_OF_ALTERNATIVE = re.compile(r"\s(?:the\s)?(?:alternative|h_?[1a]\b)", re.IGNORECASE)
# This makes it an <observational study>.
_IDENTIFIED = re.compile(
    r"""
    (?: ^ | [.!?\n] \s? | \b (?: so | thus | hence | therefore ) ,? \s ) [\W_]*
    (?: this | that | it ) [ ] (?: is | was | makes[ ](?: it | this ) | must[ ]be ) [ ]
    (?: (?: therefore | thus | clearly | hence ) [ ] )? (?: an? | the ) [ ] [\W_]{0,3} $
    """,
    re.IGNORECASE | re.VERBOSE,
)
# That is <true>. The claim is clearly <false>, since its interval has 0 in it.
_CALLED = re.compile(
    r"""
    (?: ^ | [.!?:,;\n] \s? | \b (?: so | thus | hence | therefore | and ) \s ) [\W_]*
    (?: (?: this | that | it ) (?: \s (?: is | was ) | ['’]s )
      | (?: the | this | that ) \s
        (?: claim | assertion | hypothesis | proposition | conjecture ) \s (?: is | was ) )
    \s (?: (?: \w+ly | not | thus | hence | therefore ) \s ){0,2} \W{0,3} $
    """,
    re.IGNORECASE | re.VERBOSE,
)
_CALLED_ENDS = re.compile(
    r"[*_`\"'”)\]]{0,4}(?:\s?(?:[.;!:\n]|$)|,?\s(?:because|since|as|given)\b)", re.IGNORECASE
)
# Not what an agent answers to a question of its own: Are there outliers? <No.>
_SENTENCE_BEGINS = re.compile(r"(?:^|[.!]\s|(?<!\?)\n)[\W_]{0,6}$")
_BLOCK_ENDS = re.compile(r"[\W_]*\Z")
_REASON_ENDS = re.compile(  # <No>, it is not.
    r"[\W_]*\Z|[*_]{0,2}, (?:[^.!?\n]|\.\d){1,200}[.!]?\s*\Z"
)
_SENTENCE_ENDS = re.compile(r"[*_`\"'”)\]]{0,4}\s?(?:[.;!\n]|$)")
_AFFIRMED_AFTER = re.compile(
    r"""
    \W{0,3} (?: that \s )? (?: comes? | came ) \s (?: out \s )? (?: on \s top | ahead | first ) \b
    | \W{0,3} (?: should [ ] (?: \w+ [ ] )? be | is[ ]to[ ]be | is ) [ ]
      prefer (?: red | able ) \b (?! [ ] (?: only | for | in | by | when | if | more ) \b )
    | \W{0,3} it [ ] is (?= [\s*_]* (?: [.!,;:\n] | $ ) )      # <D> it is.
    | \W{0,3} is \s [^.;\n]{0,60} \b (?: my | our ) [ ] (?: choice | answer | pick ) \b
    | \W{0,3} (?: is | must[ ]be ) \s
    (?: right | correct                              # <B> is right
      | (?: the | our ) \s (?: (?: right | correct | best ) \s )? (?: answer | option | choice )
      | the \s \w+ \s (?: that \s )? (?: i | we ) \s (?: would \s )?
        (?: select | choose | pick | prefer | recommend | use )
      | the \s (?: most \s )? (?: right | correct | best | appropriate | suitable | proper ) \s
        (?: tool | method | approach | test | design | strategy ) ) \b     # <B> is the right tool
    """,
    re.IGNORECASE | re.VERBOSE,
)
_REMAINS = re.compile(r"\W{0,3}remains\W{0,3}(?:[.;\n]|$)")  # so <A> remains.
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
         | not | incorrect | wrong | if | invalid | weak | dropped | removed | excluded | rejected
         | second | third ) \b
    [^\n]* $
    """,
    re.IGNORECASE | re.VERBOSE,
)
_LINE_END = re.compile(r"[*_`\"'”)\]]{0,6}(?:\s\([^()\n]{1,40}\))?[\W_]{0,4}(?:\n|$)")
_NOUN_FOLLOWS = re.compile(
    r"""
    [*_`\"']{0,4} \s+                                # <no> evidence; but not: <no> because it
    (?! because | since | is \b | as \b | the \b | there | this | it \b | we \b | i \b ) [a-z]
    """,
    re.VERBOSE,
)
_OPERATOR_FOLLOWS = re.compile(r"\s?[-+*/×÷−=]\s?[(0-9]")  # <12> + 3 = 15
_TICK, _CROSS = re.compile("[✓✔✅☑]"), re.compile("[✗✘❌☐✖]")
# C: positive skewness and a long upper tail. Yes.
_LINE_SAYS = r"[.;!?:–—-][ *_]{1,4}%s[.!*_ ]{0,4}$"
_YES = re.compile(_TICK.pattern + "|" + _LINE_SAYS % "[Yy]es", re.MULTILINE)
_NO = re.compile(_CROSS.pattern + "|" + _LINE_SAYS % "[Nn]o", re.MULTILINE)


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
    text: str,
    mention: Candidate,
    first_word: int,
    known: Mapping[str, str],
    *,
    supposes: bool = False,
    is_item: bool = False,
) -> list[str]:
    """The evidence for or against one mention, from the words around it. first_word: where the
    first word of the block's text begins, -1 for none. supposes: the question asks what would be.
    is_item: it begins an item of a list of options, so that "Option B" is no choice."""
    start, end = mention.span
    before = text[max(0, start - WORDS_BEFORE) : start]
    names = _for(text, mention, "" if is_item else before, known)
    is_little = mention.value in ("yes", "no") and _NOUN_FOLLOWS.match(text, end)
    is_operand = _OPERATOR_FOLLOWS.match(text, end) is not None
    if start <= first_word and not (is_little or is_operand) and mention.rule != "named":
        names.append("first_word")
    ends = _REASON_ENDS if mention.value in ("yes", "no") else _BLOCK_ENDS
    if _SENTENCE_BEGINS.search(before) and ends.match(text, end):
        names.append("last_sentence")
    if (quote := _QUOTE.search(before)) and _opens_emphasis(quote, before):
        names.append("emphasised")
    names += against(text, mention, before, known, supposes=supposes)
    verdict = verdict_behind(text, mention, known)
    if verdict is not None:
        names.append("stated" if verdict else "negated")
    ticked = _ticked(text, mention)
    return [*names, ticked] if ticked else names


def _for(text: str, mention: Candidate, before: str, known: Mapping[str, str]) -> list[str]:
    explicit = list(EXPLICIT.finditer(before))
    if explicit and not find_mentions(before[explicit[-1].end() :], known):
        return ["explicit"]
    if _CHOSEN.search(before):
        return ["explicit"]
    end = mention.span[1]
    is_act = mention.value in _ACTS and _OF_ALTERNATIVE.match(text, mention.span[1]) is None
    if is_act and _AGENT_BEFORE.search(before):
        return ["stated"]
    if mention.value == "no" and _NOUN_FOLLOWS.match(text, end):  # so no claims should be made
        return []
    if mention.rule == "letter" and _REMAINS.match(text, end):
        return ["stated"]
    if mention.rule == "verdict" or _STATED.search(before) or _AFFIRMED_AFTER.match(text, end):
        return ["stated"]
    is_called = mention.value in _TRUE_OR_FALSE and _CALLED_ENDS.match(text, end)
    if is_called and _CALLED.search(before):
        return ["stated"]
    if _IDENTIFIED.search(before) and _SENTENCE_ENDS.match(text, end):
        return ["stated"]
    is_label = _OPTION_LABEL.search(before) and _LINE_END.match(text, end)
    if is_label and not is_other_label(before.rpartition("\n")[2]):
        return ["label"]
    return []


def is_other_label(label: str) -> bool:
    """Whether a label is that of something else than the answer: "Null hypothesis:"."""
    return _OTHER_LABEL.search(label) is not None


def _opens_emphasis(quote: re.Match[str], before: str) -> bool:
    """Whether a mark of emphasis opens what follows; quotation marks always do."""
    return not quote[1] or before.rpartition("\n")[2].count(quote[1]) % 2 == 1


def _ticked(text: str, mention: Candidate) -> str | None:
    """The evidence of the tick or cross on a mention's line, in a text of lines with one tick. A
    line that a letter begins may also end in yes or no."""
    tick, cross = (_YES, _NO) if mention.rule == "letter" else (_TICK, _CROSS)
    found = tick.search(text)
    if found is None or tick.search(text, found.end()) or "\n" not in text:
        return None
    start, end = mention.span
    last = text.find("\n", end)
    line = text[text.rfind("\n", 0, start) + 1 : last if last >= 0 else len(text)]
    if tick.search(line):
        return "ticked"
    return "negated" if cross.search(line) else None


def ticked_block(blocks: Sequence[Block]) -> Block | None:
    """The only block of several with a tick, if others have crosses: a review of options, each in
    a paragraph of its own."""
    ticked = [block for block in blocks if _TICK.search(block.text)]
    crossed = any(_CROSS.search(block.text) for block in blocks) if len(ticked) == 1 else False
    return ticked[0] if crossed and not _CROSS.search(ticked[0].text) else None
