"""The cheap tests that go before a pattern must never hide what the pattern would find."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader import number_edges, numbers
from grader.extraction import naming, phrases, refusals, undecided
from grader.extraction.question import answer_form, question, topics
from grader.extraction.rules import (
    RULES,
    clues,
    comparisons,
    conditions,
    context,
    counts,
    in_context,
    possible_rules,
    suppositions,
    wording,
)
from grader.text.formats import BlockKind
from grader.text.keywords import words
from tests.strategies import without_look_ahead

VOCABULARY = r"""
    answer Answer: the final **result** is so therefore: conclusion **Conclusion**: summary in to
    comes we get approximately short tl;dr "answer": "value" : \boxed{ key finding Executive wait,
    Wait. correction: that's wrong not right I made an error hmm, no scratch that cannot run unable
    please specify could n't n’t n = N: of all these among over across coded as == != equals set
    labelled never no longer ** versus vs. than at least p-value p value standard error df
    statistic adjusted chi squared t-value R² variance explained interval which year when was count
    total observations slope odds rate percent fraction alpha level two decimals nearest hundredth
    that is, That you asked for asking your question wanted By comparison, In contrast, for
    reference Without Excluding Had we would have been would give one get Ignoring omitting
    specified in the question Remark. **Caveat:** Robustness check: Side note: As a sanity check
    CI intervals exclude includes contain
    digits after SD SE IQR bounds probability < > &lt; \leq ≤ $ 3 5,000 0.25 12% million
""".split()
TEXTS = st.lists(st.sampled_from([*VOCABULARY, " ", "\n", "\n\n"]), max_size=24).map(" ".join)


ALL_TOPICS = frozenset(topics.TOPICS)

PHRASES: dict[str, tuple[re.Pattern[str], Callable[[str], object]]] = {
    "explicit": (phrases.EXPLICIT, lambda text: phrases.bonus(text, words(text)) == 1.0),
    "explicit, before a number": (phrases.EXPLICIT, lambda text: phrases.may_point(text.lower())),
    "explicit, in words or not": (phrases.EXPLICIT, phrases.ANSWER_IS.search),
    "field": (phrases.FIELD, phrases.EXPLICIT.search),
    "strong": (phrases.STRONG, lambda text: phrases.bonus(text, words(text)) >= 0.5),
    "strong, before a number": (phrases.STRONG, lambda text: phrases.may_point(text.lower())),
    "weak": (phrases._WEAK, lambda text: phrases.bonus(text, words(text)) >= 0.2),
    "in bold": (phrases._BOLD_NUMBER, lambda text: phrases.bonus(text, words(text)) >= 0.2),
    "correction": (phrases._CORRECTION, lambda text: list(phrases.corrections(text))),
    "refusal": (refusals._DECLINED, lambda text: refusals.declines(text, ALL_TOPICS)),
    "refusal of the answer": (refusals._REFUSED, refusals.refuses),
    "undecided": (undecided._UNDECIDED, undecided.is_undecided),
    "choice left": (undecided._CHOICE_LEFT, undecided.leaves_choice),
    "plans, no answer": (refusals._PLANNED, refusals.declines),
    "withheld answer": (refusals._WITHHELD, refusals.withholds),
    "what was asked for": (phrases._REFERRING, phrases.may_refer),
}
# Everything a pattern can match, but for lone surrogates: no text that is read holds one.
SIGNS = st.characters(exclude_categories=("Cs",))


@pytest.mark.parametrize("name", PHRASES)
@given(data=st.data())
def test_phrases(name: str, data: st.DataObject) -> None:
    pattern, is_found = PHRASES[name]
    assert is_found(data.draw(st.from_regex(without_look_ahead(pattern), alphabet=SIGNS)))


@given(TEXTS)
def test_sentences_about_other_analyses(before: str) -> None:
    text = f"{before} 7 of the homes"
    seen = in_context(
        numbers.find_numbers(text)[-1], text, "prose", question.read_question("What?")
    )
    sentence = context.last_sentence_of(context.near_before(seen))
    otherwise = suppositions._WOULD_HAVE.search(sentence) or suppositions._OTHERWISE.match(sentence)
    assert suppositions.is_hypothetical(seen) == bool(otherwise)
    assert comparisons.is_compared(seen) or not comparisons._COMPARING_SENTENCE.match(sentence)


@given(TEXTS, st.sampled_from(["How many rows?", "What is the p-value?", "What proportion?"]))
def test_rules(before: str, asked: str) -> None:
    text = f"{before} 7 of the homes"
    number = numbers.find_numbers(text)[-1]
    seen = in_context(number, text, "prose", question.read_question(asked))
    before = seen.before
    assert conditions.is_boolean(seen) or not conditions._BOOLEAN_BEFORE.search(before)
    sized = counts._SIZE_BEFORE.search(before) and not seen.question.wants_count
    assert counts.is_size(seen) or not sized
    assert comparisons.is_compared(seen) or not comparisons._COMPARED.search(before)
    assert wording.is_negated(seen) == bool(wording._NUMBER_DENIED.search(before[-20:].lower()))


BESIDE = st.lists(
    st.sampled_from(
        [*VOCABULARY, *"=-–—,;:()[]{}/*×·\\π√!%|_$≈→", " ", "\n", "\xa0", "a", "each", "\\frac{",
         "x", "Error:", "KeyError(", "HTTP", "gives", "\\sqrt{", "^", "2", "İf", "ſ", "\\approx"]
    ),
    max_size=8,
)  # fmt: skip


@given(
    BESIDE,
    BESIDE,
    st.sampled_from(["", " "]),
    st.sampled_from(["0", "1", "95", "0.08", "8%", "1997"]),
    st.sampled_from(["prose", "execution"]),
    st.sampled_from(["", "What is the p-value?", "What percentage? Round to two decimals."]),
)
def test_clues_of_rules(
    before: list[str], after: list[str], joint: str, literal: str, kind: BlockKind, asked: str
) -> None:
    lead = joint.join([*before, ""])
    text = f"{lead}{literal}{joint.join(['', *after])}"
    read = question.read_question(asked)
    possible = possible_rules(text.lower(), kind, read)
    for number in numbers.find_numbers(text):
        seen = in_context(number, text, kind, read)
        tried = clues.rules_to_try(seen, possible)
        for place, rule in enumerate(RULES):
            suits = rule.kind in (None, kind) and (number.is_integer or not rule.whole)
            if suits and (rule.asked is None or rule.asked(read)) and rule.fires(seen):
                assert tried >> place & 1, rule.name


@given(TEXTS)
def test_inequalities(before: str) -> None:
    text = f"{before} 7"
    start = len(text) - 1
    found = number_edges._INEQUALITY.search(text, max(0, start - 8), start)
    is_arrow = found and number_edges._ARROW_OR_QUOTE.search(text, 0, found.start() + 1)
    assert number_edges.is_bounded(text, start) == (found is not None and not is_arrow)


@given(
    TEXTS, st.sampled_from([" ", "\n", "  ", "", "(", "-", "$", " -", "CHF ", "minus ", "\t", "_"])
)
def test_literals_that_nothing_before_changes(before: str, joint: str) -> None:
    text = f"{before}{joint}7"
    start = len(text) - 1
    if not number_edges.may_change(text, start):
        assert number_edges.left_edge(text, start) == (start, False)
        assert not number_edges.is_bounded(text, start)


@given(
    st.sampled_from(["0.61", "10", "7", "2026", "1000.5"]),
    st.sampled_from(
        ["", " ", "\n", "\t", ",", ", ", "'", ". ", ")", " 345", ",000", " x 10^3", " /2", "%"]
    ),
    TEXTS,
)  # fmt: skip
def test_plain_literals(literal: str, joint: str, after: str) -> None:
    text = f"{literal}{joint}{after}"
    for pattern in (numbers._TIGHT, numbers._SPACED):
        plain = pattern.match(text)
        if plain is not None and plain["plain"]:
            never_plain = pattern.pattern.replace("(?P<plain>", "(?P<plain> (?!)", 1)
            match = re.compile(never_plain, pattern.flags).match(text)
            assert match is not None
            assert match.span() == plain.span()
            assert match["whole"] + (match["decimals"] or "") == plain["plain"]
            end = match.end()
            assert end == len(text) or number_edges.clear_right(text, end, bool(match["decimals"]))
            assert number_edges.scale_behind(text, 0, end) == (1.0, "")


@pytest.mark.parametrize(
    ("text", "bounded"),
    [("> 7", False), ("a\n  > 7", False), ("=> 7", False), ("-> 7", False), ("p > 7", True)],
)
def test_arrows_and_quotes_are_no_inequalities(text: str, bounded: bool) -> None:
    assert number_edges.is_bounded(text, len(text) - 1) is bounded


@given(TEXTS)
def test_names(before: str) -> None:
    last = naming.last_words(before)
    named = any(" ".join(last[-count:]) in naming.NAMES for count in range(1, len(last) + 1))
    assert not named or last[-1].lower() in naming._NAME_ENDS


NAMED = st.lists(
    st.sampled_from(
        [*naming.NAMES, "pvalues", "log", "\\hat{p}", "R\\text{MSE}", "(n)", "of", "the", "is", "=",
         ":", "|", "_", "**", "`", "$", "√", "12", "0.5", " ", "\n"]
    ),
    max_size=10,
)  # fmt: skip


@given(NAMED, st.sampled_from([" ", ""]), st.booleans())
def test_texts_without_names(pieces: list[str], joint: str, capitals: bool) -> None:
    before = joint.join([*pieces, ""])
    before = before.upper() if capitals else before
    topic = naming.named_topic(before, naming.last_words(before))
    assert topic is None or naming.may_name(f"{before}7")


def test_a_table_of_numbers_names_none() -> None:
    assert not naming.may_name("   a  b\n0  0.84  93094\n1  0.82  87576")


@given(TEXTS)
def test_questions(text: str) -> None:
    asked = text.lower()
    for name, (hints, pattern) in topics.TOPICS.items():
        assert not re.search(pattern, asked) or topics.has_any(asked, hints), name
    decimals = answer_form.wanted_decimals(asked)
    assert (decimals is not None) == bool(answer_form._ROUND_TO.search(asked))
