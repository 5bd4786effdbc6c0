"""Choice tasks: the options that a task offers, and the one that a text names."""

from __future__ import annotations

import re
from collections.abc import Mapping, Set
from dataclasses import replace
from functools import lru_cache

from ...records import Candidate, Task
from ...truth import FENCING, without_label
from ..mentions.finding import find_mentions
from ..question import things_to_choose
from ..words.published import published_words
from .decisions import decision
from .offered import (
    LETTERS,
    lettered_options,
    options_from_question,
)

_OWN_MARK = re.compile(r"\(?([A-Za-z]|\d{1,2}(?=[.):]\s))[.):]\s*(\S.*)", re.DOTALL)
_LETTER = re.compile(r"(?<![^\W_])[A-Z](?![^\W_])")
_NUMBERS = [str(number) for number in range(27)]
# An answer to a question of yes or no, in the words of one of true or false, and the reverse.
SAME_ANSWER = {"yes": "true", "no": "false", "true": "yes", "false": "no"}
# A "no" agrees with a statement that denies.
_DENIES = re.compile(
    r"""
    \b (?: not | never | neither | nor | none | nothing | cannot | without | hardly | incorrect
         | untrue | wrong | invalid | fail (?: s | ed )? | lacks? | absent ) \b
    | n['’]t \b                                      # isn't
    """,
    re.IGNORECASE | re.VERBOSE,
)
MOST_OPTIONS = 200  # each is looked for in every output


def options(task: Task) -> Mapping[str, str]:
    """Canonical option -> its wording. The canonical form is the letter where options are
    lettered, else the option's own lower-case text.

    Empty if the task names none: a published answer alone offers no choice. Only its form is used
    (a letter, one of yes and no, one of the phrases that the question quotes as a list), so the
    result never depends on which option is right.
    """
    return _options(task.question, task.choices, task.ground_truth or "")


@lru_cache(maxsize=1024)
def _options(question: str, choices: tuple[str, ...], truth: str) -> Mapping[str, str]:
    lettered = lettered_options(question)
    given = [choice.strip() for choice in choices]
    if not given:
        given = options_from_question(question, truth, lettered)
    if not given or len(given) > MOST_OPTIONS:
        return {}
    if all(len(choice) == 1 and choice.isalpha() for choice in given):
        things = things_to_choose(question.lower())
        named = {c.lower(): f"{things[-1]} {c}" if things else c for c in given}  # hospital A
        return _with_decisions({letter: lettered.get(letter, named[letter]) for letter in named})
    if own := _own_marks(given):
        return _with_decisions(own)
    if (lettered and len(lettered) == len(given)) or _names_place(truth, given):
        return _with_decisions(dict(zip(LETTERS, given, strict=False)))
    return _with_decisions({choice.lower(): choice for choice in given})


def _with_decisions(found: dict[str, str]) -> dict[str, str]:
    """Options with the two decisions of a test in their shortest form, if both are among them."""
    decisions = {key: decision(wording.lower()) for key, wording in found.items()}
    if not {"reject", "not reject"} <= set(decisions.values()):
        return found
    return {
        (decision if key == found[key].lower() else key): decision
        for key, decision in decisions.items()
    }


def _own_marks(given: list[str]) -> dict[str, str]:
    """Options given as `A. cats`, `B) dogs` or `(C) birds`, or with numbers from 0 or 1: mark ->
    wording. Empty if one of them has no mark, or one out of order."""
    split = [_OWN_MARK.fullmatch(choice) for choice in given]
    found = {match[1].lower(): match[2].strip() for match in split if match}
    sequences = (list(LETTERS), _NUMBERS[1:], _NUMBERS)
    in_order = any(list(found) == marks[: len(given)] for marks in sequences)
    return found if len(given) > 1 and in_order else {}


def _names_place(truth: str, given: list[str]) -> bool:
    """Whether the published answer names an option by the letter of its place: `B`, or
    `B. dogs`, for the second of cats, dogs and birds."""
    letters = LETTERS[: len(given)] if len(given) <= len(LETTERS) else ""
    if own := _OWN_MARK.fullmatch(truth.strip()):
        place = letters.find(own[1].lower())
        return place >= 0 and _bare(given[place]) == _bare(own[2])
    bare = _bare(truth)
    return len(bare) == 1 and bare in letters


def other_words(task: Task) -> Mapping[str, str]:
    """Words that are not the task's options but say one, with the option: yes and no of a task of
    true or false; the letters of options that have none, by their place.

    No yes and no if the question denies, offers both pairs or gives such a word another meaning
    ("is it false that", "is there no"); no letters if an option names one ("group A").
    """
    known = options(task).keys()
    places = _places(task, known)
    if known not in ({"yes", "no"}, {"true", "false"}) or _DENIES.search(task.question):
        return places
    asked = set(re.findall(r"[a-z]+", task.question.lower()))
    others = {SAME_ANSWER[key]: key for key in known}
    n_asked = len(asked & others.keys())
    return places if n_asked == 1 or (n_asked and known <= asked) else {**others, **places}


def _places(task: Task, known: Set[str]) -> Mapping[str, str]:
    wordings = [choice.strip().lower() for choice in task.choices]
    if list(known) != wordings or not all(map(_has_no_letter, task.choices)):
        return {}
    return dict(zip(LETTERS, wordings, strict=False))


def _has_no_letter(choice: str) -> bool:
    return _LETTER.search(choice) is None and not (len(choice) == 1 and choice.isalpha())


def normalise_option(text: str, task: Task) -> str | None:
    """The canonical option that is all `text` states (`(B)`, `option b.`, the option's own
    wording); None if it states no option. A task without options has only the published answer."""
    if known := options(task):
        others = other_words(task)
        other = stated_option(text, {word: word for word in others})
        return others[other] if other else stated_option(text, known)
    return stated_option(without_label(text), published_words(task))


def stated_option(text: str, known: Mapping[str, str]) -> str | None:
    """The option among `known` that is all a text states; None if it states no option."""
    bare = re.sub(r"^(?:the\s+)?(?:answer|option|choice)\s*(?:is|:)?\s*", "", _bare(text))
    if bare in known:
        return bare
    by_wording = {_bare(wording): key for key, wording in known.items()}
    if bare in by_wording:
        return by_wording[bare]
    lead = re.match(r"([a-z]|\d{1,2})[.):]\s*(.*)", bare, re.DOTALL)
    if lead and lead[1] in known:
        return lead[1] if _bare(lead[2]) in ("", _bare(known[lead[1]])) else None
    return by_wording.get(_bare(lead[2])) if lead else None  # "(B) no", of options without letters


def find_options(text: str, task: Task) -> list[Candidate]:
    """Every mention of one of the task's options in `text`, in order."""
    found = find_mentions(text, options(task))
    if others := other_words(task):
        said = find_mentions(text, {word: word for word in others})
        found += [replace(mention, value=others[str(mention.value)]) for mention in said]
        found.sort(key=lambda mention: mention.span)
    return found


def _bare(text: str) -> str:
    bare = text.strip().removeprefix("\\boxed{").removesuffix("}")
    bare = re.sub(r"\\text\{([^}]*)\}?", r"\1", bare)
    return decision(re.sub(r"\s+", " ", bare.strip(FENCING)).lower())
