"""Numbers whose sentence says that they are not the answer: negated, compared, asides."""

from __future__ import annotations

import re

from ..question import Question
from .alternatives import is_percent_form
from .sight import Sight
from .statistics import interval_end


def is_question_number(sight: Sight) -> bool:
    number = sight.number
    return any(
        number.value == asked.value and number.is_percent == asked.is_percent
        for asked in sight.question.numbers
    )


# In the examples of all patterns, <4> or the like is the number that the rules judge.
_NUMBER_DENIED = re.compile(
    r"""
    (?: \b (?: not | never | no[ ]longer | cannot | neither | nor ) | n['’]t ) \s+
    (?: (?: equal | be ) (?: [ ]to )? \s+           # not equal to <4>
      | (?: by | of | at ) \s+ )?                   # not by <4>
    [*_`$]{0,3} $
    """,
    re.VERBOSE,
)


_NEGATING_ENDS = ("not", "never", "longer", "n't", "n’t", "neither", "nor", "equal", "be",
                  "to", "by", "of", "at")  # fmt: skip


def is_negated(sight: Sight) -> bool:
    near = sight.before[-20:].lower()
    may_be = near.rstrip("*_`$ \n\t").endswith(_NEGATING_ENDS)
    return may_be and _NUMBER_DENIED.search(near) is not None


_DISMISSED = re.compile(
    r"""
    [\s*_,)]{0,4} (?: [\w'’-]+ \s ){0,6}? (?: is | was | were | are ) \s
    (?: (?: \w+ \s )?                                # <4> from the plot was clearly biased
        (?: biased | wrong | incorrect | misleading | mistaken | invalid
          | too[ ] (?: low | high | small | large ) )
      | \W{0,2} not \W{0,2} \s                       # <4> is **not** the right figure
        (?: the | our ) [ ] (?: \w+[ ] )?
        (?: relevant | right | correct | answer | figure | one ) ) \b
    """,
    re.VERBOSE,
)


# <0.20>, but that's a different quantity from the one requested
_OTHER_THING = re.compile(
    r"""
    [^.;,\n]{0,12} ,? \s (?: but | though | although | which | yet )
    (?: \s (?: that | this | it ) )?
    (?: \s is | ['’]s ) \s (?: (?: quite \s )? an? \s different | another | not \s what ) \b
    """,
    re.VERBOSE,
)


# With year effects, which you did not ask for, it is <0.43>.
_UNASKED = (
    r"\b(?:did|do|was|were|is)(?:[ ]not|n['’]t)[ ](?:ask(?:ed)?(?:[ ]for|[ ]about)?|requested)\b"
)
_UNASKED_BEFORE = re.compile(rf"{_UNASKED}[^.;\n]*$")
_UNASKED_AFTER = re.compile(rf"[^.;\n]{{0,20}}{_UNASKED}")


def is_dismissed(sight: Sight) -> bool:
    """Called wrong in the same breath, or something else: `the value of -0.046 was biased`."""
    after = sight.after
    if "ask" in sight.before and _UNASKED_BEFORE.search(sight.before):
        return True
    if "ask" in after and _UNASKED_AFTER.match(after):
        return True
    if ("differ" in after or "not" in after or "other" in after) and _OTHER_THING.match(after):
        return True
    may_be = " is " in after or " was " in after or " are " in after or " were " in after
    return may_be and _DISMISSED.match(after) is not None


_COMPARING = frozenset(
    "versus vs vs. against with to than exceed exceeds above below under over beyond least most of"
    " the a about only exclude excludes include includes contain contains cover covers".split()
)
_COMPARED_LIST = re.compile(r"\b(?:versus|vs\.?)\s[^.;\n]{0,40}[0-9][^.;\n]*(?:,|\band)\s*$")
_COMPARED = re.compile(
    r"""
    \b (?: versus | vs\.? | against | compared[ ] (?: to | with ) | than | exceeds?
         | above | below | under | over | beyond | at[ ]least | at[ ]most | up[ ]to
         | threshold[ ]of | cut-?off[ ]of | benchmark[ ]of | instead[ ]of | rather[ ]than
         | (?: intervals? | CIs? ) \b [^.;\n]{0,30}  # the 95 % CI does not include <0>
           \b (?: exclude | include | contain | cover ) s? )
    \s+ (?: the \s+ | a \s+ | about \s+ | only \s+ )? $      # more than about <4>
    """,
    re.IGNORECASE | re.VERBOSE,
)
_RUNNER_UP = re.compile(  # followed by the West (<5>)
    r"\bfollowed by (?:the )?[^.;\d]{1,40}(?:\(|\b(?:with|at) )[$€£*_`]{0,3}$"
)
_QUANTILES = frozenset({"percentile", "quantile", "quartile", "decile"})
_HALF = re.compile(r"\b(?:half|50\s?%|50 percent)\b[^.;]*$", re.IGNORECASE)
_SHARE_BELOW = re.compile(r"(?:%|\bpercent\b|\bquarters?\b|\btenths?\b)(?:[^.;%]|\.\d)*$")
_COMPARED_BY_NAME = re.compile(  # small compared with the residual deviation of <0.35>
    r"""
    \b (?: versus | vs\.? | against | compared[ ](?: to | with ) | than ) \s
    (?: (?! (?: by | and | with | \w+s ) \b ) \w [\w-]* \s ){1,6} of \s (?: about \s )? $
    """,
    re.IGNORECASE | re.VERBOSE,
)
_UNADJUSTED = re.compile(  # the unadjusted odds ratio of about <6.1>
    r"""
    \b ( unadjusted | crude | naive | unconditional ) \s (?: [\w-]+ \s ){0,5}
    (?: of | is | was | gives | = ) \s (?: about \s | around \s | [≈=~] \s? )? [*_`$]{0,3} $
    """,
    re.IGNORECASE | re.VERBOSE,
)
_COMPARING_SENTENCE = re.compile(
    r"""
    (?: [Bb]y | [Ff]or | [Ii]n ) [ ] (?: comparison | contrast | reference ) \b
    | Compare \b
    | Compared[ ] (?: to | with ) [ ] (?: all[ ] )? (?: the[ ] )? others? \b
    | (?: Remark | Caveat | Side[ ]note | (?: Robustness | Sensitivity )[ ](?: check | analysis ) )
      [*_]{0,2} [.:]                                 # **Robustness check**: ...
    | [Aa]s[ ]an? [ ] (?: (?: robustness | sensitivity | sanity | quick ) [ ] )?
      (?: check | analysis ) \b
    | (?: To[ ] (?: check | verify ) | Check | Verification | Proof ) [*_]{0,2} [,:]
    """,
    re.VERBOSE,
)


_HYPOTHESIS = re.compile(r"\bH_?\{?[01aA]\}?\s*:[^.;\n]{0,40}$")  # `H_0: β = 0`


def is_compared(sight: Sight) -> bool:
    """What another value is compared with: `more than 5`, `For comparison, it is 5`."""
    before = sight.before
    if ("vs" in before or "versus" in before) and _COMPARED_LIST.search(before):
        return True
    if sight.last_word in _COMPARING and _COMPARED.search(before) is not None:
        # but "from 0.5 up to 2.3", "90 % of the days were at or below 31"
        return interval_end(sight) is None and not _divides(sight)
    if "followed by" in before and _RUNNER_UP.search(before):
        return True
    is_asked = sight.topic is not None and sight.topic in sight.question.topics
    if sight.last_word in ("of", "about") and not is_asked and _COMPARED_BY_NAME.search(before):
        return True
    if "H" in sight.line and _HYPOTHESIS.search(sight.line):
        return True
    if ("nadjusted" in before or "rude" in before or "aive" in before or "uncond" in before) and (
        other := _UNADJUSTED.search(before)
    ):
        return other[1].lower() not in sight.question.text.lower()
    near = _near(sight)
    if not _may_compare(near):
        return False
    return _COMPARING_SENTENCE.match(_sentence(near)) is not None


def _divides(sight: Sight) -> bool:
    """True for `half of them earn less than 5`, where the median is asked for."""
    asked = sight.question.keywords
    if "median" in asked and _HALF.search(sight.before):
        return True
    return not _QUANTILES.isdisjoint(asked) and _SHARE_BELOW.search(_near(sight)) is not None


def _may_compare(near: str) -> bool:
    return (
        "ompar" in near or "ontrast" in near or "eference" in near or "emark" in near
        or "aveat" in near or "ide note" in near or "obustness" in near or "ensitivity" in near
        or "anity " in near or "heck" in near or "erif" in near or "Proof" in near
    )  # fmt: skip


_SENTENCE_START = re.compile(r"(?:[.!?]\s|\n)[\s*_>(-]{0,6}(?=[A-Z])")
_LONGEST = 240


def _near(sight: Sight) -> str:
    """The 240 characters before a number."""
    start = sight.number.start
    return sight.text[start - _LONGEST if start > _LONGEST else 0 : start]


def _sentence(near: str) -> str:
    """The last sentence of what stands before a number."""
    starts = [match.end() for match in _SENTENCE_START.finditer(near)]
    return near[starts[-1] :] if starts else near.lstrip("*_>(- ")


_WOULD_HAVE = re.compile(
    r"""
    \b (?: would[ ] (?: instead[ ] )? have[ ]        # it would have risen to <4>
           (?: \w+ed | been | said | given | got (?: ten )? | led | shown | become | risen
             | fallen | put )
         | would[ ]                                  # the mean would suggest <4>
           (?: put | suggest | imply | yield | give | say | cost | bring | save | add | raise
             | lower | gain | lose | mean )
         | would[ ] (?: move | shift | change | push | pull | take | shrink | attenuate )
           [ ] (?: [^,;:.]{1,40} [ ] )? to (?= [ ] (?: about[ ] | around[ ] )? $ )
         | one[ ]would[ ]get
         | (?<! nswer[ ] ) would[ ] (?: already[ ] )? be    # but not: the answer would be <4>
         | expected[ ]to[ ]be[ ] (?: close[ ]to | near ) ) \b
    [^,;:]* $
    """,
    re.VERBOSE,
)
_CONCLUSION = re.compile(r"(?:So|Thus|Hence|Therefore|In conclusion|Overall)\b,?")
_CONDITION = re.compile(
    r"\b(?:if|had|were|without|instead|ignor\w+|exclud\w+|drop\w+|remov\w+|omit\w+)\b",
    re.IGNORECASE,
)
_OTHERWISE = re.compile(
    r"""
    (?: If[ ](?:you|one)[ ](?: prefers? | wants? | would[ ]rather )
      | [Ii]gnoring | [Ee]xcluding | [Dd]ropping | [Rr]emoving | [Oo]mitting | [Ww]ithout
      | [Hh]ad[ ] (?: we | I | one ) ) \b            # Had we kept it, ...
    """,
    re.VERBOSE,
)


def is_hypothetical(sight: Sight) -> bool:
    """What another analysis gives: `Without the outlier it is 3.2`, `would have been 3.2`."""
    near = _near(sight)
    may_be_result = "would" in near or "expected" in near
    if not (may_be_result or _may_be_otherwise(near)):
        return False
    sentence = _sentence(near)
    opening = _OTHERWISE.match(sentence)
    if opening and opening[0].lower() in sight.question.text.lower():
        return False
    if may_be_result and _WOULD_HAVE.search(sentence):
        return not _concludes(sentence, sight.question)
    return opening is not None


def _concludes(sentence: str, question: Question) -> bool:
    """True for `Therefore, the price would be 5`, and where a question asks what would be."""
    if _CONCLUSION.match(sentence) is None and "would" not in question.text:
        return False
    return _CONDITION.search(sentence) is None or _CONDITION.search(question.text) is not None


def _may_be_otherwise(near: str) -> bool:
    return (
        "gnoring" in near or "ithout" in near or "xcluding" in near or "ropping" in near
        or "emoving" in near or "mitting" in near or "ad " in near or "If " in near
    )  # fmt: skip


_STEP_WORDS = frozenset({"each", "every", "per", "another"})
_MORE = frozenset({"additional", "extra"})
_PREMISE = re.compile(  # With θ ≈ <0.86>, the difference is 0.42
    r"(?:With|Given|For|Using|At|Assuming|Taking)\s(?:[^.;,\n]|\.\d){0,60}[=≈]\s?[$€£*_`]{0,3}$"
)
_PREMISE_ENDS = re.compile(r"[^.;\n]{0,12}?(?:,|\sand)\s")


def is_premise(sight: Sight) -> bool:
    """What a sentence starts from: `With θ ≈ 0.86, the difference is 0.42`."""
    if sight.line.rstrip(" $*_`")[-1:] not in "=≈" or sight.topic in sight.question.topics:
        return False
    is_followed = _PREMISE_ENDS.match(sight.after) is not None
    return is_followed and _PREMISE.match(_sentence(_near(sight))) is not None


_UNIT_CHANGE = re.compile(
    r"""
    [\s-]? (?: [\w.]+ \s ){0,2}?                     # <1> point higher, a <1>-unit
    (?: increase | rise | change | decrease | drop | higher | larger | more | unit )
    """,
    re.VERBOSE,
)


def is_unit_step(sight: Sight) -> bool:
    """The step an effect refers to: `each additional 1000 lbs`, `a 1 % increase in price`."""
    if sight.last_word in ("a", "an"):
        return sight.number.value == 1 and _UNIT_CHANGE.match(sight.after) is not None
    if sight.last_word in _MORE:  # but "an additional $1.35"
        return sight.words[-2:-1] not in (("a",), ("an",))
    return sight.last_word in _STEP_WORDS


_OPENING_BRACKET = re.compile(r"[\w%)\]*]\s*\([^()]*$")
_BRACKETED_SENTENCE = re.compile(r"(?:[.!?]\s{0,3}|\n|\A)\([A-Z][\w'’-]*\s[^()]*$")
_BOLD_LABEL = re.compile(
    r"""
    \s{0,6} (?: [-*+•] \s | [0-9]{1,2} [.)] \s )?    # the mark of a list's item
    \*\* [A-Za-z_] \w{0,40} \s \( $                  # **speed (<0.48>)**
    """,
    re.VERBOSE,
)
_BOLD_LABEL_END = re.compile(r"[^()*\n]{0,12}\)[.:]?\*\*")
_EARLIER = re.compile(r"[0-9](?:[^.]|\.(?! ))*$")  # in the same sentence


def _in_bracketed_sentence(sight: Sight) -> bool:
    """In `... is 0.011. (A test with correction gives 0.012.)`."""
    start = sight.number.start
    opening = sight.text.rfind("(", max(0, start - _LONGEST), start)
    if opening < 0 or sight.text.find(")", opening, start) >= 0:
        return False
    return _BRACKETED_SENTENCE.search(sight.text, max(0, opening - 4), start) is not None


def is_aside(sight: Sight) -> bool:
    """In parentheses after something else: `0.477` in `R² = 0.480 (adjusted 0.477)`, also in a
    sentence of its own; but not after the name of a list's item, `- **speed (0.48)**: ...`, nor
    the first number of a sentence if called what is asked for: `closely linked (r = 0.98)`."""
    line = sight.line
    opening = _OPENING_BRACKET.search(line) if "(" in line else None
    if opening is None:
        return _in_bracketed_sentence(sight)
    if sight.question.wants_percent and is_percent_form(sight):
        return False
    if sight.topic not in sight.question.topics:
        return _BOLD_LABEL.match(line) is None or _BOLD_LABEL_END.match(sight.after) is None
    return _EARLIER.search(line, 0, opening.start() + 1) is not None
