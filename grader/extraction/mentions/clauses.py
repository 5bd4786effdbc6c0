"""Where a clause of prose gives words as the answer: "the red group has the highest mean"."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import replace

from ...dates import is_one_of_several, writings
from ...records import Candidate
from ...text.keywords import STOP_WORDS, words
from ..phrases import corrections
from ..question import Question
from .echo import told
from .evidence import MOST_MENTIONS, is_other_label, mention_evidence
from .finding import find_mentions, moved
from .restatements import echoes, gives_date, is_date_of

# Texts of patterns, to be compiled with these flags. In the examples, <red> is the answer.
_FLAGS = re.IGNORECASE | re.VERBOSE
_CLAUSE_START = r"""
    (?: ^ | [.,:!?] \s | \b (?: but | while | whereas ) \s ) [\W_]*+
    (?: (?: so | thus | hence | therefore | while | whereas ) ,? \s )?             # So,
    (?: (?: in | among | of | after | by | on | at | for | with )
        \s [^,;:]{1,40}? ,? \s )?                               # in this model,
    # the farms in <red>
    (?: (?: the | all ) \s (?: [\w-]+ \s ){1,3} (?: in | of | from | at ) \s )?
    (?: the \s | an? \s )? [\W_]* $                             # the <red>
"""
# `the negative binomial regression has`: the kind of thing may follow the words.
_KIND = r"""
    (?: [*_`]* \s (?: model | regression | test | method | distribution | algorithm | approach
                    | group | one ) )?
"""
_VERB_OF_SUBJECT = rf"""
    {_KIND} (?: \s (?: \( [^()\n]{{1,20}} \) | [–—] \s [^–—\n]{{1,40}} [–—] ) )? [\W_]{{0,4}}
    (?: is | are | was | were | has | had | have                  # <red> has the highest mean
      | (?: comes? | came | ranks? | ranked ) \s (?: first | out \s on \s top )  # <red> came first
      | (?: stands? | stood ) \s out | (?: comes? | came ) \s (?: out \s )? ahead
      | (?: fits? | suits? | perform | achiev | outperform | yield | gives? | gave | wins? | won
          | leads? | led | record | register | show | display | exhibit | receiv ) \w* ) \b
    (?! \W* \d                                                    # but not: <red> has 4
      | \s (?: \w+ \s )? (?: worse | less | lower | fewer | smaller | second | third | last ) \b )
"""
_VERB_OF_OBJECT = r"""
    (?: \b (?: (?: is | are | was | were ) \s
               (?: (?: that | those ) \s (?: of | for )              # is that of <red>
                 | (?: \w+ly \s | thus \s )? \w+ed \s by )          # was clearly achieved by <red>
             | known \s as | (?: it | that ) ['’]s
             | (?: is | are | was | were ) (?: \s (?: therefore | thus | hence | then ) )?
             | be | called | named | belongs? \s to | goes \s to | choose | chose | select (?: ed )?
             | pick (?: ed )? | recommend | go[ ]with
             | (?: achieved | given | won | led ) [ ] by ) \s (?: the \s | an? \s )? )
    [\s*_`\"'“(\[{]* $
"""
# The mean is highest (or higher) in <red>, at 4 points. The highest mean was in <red>.
_HIGHEST_IN = r"""
    \b (?: (?: is | are | was | were ) \s (?: the \s )?
          (?: highest | lowest | largest | smallest | greatest | strongest | weakest | best | worst
            | (?P<compared> higher | lower | larger | smaller | greater | stronger | weaker ) )
        | (?P<named> highest | lowest | largest | smallest | greatest | strongest | weakest | best
            | worst ) \s (?: [\w-]+ \s ){1,4} (?: is | are | was | were )
          (?: \s (?: achieved | reached | recorded | observed | found | seen | measured ) )?
        # it declined most in <red>
        | (?: \w+ed | \w+s | grew | fell | rose | differ ) \s (?: the \s )? (?: most | least )
        # most views are on <red>
        | (?: most | fewest ) \s (?: [\w-]+ \s ){1,4} (?: is | are | was | were ) ) \s
    (?: for | in | on | at | among | with ) \s (?: (?: the | an? | its | their ) \s )?
    [\s*_`\"'“(\[{]* $
"""
_HIGHEST_IN_ENDS = r"""
    [*_`\"'”]{0,3} (?: \s \( [^()\n]{1,40} \) )? (?: \s (?: with | at ) \s [^,;\n]{1,60} )?
    [\s*_`\"'”)\]}.,!]* $
"""
# Patterns before and after words that a sentence gives as the answer.
_GIVES: tuple[tuple[str, re.Pattern[str], re.Pattern[str]], ...] = tuple(
    (name, re.compile(before, _FLAGS), re.compile(after, _FLAGS))
    for name, before, after in (
        ("object", _VERB_OF_OBJECT, r"(?! ['’] s? \b )"),
        ("place", _HIGHEST_IN, _HIGHEST_IN_ENDS),
        ("subject", _CLAUSE_START, _VERB_OF_SUBJECT),
        ("label", r": [*_]* \s [\W_]* $",
                  r"[*_]*+ (?: \s \( [^()\n]{1,40} \) )? [\W_]{0,4} (?: \n | $ )"),
        ("only_bold", r"^ [^*]* \*\* $", r"[^*]* \*\* [^*]* $"),
    )
)  # fmt: skip
_CLAUSE_BREAK = re.compile(  # but not: May 3, 2015; the lowest rate, 1.4 %, is that of A
    r"[.;!?](?=\s)|,(?=\s)(?!\s[12][0-9]{3}\b)(?!\s(?:is|was|belongs)\b)"
    r"(?!\s[$€£]?[0-9][^,;\n]{0,60},\s(?:is|was|belongs)\b)|\n"
)
_CONJUNCTION = re.compile(r"\b(?:and(?! [0-9])|while|whereas|but)\b", re.IGNORECASE)
_DOUBTS = frozenset({"negated", "supposed", "hypothetical"})
_AROUND = 300  # characters before and after a mention
# A superlative asks only for the thing that it describes: "the most common species".
_SUPERLATIVE = re.compile(
    r"""
    \b (?: most | least | best | worst | first | last
         | (?! \w* (?: for | inter | requ | cont | prot | sugg | inv ) est )    # but not: forest
           \w{3,} est ) \b
    """,
    re.VERBOSE,
)
_HIGHEST = frozenset(
    "most highest largest greatest strongest biggest best top maximum leads led stands"
    " stood".split()
)
_LOWEST = frozenset("least lowest smallest weakest fewest cheapest minimum worst".split())
_LESS_IS_BETTER = frozenset("aic bic error errors rmse mse mae loss deviance perplexity".split())
_BEST = frozenset({"best", "preferred"})
_MOST_OF = re.compile(
    rf"\b(?:{'|'.join(sorted(_HIGHEST | _LOWEST))})\s(?:[a-z]+\s){{0,2}}?([a-z]{{3,}})"
    r"(?=\W|\s(?:is|was|of|in|for|from|and|with|among)\b|$)"
)
_IT_IS_NAME = re.compile(r"\b[Ii]t (?:is|was) [\W_]*[A-Z0-9]")  # it was Bergen
_PRONOUNS = frozenset({"it", "they"})
_SAYS = re.compile(r"\b(?:is|are|was|were|ha[sd])\b|:\s", re.IGNORECASE)
_ITS_WORDS = frozenset(
    "it result winner wins won ahead choose select pick recommend known called".split()
)
_KIND_BEHIND = re.compile(r"[*_`\"'”]{0,3}\s([A-Za-z]{3,})\b")
_WORD_BEFORE = re.compile(r"\b(?!(?:the|an?|or|and|of|is|by|in|to|for)\s)[\w-]+\s$", re.IGNORECASE)
_LONGEST_WORD = 30
_LIST_GOES_ON = re.compile(
    r"""
    [*_`]{0,3}
    (?: (?: , \s [^,.;:\n]{1,40} ){0,5} ,? \s (?: and | or ) \s                # <A, B> and C
      | (?: , \s [\w.&'’`-]{1,30} )+ \s* (?: $ | [.;)\]}\n] ) )                # <A, B>, C
    """,
    re.VERBOSE,
)
_FEWEST_WORDS = 2


def given_in(text: str, known: Mapping[str, str], question: Question) -> Candidate | None:
    """The last mention of the published words in a clause that gives them as what is asked for; its
    rule says how. None if a later clause contradicts it."""
    asked = _asked_words(question)
    if _asks_for_less(question) and asked.isdisjoint(words(text) & _LOWEST):
        asked |= _BEST
    mentions = find_mentions(text, known)[-MOST_MENTIONS:]
    since = max(corrections(text), default=0) if mentions else 0
    mentions = [one for one in mentions if one.span[0] >= since and not is_begun_list(text, one)]
    is_date = any(writings(one.text) for one in mentions)
    for start, end, found in reversed(_clauses(text, mentions)):
        clause = text[start:end]
        said = words(clause)
        if not asked or not asked.isdisjoint(said):
            inside = [moved(one, -start) for one in found]
            if not inside and _gives_another(clause, asked & said, question):
                return None
            if not inside and is_date and gives_date(clause, question):
                return None
            for mention in reversed(inside):
                rule = _rule_of(clause, mention, asked, question)
                if rule and not is_doubted(clause, mention, known):
                    return moved(replace(mention, rule=rule), start)
            if inside and asks_for_most(question) and _SAYS.search(clause):
                return None
    return None


def _gives_another(clause: str, asked: Set[str], question: Question) -> bool:
    """Whether a clause without the published words gives others as the answer. asked: its words
    about what is asked; "it" is one only of something with a name."""
    is_about_name = asked != {"it"} or _IT_IS_NAME.search(clause) is not None
    is_about_this = _has_most_of(clause) <= _has_most_of(question.text)
    return bool(asked) and is_about_name and is_about_this and _SAYS.search(clause) is not None


def _has_most_of(text: str) -> set[str]:
    """What a text says something has most or least of: {revenue} of "the largest revenue"."""
    found = _MOST_OF.findall(text.lower())
    return {noun for noun in found if noun not in STOP_WORDS}


def asks_for_most(question: Question) -> bool:
    """Whether a question asks for the one with the most or the least of something."""
    return not _asked_words(question).isdisjoint(_HIGHEST | _LOWEST)


def is_begun_list(text: str, mention: Candidate) -> bool:
    """Whether a mention of several names is the beginning of a longer list."""
    if "," not in mention.text or writings(mention.text):
        return False
    return _LIST_GOES_ON.match(text, mention.span[1]) is not None


def _asked_words(question: Question) -> frozenset[str]:
    """The words that show that a clause is about what the question asks for, one being enough; none
    for an empty question."""
    superlatives = frozenset(_SUPERLATIVE.findall(question.text.lower()))
    asked = superlatives or question.target
    for synonyms in (_HIGHEST, _LOWEST):
        if superlatives & synonyms:
            asked |= synonyms
    return asked | _ITS_WORDS if asked else asked


def _asks_for_less(question: Question) -> bool:
    """Whether the lowest value of what is better if low is asked for: the lowest AIC."""
    is_lowest = not _LOWEST.isdisjoint(words(question.text))
    return is_lowest and not _LESS_IS_BETTER.isdisjoint(question.keywords)


def _clauses(
    text: str, mentions: Sequence[Candidate]
) -> list[tuple[int, int, Sequence[Candidate]]]:
    """Where the clauses of a text start and end, each with its mentions; none is cut in two
    ("Doha, Qatar"). mentions: in order."""
    found: list[tuple[int, int, Sequence[Candidate]]] = []
    start = first = 0
    breaks = [(match.start(), match.end()) for match in _CLAUSE_BREAK.finditer(text)]
    for place, end in [*breaks, (len(text), len(text))]:
        last = first
        while last < len(mentions) and mentions[last].span[0] < place:
            last += 1
        if last > first and place < mentions[last - 1].span[1]:
            continue  # inside a mention
        found.append((start, end, mentions[first:last]))
        start, first = end, last
    return found


def _rule_of(
    clause: str, mention: Candidate, asked: frozenset[str], question: Question
) -> str | None:
    """The rule by which a clause gives a mention as the answer, with the kind of thing behind it or
    not; None if it does not."""
    ends = dict.fromkeys((mention.span[1], end_of_kind(clause, mention.span[1], question)))
    rules = (_rule_around(clause, mention, end, asked, question) for end in ends)
    return next(filter(None, rules), None)


def _rule_around(
    clause: str, mention: Candidate, end: int, asked: frozenset[str], question: Question
) -> str | None:
    start = _start_in_full(clause, mention, question)
    before, after = clause[max(0, start - _AROUND) : start], clause[end : end + _AROUND]
    if not _is_of(before, after, asked):
        return None
    for name, ends_with, starts_with in _GIVES:
        if (found := ends_with.search(before)) and starts_with.match(after):
            is_else = name == "label" and is_other_label(before)
            if name == "place":
                is_strict = found["compared"] or found["named"]
                is_about = _says_only if is_strict else _is_about
                is_else = not is_about(before, question)
            return None if is_else else name
    if writings(mention.text) and is_date_of(before, after, question):
        return "date"
    return "echo" if echoes(*_part(before, after), mention.text, question) else None


def end_of_kind(text: str, end: int, question: Question) -> int:
    """The end of a name that ends there, with the kind of thing that the question asks for behind
    it: that of `West region` for "which region"."""
    kind = _KIND_BEHIND.match(text, end)
    return kind.end() if kind and kind[1].lower() in question.asks_which else end


def _start_in_full(text: str, mention: Candidate, question: Question) -> int:
    """The start of a name as the question has it with a word before it: that of `Gaussian naive
    Bayes` where an option is "naive Bayes"."""
    start, end = mention.span
    word = _WORD_BEFORE.search(text, max(0, start - _LONGEST_WORD), start)
    is_longer = word is not None and text[word.start() : end].lower() in question.text.lower()
    return word.start() if word and is_longer else start


def _is_of(before: str, after: str, asked: frozenset[str]) -> bool:
    """Whether a superlative that is asked for is said of a mention: in its part of a clause."""
    if asked.isdisjoint(_HIGHEST | _LOWEST):
        return True
    before, after = _part(before, after)
    return not asked.isdisjoint(words(f"{before} {after}"))


def _is_about(before: str, question: Question) -> bool:
    """Whether words say more of what is asked for than its superlative, or refer to it."""
    asked = (question.target - _HIGHEST - _LOWEST) | _PRONOUNS
    return not words(before).isdisjoint(asked)


def _says_only(before: str, question: Question) -> bool:
    """Whether all words are words of the question, more than one of them."""
    said = told(_CONJUNCTION.split(before)[-1])
    return len(said) >= _FEWEST_WORDS and set(said) <= set(told(question.text))


def _part(before: str, after: str) -> tuple[str, str]:
    """The part of a clause that a mention is in, as "and" and "while" divide it."""
    return _CONJUNCTION.split(before)[-1], _CONJUNCTION.split(after)[0]


def is_doubted(text: str, mention: Candidate, known: Mapping[str, str]) -> bool:
    """Whether a text denies a mention, only supposes it, or leaves it open."""
    if writings(mention.text) and is_one_of_several(text, *mention.span):
        return True
    return not _DOUBTS.isdisjoint(mention_evidence(text, mention, 0, known))
