"""Numbers whose own words say that they are not the answer: negated, called wrong, asides."""

from __future__ import annotations

import re

from ...truth import is_year
from ..units import has_unit
from .alternatives import is_percent_form
from .context import NEAR, Context
from .intervals import interval_end

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
NEGATION_ENDS: str = "*_`$treloyfTRELOYF"  # their last letters, and markup


def is_negated(context: Context) -> bool:
    """A value said not to be the answer: `not 4`, `never equal to 4`."""
    near = context.before[-20:].lower()
    may_be = near.rstrip("*_`$ \n\t").endswith(_NEGATING_ENDS)
    return may_be and _NUMBER_DENIED.search(near) is not None


_DISMISSED = re.compile(
    r"""
    [\s*_,)]{0,4} (?: [\w'’-]+ \s ){0,6}? (?: is | was | were | are ) \s
    (?: (?: \w+ \s )?                                # <4> from the plot was clearly biased
        ( biased | wrong | incorrect | misleading | mistaken | invalid
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
_CALLED_WRONG_BEFORE = re.compile(  # the comparison of means is misleading here: it gives <75>
    r"\b(?:is|are|would be)\s(?:\w+\s)?(?:misleading|biased|confounded)\b"
    r"[^.;:\n]{0,20}:\s(?![^.;:\n]*\b(?:adjust|stratif|match|correct|weight))[^.;:\n]{0,60}$"
)


def is_dismissed(context: Context) -> bool:
    """Called wrong in the same breath, or something else: `the value of -0.046 was biased`."""
    after = context.after
    if ":" in context.before and _CALLED_WRONG_BEFORE.search(context.before):
        return True
    if "ask" in context.before and _UNASKED_BEFORE.search(context.before):
        return True
    if ("differ" in after or "not" in after or "other" in after) and _OTHER_THING.match(after):
        return True
    may_be = " is " in after or " was " in after or " are " in after or " were " in after
    called = _DISMISSED.match(after) if may_be else None
    # but not "three were wrong" where the wrong ones are asked for
    return called is not None and not (called[1] and called[1] in context.question.text.lower())


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
# 265 (<26.5%>), 3.12 dollars (<14.2%>)
_COUNT_BEFORE = re.compile(
    r"(?<![0-9.])(?:[0-9]+(?:,[0-9]{3})*"
    r"|[1-9][0-9,]*(?:\.[0-9]+)? (?!points?\b)[a-zA-Z]{2,12}"
    r"|[$€£][0-9,]+(?:\.[0-9]+)?)[*_]{0,2} \($"
)
_INTERVAL = re.compile(  # (95% CI 5.13 to <5.91), a confidence interval of (5.13, <5.91>)
    r"\b(?:CI|conf|interval|HDI|HPD)\b[^()]{0,20}\(?[^()]*$", re.IGNORECASE
)
_FIELD = re.compile(r"\w\((?:[^()]|\([^()]*\))*\w=(?:np\.\w+\()?$")  # TtestResult(pvalue=
_CALL = re.compile(r"\s*[\w.]+\([\[(]{0,2}\s*")
_CENTRES = frozenset({"mean", "median"})
_CENTRE_BEFORE = re.compile(r"\b(?:mean|median|average)\b[^0-9]{0,30}[0-9][^()]*\([^()0-9]*$")
_EARLIER = re.compile(r"[0-9](?:[^.]|\.(?! ))*$")  # in the same sentence


def _opening_bracket(line: str) -> re.Match[str] | None:
    """The bracket that a line with brackets leaves open, from the last sign before it."""
    before = line[: line.rfind("(")].rstrip()
    return _OPENING_BRACKET.match(line, len(before) - 1) if before else None


def _in_bracketed_sentence(context: Context) -> bool:
    """In `... is 0.011. (A test with correction gives 0.012.)`."""
    start = context.number.start
    opening = context.text.rfind("(", max(0, start - NEAR), start)
    if opening < 0 or context.text.find(")", opening, start) >= 0:
        return False
    return _BRACKETED_SENTENCE.search(context.text, max(0, opening - 4), start) is not None


_UNIT_BEFORE = re.compile(r"(?<=[0-9])\s?[a-zA-Z]+\s*$")


def is_aside(context: Context) -> bool:
    """In parentheses after something else: `0.477` in `R² = 0.480 (adjusted 0.477)`, also in a
    sentence of its own; but not after the name of a list's item, `- **speed (0.48)**: ...`, nor
    the first number of a sentence if called what is asked for: `closely linked (r = 0.98)`."""
    line = context.line
    opening = _opening_bracket(line) if "(" in line else None
    if opening and (_CALL.fullmatch(line) or _FIELD.search(line)):
        return False  # np.float64(3.2), as a console shows a value, or TtestResult(pvalue=0.03)
    if opening is None:
        return _in_bracketed_sentence(context)
    if context.question.wants_percent and is_percent_form(context):
        return False
    if context.question.wants_year and is_year(context.number.text):
        return False
    unit = context.question.unit
    if unit is not None and has_unit(unit, context.after):
        other = _UNIT_BEFORE.search(line, 0, opening.start())
        if other and has_unit(unit, other[0]) is False:
            return False  # 0.42 hours (<25.2> minutes)
    if context.question.wants_percent and context.number.is_percent and _COUNT_BEFORE.search(line):
        return not context.after.startswith(")")
    bound = context.question.bound
    if bound is not None and bound == interval_end(context) and _INTERVAL.search(line):
        return False
    if context.topic not in context.question.topics:
        return _BOLD_LABEL.match(line) is None or _BOLD_LABEL_END.match(context.after) is None
    if context.question.topics.isdisjoint(_CENTRES) and _CENTRE_BEFORE.search(line):
        return False  # a mean of 12.3 (SD <4.6>)
    return _EARLIER.search(line, 0, opening.start() + 1) is not None
