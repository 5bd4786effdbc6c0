"""Numbers that are only supposed: results of other analyses, premises, steps of an effect."""

from __future__ import annotations

import re

from ..question import Question
from .context import Context, last_sentence_of, near_before

# In the examples of all patterns, <4> or the like is the number that the rules judge.
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
         | it ['’] d[ ]be
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
    (?: If[ ](?:you|one|we)[ ](?: prefers? | wants? | would[ ]rather | simply | merely | just )
      | [Rr]estrict (?: ed | ing ) [ ]to | [Ll]imit (?: ed | ing ) [ ]to
      | [Ii]gnoring | [Ee]xcluding | [Dd]ropping | [Rr]emoving | [Oo]mitting | [Ww]ithout
      | [Hh]ad[ ] (?: we | I | one ) ) \b            # Had we kept it, ...
    """,
    re.VERBOSE,
)
_RETURNS = re.compile(  # Without it the slope is 0.5; with it <0.7>
    r"[;,]\s(?:(?:but|and|while|whereas)\s)?(?:with|including|keeping)\s(?!(?:an?|no)\b)"
)
# The question may ask for the result without something; that rows are incomplete is no such thing.
_LEAVES_OUT = re.compile(
    r"\b(?:without|ignor(?:ed?|ing)|exclud(?:ed?|ing)|dropp?(?:ed|ing)?|remov(?:ed?|ing)"
    r"|omit(?:ted|ting)?)\b"
    r"(?![^.,;?]{0,30}\b(?:missing|nan|nans|nulls?|incomplete|duplicate[sd]?|empty)\b)",
    re.IGNORECASE,
)
_STEP_WORDS = frozenset({"each", "every", "per", "another"})
_MORE = frozenset({"additional", "extra"})
_ONE = frozenset({"a", "an"})
STEP_LEADS: frozenset[str] = _STEP_WORDS | _MORE | _ONE | {"of"}
_PREMISE = re.compile(  # With θ ≈ <0.86>, it is 0.42; but not: With it one gets θ ≈ 0.86
    r"(?:With|Given|For|Using|At|Assuming|Taking)\s"
    r"(?:(?!\b(?:reach(?:es)?|gets?|gives?|yields?|is|are|becomes?|has|have|obtains?|amounts?"
    r"|comes|corresponds|translates|equals|means|results|we)\b)[^.;,\n]|\.\d){0,60}"
    r"[=≈]\s?[$€£*_`]{0,3}$"
)
_PROVIDED = re.compile(r", provided that [^.,;:\n]{0,90}$")
_PREMISE_ENDS = re.compile(r"[^.;\n]{0,12}?(?:,|\sand)\s")
_UNIT_CHANGE = re.compile(
    r"""
    [\s-]? (?: [\w.]+ \s ){0,2}?                     # <1> point higher, a <1>-unit
    (?: increase | rise | change | decrease | drop | higher | larger | more | unit )
    """,
    re.VERBOSE,
)


def is_hypothetical(context: Context) -> bool:
    """What another analysis gives: `Without the outlier it is 3.2`, `would have been
    3.2`."""
    near = near_before(context)
    may_be_result = "would" in near or "expected" in near or "d be" in near
    if not (may_be_result or _may_be_otherwise(near)):
        return False
    sentence = last_sentence_of(near)
    opening = _OTHERWISE.match(sentence)
    if opening and _is_asked_for(opening[0], context.question):
        return False
    if may_be_result and _WOULD_HAVE.search(sentence):
        return not _concludes(sentence, context.question)
    return opening is not None and _RETURNS.search(sentence) is None


def _is_asked_for(opening: str, question: Question) -> bool:
    """Whether a question supposes what a sentence that begins so does: `Dropping the outlier`,
    where the slope after removing one is asked for."""
    if opening.lower() in question.text.lower():
        return True
    leaves_out = _LEAVES_OUT.match(opening) is not None
    return leaves_out and _LEAVES_OUT.search(question.text) is not None


def _concludes(sentence: str, question: Question) -> bool:
    """True for `Therefore, the price would be 5`, and where a question asks what would be."""
    if _CONCLUSION.match(sentence) is None and "would" not in question.text:
        return False
    return _CONDITION.search(sentence) is None or _CONDITION.search(question.text) is not None


def _may_be_otherwise(near: str) -> bool:
    return (
        "gnoring" in near or "ithout" in near or "xcluding" in near or "ropping" in near
        or "estrict" in near or "imit" in near
        or "emoving" in near or "mitting" in near or "ad " in near or "If " in near
    )  # fmt: skip


def is_premise(context: Context) -> bool:
    """What a sentence starts from: `With θ ≈ 0.86, the difference is 0.42`, `provided that the rate
    stays at 11 %`."""
    if "provided that" in context.text and _PROVIDED.search(near_before(context)):
        return True
    if context.line.rstrip(" $*_`")[-1:] not in "=≈" or context.topic in context.question.topics:
        return False
    is_followed = _PREMISE_ENDS.match(context.after) is not None
    return is_followed and _PREMISE.match(last_sentence_of(near_before(context))) is not None


def is_unit_step(context: Context) -> bool:
    """The step an effect refers to: `each additional 1000 lbs`, `a 1 % increase in price`; what
    values are given in units of."""
    if context.last_word == "of":
        return context.words[-1:] == ("units",)
    if context.last_word in _ONE:
        return context.number.value == 1 and _UNIT_CHANGE.match(context.after) is not None
    if context.last_word in _MORE:  # but "an additional $1.35"
        return context.words[-2:-1] not in (("a",), ("an",))
    return context.last_word in _STEP_WORDS
