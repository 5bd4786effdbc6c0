"""Numbers that a question has too: repeated from it, or its answer all the same."""

from __future__ import annotations

import re

from ...numbers import Quantity
from ..mentions.echo import are_among, told
from ..question import Question, once
from .context import Context, last_sentence_of, near_before


def is_question_number(context: Context) -> bool:
    """A number repeated from the question, unless what is asked for is said to be it."""
    number = context.number
    if context.question.offered and _lists_offered(context):
        return True
    if not number.value and number.text.isalpha():  # no bars are below 0
        return False
    same = [
        asked
        for asked in context.question.numbers
        if number.value == asked.value and number.is_percent == asked.is_percent
    ]
    return bool(same) and not any(_is_told_anew(context, asked) for asked in same)


# The scores for <2> to 5 clusters
_LIST_BEFORE = re.compile(r"\b[0-9]+(?:,|,? (?:to|and|or|through)|\s?[-–])\s?$")
_LIST_AFTER = re.compile(r"(?:,|,? (?:to|and|or|through)|\s?[-–])\s?[0-9]+(?!\.?[0-9])")


def is_in_list(context: Context) -> bool:
    """Whether whole numbers stand beside a number, as in "the scores for 2 to 5 clusters"."""
    return bool(_LIST_BEFORE.search(context.before) or _LIST_AFTER.match(context.after))


def _lists_offered(context: Context) -> bool:
    """Whether a number is one of a list or a range of those that a question lets choose from."""
    offered = [one.value for one in context.question.offered]
    return context.number.value in offered and is_in_list(context)


# The remainder is <2>
_SAID_TO_BE = re.compile(r"\b([a-z]+)\s(?:is|equals|=)\s[*_`$\\(]{0,3}$", re.IGNORECASE)
_DIGIT = re.compile("[0-9]")
_FIRST_WORD = re.compile(r"\s([a-z]+)\b", re.IGNORECASE)
_NAME = re.compile(  # the mean is <5.2>, a mean of <5.2>
    r"([a-z]+)(?:\s(?:is|are|was|were|be|equals|of|at|to))*\W*$", re.IGNORECASE
)


def _is_told_anew(context: Context, asked: Quantity) -> bool:
    """Whether a number that a question has too is said of what it asks for: "the remainder is 2",
    "3 apples are left" where the question speaks of 3 boxes. Only the last number of its block: an
    earlier one is what the calculation starts from. Or whether it is called the answer."""
    question = context.question
    if context.line.endswith(_BOX) or (
        "answer" in context.line.lower() and _is_called_answer(context)
    ):
        return True
    if _DIGIT.search(context.text, context.number.end):
        return False
    named, given = _NAME.search(context.line), _NAME.search(question.text, 0, asked.start)
    is_given = named is not None and given is not None and named[1].lower() == given[1].lower()
    if not is_given and _repeats_question(context):
        return True
    if said := _SAID_TO_BE.search(context.line):
        return said[1].lower() in question.focus and not is_given
    thing = _FIRST_WORD.match(context.after) if question.wants_count else None
    if thing is None or thing[1].lower() not in question.focus:
        return False
    of_asked = _FIRST_WORD.match(question.text, asked.end)
    return of_asked is not None and of_asked[1].lower() != thing[1].lower()


_ANSWERS = re.compile(  # Therefore, the answer is <4>; Final answer: <4>
    r"""
    \W* (?: (?: therefore | thus | hence | so | and | finally | overall | in[ ]conclusion
           | in[ ]summary ) \b \W* ){0,2}
    (?: (?: the | my | our ) \s )?
    (?: (?: final | correct | numerical | integer | rounded ) \s ){0,2}
    answer \b (?: \s \( [^()\n]{1,40} \) )? (?: \s to \s [^.:;\n]{1,60} )?
    [*_]* (?: \s is \b | : ) [:\s*_`$\\({]{0,8} $
    """,
    re.IGNORECASE | re.VERBOSE,
)
_BOX = ("\\boxed{", "\\boxed{ ", "\\boxed{\\$")
_CALCULATES = re.compile(  # <60> divided by 80, <200> mg fall to 50, <2012> was 16.8 %
    r"\W{0,3}(?:[a-zA-Z]+\s){0,2}?(?:divided|times|multiplied|minus|plus|over|to|grows?|grew|falls?"
    r"|fell|rises?|rose|is|was|are|were)\b|\s?[-+−×*/÷=^]\s?[0-9(]",
    re.IGNORECASE,
)
_ANSWER_COMES = re.compile(r"^.*\banswer\W*:|^\W*in conclusion\b", re.IGNORECASE | re.DOTALL)
_IS = re.compile(
    r"\b(?:is|are|was|be|equals)(?:\s\w+ed)?(?:\s(?:to|as|at|to be))?[\s*_`$\\(]{1,5}$",
    re.IGNORECASE,
)
_ASKING = re.compile(r"\b(?:what|which|how)\b((?:[^.?!\n]|\.(?=\d))*\?)", re.IGNORECASE)
_CONCLUDES = re.compile(r"\W*(?:therefore|thus|hence|so)\b|.*\banswer\b", re.IGNORECASE)
_FEWEST_WORDS, _LEAST_ECHO, _CONCLUDING_ECHO = 2, 0.75, 0.5  # words, shares of the question's


def _is_called_answer(context: Context) -> bool:
    """Whether a sentence begins by calling a number the answer, and calculates nothing with it."""
    is_called = _ANSWERS.match(last_sentence_of(near_before(context))) is not None
    return is_called and _CALCULATES.match(context.after) is None


def _repeats_question(context: Context) -> bool:
    """Whether the sentence of a number repeats what the question asks for: `Therefore, the ending
    balance for Z in 2014 is 1000`: half of it, without a word that concludes nearly all."""
    sentence = last_sentence_of(near_before(context))
    verb = _IS.search(sentence)
    if verb is None:
        return False
    said = told(_ANSWER_COMES.sub("", sentence[: verb.start()]))
    asked = _asking(context.question)
    concludes = _CONCLUDES.match(sentence) is not None
    least = (_CONCLUDING_ECHO if concludes else _LEAST_ECHO) * len(asked)
    return len(said) >= max(_FEWEST_WORDS, least) and are_among(said, asked)


@once
def _asking(question: Question) -> tuple[str, ...]:
    """The words of what a question asks."""
    asking = _ASKING.findall(question.text)
    return told(asking[-1]) if asking else ()
