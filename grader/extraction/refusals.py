"""Phrases of an agent that gives no answer: it cannot, does not know, asks back, leaves the place
empty."""

from __future__ import annotations

import re

from .question.topics import topics_of
from .undecided import is_undecided

_DECLINED = re.compile(
    r"""
    \b (?= [cundwhip] )                  # looked at first, for speed
    # I cannot determine ..., I was unable to open ..., I don't quite access ...
    (?: (?: can (?: ' | ’ | no ) t | unable[ ]to | could (?: [ ]not | n['’]t ) | not[ ]able[ ]to
          | don['’]t | do[ ]not | would (?: [ ]not | n['’]t ) ) \s+
      (?: \w+ \s+ )?
      (?: execute | run | access | open | find[ ]the[ ]file | determine | provide | compute | give
        | quot (?: e | ing ) | reporting | stat (?: e | ing ) [ ] (?: a | any | one ) \b ) \b
      (?! (?: \s \w+ ){0,3} \s (?: evidence | support | proof | grounds ) \b )  # for a hypothesis
    # the model has yet to be fitted
    | has[ ]yet[ ]to \b
    # I would not pick one, I cannot tell which is meant
    | I[ ] (?: can (?: ' | ’ | no ) t | would (?: [ ]not | n['’]t ) ) [ ]
      (?: pick | choose | settle[ ]on | tell | say ) \b [^.\n]{0,30} \b (?: one | which ) \b
    # please provide the file
    | please[ ] (?: confirm | provide ) \b
    # one would first need the data
    | would[ ]first[ ] (?: settle | need ) \b
    # asking back, `Do you want me to go on?`, unless it offers something on top of an answer:
    # `Do you want me to also plot it?`
    | (?: do | would ) [ ]you[ ] (?: want | prefer | like ) [ ] (?: me[ ] )? \b
      (?! [^?\n]{0,80} \b (?: too | also | another | further | next | plot | chart
                            | visuali[sz]e | figure | explore | save ) \b )
      .{0,80} \? )
    """,
    re.IGNORECASE | re.VERBOSE,
)
_WITHHELD = re.compile(
    r"""
    " (?: final_ )? answer " \s* : \s* (?: null | None | "" | "N/?A" )    # "answer": null
    | final_answer \( (?: None | "" ) \)                                  # final_answer(None)
    """,
    re.VERBOSE,
)
_REFUSED = re.compile(
    r"""
    \b (?: I[ ] (?: (?: can (?: ' | ’ | no ) t | could (?: [ ]not | n['’]t )
                     | would (?: [ ]not | n['’]t ) | won['’]t )
                 | (?: am | was ) [ ] (?: unable | not[ ]able ) [ ] to )
        | it [ ] (?: is | was ) [ ]not[ ]possible[ ]to ) [ ] (?: \w+ [ ] )?
    (?: give | provide | report | state | quote | determine | compute | calculate | tell | say
      | answer | pick | choose | settle | decide | commit[ ]to[ ]a[ ]single[ ]
        (?: value | number | figure | estimate | answer ) (?! [ ] (?: of | for | about ) \b ) ) \b
      (?! [^.\n]* \b (?: whether | because | certain\w* | sure ) \b )
    | \b (?: question | answer ) [ ]can (?: ' | ’ | no ) t [ ]be [ ]
      (?: given | determined | answered | computed | calculated | told ) \b
    # we cannot determine the exact answer to this question
    | \b (?: can (?: ' | ’ | no ) t | could[ ]not | unable[ ]to | impossible[ ]to ) [ ]
      (?: determine | give | provide | answer | find ) [ ] (?: \w+ [ ] ){1,3}
      (?: answer | question ) \b
    """,
    re.IGNORECASE | re.VERBOSE,
)
# Said of the answer only in a sentence without numbers.
_UNKNOWN = re.compile(
    r"""
    \b (?<! value[ ] ) (?: can (?: ' | ’ | no ) t | could (?: [ ]not | n['’]t ) ) [ ]be [ ]
      (?: determined | computed | calculated | estimated | identified ) \b
    | \b (?: (?<! which[ ] ) | (?! [^.,\n]{0,30} , ) ) is (?: [ ]not | n['’]t ) [ ]
      (?: available | identifiable | identified | recorded | given | answerable ) \b
    | \b I[ ]do (?: [ ]not | n['’]t ) [ ]know \b
    | \b I[ ]ha (?: ve[ ]not | ven['’]t ) [ ] (?: been[ ]able[ ]to[ ] | yet[ ] )?
      (?: estimated? | computed? | calculated? | checked | determined? | run ) \b
      (?! [ ] (?: \w+ [ ] )? (?: placebo | permutation | robustness | sensitivity ) \b )
    """,
    re.IGNORECASE | re.VERBOSE,
)
# No answer yet, whatever numbers follow: before I can give you a number, could you confirm how it
# is coded? I would rather not name just one value. Could you upload the file again?
_BEFORE_AN_ANSWER = r"""
    before[ ]I[ ]can[ ] (?: give | tell | state | report | name | provide | commit[ ]to ) [ ]
    (?: you[ ] )? (?: an? | one | the ) [ ] (?: \w+ [ ] )?
    (?: value | number | figure | estimate | answer ) \b
"""
_NOT_YET = re.compile(
    rf"""
    \b {_BEFORE_AN_ANSWER} [^.?\n]{{0,160}} \?
    | \b (?: clarification | confirmation | information | input ) [ ] {_BEFORE_AN_ANSWER}
    | \b I (?: [ ]would | ['’]d ) [ ]rather[ ]not[ ]
      (?: commit[ ]to | give | state | name | choose | pick | report | quote ) [ ]
      (?: (?: just | only ) [ ]one[ ] (?: value | number | figure | estimate | answer )
        | one[ ]of[ ] (?: these | those | them ) ) \b
    | (?: ^ | [.!?] [ ] ) could[ ]you[ ] (?: please[ ] )? upload[ ] (?: the | your ) [ ]
      (?: \w+ [ ] )? (?: file | data | dataset ) \b (?! [ ] (?: as[ ]well | too | also ) \b )
    """,
    re.IGNORECASE | re.VERBOSE,
)
_PLANNED = re.compile(
    r"""
    \b (?: running[ ]this[ ] (?: \w+[ ] )? will[ ]
          (?: provide | give | yield | return | print | produce )
      # the next step is to fit the model and read off its coefficient
      | next[ ]step[ ]is[ ]to[ ] (?: [^.\n] | \.(?=\S) ){0,200} \b read \b
      # the interval can be constructed in the next step
      | can [ ]be[ ] (?: computed | calculated | constructed | estimated | obtained | derived ) [ ]
        in[ ] (?: the | a ) [ ] (?: next | later | further | following ) [ ]step
      | can (?: ' | ’ | no ) t [ ]be[ ] (?: given | stated | reported ) [ ]
        (?: at[ ]this[ ]stage | yet ) \b )
    """,
    re.IGNORECASE | re.VERBOSE,
)
# What an agent may be unable to give beside the answer: "I cannot provide a causal interpretation".
_BESIDE = re.compile(
    r"""
    \b (?: robustness | sensitivity[ ]analys[ie]s | diagnos\w+ | residuals? | assumptions
      | plots? | charts? | graphs? | visuali[sz]\w+
      | causal[ ] (?: interpretation | conclusion | claim | direction | mechanism | relationship )s?
      | causality | causation | interpretation )
      \b
    """,
    re.IGNORECASE | re.VERBOSE,
)
_ASKS = re.compile(r"(?:do|would) you (?:want|prefer|like) (?!me )", re.IGNORECASE)
_REST = re.compile(r"[^.?!\n]*")
# Topics of what accompanies an estimate.
_ACCOMPANYING = frozenset(
    {"p_value", "standard_error", "margin", "interval", "r_squared", "freedom", "diagnostic"}
)
_DIGIT = re.compile("[0-9]")
_OF_BIAS = re.compile(r"\bdirection\s(?:that\s|which\s)?(?:I|we)\s$")  # <we cannot determine>
_LONGEST_REFUSAL = 2000


def declines(text: str, asked: frozenset[str] = frozenset()) -> bool:
    """True if a text says that it gives no answer, plans to find it, or asks back. asked: the
    topics that the question names; what is said of another one is no answer declined."""
    low, near = text.lower(), text[:_LONGEST_REFUSAL]
    if _may_decline(low) and any(
        not (_is_beside(_said_from(near, found), asked) or _OF_BIAS.search(near, 0, found.start()))
        for found in _DECLINED.finditer(near)
    ):
        return True
    if is_undecided(near):
        return True
    return _may_plan(low) and _PLANNED.search(near) is not None


def _said_from(text: str, found: re.Match[str]) -> str:
    """What is declined, to the end of the sentence."""
    rest = _REST.match(text, found.end())
    return text[found.start() : rest.end() if rest else found.end()]


def _is_beside(said: str, asked: frozenset[str]) -> bool:
    """Whether what is declined is something else than what is asked for."""
    if _ASKS.match(said):
        return False
    topics = topics_of(said.lower()) & _ACCOMPANYING
    return topics.isdisjoint(asked) and (bool(topics) or _BESIDE.search(said) is not None)


def refuses(sentence: str) -> bool:
    """True if a sentence says that the agent cannot give the answer, plans to find it, or asks for
    what it needs."""
    low = sentence.lower()
    if _may_plan(low) and _PLANNED.search(sentence):
        return True
    if is_undecided(sentence):
        return True
    if not _may_refuse(low):
        return False
    if _REFUSED.search(sentence):
        return True
    return _UNKNOWN.search(sentence) is not None and _DIGIT.search(sentence) is None


def puts_off(text: str) -> int | None:
    """Where a text says that it gives no answer before something else; None if nowhere."""
    found = _NOT_YET.search(text) if _may_put_off(text.lower()) else None
    return found.start() if found else None


def withholds(text: str) -> bool:
    """True if the place for the answer is left empty."""
    return "answer" in text and _WITHHELD.search(text) is not None


# Cheap looks ahead, as in `phrases.py`.


def _may_refuse(low: str) -> bool:
    return (
        "not" in low or "unable" in low or "n't" in low or "n’t" in low or "impossible" in low
    )  # fmt: skip


def _may_put_off(low: str) -> bool:
    return "rather not" in low or "before i can" in low or "upload" in low


def _may_plan(low: str) -> bool:
    return "running this" in low or "step" in low or "this stage" in low or "yet" in low


def _may_decline(low: str) -> bool:
    return (
        "not" in low or "unable" in low or "yet to" in low or "please" in low
        or "would first" in low or ("?" in low and "you" in low)
        or ("'" in low and "n't" in low) or ("’" in low and "n’t" in low)
    )  # fmt: skip
