"""The closing line of an output, where it does nothing but state the answer."""

from __future__ import annotations

import re

from .blocks import Block, is_opener
from .formats import ANSWER_CALLS
from .labelled_lines import handed_over

_LONGEST_LINE = 160
# How long it took, printed behind a value.
_TIMING = re.compile(r"\b(?:elapsed|done|took|finished|seconds|time)\b", re.IGNORECASE)
_HANDS_OVER = re.compile(rf"^[ \t]*(?:{'|'.join(ANSWER_CALLS)})\(", re.MULTILINE)
_LONGEST_ANSWER = 400  # under a line that announces it
_MOST_FAREWELLS = 3
# "The answer is", "**Final answer:**", "So my answer to the question would be". Possessive
# repeats (`*+`) read a row of stars or blanks in one way only.
_STATEMENT = re.compile(
    r"""
    [\s>*_\#$]*+
    (?: (?: so | thus | hence | therefore | in[ ]conclusion | overall | finally ) \b ,? \s++ )?
    # among A to E, the answer; based on the table, the answer
    (?: (?: (?: among | of | out[ ]of | from | rounded | in[ ]percent ) \b [^,.;:\n]{1,60}
          | (?: based[ ]on | given | from | using | for | after ) (?: [ ]\w+ ){0,3}
            [ ] (?: data | table s? | rows | results? | output | analysis | information
                  | calculations? | question | reasoning | steps ) (?: [ ]above )? ) , \s++ )?
    (?: (?: the | my | our ) \s++ )?
    [*_]*+ (?: (?: final | correct | overall | best | right )[ ] )?
    (?: answer | ans | solution | (?<= final[ ] ) result ) [*_]*+
    (?: \s++ \( [^()\n]{1,40} \) )?                  # the answer (yes or no)
    (?: \s++ to[ ] (?: the | your | this ) [ ] (?: question | problem | task ) [*_]*+ )?
    (?: \s++ (?: is | would[ ]be | must[ ]be ) \b | \s*+ [:=] )
    (?: \s++ (?: (?: most[ ] )? likely | probably | clearly | therefore | thus | then ) \b ,? )?
    [\s:*_]*+
    """,
    re.IGNORECASE | re.VERBOSE,
)
# Marks that data sets of word problems and agents put before the answer, or around it.
_MARKED = re.compile(
    r"""
    \s*+ (?: \#{4} | (?: A | Ans ) \s? : ) \s*+       # #### 18, A: 18 boxes
    [$€£]? [-+−–]? [0-9] [0-9.,/]*+ %? (?: \s [a-z]{1,15} )? [.\s]*+
    """,
    re.IGNORECASE | re.VERBOSE,
)
# Beside lines that begin with other letters, `A: 18` belongs to a list.
_BY_LETTER, _OTHER_LETTER = re.compile(r"\s*A\s?:"), re.compile(r"^[ \t]*[B-Z]\s?:", re.MULTILINE)
# A number or a formula, behind no more than signs and "about".
_VALUE = re.compile(
    r"""
    (?: (?: about | approximately | roughly | around | nearly | exactly ) \s+ )?
    [*_`≈~<>(\[+−–$€£¥-]* \s?
    (?: [.0-9] | \\[a-z] | π | √ | sqrt \b )         # .5, \frac{1}{2}
    """,
    re.IGNORECASE | re.VERBOSE,
)
_NO_VALUE = re.compile(
    r"""
    \W*
    (?: undefined | undetermined | indeterminate | unknown | none | n/?a | nan | null
      | infinit (?: y | e ) | impossible | insufficient
      | not[ ] (?: enough | possible | available | defined | determin\w+ )
      | cannot | can['’]t | unable | does (?: [ ]not | n['’]t ) [ ]exist
      | no[ ] (?: answer | solution | such ) ) \b    # no such value
    """,
    re.IGNORECASE | re.VERBOSE,
)
# An option's letter, or a word that answers, with nothing or a reason behind it.
_OPTION = re.compile(
    r"""
    [*_`\"'“‘\[]*
    (?: \( [A-Z] \) | [A-Z] \)? (?= [.*_`\"'”’\]\s]* $ )
      | (?i: yes | no | true | false ) \b (?= [.*_`\"'”’\]\s]* $ | [*_]* [,;(—–] ) )
    """,
    re.VERBOSE,
)
_FURTHER_QUESTION = re.compile(
    r"[\s#*]{0,6}(?:Question|Exercise|Q|Problem(?=[^?]{1,2000}\?))\s?[0-9]{0,3}\s?[:.]\**\s"
)
_DISPLAYED = {"\\]": "\\[", "$$": "$$"}  # what closes a formula on lines of its own, what opens it
_NEXT_SENTENCE = re.compile(r"[.!?][*_)\"”]{0,3} +(?=[A-Z*_])")
_FAREWELL = re.compile(
    r"[\s*_]*+(?:I hope|Hope|Please let|Let me know|Feel free|If you (?:have|need|want|would)"
    r"|Is there anything|Thanks?|Good luck)\b[^0-9\n]*",
    re.IGNORECASE,
)
_SAYS_MORE = re.compile(r"\b(?:not|never|neither|nor)\b|n['’]t\b|[.!?]\s+\S", re.IGNORECASE)


def with_closing_answer(blocks: list[Block], raw: str) -> list[Block]:
    """The blocks of an output. If its last line is of the form "The answer is 5.", or stands under
    one like "The answer is:", this line is an answer section of its own; so is one that says that
    there is no value. Farewells ("I hope this helps!") may follow it, and further questions that
    a model asks itself ("Question: ..."), which belong to no answer."""
    end = _further_question(blocks)
    if end < len(blocks):
        answered = _with_answer(blocks[:end], raw)
        if answered[-1].kind == "answer":
            return [*answered, *(block._replace(kind="ui") for block in blocks[end:])]
    return _with_answer(_with_handed_back(blocks, raw), raw)


def _further_question(blocks: list[Block]) -> int:
    """The place of the first block, but not the very first, that begins with "Question:"."""
    for place, block in enumerate(blocks):
        if place and block.kind == "prose" and _FURTHER_QUESTION.match(block.text):
            return place
    return len(blocks)


def _with_handed_back(blocks: list[Block], raw: str) -> list[Block]:
    """The blocks of an output whose last code hands over a value that only its printout shows, as
    `final_answer(x)` does: the last printed line is the answer."""
    code = len(blocks) - 1
    while code >= 0 and blocks[code].kind != "code":
        code -= 1
    if code < 0 or not _hands_over(blocks[code].text):
        return blocks
    last: Block | None = None
    for block in blocks[code + 1 :]:
        announces = block.kind == "prose" and is_opener(block.text.partition("\n")[0])
        if block.kind == "execution" or (announces and last is None):
            last = block
        elif block.kind != "ui":
            break
    if last is None:
        return blocks
    line = last.text.rstrip().rpartition("\n")[2]
    start = raw.rfind(line, last.start, last.end)
    if start < 0 or is_opener(line) or _TIMING.search(line):
        return blocks
    answer = Block(line, "answer", start, start + len(line))
    before = last._replace(text=last.text[: last.text.rindex(line)], end=start)
    place = blocks.index(last)
    return [
        *blocks[:place],
        *([before] if before.text.strip() else []),
        answer,
        *blocks[place + 1 :],
    ]


def _hands_over(code: str) -> bool:
    return any(call in code for call in ANSWER_CALLS) and _HANDS_OVER.search(code) is not None


def _with_answer(blocks: list[Block], raw: str) -> list[Block]:
    place = len(blocks) - 1
    while place >= 0 and _is_outside(blocks[place]):
        place -= 1
    block = blocks[place] if place >= 0 else None
    if block is None or block.kind != "prose":
        return blocks
    before, line = _last_sentence(*_last_line(block.text))
    lead = before or (blocks[place - 1].text if place and blocks[place - 1].kind == "prose" else "")
    if answer := handed_over(line):
        line = answer
    elif not (
        _is_marked(line, before) or _states_answer(line) or (_announces(lead) and _may_answer(line))
    ):
        return blocks
    start = raw.rfind(line, block.start, block.end)
    if start < 0:  # markup inside it was dropped
        return blocks
    rest = [block._replace(text=before, end=start)] if before.strip() else []
    farewell = block.text[block.text.rindex(line) + len(line) :].lstrip("\n )].")
    end = start + len(line) if farewell else block.end
    after = [Block(farewell, block.kind, end, block.end)] if farewell else []
    return [*blocks[:place], *rest, Block(line, "answer", start, end), *after, *blocks[place + 1 :]]


def _is_outside(block: Block) -> bool:
    if block.kind == "prose":
        return is_farewell(block.text)
    return block.kind == "ui"


def is_farewell(text: str) -> bool:
    """Whether a text is no more than "I hope this helps!" or the like."""
    return len(text) <= _LONGEST_LINE and _FAREWELL.fullmatch(text) is not None


def _last_line(text: str) -> tuple[str, str]:
    """The last line of a text that is no farewell, and the text before it."""
    before, _, line = text.rstrip().rpartition("\n")
    for _ in range(_MOST_FAREWELLS):  # keeps the cost bounded
        if not before or not is_farewell(line):
            break
        before, _, line = before.rstrip().rpartition("\n")
    if opener := _DISPLAYED.get(line.strip()):
        start = max(before.rfind(f"\n{opener}\n", -_LONGEST_LINE), -1)
        if start >= 0 or before.startswith(f"{opener}\n"):
            return before[: start + 1].rstrip("\n"), before[start + 1 :] + "\n" + line
    return before, line


def _last_sentence(before: str, line: str) -> tuple[str, str]:
    """The last sentence of a line, if it may state the answer, and the text before it."""
    if not _names_answer(line):
        return before, line
    start = _last_sentence_start(line)
    if not start or _STATEMENT.match(line, start) is None:
        return before, line
    return f"{before}\n{line[:start]}".strip("\n"), line[start:]


def _last_sentence_start(line: str) -> int:
    """Where the last sentence of a line starts, which may be in bold."""
    return max((match.end() for match in _NEXT_SENTENCE.finditer(line)), default=0)


def _names_answer(line: str) -> bool:
    """False for a line that cannot hold a statement like "The answer is"; a cheap look ahead."""
    low = line.lower()
    return "ans" in low or "solution" in low or "result" in low


def _announces(text: str) -> bool:
    """True if the last line of a text ends with "The answer is:"."""
    line = text.rstrip().rpartition("\n")[2][-_LONGEST_LINE:]
    if not _names_answer(line):
        return False
    start = _last_sentence_start(line)
    return _STATEMENT.fullmatch(line, start) is not None


def _may_answer(line: str) -> bool:
    if len(line) > _LONGEST_ANSWER:
        return False
    has_digit = any("0" <= sign <= "9" for sign in line)
    return (has_digit and "?" not in line) or _OPTION.match(line.lstrip()) is not None


def _is_marked(line: str, before: str) -> bool:
    if len(line) > _LONGEST_LINE or _MARKED.fullmatch(line) is None:
        return False
    return _BY_LETTER.match(line) is None or _OTHER_LETTER.search(before) is None


def _states_answer(line: str) -> bool:
    if len(line) > _LONGEST_LINE or not _names_answer(line):
        return False
    statement = _STATEMENT.match(line)
    if statement is None:
        return False
    if _NO_VALUE.match(line, statement.end()) or _OPTION.match(line, statement.end()):
        return True
    return _VALUE.match(line, statement.end()) is not None and not _SAYS_MORE.search(line)


def says_no_value(text: str) -> bool:
    """True if an answer begins by saying that there is none: "undefined", "cannot be told"."""
    text = text[:_LONGEST_LINE]  # keeps the cost bounded
    statement = _STATEMENT.match(text)
    return _NO_VALUE.match(text, statement.end() if statement else 0) is not None
