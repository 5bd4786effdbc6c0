"""Evidence for and against the numbers of a block, from their sentences."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ...text import Block
from ...text.keywords import overlap, share, words
from ...text.list_items import labelled_items
from ...text.markdown_table import column_headings, heading_of
from ...tolerance import same_value
from ..circumstances import holds
from ..naming import topic_named
from ..parts import BARRED, PLAIN, Marked, Part, Weighed
from ..question import Question
from ..rules import is_other_model, is_question_number
from ..scan import Scan
from ..units import has_unit_in_brackets
from .asked_rows import asked_rows, is_of_else
from .continuations import carry, goes_on, refers_back
from .coordination import add_coordination
from .derivations import derived
from .leads import may_continue, words_of_lead
from .numbers import add_number_evidence
from .own_words import own_words
from .pointing import asked_for, conclusion_of, pointed_at, said_of
from .rivals import add_replaced, add_rival_behind, add_rivals
from .weights import WEIGHTS

_LONGEST_MARKUP = 12
_LONGEST_CLAUSE, _NEAR = 300, 40
_CONCLUDING_WORDS = frozenset(
    "so thus therefore hence rounded result answer conclusion summary final".split()
)
# What is named by one name or acronym, so that no other words of the question need be said of it.
_PLAIN_NAMES = frozenset("rmse mse mae mape auc f1 brier iqr skewness kurtosis".split())
_CAPITALS = re.compile(r"\b[A-Z]{3,5}\b")
_OF_PERCENT = re.compile(r"%|\bpercent(?:age)?\b|\bpct\b", re.IGNORECASE)  # a column's heading
_BULLETS = ("- ", "* ", "• ")
_BLANK_TO_END = re.compile(r"\s*\Z")
_ESTIMATES = frozenset({"estimate", "coefficient", "effect"})  # as columns are called
_DIFFERENCE_WORDS = frozenset(
    "difference higher lower more less fewer increase decrease gap effect exceeds exceed change"
    " rise drop attributed attributable remaining net".split()
)


class BlockFacts(NamedTuple):
    """Facts shared by the numbers of a block.

    printed: what the code printed; headings: of its columns, if it is a table; asked_for: where
    numbers start that "the one you asked for" points at; plain: its numbers without a mark, if it
    is prose; only_bold: the one number that all prose sets in bold; asked_rows: where the row of a
    table starts whose label the question names, or the sentences of such an item of a list; above:
    the labels of the items that an item stands under.
    """

    question: Question
    text: str
    is_printed: bool
    printed: Sequence[float]
    headings: list[str]
    asked_for: set[int]
    plain: list[Marked]
    only_bold: Marked | None
    last_computed: Marked | None
    asked_rows: set[int]
    above: Mapping[int, str]


def weigh_block(scan: Scan, block: Block, of_block: Mapping[str, float]) -> list[Weighed]:
    """The candidates of a block, each with the evidence that its sentence and its form give.
    of_block: evidence that all of them share."""
    facts = _facts(scan, block)
    parts = scan.parts(block)
    continues = may_continue(facts.text)
    found: list[Weighed] = []
    for place, part in enumerate(parts):
        if part.marks:
            said = _words_said(part, parts[place + 1 : place + 2], facts)
            if continues:
                said = said | words_of_lead(scan, block, place)
            before = parts[max(0, place - 1)]
            is_further = goes_on(part, before, facts.text, facts.question)
            if is_further or refers_back(part, before, facts.text):
                said = said | before.words & facts.question.focus
            weighed = _weigh_part(part, said, facts, of_block)
            if is_further and found:
                carry(found[-1].evidence, weighed)
            is_alone = len(weighed) == 1 and bool(found) and found[-1].part is before
            found += [Weighed(mark, block, part, named) for mark, named in weighed]
            if is_alone and not (len(found) > 2 and found[-3].part is before):
                add_rival_behind(found[-2], found[-1], facts.question)
    add_replaced(found, facts.text, facts.question)
    return found


def _words_said(part: Part, following: list[Part], facts: BlockFacts) -> set[str]:
    """The words of a sentence, what the next one says of it, what its abbreviations stand for, and
    those of the items that it stands under."""
    said = part.words
    if following and (of_it := said_of(following[0], facts.text)):
        said = said | of_it
    if not facts.is_printed:
        for short in part.words & facts.question.abbreviations.keys():
            said = said.union(facts.question.abbreviations[short])
    if part.start in facts.above:
        said = said | words(facts.above[part.start])
    return said


def _weigh_part(
    part: Part, said: set[str], facts: BlockFacts, of_block: Mapping[str, float]
) -> list[tuple[Marked, dict[str, float]]]:
    """The candidates of a sentence with their evidence. said: its words, and what the next says of
    it."""
    question = facts.question
    shared = _sentence_evidence(part, said, facts)
    pointed = pointed_at(part, facts.text, question)
    taken = part.start
    conclusion = conclusion_of(part, facts.text)
    results = () if facts.is_printed else derived(part, facts.text)
    found: list[tuple[Marked, dict[str, float]]] = []
    for place, mark in enumerate(part.marks):
        number = mark.number
        if mark.standing > BARRED:
            named = dict(of_block)
            add_number_evidence(named, mark, number.start in pointed, question, facts.printed)
            named.update(shared)
            if mark.context.topic in _PLAIN_NAMES and mark.context.topic in question.topics:
                named["focus"] = WEIGHTS["focus"]
            if number.start < conclusion:
                named.pop("concluding", None)
            if is_of_question(mark):
                named.pop("restated", None)
            if number.start in results:
                named["derived"] = WEIGHTS["derived"]
            _add_block_evidence(named, mark, facts)
            _add_overlap(named, part, place, facts)
            _add_circumstances(named, part, taken, mark, facts)
            found.append((mark, named))
        if mark.standing == PLAIN:
            taken = number.end
    if len(found) > 1:
        add_coordination([(m.number, named) for m, named in found], facts.text, question)
        add_rivals(found, part, facts.text, question)
    return found


def _facts(scan: Scan, block: Block) -> BlockFacts:
    is_printed = block.kind == "execution"
    may_list = "\n" in block.text and not (is_printed or block.text.startswith("|"))
    items = labelled_items(block.text) if may_list else []
    return BlockFacts(
        scan.question,
        block.text,
        is_printed,
        () if is_printed else scan.printed(),
        column_headings(block.text),
        set() if is_printed else asked_for(scan.parts(block), block.text),
        [] if is_printed else [mark for mark in scan.marks(block) if mark.standing == PLAIN],
        scan.only_in_bold(),
        scan.last_computed(),
        asked_rows(scan.parts(block), block.text, items, scan.question),
        {item.start: item.in_full for item in items if item.in_full != item.label},
    )


def _sentence_evidence(part: Part, said: set[str], facts: BlockFacts) -> dict[str, float]:
    """The evidence shared by all numbers of a sentence. said: its words, and what the next says of
    it."""
    question = facts.question
    found: dict[str, float] = {}
    is_restated = bool(question.numbers) and all(map(is_of_question, part.marks))
    if not is_restated:  # the question asked again has its words, and no answer
        if covered := share(question.target, said):
            found["overlap"] = WEIGHTS["overlap"] * covered
        if covered := share(question.focus, said):
            found["focus"] = WEIGHTS["focus"] * covered
    text = facts.text[part.start : part.end]
    if question.acronyms and _has_acronym(text, question.acronyms):
        found["focus"] = WEIGHTS["focus"]
    approximates = "≈" in text or "\\approx" in text
    if approximates or not said.isdisjoint(_CONCLUDING_WORDS) or "Overall" in text:
        found["concluding"] = WEIGHTS["concluding"]
    if question.wants_difference and not said.isdisjoint(_DIFFERENCE_WORDS):
        found["difference_as_asked"] = WEIGHTS["difference_as_asked"]
    if question.numbers and any(map(is_of_question, part.marks)):
        found["restated"] = WEIGHTS["restated"]
    if part.start == 0 and not (facts.is_printed or is_list(facts.text)):
        found["leading"] = WEIGHTS["leading"]
    if part.start in facts.above and is_other_model(facts.above[part.start], question):
        found["beside"] = WEIGHTS["beside"]
    return found


def _has_acronym(text: str, acronyms: frozenset[str]) -> bool:
    """True if one of some acronyms is a word of a text."""
    if not any(acronym in text for acronym in acronyms):  # several times faster than the pattern
        return False
    return not acronyms.isdisjoint(_CAPITALS.findall(text))


def _add_block_evidence(named: dict[str, float], mark: Marked, facts: BlockFacts) -> None:
    """Add a number's evidence from the other numbers of its block, or of all prose."""
    if facts.plain and mark is facts.plain[0]:
        if len(facts.plain) == 1:
            named["sole_plain"] = WEIGHTS["sole_plain"]
        if _opens(facts.text, mark.number.start):
            named["first_word"] = WEIGHTS["first_word"]
    if mark.number.start in facts.asked_for:
        named["asked_for"] = WEIGHTS["asked_for"]
    only_bold = facts.only_bold
    if mark.emphasised and only_bold and same_value(mark.number, only_bold.number):
        named["only_in_bold"] = WEIGHTS["only_in_bold"]
    if mark is facts.last_computed:
        named["last_computed"] = WEIGHTS["last_computed"]
    if facts.is_printed and _is_last_line(facts.text, mark):
        named["last_line"] = WEIGHTS["last_line"]


def _is_last_line(text: str, mark: Marked) -> bool:
    """Whether a number is all of the last line, after others."""
    if mark.context.line.strip() or not _BLANK_TO_END.match(text, mark.number.end):
        return False
    return bool(text[: mark.number.start].strip())


def _add_overlap(named: dict[str, float], part: Part, place: int, facts: BlockFacts) -> None:
    """Add the overlap of the question with the column heading of a number, or with what is its own
    of a sentence. place: of the number among the sentence's."""
    target, start = facts.question.target, part.marks[place].number.start
    if facts.headings:
        heading = heading_of(facts.headings, facts.text, start)
        topic = topic_named(heading)
        topics = facts.question.topics
        if topic in topics or (topic in _ESTIMATES and not _ESTIMATES.isdisjoint(topics)):
            named["named_as_asked"] = WEIGHTS["named_as_asked"]
        if facts.question.wants_percent and _OF_PERCENT.search(heading):
            named["percent_as_asked"] = WEIGHTS["percent_as_asked"]
        if facts.question.bound is not None and facts.question.bound in words(heading):
            named["right_end"] = WEIGHTS["right_end"]
        if facts.question.may_be_difference and _is_difference_of_two(part, heading, facts.text):
            named["corner"] = WEIGHTS["corner"]
        if facts.question.unit is not None and has_unit_in_brackets(facts.question.unit, heading):
            named["unit_as_asked"] = WEIGHTS["unit_as_asked"]
        if covered := overlap(target, heading):
            named["column_overlap"] = WEIGHTS["column_overlap"] * covered
    elif len(part.marks) > 1:
        own = own_words(part, place, facts.text, counts=facts.question.wants_count)
        if covered := overlap(target, own):
            named["clause_overlap"] = WEIGHTS["clause_overlap"] * covered


def _is_difference_of_two(part: Part, heading: str, text: str) -> bool:
    """True for the cell of a table whose row and column are both called a difference."""
    label = text[part.start : part.end].lstrip("| ").partition("|")[0]
    return not (
        _DIFFERENCE_WORDS.isdisjoint(words(label)) or _DIFFERENCE_WORDS.isdisjoint(words(heading))
    )


def _add_circumstances(
    named: dict[str, float], part: Part, taken: int, mark: Marked, facts: BlockFacts
) -> None:
    """Add whether a number holds for what is asked for. taken: where the last number before it ends
    that may be an answer."""
    found: bool | None
    if facts.asked_rows:
        found = part.start in facts.asked_rows
    else:
        start, end = mark.number.start, mark.number.end
        clause = facts.text[max(taken, start - _LONGEST_CLAUSE) : start]
        rest = facts.text[end : min(max(part.end, end + _NEAR), end + _LONGEST_CLAUSE)]
        found = holds(facts.question.circumstances, clause, mark.context.after, rest)
    if is_of_else(mark.context.line, facts.above.get(part.start, ""), facts.question):
        found = False
    if found is not None:
        name = "holds_as_asked" if found else "holds_otherwise"
        named[name] = WEIGHTS[name]


def _opens(text: str, start: int) -> bool:
    """True if a text begins with the number at that place, except for markup and signs. The first
    of several bullets is no beginning."""
    if is_list(text):
        return False
    return start <= _LONGEST_MARKUP and not any(map(str.isalnum, text[:start]))


def is_list(text: str) -> bool:
    """True for a text of several bullets."""
    return text[:2] in _BULLETS and "\n" + text[:2] in text


def is_of_question(mark: Marked) -> bool:
    """True for a number repeated from the question, if nothing says that it is a result."""
    return mark.rule is not None and is_question_number(mark.context)
