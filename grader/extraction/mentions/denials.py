"""Evidence against a mention of an option: denied, only supposed, said by others."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ...records import Candidate
from ...text.sentences import sentence_around
from .finding import JOINT
from .patterns import VERBS

WORDS_BEFORE = 160  # characters
# In the examples, <B> is the option that is mentioned.
# A denial, and what may stand between it and an option.
_OPTION_DENIED = re.compile(
    r"""
    (?: \b (?: not | never | no[ ]longer | cannot | hardly | neither | nor     # not <B>
             | doubt | false | (?: no | not \s make ) \s sense (?= \s that )
             | rather[ ]than | instead[ ]of | far[ ]from                       # rather than <B>
             | (?: stretch | wrong | premature | tempting ) [ ] to [ ] \w+   # a stretch to say <B>
             | non                                                             # non-<normal>
             | rul (?: es? | ed | ing ) [ ]out | exclud (?: e | es | ed | ing )
             | fail (?: s | ed | ing | ure )? | (?: un | not[ ] ) able | insufficient | lack[ ]of
             | no (?= \s+ (?: \w+ \s+ )? (?: evidence | reason | grounds? | basis ) ) )
      | n['’]t )
    # little words up to the option: not to be considered an <experiment>
    (?: [\s-]+ (?: \w+ly | an? | the | option | to | be | been | is | appears? | seems? | have
                 | any | enough | sufficient | strong | convincing | evidence | reason | grounds?
                 | basis | called | considered | deemed | said | say | conclude | that | it
                 | this | case | clear ) ){0,7}
    [^\w,;]{0,3} $
    # too far from zero to call it <symmetric>
    | \b too \s [^.,;\n]{1,40} \s to \s (?: call | be | consider ) \b [^.,;\n]{0,30} $
    # no good reason for us to <reject>
    | \b no \s (?: \w+ \s )? (?: grounds? | reason | evidence | basis ) \b [^.,;\n]{0,50} $
    """,
    re.IGNORECASE | re.VERBOSE,
)
_DENIED_AFTER = re.compile(
    r"""
    (?: \s? \( [^()\n]{1,60} \) )? \W{0,3}              # <A> (Yes) would require
    (?: (?: model | test | method | distribution | option | group | exists ) ["”’]? \s )?
    (?: (?: does | do | is | are | was | were | would | could | can ) (?: \s? not \b | n?['’]t \b )
      (?! \s (?: be \s )? (?: \w+ly \s )?
          (?: beaten | bettered | surpassed | ruled[ ]out | excluded | rejected ) \b )
      # <B> is clearly wrong, <B> must be ruled out
      | (?: is | are | was | were | must[ ]be | (?: can | would | could | may | might ) [ ]be ) \s
        (?: \w+ly \s )?
        (?: incorrect | invalid | wrong | misleading | excluded | impossible
          | (?: ruled[ ] )? out (?! [ ] (?: of | in ) \b )
          | unsuitable | inappropriate | false | rejected | removed
          | less[ ]\w+ | set[ ]aside
          | dismissed | discarded | eliminated | dropped | discounted ) \b
      | (?: is | are | was | were | looks? | seems? | appears? ) \s (?: \w+ly \s )?
        (?: doubtful | dubious | questionable | implausible | untenable | unlikely | wrong ) \b
      | makes? [ ] (?: no | little ) [ ] (?: \w+ [ ] )? sense
      | is [ ] (?: only | merely ) [ ] indirect
      | goes [ ] too [ ] far | would [ ] (?: need | require )
      | (?: can | will | would ) [ ] never \b
      | would [ ] be [ ] (?: my | the | our | a ) [ ] (?: distant [ ] )? (?: second | next ) \b
      | (?: is | would[ ]be ) [ ] an? [ ] (?: misconception | fallacy | misreading | overstatement )
      | fits [ ] (?: worse | less | poorly ) \b
      # rain → harvest: p = 0.001 (rejected)
      | [:(\s]{1,3} p \b [^\n;,]{1,20} \(? rejected \b )
    """,
    re.IGNORECASE | re.VERBOSE,
)
# A. <Incorrect>, B: <yes>; the words that may also be those of an option are `plain`.
_VERDICT = re.compile(
    r"""
    [\s*_`\"'”)\]]{0,4} [.:=→(–—-] [\s*_`(]{0,4} (?: (?: this | it ) \s is \s )?
    (?: (?P<no> incorrect | wrong | implausible | unlikely | contradicted | unsupported
          | not \s (?: correct | right | plausible | supported ) | (?P<plain_no> false | no ) )
      | (?: correct | right | plausible | supported | most \s (?: plausible | likely )
          | (?P<plain_yes> true | yes ) ) )
    (?= [*_`)]{0,3} (?: \s* (?: [.,;:!?)–—\n-] | $ ) | \s (?: because | since | as ) \b ) )
    """,
    re.IGNORECASE | re.VERBOSE,
)
_LETTER_ENDS = re.compile(r"[\s*_`\"'”)(.:\]]{1,6}")
# <A> and B are wrong; but not: The answer is A, B and C are wrong
_CLAUSE_BEGINS = re.compile(r"(?:^|[.!?;:\n])[\W_]{0,6}$")
_LIST_DENIED = re.compile(
    rf"""
    (?: {JOINT} [A-Z] (?! [\w'’-] ) )+ [*_`\"'”)\]]{{0,4}} \s
    (?: (?: are | were ) (?: \s? not \b | n['’]t \b
        | \s (?: (?: both | all | clearly ) \s )? (?: wrong | incorrect | invalid | false
            | unsuitable | inappropriate | excluded | ruled[ ]out | implausible ) \b )
      | do (?: \s not \b | n['’]t \b ) )
    """,
    re.VERBOSE,
)
_NO_BEFORE = re.compile(r"\bno (?:\w+ly )?(?:significant |clear )?$", re.IGNORECASE)
# The scores <decreased> by 0.4, which is not significant.
_NO_CHANGE_AFTER = re.compile(
    r"""
    (?: [^.;\n] | \.\d ){0,80}
    \b (?: not \s (?: \w+ly \s )? (?: significant | different ) | insignificant(?:ly)?
         | indistinguishable | negligibl[ey] )
    """,
    re.IGNORECASE | re.VERBOSE,
)
_REJECTED = re.compile(
    r"(?<!not )(?<!n['’]t )(?<!cannot )(?<!fail to )(?<!fails to )(?<!failed to )"
    r"\b(?:reject|dismiss|discard|discount|eliminat)(?:e|e?s|ed|ing)?\b(?:\s(?:the|that|an?))?"
    r"(?:\s(?:option|answer|choice|possibility)(?:\sthat)?)?"
    r"(?:\s[A-Z]\b\W{0,2})?\s\W{0,2}$",
    re.IGNORECASE,
)
# The null hypothesis of <equal> variances is therefore rejected.
_NULL_BEFORE = re.compile(
    r"\b(?:null|(?<!alternative )hypothesis)(?:\s(?:of|that)\s|\s?\()(?:[^\W\d]+\s){0,5}\W{0,2}$",
    re.IGNORECASE,
)
_REJECTED_AFTER = re.compile(
    r"(?:(?!\b(?:and|but)\b)[^.,;:\n]){0,40}"
    r"\b(?:is|was|are|were|gets|(?:must|can|should|has\sto)\sbe)\s"
    r"(?:(?!(?:not|never|hardly|scarcely|neither)\b)[a-z]+\s){0,2}rejected\b",
    re.IGNORECASE,
)
_REJECTS_NULL = re.compile(r"\breject(?:s|ed)?\sthe\s(?:null|hypothesis)\b", re.IGNORECASE)
_KEPT = re.compile(  # no evidence to <reject>, do not, at the 5% level, <reject>
    r"(?:\b(?:not|never|cannot|no|none|neither|nor|unable|(?:in|not\s)sufficient|impossible|lacks?"
    r"|lacking|fail(?:s|ed|ing)?|without|hardly)\b|n['’]t\b)[^.;:\n]{0,60}$",
    re.IGNORECASE,
)
_OFFERS_AFTER = re.compile(  # <Yes>, I can help with that!
    r"[,!]\s(?:of course,? )?(?:I|we)(?:['’](?:ll|d)| can| will| would)\b[^.!?\n]{0,20}"
    r"\bhelp (?:you )?(?:with )?(?:that|this|it)\b",
    re.IGNORECASE,
)
_ASIDE_COMPARED = re.compile(  # North (84.8 % against 79.6 % for <South>)
    r"\([^()\n]{0,60}\b(?:vs|versus|against|compared (?:to|with)|than)\b[^()\n]{0,30}$",
    re.IGNORECASE,
)
_SIDE_OF_DIFFERENCE = re.compile(  # no difference between the treatment and the <control> group
    r"\bdiffer(?:s|ed|ences?)?\b[^.,;:\n]{0,40}\bbetween\s(?:the\s)?"
    r"(?:(?:[\w-]+\s){1,3}and\s(?:the\s)?)?\W{0,3}$",
    re.IGNORECASE,
)
_SUPPOSED = re.compile(
    r"""
    (?: \b (?: would[ ] (?: only[ ] )? be | could[ ]be | might[ ]be | if | unless
             | if [ ] (?! anything | pressed | forced | i\b | we\b | you\b )
               [^.,;\n]{1,40} , [ ] (?: then [ ] )? it (?: ['’]s | [ ] is )
             | whether (?: \s \w+ ){0,4} )           # whether the answer is <yes>
      | \( [^()]{1,30} \b option )                   # (the first option <A>
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
    (?: answer | say | suspect | think | expect | argue | guess | believe | object
          | be \s tempted \s to \s \w+ ) \b
    [^.,;\n]{0,60} $
    """,
    re.IGNORECASE | re.VERBOSE,
)


def verdict_behind(text: str, mention: Candidate, known: Mapping[str, str]) -> bool | None:
    """What a text says right behind an option, or its letter and wording, in a review of several:
    False for `A. Incorrect.`, True for `B (dogs): correct`, None for anything else."""
    end, wording = mention.span[1], known.get(str(mention.value), "")
    behind = _LETTER_ENDS.match(text, end)
    if behind and len(wording) > 1:
        own_end = behind.end() + len(wording)
        if text[behind.end() : own_end].lower() == wording.lower():
            end = own_end
    found = _VERDICT.match(text, end)
    if found is None or (len(wording) < 2 and (found["plain_no"] or found["plain_yes"])):
        return None
    return found["no"] is None


def against(
    text: str, mention: Candidate, before: str, known: Mapping[str, str], *, supposes: bool
) -> list[str]:
    """The evidence against a mention. supposes: the question asks what would be."""
    names = []
    start, end = mention.span
    is_change = mention.value in VERBS
    if (
        _OPTION_DENIED.search(before)
        or ((is_change or mention.value == "significant") and _NO_BEFORE.search(before))
        or _DENIED_AFTER.match(text, end)
        or (_CLAUSE_BEGINS.search(before) and _LIST_DENIED.match(text, end))
        or (is_change and _NO_CHANGE_AFTER.match(text, end))
        or _OFFERS_AFTER.match(text, end)
        or _ASIDE_COMPARED.search(before)
        or (_SIDE_OF_DIFFERENCE.search(before) and _has_no_difference(known))
        or (_REJECTED.search(before) and not any("reject" in key for key in known))
        or ("reject" not in known and _is_of_rejected_null(text, end, before))
    ):
        names.append("negated")
    if _OTHERS_SAY.search(before):
        names.append("hypothetical")
    elif not supposes and _is_supposed(text, end, before):
        first, last = sentence_around(text, start, end)
        names.append("hypothetical" if _CONDITION.search(text, first, last) else "supposed")
    return names


def _is_of_rejected_null(text: str, end: int, before: str) -> bool:
    """Whether a mention names a null hypothesis that its sentence says is rejected."""
    null = _NULL_BEFORE.search(before)
    if null is None:
        return False
    rejects = _REJECTS_NULL.search(before, max(0, null.start() - len("rejected the null ")))
    if rejects:
        return _KEPT.search(before, 0, rejects.start()) is None
    return _REJECTED_AFTER.match(text, end) is not None


def _has_no_difference(known: Mapping[str, str]) -> bool:
    """Whether one of the options is that there is no difference."""
    return any(wording.lower().startswith("no diff") for wording in known.values())


def _is_supposed(text: str, end: int, before: str) -> bool:
    if _SUPPOSED.search(before) or _CONDITIONAL.search(before):
        return True
    sentence = before[max(before.rfind(sign) for sign in (". ", "\n", "! ", "? ", "; ")) + 1 :]
    return bool(_DECISION_RULE.search(sentence) or _CONDITION_AFTER.match(text, end))


def denial_start(text: str, start: int) -> int:
    """The start of the denial before a mention at `start`; `start` itself without one."""
    lead = max(0, start - WORDS_BEFORE)
    denial = _OPTION_DENIED.search(text[lead:start])
    return lead + denial.start() if denial else start
