"""Whether a question asks for one number, and by what name: a published range is then what its
answer may lie in, and else two values or the name of a group."""

from __future__ import annotations

import re

# The name of what a question asks for, as far as a preposition, a verb or a sign.
_ASKS_FOR = re.compile(
    r"""
    \b (?: how \s (?: many | much )
      | (?: what | which ) (?: \s (?: is | was | 's | would \s be | will \s be ) | 's )?
        (?! \s (?: are | were | is | was | if | you | we ) \b )
      | (?: report | calculate | compute | determine | estimate | find | give | identify | name
          | output | provide | return | select | show | state )
        (?! \s (?: how | what | which ) \b ) )
    (?P<name>
      (?: \s (?! (?: of | for | in | between | among | from | on | when | where | with | by | that
                    | which | if | at | under | using | to | than | as | after | before | across
                    | over | per | within | during | is | are | was | were | has | have | had | do
                    | does | did | can | could | should | would | will | may | must | show
                    | remain | exhibit ) \b )
          [\w'’²%+&/-]+ ){1,12}
      | (?<= much ) )
    (?P<next> [^\w\s] \s* (?: and \s | or \s )? (?: the \s )? [\w-]* )?
    """,
    re.IGNORECASE | re.VERBOSE,
)
# What has several numbers or a range as its value, or a number that is a name.
_SEVERAL = re.compile(
    r"""
    \b (?: and | both | each | two | pair | either | respectively | intervals? | ranges? | indices
      | names | region | limits | bounds | ci | hdi | domain | extremes? | shape | size \s of
      | dimensions? | coordinates? | location | position | place | point | cell | edge | tuple
      | endpoints? | order | quartiles | terciles | values | roots | solutions | parameters
      | where | id | phone | zip | postcode | postal | code | version | record | address ) \b
    | [/&]
    """,
    re.IGNORECASE | re.VERBOSE,
)
# Named by a range: the age group 18-25; a score of 2-3, months 1-3.
_GROUP = re.compile(
    r"""
    \b (?: group | bin | bucket | bracket | band | category | categorie | class | classe | segment
      | period | cohort | window | year | age | month | quarter | week | day | hour | decade
      | cluster | chromosome | season | date | time | stage | page | street ) s? \b (?! \s* \w )
    """,
    re.IGNORECASE | re.VERBOSE,
)
_MEASURED = re.compile(  # the average age, the number of days
    r"\b(?:number of|mean|median|average|total|typical|expected)\b(?!.*\b(?:group|range)\b)",
    re.IGNORECASE,
)
# Written with a dash, 2-3 may be one of these; as (2, 3) it is not.
_DASHED = re.compile(
    r"\b(?:score|result|number|(?<!odds )(?<!risk )(?<!rate )(?<!hazard )ratio)s?\b(?!\s*\w)",
    re.IGNORECASE,
)
_LISTED = re.compile(
    r"""
    , \s* (?: and \s )? (?: the \s )? (?: min | max | mean | median | mode | average | sd | std
      | standard | variance | quartile | precision | recall | f1 | slope | intercept | lower | upper
      | what | how | which ) \w*
    """,
    re.IGNORECASE | re.VERBOSE,
)
_ONE_MORE = re.compile(
    r"\b(?:and|as well as|plus)\s+(?:what|how|which"
    r"|p[\s-]?value|(?:the|its|their)\s+(?:mean|median|minimum|maximum|sd|p[\s-]?value))\b"
    r"|\([a-z][\w ]*,\s?[a-z][\w ]*\)\s(?:pair|combination|tuple)\b",  # (depth, rate) pair
    re.IGNORECASE,
)
_BOTH = re.compile(
    r"\b(?:respectively|(?:for|of|in) (?:each|both) (?:of|group|sex|arm)|per group"
    r"|(?:two|both) (?:numbers|values|answers|estimates))\b",
    re.IGNORECASE,
)


def name_of_one(question: str) -> str | None:
    """The name of the one number that a question asks for ("number of days" of "how many days");
    None if it asks for several, for a range or for no number."""
    asks = list(_ASKS_FOR.finditer(question))
    if not asks or _ONE_MORE.search(question) or _BOTH.search(question):
        return None
    for asked in asks:
        if _SEVERAL.search(asked["name"]) or _LISTED.match(asked["next"] or ""):
            return None
    last = asks[-1]
    is_count = last[0][:3].lower() == "how"
    return f"number of{last['name']}" if is_count else str(last["name"])


def may_be_range(name: str, is_pair: bool) -> bool:
    """Whether a number of this name may have a range: the correlation or the mean age, but not the
    age group. is_pair: the range is written `(2, 3)`, not `2-3`, which may be a score."""
    may_be_group = _GROUP.search(name) is not None and _MEASURED.search(name) is None
    return not may_be_group and (is_pair or _DASHED.search(name) is None)


def asks_for_group(question: str) -> bool:
    """Whether a question asks for the name of a group, which may be a range: "which age group"."""
    return any(_GROUP.search(asked["name"]) for asked in _ASKS_FOR.finditer(question))
