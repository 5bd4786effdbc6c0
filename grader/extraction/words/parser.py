"""Tasks that ask for words and offer no options: the answer of an output, found without the
published words, and a separate check whether it gives them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from ...records import Candidate, Extraction, Half, Task
from ...settings import GradeSettings
from ...text import Block
from ...text.closing import is_farewell
from ...text.formats import BlockKind
from ...text.keywords import content_words
from ..mentions.clauses import end_of_kind, given_in, is_begun_list, is_doubted
from ..mentions.evidence import LEADING_SIGNS, is_other_label
from ..mentions.finding import find_mentions, moved
from ..phrases import ANSWER_IS
from ..question import Question
from ..refusals import declines
from ..region import ANSWER_BEARING, nothing_found
from ..scan import Scan
from .alone import is_alone, is_part_of_name
from .fields import published_fields
from .names import GLOSS
from .published import published_words
from .several import find_several
from .values import published_values

# Of a longer text, only the last characters are used: of one that is stated as the answer, and of
# one that only ends the output.
LONGEST_STATED, LONGEST_ANSWER = 5000, 200
# An explicit answer speaks for an output, else what it ends in; what it thinks, if it says nothing.
_PRECEDENCE: tuple[BlockKind, ...] = ("answer", "prose", "execution", "reasoning")
# What "the answer is" goes on with where an agent speaks well of an answer that it has given.
_SELF_CHECK = re.compile(
    r"""
    \s (?: \w+ly \s | also \s | indeed \s )?             # the answer is also correct, ...
    (?: based
      | (?P<praise> correct | right | accurate | valid | plausible | reasonable | reliable
                  | consistent | supported | confirmed | verified | justified ) )
    (?= [.,;:!)\n] | \Z                                  # correct.
      | \s (?: with | by | on | as | because | since | and | given | for | from | in
             | according ) \b )                          # consistent with the plot
    """,
    re.IGNORECASE | re.VERBOSE,
)
_ANSWER = re.compile(r"[\W_]*[^\n]*")  # from the first word on, to the end of its line
# And the index of a vector that R prints, [1] "Lighting"; Timestamp('2015-01-03') of Python.
_ARTICLE_ONLY = re.compile(
    r"""
    \s*+ (?: \[1\] )? [\W_]*+ (?: (?: on | in ) \s )? (?: the \s | an? \s )? [\W_]*+
    (?: (?: (?: pd | pandas ) \. )? Timestamp \( [\W_]*+
      | (?: np | numpy ) \. (?: str_ | datetime64 ) \( [\W_]*+ )?
    """,
    re.IGNORECASE | re.VERBOSE,
)
_FIRST_CLAUSE = re.compile(
    r"""
    [\W_]*
    (?: (?! \b (?: as | and | but | or | not | than | over | versus | vs | because | since
                 | while ) \b )
        [^,;.(\n—] )*
    """,
    re.IGNORECASE | re.VERBOSE,
)
_SIGNED = ("-", "−", ".")
_LINE_ENDS = re.compile(r"[\s\])}.'\"*_`]*(?:\n|\Z)")
_STEM = 5  # letters by which words of one stem are known
_LABEL = re.compile(r"[\W_]*+(?:[\w'-]+[ ]){0,4}[\w'-]+[*_]{0,2}:(?=[\s*_])")  # Best model:
_GOES_ON = re.compile(
    r"[*_`]{0,3}\s?(?:, (?:with|at|by|which|followed|because|since|as|just|narrowly|clearly)\b"
    r"|[–—] )"
)
_NOTHING = re.compile(rf"{GLOSS} [\W_]*", re.IGNORECASE | re.VERBOSE)  # but a gloss in brackets


def parse_text(scan: Scan, half: Half, settings: GradeSettings) -> Extraction:
    """The answer in words of one half of an output, as the only candidate: its explicit answer,
    else its last block. Blocks that decline to answer, and farewells, are skipped; no candidate if
    none is left."""
    block = _speaking(scan, half)
    if block is None:
        return nothing_found(half)
    start, end, rule = _answer_of(block, scan.question)
    said = block.text[start:end]
    score = scan.block_score(block)
    return Extraction(
        parser="keyword",
        half=half,
        region_text=block.text,
        region_score=round(score, 6),
        low_confidence=score <= settings.region_threshold,
        candidates=(Candidate(value=said, text=said, span=(start, end), rule=rule),),
        scalar=said,
    )


def _speaking(scan: Scan, half: Half) -> Block | None:
    for kind in _PRECEDENCE:
        if kind in ANSWER_BEARING[half]:
            said = [b for b in scan.output.blocks if b.kind == kind and _says_something(b.text)]
            if kind == "prose" and (explicit := _with_explicit_answer(said, scan.question)):
                return explicit[-1]
            if said:
                return said[-1]
    return None


def _with_explicit_answer(blocks: Iterable[Block], question: Question) -> list[Block]:
    """The blocks that state an answer explicitly; if there are none, those that only say that it is
    right."""
    found = [(block, span[0]) for block in blocks if (span := _explicit(block.text, question))]
    given = [block for block, start in found if not _is_self_check(block.text, start, question)]
    return given or [block for block, _ in found]


def _is_self_check(text: str, start: int, question: Question) -> bool:
    """Whether "the answer is" goes on with praise of the answer, in words that the question does
    not itself use: "is it supported or rejected?" asks for one of them."""
    match = _SELF_CHECK.match(text, start)
    return match is not None and (match["praise"] or "").lower() not in question.keywords


def _says_something(text: str) -> bool:
    return any(sign.isalnum() for sign in text) and not declines(text) and not is_farewell(text)


def _answer_of(block: Block, question: Question) -> tuple[int, int, str]:
    """The start and end of a block's answer, and the rule that found it."""
    explicit = _explicit(block.text, question)
    if block.kind == "answer":
        given = explicit and not _is_self_check(block.text, explicit[0], question)
        start = explicit[0] if explicit and given else 0
        end, rule = len(block.text), "answer_section"
    elif explicit and block.kind == "prose":
        start, end, rule = *explicit, "explicit"
    else:
        start, end, rule = 0, len(block.text), "final_text"
    longest = LONGEST_ANSWER if rule == "final_text" else LONGEST_STATED
    return max(start, end - longest), end, rule


def _explicit(text: str, question: Question) -> tuple[int, int] | None:
    """The text after the last "answer:", "the answer is" or the like, to the end of its line; one
    that only says that the answer is right does not count beside others."""
    ends = [match.end() for match in ANSWER_IS.finditer(text)]
    given = [end for end in ends if not _is_self_check(text, end, question)] or ends
    answer = _ANSWER.match(text, given[-1]) if given else None
    return answer.span() if answer and answer[0].strip(LEADING_SIGNS + ":=.") else None


def find_published(said: Extraction, scan: Scan, task: Task, settings: GradeSettings) -> Extraction:
    """The place where an output gives the published words as its answer; no candidate if it does
    not. In an explicit answer (`said`, from `parse_text`) only the first clause counts. Without
    one, the final block must say nothing else, or a clause of the prose must give the words for
    what is asked for. Several published values must all be given."""
    known, answer = published_words(task), said.candidates[0]
    truth = task.ground_truth or ""
    if several := find_several(said, scan, truth, settings):
        return several
    region, start = said.region_text, answer.span[0]
    if answer.rule != "final_text":
        found = [(region, _first(answer.text, known, start, _FIRST_CLAUSE))]
    else:
        prose = [block.text for block in scan.output.blocks if block.kind == "prose"]
        label = _LABEL.match(answer.text)
        whole = _whole(answer.text, known, start, scan.question)
        found = [(region, whole or _opening(answer.text, known, start))]
        if label and _says_what_is_asked(label[0], scan.question):
            rest, begin = answer.text[label.end() :], start + label.end()
            found.append((region, _whole(rest, known, begin, scan.question)))
        if said.half == "verbal":
            found += [(text, given_in(text, known, scan.question)) for text in prose]
    given = [
        (text, mention)
        for text, mention in found
        if mention and not is_part_of_name(text, *mention.span)
    ]
    if published_values(truth) or published_fields(truth):  # not a part of other values
        given = [(text, one) for text, one in given if _stands_alone(text, *one.span)]
    if not given:
        return said.model_copy(update={"candidates": ()})
    region, mention = given[-1]
    return said.model_copy(update={"region_text": region, "candidates": (mention,)})


def _stands_alone(text: str, start: int, end: int) -> bool:
    return text[start - 1 : start] not in _SIGNED and _LINE_ENDS.match(text, end) is not None


def _says_what_is_asked(label: str, question: Question) -> bool:
    """Whether every word of a label begins like one of the question's: "Confounder:" where it asks
    which variable confounds."""
    asked = [word[:_STEM] for word in question.keywords]
    return not is_other_label(label) and all(word[:_STEM] in asked for word in content_words(label))


def _first(
    text: str, known: Mapping[str, str], at: int, lead: re.Pattern[str] = _ARTICLE_ONLY
) -> Candidate | None:
    """The published words, if a text opens with them, after no more than `lead` allows. at: where
    the text begins in its region."""
    first = next(iter(find_mentions(text, known)), None)
    if first is None or not lead.fullmatch(text, 0, first.span[0]):
        return None
    if is_begun_list(text, first) or is_doubted(text, first, known):
        return None
    return moved(first, at) if is_alone(text, *first.span) else None


def _whole(text: str, known: Mapping[str, str], at: int, question: Question) -> Candidate | None:
    """The published words, if a text says nothing else but of what kind it is: `West region`."""
    first = _first(text, known, at)
    if first is None:
        return None
    end = end_of_kind(text, first.span[1] - at, question)
    return first if _NOTHING.fullmatch(text, end) else None


def _opening(text: str, known: Mapping[str, str], at: int) -> Candidate | None:
    """The published words, if a text opens with them and goes on with what is said of them:
    "Mountain, at roughly 19%"."""
    first = _first(text, known, at)
    return first if first and _GOES_ON.match(text, first.span[1] - at) else None


def last_published(text: str, task: Task) -> Extraction:
    """The last mention of the published words in a text, whatever the text says of them: the
    baseline."""
    mentions = find_mentions(text, published_words(task))
    return Extraction(parser="heuristic", half="verbal", candidates=tuple(mentions[-1:]))
