"""Numbers that another is compared with: `more than 5`, `against 5 in the South`, runners-up."""

from __future__ import annotations

import re

from ..question import Question
from ..question.topics import has_any
from .context import Context, last_sentence_of, near_before
from .intervals import interval_end
from .levels import LEVELS

# In the examples of all patterns, <4> or the like is the number that the rules judge.
_COMPARING = frozenset(
    "versus vs vs. against at around on with to than exceed exceeds above below under over beyond"
    " least most of the a about say, only exclude excludes include includes contain contains cover"
    " covers".split()
)
_COMPARED = re.compile(
    r"""
    \b (?: versus | vs\.? | against | compared[ ] (?: to | with ) | than | exceeds?
         | as[ ]opposed[ ]to
         | above | below | under | over | beyond | at[ ]least | at[ ]most
         | (?<! \b add[ ] ) up[ ]to                # but not: the quarters add up to <4>
         | (?: threshold | cut-?off | benchmark | objective | target | goal ) [ ]of
           (?: ,?[ ]say,? )?
         | (?: conventional | usual | customary | common | recommended | reference
             | guideline ) [ ]
           (?: limit | level | value | bound | mark | (?: rule | size )[ ]of[ ]thumb ) (?: [ ]of )?
         | instead[ ]of | rather[ ]than
         | (?: regression | variable | scores? ) [ ] cent (?: red | ered )
           [ ] (?: at | on | around )
         | (?: intervals? | CIs? ) \b [^.;\n]{0,30}  # the 95 % CI does not include <0>
           \b (?: exclude | include | contain | cover ) s? )
    \s+ (?: the \s+ | a \s+ | about \s+ | only \s+ )? $      # more than about <4>
    """,
    re.IGNORECASE | re.VERBOSE,
)
_JUST_BESIDE = re.compile(  # is just over <2.31>: said loosely, not compared
    r"\b(?:is|are|was|were|be|at|to|of|averages?|averaged|equals?|an?|[.:,;])\s(?:only\s)?"
    r"(?:just|little|bit|touch|slightly|marginally)\s(?:over|under|above|below|(?:more|less)\sthan)\s$"
)
_HYPOTHESIS = re.compile(r"\bH_?\{?[01aA]\}?\s*:[^.;\n]{0,40}$")  # H_0: β = <0>
_NOT_CHOSEN = re.compile(  # the Wilcoxon test rather than the t-test (p = <0.019>)
    r"\b(?:rather than|instead of) [^.;:()\d]{1,40}\((?:[A-Za-z]{1,8} ?[=≈] ?)?$"
)
_RUNNER_UP = re.compile(  # followed by the West (<5>); best for k = 2, followed by k = <5>
    r"\bfollowed by (?:the )?[^.;\d]{1,40}(?:\(|\b(?:with|at) )[$€£*_`]{0,3}$"
    r"|\b(?:[a-z]+est|most|least)\b(?:[^.;]|\.\d){1,50}, followed by (?:\w+ = )?[$€£*_`]{0,3}$"
)
_LIMITS = {
    "upper": ("at most", "up to", "no more than"),
    "lower": ("at least", "no less than"),
}
_QUANTILES = frozenset({"percentile", "quantile", "quartile", "decile"})
_HALF = re.compile(r"\b(?:half|50\s?%|50 percent)\b[^.;]*$", re.IGNORECASE)
_SHARE_BELOW = re.compile(
    r"(?:%|\bpercent\b|\bquarters?\b|\btenths?\b|\bof ten\b|\bin ten\b)(?:[^.;%]|\.\d)*$"
)
_COMPARED_BY_NAME = re.compile(  # small compared with the residual deviation of <0.35>
    r"""
    \b (?: versus | vs\.? | against | compared[ ](?: to | with ) | than | as[ ]opposed[ ]to ) \s
    (?: (?! (?: by | and | with | \w+s ) \b ) \w [\w-]* \s ){1,6} of \s (?: about \s )? $
    """,
    re.IGNORECASE | re.VERBOSE,
)
_UNADJUSTED = re.compile(  # the unadjusted odds ratio of about <6.1>
    r"""
    \b ( unadjusted | crude | naive | unconditional ) ,? \s (?: [\w-]+ \s ){0,5}
    (?: of | is | was | gives | = ) \s (?: about \s | around \s | [≈=~] \s? )? [*_`$]{0,3} $
    """,
    re.IGNORECASE | re.VERBOSE,
)
_UNADJUSTED_LABEL = re.compile(  # **Crude association**: OR = <1.49>
    r"[\s|>*_#•-]*(?:[0-9]{1,2}[.)]\s)?[*_]{0,3}"
    r"(unadjusted|crude|naive|[a-z0-9]+-only (?:model|regression))\b",
    re.IGNORECASE,
)
_SAYS = (  # the OLS estimate is <0.105>, OLS gives a return of <0.105>, OLS at <0.105>
    r"(?:\s(?:coefficient|effect|estimate|figure|number|regression|result|slope|value))?"
    r"\s?(?::|=|≈|\b(?:at|gives|gave|is|of|was|yields))"
    r"(?:\s(?:an?|the|about|only|roughly|coefficient|effect|estimate|return|value|of))*\s?[*_$≈]{0,3}$"
)
_OLS_BEFORE = re.compile(rf"(?<!of )(?<!\()(?<!\bsecond )(?<!tage )\bOLS{_SAYS}")
_IV_BEFORE = re.compile(rf"(?<!of )(?<!\()\b2SLS{_SAYS}")
_ASKS_FOR_OLS = re.compile(r"\b(?:OLS|ordinary least)\b", re.IGNORECASE)
_ASKS_FOR_IV = re.compile(
    r"\b(?:2SLS|TSLS|two[- ]stage least|instrumental[- ]variables?\b|as (?:an?|the) instrument)",
    re.IGNORECASE,
)
_ASKS_FOR_A_STEP = re.compile(  # of an IV estimation, or what it is compared with
    r"\b(?:first[- ]stage|reduced[- ]form|intention|ITT|naive|without|before|Hausman)\b",
    re.IGNORECASE,
)
_BASELINE = re.compile(
    r"(?:^|[.;:,]\s|\b(?:and|but|while|whereas)\s)[Tt]he\sbaseline\s(?:model\s)?"
    r"(?:has|had|gets|got|reache[sd]|scores|is|was|achieve[sd]|gives|with)\b[^.;,\n0-9]{0,30}$"
)
_OF_MODEL = re.compile(
    r"^(?!.*\b(?:baseline|majority|always|before|start|initial|dummy|naive)\b)"
    r".*\b(?:model|forest|regression|tree|network|classifier|boosting)\b",
    re.DOTALL,
)
_ADJUSTED_TOO = re.compile(r"[;,]\s(?:and\s)?adjusted\b")  # Unadjusted, it is 2.1; adjusted, <1.4>
_UNADJUSTED_HINTS = ("nadjusted", "rude", "aive", "uncond", "-only ")
_COMPARING_SENTENCE = re.compile(
    r"""
    (?: [Bb]y | [Ff]or | [Ii]n ) [ ] (?: way[ ]of[ ] )? (?: comparison | contrast | reference ) \b
    | Compare \b
    | For[ ]completeness \b
    | Individually \b
    | Compared[ ] (?: to | with ) [ ] (?: all[ ] )? (?: the[ ] )? others? \b
    | (?: Remark | Caveat | (?: Side[ ] )? [Nn]ote
        | (?: Robustness | Sensitivity ) (?: [ ](?: check | analysis ) )? )
      [*_]{0,2} [.:]                                 # **Robustness check**: ...
    | (?: [\w-]+ [ ] ){0,6}? [Aa]s[ ]an? [ ]         # OLS as a check gives ...
      (?: (?: robustness | sensitivity | sanity | plausibility | consistency | quick | rough
            | simple | cross ) [ -] )? (?: check | analysis ) \b
    | (?: To[ ] (?: check | verify ) | Check | Verification | Proof ) [*_]{0,2} [,:]
    """,
    re.VERBOSE,
)


def is_compared(context: Context) -> bool:
    """What another value is compared with: `more than 5`, `For comparison, it is 5`."""
    before = context.before
    if context.last_word in _COMPARING and _COMPARED.search(before) is not None:
        # but "from 0.5 up to 2.3", "90 % of the days were at or below 31"
        return not (
            interval_end(context)
            or _divides(context)
            or _is_near(context)
            or is_asked_limit(context)
        )
    if "followed by" in before and _RUNNER_UP.search(before):
        return True
    if has_any(before, ("rather than", "instead of")) and _NOT_CHOSEN.search(before):
        return True
    is_other = context.last_word in ("of", "about") and context.topic not in context.question.topics
    if is_other and _COMPARED_BY_NAME.search(before):
        return True
    if "H" in context.line and _HYPOTHESIS.search(context.line):
        return True
    if has_any(before, _UNADJUSTED_HINTS):
        if other := _UNADJUSTED.search(before):
            return other[1].lower() not in context.question.text.lower()
        if is_other_model(context.line, context.question):
            return _ADJUSTED_TOO.search(context.line) is None
    if "baseline" in before and _BASELINE.search(before):
        return _OF_MODEL.search(context.question.text.lower()) is not None
    if ("OLS" in before or "2SLS" in before) and _is_of_other_estimator(context):
        return True
    near = near_before(context)
    if not _may_compare(near):
        return False
    return _COMPARING_SENTENCE.match(last_sentence_of(near)) is not None


def _is_of_other_estimator(context: Context) -> bool:
    """What OLS gives where the question asks for an IV estimate, or the other way round."""
    asked = context.question.text
    asks_for_iv = _ASKS_FOR_IV.search(asked) is not None
    if asks_for_iv == (_ASKS_FOR_OLS.search(asked) is not None) or _ASKS_FOR_A_STEP.search(asked):
        return False
    other = _OLS_BEFORE if asks_for_iv else _IV_BEFORE
    return other.search(context.before) is not None


def is_other_model(label: str, question: Question) -> bool:
    """True for what begins with a label like `Crude association`, unless that is asked for."""
    found = _UNADJUSTED_LABEL.match(label)
    return found is not None and found[1].lower() not in question.text.lower()


def is_asked_limit(context: Context) -> bool:
    """True for `with 95% confidence it is at most 5.2` where the upper limit is asked for."""
    bound = context.question.bound
    return bound is not None and context.before.rstrip().endswith(_LIMITS[bound])


def _is_near(context: Context) -> bool:
    """True for `is just over 2.31`, but not for `is just over 0.05` or `slightly above 1`."""
    loose = _JUST_BESIDE.search(context.before) is not None
    return loose and context.number.decimals > 0 and context.number.value not in LEVELS


def _divides(context: Context) -> bool:
    """True for `half of them earn less than 5`, where the median is asked for."""
    asked = context.question.keywords
    if "median" in asked and _HALF.search(context.before):
        return True
    return (
        not _QUANTILES.isdisjoint(asked) and _SHARE_BELOW.search(near_before(context)) is not None
    )


def _may_compare(near: str) -> bool:
    return (
        "ompar" in near or "ontrast" in near or "eference" in near or "emark" in near
        or "aveat" in near or "ote" in near or "obustness" in near or "ensitivity" in near
        or "ompleteness" in near or "anity " in near or "heck" in near or "erif" in near
        or "Proof" in near or "ndividually" in near
    )  # fmt: skip
