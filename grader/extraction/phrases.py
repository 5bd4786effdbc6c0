"""Phrases of an agent about its answer: this is it, it was wrong, it is what was asked for, it is
a fall."""

from __future__ import annotations

import re
from collections.abc import Iterator

_FIELD_TEXT = r"(?<![\w.])@\w{1,60}\["
FIELD = re.compile(_FIELD_TEXT)  # `@mean_fare[`, which begins a field of a DAEval answer
_EXPLICIT_TEXT = rf"""
    (?= [\\fa_"@\#\s] )                                  # looked at first, for speed
    (?: \\boxed \{{                                      # \boxed{{4}}
      | \b final [ _] answer \b                           # final answer 4
      | (?: \b | __ ) answer \s*+ (?: (?: \*\* | __ ) \s*+ )? [:=]    # Answer: 4, **Answer**: 4
      | ^ \#* \s* answer \s* $                            # ## Answer, on a line of its own
      | " (?: final_ )? (?: answer | result | value | estimate | solution | prediction ) " \s* :
                                                          # "final_answer": 4
      | {_FIELD_TEXT} )                                   # @mean_fare[4]
"""
# my answer would be 4, the answer (in words) is four
_ANSWER_IS_TEXT = r"\b answer (?: [ ] \( [^()\n]{1,40} \) )? [ ] (?: is | would[ ]be ) \b"
EXPLICIT = re.compile(_EXPLICIT_TEXT, re.IGNORECASE | re.MULTILINE | re.VERBOSE)
# The same, or plain words: the answer follows.
ANSWER_IS = re.compile(
    rf"{_EXPLICIT_TEXT} | {_ANSWER_IS_TEXT}",
    re.IGNORECASE | re.MULTILINE | re.VERBOSE,
)
_CORRECTION = re.compile(
    r"""
    \b (?= [wctliasoh] )                         # looked at first, for speed
    (?: wait \b [,.:—]                           # wait, I used the wrong column
      # Correction: 5; but not: with small-sample correction: 5
      | (?<! sample[ ] ) (?<! continuity[ ] ) (?<! population[ ] ) (?<! bonferroni[ ] )
        (?<! yates[ ] ) (?<! holm[ ] ) (?<! bias[ ] ) correction \s* :
      | that (?: 's | ’s | [ ]is | [ ]was ) [ ] (?: wrong | incorrect | not[ ]right )
      | let[ ]me[ ]correct
      | I[ ]correct \b
      | I[ ]made[ ]an? [ ] (?: mistake | error )
      | a[ ]mistake \b
      | scratch[ ]that
      # I initially computed 5, but
      | (?: initially ,? [ ]I | I[ ]initially ) [ ]
        (?: [^.;\n] | \.(?=[0-9]) ){1,80}? [,;] [ ] but \b
      | on[ ]second[ ]thought
      | hmm,[ ]no \b )
    """,
    re.IGNORECASE | re.VERBOSE,
)
STRONG = re.compile(
    rf"""
    \b the[ ]answer[ ] (?: is | to | comes )             # the answer to the question, 4
    | {_ANSWER_IS_TEXT}
    | \b conclusion \s*+ (?: \*\* \s*+ )? :              # **Conclusion**: 4
    | \b final[ ] (?: result | value | estimate ) \b     # the final estimate, 4
    | \b (?: executive[ ]summary | bottom[ ]line | key[ ](?: finding | result ) | headline
           | tl;dr | in[ ]short ) \b
    """,
    re.IGNORECASE | re.VERBOSE,
)
_WEAK_WORDS = frozenset(
    "therefore thus hence result results rounded overall equals gives yields".split()
)
_WEAK = re.compile(
    r"""
    \b (?= [siwct] )                      # looked at first, for speed
    (?: so[ ](?: the | that ) | in[ ]conclusion | in[ ]summary | we[ ](?: get | obtain | find )
      | comes[ ]to | is[ ]approximately
      | ^ (?: so | that[ ]is ) ) \b        # So 4 rows are left, as a line begins
    """,
    re.IGNORECASE | re.MULTILINE | re.VERBOSE,
)
_BOLD_NUMBER = re.compile(r"\*\*[^*\n]{0,80}\d")  # **about 4 rows**
_WEAK_STARTS = frozenset("so conclusion summary we comes approximately".split())
EXPLICIT_BONUS, STRONG_BONUS, WEAK_BONUS = 1.0, 0.5, 0.2
_LESS = re.compile(
    r"""
    \b (?: decreas | declin | drop | reduc | lower | fewer | less \b | fell \b | falls? \b
         | shr [aiu] nk | cuts? \b | loss | lost | lose | down[ ]by \b | shorten | weaken
         | worsen | save [sd]? \b | saving | penalty
         | (?: ha[sd] | have ) [ ] cost \b [^.,;:\n]{0,40} $             # has cost the stores <20>
         | (?: costs | trims | subtracts | takes[ ] (?: off | away ) | knocks[ ]off ) [ ] \W{0,3} $
         | negative (?: ly )? [ ] (?: correlat | associat | relat | linked | effect | slope | trend
           | coefficient ) )
    """,
    re.IGNORECASE | re.VERBOSE,
)
_FALLS_BY = re.compile(
    r"""
    \b (?: fell | falls | dropped | drops | declined | declines | decreased | decreases | shrank
         | went[ ]down | is[ ]down | was[ ]down ) [ ] (?: by[ ] )? (?: about[ ] )? [*_~≈$]{0,3} $
    | \b (?: fall | drop | decline | decrease | reduction ) [ ]of[ ] (?: about[ ] )? [*_~≈$]{0,3} $
    """,
    re.IGNORECASE | re.VERBOSE,
)
_LESS_AFTER = re.compile(
    r"""
    [^.;\n]{0,24}?       # 1.7 points lower
    \b (?: lower | fewer | less | smaller | shorter | colder | cooler | cheaper | lighter
         | younger | below (?! [ ] (?: zero | 0 ) \b ) | reduction | decrease | decline
         | drop ) \b
    """,
    re.IGNORECASE | re.VERBOSE,
)
_FEWER = re.compile(r"[ ](?:points[ ])?(?:fewer|less|lower)\b")
_REFERRING = re.compile(
    r"""
    \b (?: (?<! [Ii]f[ ] ) you[ ] (?: asked | wanted | are[ ]asking )
         | your[ ]question
         | (?: what | which | measure | value | number | figure | one | quantity )
           [ ] the[ ] (?: question | task ) [ ] (?: refers[ ]to | asks[ ] (?: for | about ) )
         | asked[ ] (?: for | about )
         | (?: asked | called[ ]for | named | requested | required | specified | stated )
           [ ] (?: in | by ) [ ]the [ ] (?: question | task )      # as specified in the task
         | [Aa]s[ ] (?: asked | requested ) ) \b
    """,
    re.VERBOSE,
)
_DENIED_BEFORE = re.compile(r"(?:\bnot|n['’]t) (?:\w+ ){0,3}$")  # these are not what you asked for


def bonus(text: str, said: set[str]) -> float:
    """The bonus that a text's answer phrases add to its region score. `said` are its words."""
    low = text.lower()
    if _may_be_explicit(low) and EXPLICIT.search(text):
        return EXPLICIT_BONUS
    if _may_be_strong(low) and STRONG.search(text):
        return STRONG_BONUS
    if not said.isdisjoint(_WEAK_WORDS) or "≈" in text or _BOLD_NUMBER.search(text):
        return WEAK_BONUS
    may_be_weak = "**" in text or "that is" in low or not said.isdisjoint(_WEAK_STARTS)
    return WEAK_BONUS if may_be_weak and _WEAK.search(text) else 0.0


def may_point(lowered: str) -> bool:
    """False for a text in which no phrase can point at a number; a cheap look ahead."""
    return _may_be_explicit(lowered) or _may_be_strong(lowered)


def points_explicitly(before: str, since: int = 0) -> bool:
    """True if "final answer:", a box or the like stands before a number. since: where in
    `before` the last other number that may be an answer ends; only what follows it counts."""
    return _may_be_explicit(before.lower()) and _ends_after(EXPLICIT, before, since)


def points(before: str, since: int = 0) -> bool:
    """True if "the answer is", "conclusion:" or the like stands before a number."""
    return _may_be_strong(before.lower()) and _ends_after(STRONG, before, since)


def corrections(text: str) -> Iterator[int]:
    """Where the phrases end by which a text takes back what it said before ("wait, that is
    wrong")."""
    if _may_correct_itself(text.lower()):
        for match in _CORRECTION.finditer(text):
            yield match.end()


def says_less(before: str, after: str) -> bool:
    """True if the words around a number speak of a fall: `lowered sales by 26`, `1.7 fewer`."""
    clause = max(before.rfind("."), before.rfind("\n"), before.rfind(";"))
    return _LESS.search(before, max(0, clause)) is not None or _LESS_AFTER.match(after) is not None


def falls_by(before: str) -> bool:
    """True right behind `fell by` or `a decrease of`."""
    return _FALLS_BY.search(before) is not None


def falls_behind(after: str) -> bool:
    """True right before `fewer` or `less often`."""
    return _FEWER.match(after) is not None


def may_refer(text: str) -> bool:
    """False for a text that nowhere refers to the question; a cheap look ahead."""
    return (
        "asked" in text or "you wanted" in text or "asking" in text or "your question" in text
        or "the question" in text or "the task" in text or "requested" in text
    )  # fmt: skip


def refers_to_question(text: str, start: int, end: int) -> bool:
    """True if text[start:end] says that something is what was asked for; not that it is not."""
    found = _REFERRING.search(text, start, end)
    return found is not None and _DENIED_BEFORE.search(text, start, found.start()) is None


def _ends_after(phrase: re.Pattern[str], before: str, since: int) -> bool:
    return any(match.end() >= since for match in phrase.finditer(before))


# Without one of these in it, a text need not be searched for the phrases above. (Plain `in`
# tests, one after the other: several times faster on long texts than one pattern.)


def _may_be_explicit(low: str) -> bool:
    return (
        "answer" in low
        or "boxed{" in low
        or ("@" in low and "[" in low)
        or ('"' in low and ("result" in low or "value" in low or "estimate" in low
                             or "solution" in low or "prediction" in low))
    )  # fmt: skip


def _may_be_strong(low: str) -> bool:
    return (
        "answer" in low or "conclusion" in low or "final" in low or "summary" in low
        or "bottom" in low or "key" in low or "headline" in low or "tl;dr" in low or "short" in low
    )  # fmt: skip


def _may_correct_itself(low: str) -> bool:
    return (
        "wait" in low or "correct" in low or "wrong" in low or "mistake" in low or "error" in low
        or "scratch" in low or "thought" in low or "not right" in low or "hmm" in low
        or "initially" in low
    )  # fmt: skip
