"""The patterns by which a text names an option: by its letter, by its wording however it is
written, by what it says of two things."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from ...dates import writings

# Texts of the patterns of `mention_patterns`, to be compiled with these flags.
_FLAGS = re.IGNORECASE | re.VERBOSE
# "No. of weeks", "no reason" and "no single answer" are no answers.
_NO_FURTHER = r"""
    (?! \w | \. \s? (?: of \b | [0-9] )
      | \s (?: reason | need | doubt | sign | evidence ) s? \b
      | \s (?: (?! is \b ) \w+ \s ){0,2} answer \b )
"""
# `the statement as a whole is thus`
_SAID_OF = r"""
    (?: statement | claim | assertion | proposition )
    (?: \s as \s (?: a \s whole | stated ) | \s in \s the \s question | \s above )? \s
    (?: (?: is | was ) \s )? (?: \w+ly \s | thus \s | hence \s )?
"""
# A date is no part of a longer one: `2015-01` of 2015-01-15, `January 2015` of 15 January 2015.
_DATE_BEGINS = r"""
    (?<! \w ) (?<! [0-9] [-/:.] ) (?<! mid- )
    (?: (?= [0-9] | q[1-4] )
      | (?<! [0-9] \s ) (?<! [0-9] st \s ) (?<! [0-9] nd \s ) (?<! [0-9] rd \s )
        (?<! [0-9] th \s ) )
"""
_DATE_ENDS = r"(?! \w | [-/:.][0-9] | \s? [ap]\.?m\b )"
# Nor is a number part of a longer one: 12 of 12.5 or 1.12 or -12, GPT-3 of GPT-3.5.
_DIGITS_BEGIN = r"(?<! \w ) (?<! [0-9] [.,] ) (?<! [-−–+] )"
_DIGITS_END = r"(?! \w | [.,] [0-9] )"
_PLAIN_NUMBER = re.compile(r"([-−–+]?)([0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.([0-9]+))?")
# Phrases that call a statement true or false without these words.
_VERDICTS = {
    "reject": r"\b (rejected | rejection) \b",
    "true": rf"\b ( {_SAID_OF} (?: correct | right | accurate | valid | holds ) ) \b",
    "false": rf"""
        \b ( {_SAID_OF}
             (?: incorrect | wrong | invalid | inaccurate | fails
               | not \s (?: \w+ly \s )? (?: correct | right | true | accurate | valid )
               | does (?: \s not | n['’]t ) \s hold ) ) \b
    """,
}
_LONGEST_DIRECTION = 200  # characters of an option
_CAUSES = re.compile(r"(.+?)\scauses?\s(.+)", re.IGNORECASE)
# Options that are verbs: "decreased" is "decrease".
VERBS = frozenset(
    "increase decrease overestimate underestimate improve worsen reduce accept support".split()
)
# "Overestimates" and "overstates" are one.
_IN_OTHER_FORMS = {
    f"{side}estimate{end}": pattern
    for side in ("over", "under")
    for end, pattern in (
        ("", rf"{side}(?:estimate(?:s|d)?|state[sd])"), ("s", rf"{side}(?:estimates|states)")
    )
}  # fmt: skip
# "No significant difference" and "no evidence of a difference" are "no difference".
_NO = r"""
    no \s+ (?: \w+ly \s+ )?
    (?: (?: significant | clear | detectable | discernible | measurable | real | meaningful
          | evidence \s of (?: \s an? | \s any )? ) \s+ ){0,2}
"""
# "There is" and "there's", "is not" and "isn't"; the short forms as an escaped word has them.
_IS = re.compile(r"\b(there|that|it)\s+is\b", re.IGNORECASE)
_VERB = r"(is|are|was|were|do|does|did|has|have)"
_NOT = re.compile(rf"\b{_VERB}\s*not\b", re.IGNORECASE)
_SHORT_IS = re.compile(r"^(there|that|it)\['’\]s$", re.IGNORECASE)
_SHORT_NOT = re.compile(rf"^{_VERB}n\['’\]t$", re.IGNORECASE)
_BETWEEN = r"(?:\s+|[-‐‑–_]\s?)"
_EXISTS = re.compile(r"\sexists?\.?$", re.IGNORECASE)
_RANGE_END = r"([$€£]?)([-−+]?[0-9][0-9,]*(?:\.[0-9]+)?)(\s?%)?"
_RANGE = re.compile(
    rf"(?:between\s|from\s)?{_RANGE_END}(?:\sand\s|\sto\s|\s?[-–]\s?){_RANGE_END}"
    r"(\s[\w° ]{1,30})?",
    re.IGNORECASE,
)
# What an abbreviation stands for, as a pattern.
_IN_FULL = {
    "mcar": r"missing\s[*_]*completely[*_]*\sat\srandom",
    "mar": r"missing\sat\srandom",
    "mnar": r"(?:missing\s)?not\s(?:missing\s)?at\srandom",
    "did": r"differences?[-\s]in[-\s]differences?",
    "rdd": r"regression\sdiscontinuity(?:\sdesign)?",
    "iv": r"instrumental\svariables?",
    "ols": r"ordinary\sleast\ssquares",
    "2sls": r"two[-\s]stage\sleast\ssquares",
    "psm": r"propensity[-\s]score\smatching",
    "ipw": r"inverse[-\s]probability[-\s](?:of[-\s]treatment[-\s])?weighting",
    "pca": r"principal[-\s]components?\sanalysis",
    "anova": r"analysis\sof\svariance",
    "one-way anova": r"one[-\s]way\sanalysis\sof\svariance",
    "two-way anova": r"two[-\s]way\sanalysis\sof\svariance",
    "ancova": r"analysis\sof\scovariance",
    "bmi": r"body[-\s]mass\sindex",
    "bp": r"blood\spressure",
    "gdp": r"gross\sdomestic\sproduct",
    "gpa": r"grade[-\s]point\saverage",
    "cpi": r"consumer\sprice\sindex",
    "no difference": r"(?:do|does|did)(?:\snot|n['’]t)\s"
    r"(?:significantly\sdiffer|differ\s(?:\w+ly\s)?significantly)\sbetween",
    **dict.fromkeys(
        ("mann-whitney", "mann-whitney test", "mann-whitney u", "mann-whitney u test"),
        r"wilcoxon\srank[-\s]sum(?:\stest)?",
    ),
    **dict.fromkeys(
        ("wilcoxon rank-sum test", "wilcoxon rank sum test"),
        r"mann[-–\s]whitney(?:\su)?(?:\stest)?",
    ),
    **dict.fromkeys(
        ("right-skewed", "right skewed", "skewed right", "positively skewed"),
        r"(?:right[-\s]skewed|positively\sskewed|skewed\s(?:to\sthe\s)?right|positive\sskew"
        r"|long\s(?:right|upper)\stail)",
    ),
    **dict.fromkeys(
        ("left-skewed", "left skewed", "skewed left", "negatively skewed"),
        r"(?:left[-\s]skewed|negatively\sskewed|skewed\s(?:to\sthe\s)?left|negative\sskew"
        r"|long\s(?:left|lower)\stail)",
    ),
}
# Options that say what something is like: "the correlation is positive", "positively correlated".
_QUALITY = re.compile(
    r"(positive|negative|equal|unequal|linear|nonlinear|strong|weak|normal|symmetric)\s"
    r"(correlation|association|relationship|relation|variance|trend|effect|slope|distribution)s?",
    re.IGNORECASE,
)
_RELATED = frozenset({"correlation", "association", "relationship", "relation"})
_ANSWER_LEAD = r"""
    (?: answer | option | choice | statement | select (?: ed )? | choose | chose | pick | go[ ]with
      | opt[ ]for | settle[ ](?: on | for ) | st (?: ay | ick ) [ ] with | prefer
      | favou?r
      | lean (?: s | ing )? [ ] towards? | conclusion | therefore | hence | thus | so | leaves
      | leaving | conclude | confident[ ]in | is | be
      | = | : | → )
"""
# What may follow a letter that is no article: "A is", "A over B".
_AFTER_LETTER = (
    r"(?:because|since|which|based|remains|over\s[A-Z]\b"
    r"|(?:as|is|and|should|seems|appears|looks)\b)"
)
_SURELY = r"(?! unlikely | hardly | scarcely | barely | rarely ) \w{2,12}ly"


@lru_cache(maxsize=1024)
def mention_patterns(key: str, wording: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Patterns for mentions of an option, as (rule, pattern); group 1 is the mention."""
    patterns = []
    if len(key) == 1 or key.isdecimal():
        patterns.append(("letter", letter_pattern(key)))
    if len(wording) > 1:
        further = _NO_FURTHER if key == "no" else r"(?!\w)"
        before = _DIGITS_BEGIN if wording[0] in "0123456789-−–+" else r"(?<!\w)"
        if writings(wording):
            before, further = _DATE_BEGINS, _DATE_ENDS
        elif wording[-1].isdecimal():
            further = _DIGITS_END
        pattern = re.compile(rf"{before}({_wording_pattern(wording)}){further}", _FLAGS)
        is_named = len(key) == 1 and wording.lower().endswith(f" {key}")  # hospital A
        patterns.append(("named" if is_named else "wording", pattern))
    elif wording and wording.lower() != key:  # B. 5
        patterns.append(("wording", letter_pattern(wording.lower())))
    if len(wording) <= _LONGEST_DIRECTION and (causes := _CAUSES.fullmatch(wording)):
        patterns.append(("wording", _direction_pattern(*causes.groups())))
    if quality := _QUALITY.fullmatch(wording):
        said = _quality_patterns(quality[1].lower(), quality[2].lower())
        patterns += [("wording", pattern) for pattern in said]
    if key in _VERDICTS:
        patterns.append(("verdict", re.compile(_VERDICTS[key], _FLAGS)))
    return tuple(patterns)


def _wording_pattern(wording: str) -> str:
    """A pattern for a wording, however its spaces, hyphens, apostrophes and "and" are written."""
    if number := _PLAIN_NUMBER.fullmatch(wording):
        return _number_pattern(*number.groups())
    in_full = _IN_FULL.get(wording.lower())
    if wording.lower().startswith("no "):
        pattern = _NO + _wording_pattern(_EXISTS.sub("", wording[3:]))
        return f"(?:{pattern}|{in_full})" if in_full else pattern
    if wording.lower() in _IN_OTHER_FORMS:
        return _IN_OTHER_FORMS[wording.lower()]
    if wording.lower() in VERBS:
        return rf"{wording.strip()}(?:s|e?d)?"
    if found := _RANGE.fullmatch(wording):
        return _range_pattern(*(part or "" for part in found.groups()))
    words = []
    wording = _IS.sub(r"\1's", _NOT.sub(r"\1n't", wording.strip().replace("’", "'")))
    for word in re.split(r"\s+|(?<=[A-Za-z])[-_](?=[A-Za-z])", wording):
        plain = re.escape(word).replace("'", "['’]")
        plain = _SHORT_NOT.sub(r"\1(?:n['’]t|\\s*not)", plain)
        plain = _SHORT_IS.sub(r"\1(?:['’]s|\\s+is)", plain)
        words.append("(?:and|&)" if word.lower() in ("and", "&") else plain)
    if len(words) == 3 and words[1] == "(?:and|&)":  # strong and negative, a strong negative one
        words[:2] = [f"{words[0]}(?:{_BETWEEN}and)?"]
    pattern = _BETWEEN.join(words)
    if words[0].lower() == "non":  # nonstationary
        pattern = f"non{_BETWEEN}?" + _BETWEEN.join(words[1:])
    return f"(?:{pattern}|{in_full})" if in_full else pattern


def _number_pattern(sign: str, whole: str, decimals: str | None) -> str:
    """A pattern for a number, however its minus, thousands and last zeros are written."""
    minus = "[-−–]" if sign in ("-", "−", "–") else r"\+?"
    digits = whole.replace(",", "")
    ends = range(len(digits) % 3 or 3, len(digits) + 1, 3)
    grouped = ",?".join([digits[max(0, end - 3) : end] for end in ends])
    kept = (decimals or "").rstrip("0")
    return minus + grouped + (rf"\.{kept}0*" if kept else r"(?:\.0+)?")


def _range_pattern(*parts: str) -> str:
    """A pattern for a range: between 5 and 8 points, 5-8 points. parts: the currency, the number
    and the percent sign of either end, and the unit."""
    low_currency, low, low_sign, high_currency, high, high_sign, unit = parts
    percent, unit = r"\s?(?:%|per\s?cent)", re.escape(unit)
    low_sign = f"(?:{percent})?" if low_sign or high_sign else ""  # 5 to 8 %
    low_sign += f"(?:{unit})?" if unit else ""  # 5 mg to 8 mg
    high_sign = percent if high_sign else ""
    begin = re.escape(low_currency) + _wording_pattern(low) + low_sign
    end = re.escape(high_currency) + _wording_pattern(high) + high_sign + unit
    joint = r"(?:\s*(?:to|–)\s*|-)"  # but 0.5 - 0.6 is a difference
    return rf"(?:between\s+{begin}\s+and\s+{end}|(?:from\s+)?{begin}{joint}{end})"


def _direction_pattern(cause: str, effect: str) -> re.Pattern[str]:
    """A pattern for other ways to say that one thing causes another."""
    one, other = _wording_pattern(cause), _wording_pattern(effect)
    return re.compile(
        rf"""
        (?<!\w) (
            {one} \W{{0,4}} (?: → | -+> | =+> | ⇒ | ⟶ ) \W{{0,4}} {other}       # rain → harvest
          | (?: runs | goes | points ) \s from \W{{1,4}} {one} \W{{1,4}} to \W{{1,4}} {other}
          | {one} \W{{1,4}} (?: is | was | being ) \s (?: the | a ) \s (?: \w+ \s )? cause \s of
            \W{{1,4}} {other}
          | {other} \W{{1,4}} (?: is | was | being ) \s
            (?: (?: mainly | mostly | probably | directly | clearly | likely ) \s )?
            caused \s by \W{{1,4}} {one}
        ) (?!\w)
        """,
        _FLAGS,
    )


def _quality_patterns(quality: str, thing: str) -> Iterator[re.Pattern[str]]:
    """Patterns for a quality that is said of a thing in a sentence."""
    yield re.compile(
        rf"""
        \b {thing}s? \b [^.;:!?\n]{{0,60}}? \b (?: is | are | was | were | can \s be ) \s
        (?: not \s )? (?: (?: treated | regarded | considered | taken ) \s as \s )?
        (?: \w+ly \s | therefore \s | thus \s ){{0,2}} ( {quality} ) (?! \w | \s (?: in | for ) \b )
        """,
        _FLAGS,
    )
    if thing in _RELATED:
        yield re.compile(rf"\b ({quality}ly) \s (?: (?:cor)?related | associated ) \b", _FLAGS)


@lru_cache(maxsize=64)
def letter_pattern(letter: str) -> re.Pattern[str]:
    """A pattern for a letter or number that stands as an answer; group 1 is the letter."""
    big, small = re.escape(letter.upper()), re.escape(letter)
    # "A" before a lower-case word is the article, and "I" the agent, unless a reason follows.
    article = rf"(?!\s+(?!{_AFTER_LETTER})(?:\([a-z-]+\)\s)?[a-z])" if big in "AI" else ""
    # No two repeats of the same signs stand side by side: that would backtrack without end.
    return re.compile(
        rf"""
        (?: ^ [^\w\n]*                              # a line begins, perhaps with:
            (?: (?i: the \s+ )? (?i: answer | option | choice | statement ) \W+     # The answer:
                (?: (?i: is ) \s \W* )? )?
          | (?: \b | (?= [=:→] ) )
            (?i: {_ANSWER_LEAD} (?: \s (?: most \s )? {_SURELY} )? ) \W{{0,6}}
                                                    # we choose **, is most likely
          | \b [Ii]t['’]s \s
          | (?<= [.!?] ) \s+ (?= {big} (?: [\W_]* \Z | \s it \s is \W ) )      # of the other. C
          | \*\* \W? | \\boxed \{{ (?: \\(?: text | math ) (?: bf | rm ) \{{ )? | \\text \{{
          | [\"'‘“`] | (?<!\w) [(\[]
          | \b but \s (?= {big} [.!]? [\s*]* (?: \n | \Z ) )      # not B, but A
          | (?: [.,;:!?] | \b (?: that | so | but | and | think | believe | feel | say ) ) \s
            (?= {big} \s (?: is | seems | appears | looks ) \s (?: to \s be \s )?
              (?: (?: by | the | far | much | clearly | somewhat ) \s ){{0,3}}
              (?: more \s | most \s )?
              (?: likely | plausible | probable | best | better | sensible | correct | right ) \b )
          # A is not; B is right
          | [,;] \s (?= {big} \s is \s (?: right | correct | (?: the | my | our ) \s ) ) )
        ( {big} | (?<! [A-Za-z] ) {small} (?= \W* $ ) )     # a small one ends its line
        (?! [A-Za-z0-9_-] | (?<! ['‘]\w ) ['’] | ['’] (?: \w | \s?: ) | [.,]\d | \s?% ) {article}
                                                    # but not: B-spline, B's, 'B': 3, 3.5, 3 %
        """,
        re.MULTILINE | re.VERBOSE,
    )
