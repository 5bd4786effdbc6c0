"""The short verbs, for one output: `extract`, `grade`, `verify`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from typing import Any, TypeGuard

from .cascade import check_strict
from .criterion import Criterion, criterion_for
from .errors import UserError, unknown_name
from .extraction.blind import first_choice, rank
from .extraction.evidence import CANDIDATE_KINDS
from .extraction.question import read_question
from .extraction.scan import Scan
from .files.json_input import as_choices, without_point
from .grader_names import BLIND, KEYWORD
from .make_task import make_task
from .readers.chat_records import are_messages, chat_in, has_turn
from .readers.conversation import steps_of
from .readers.messages import DEEPEST, read_messages
from .reading import PARSERS, Reading
from .records import Extraction, Grade, Step, Task, Transcript
from .settings import GradeSettings
from .strict import grade_reading
from .text import split_output
from .truth import stated

Cell = str | float | None  # what a column holds: text, numbers, and gaps, as pandas marks them too
# Messages with a role and a content, as APIs record them or their clients return them.
Chat = list[dict[str, Any]]
Choices = Iterable[str] | Mapping[str, str]
_DEFAULT = GradeSettings()


def extract(
    text: Cell | Chat,
    question: Cell = "",
    *,
    choices: Choices | None = (),
    parser: str = "blind",
) -> Extraction:
    """The answer that an output gives: a number, or one of the options. A gap (None, NaN) gives
    none. A chat's output is what its assistant and tools say.

    choices: the options, if the question offers any, or their wordings by letter; `.scalar` is
    then one of them in lower case (its letter, if they have letters).
    parser: "blind" (ranked by evidence, numbers with a confidence), "keyword" (the paper's
    answer region) or "heuristic" (the last one). `.scalar` is None if there is no answer. A number
    is the value as written, 12.0 for `12%` and 3.4 for `3.4 million`; its candidate has the percent
    sign or scale. Raises `UserError` for an unknown parser.

    >>> extract("The median is 30 (n = 91).", question="What is the median?").scalar
    30.0
    >>> extract("A is close, but the answer is B.", choices=("A", "B")).scalar
    'b'
    """
    task = make_task("", _text(question) or "", None, offered_options(choices))
    reading = Reading(_transcript(text, task, gap=""))
    if not isinstance(parser, str) or parser not in PARSERS:
        raise unknown_name("parser", parser, list(PARSERS))
    return PARSERS[parser](reading)


def grade(
    text: Cell | Chat,
    task: Task | Cell,
    question: Cell = "",
    *,
    choices: Choices | None = (),
    grader: str = KEYWORD,
    settings: GradeSettings | None = None,
) -> Grade:
    """Grade one output: a text, or a chat (a list, an array as pandas reads one from Parquet, or
    the JSON text of a list).

    task: a `Task` (its kind of answer is inferred if it has none), or just the published answer
    (`"0.20"`, `0.2`, `"5.36%"`, `"B"`) with `question` beside it and the options, if there are any,
    as `choices` (see `extract`; a `Task` has its own). A missing output or published answer (None,
    NaN) is `ungraded`. Raises `UserError` for an unknown grader, another question or other choices
    beside a `Task`, a record in the place of a text, and settings that are no `GradeSettings`.

    >>> grade("so the rate is **0.41**, or 41%.", "0.41").verdict
    'correct'
    """
    check_strict([grader])
    offered = offered_options(choices)
    if not isinstance(task, Task):
        task = make_task("", _text(question) or "", _written(task), offered)
    elif (_text(question) or task.question) != task.question or offered not in ((), task.choices):
        raise UserError("another question or other choices beside a Task, which has its own")
    reading = Reading(_transcript(text, task), checked_settings(settings))
    return grade_reading(reading, grader)


def verify(
    text: Cell | Chat, truth: Cell, question: Cell = "", *, choices: Choices | None = ()
) -> float:
    """A reward: 1.0 if the output's answer matches the truth, else 0.0. The blind grader decides,
    so an output cannot score by listing many numbers. Nothing that a text, a truth or a question
    says makes it raise; no global state, so safe in threads and forked workers. `text` may be a
    chat, as trainers give completions, and `truth` a list of values. Raises `UserError` for other
    types, such as a column, a list of texts, or a chat as the question.

    choices: the options, if the question offers any (see `extract`). A truth that is missing (None,
    NaN) or cannot be graded against also gives 0.0. `grade` calls those `ungraded`: use it to sort
    them out beforehand.

    >>> verify("The answer is 0.20.", "0.2")
    1.0
    """
    asked = _text(question) or ""
    if (chat := _chat(text)) is not None:
        steps = _steps_of_chat(chat, asked)
        text = steps[-1].raw_output if steps else ""
    said = _text(text) or ""
    wanted = read_question(asked)
    offered = offered_options(choices)
    criterion = None if offered else criterion_for(_written(truth), wanted, _DEFAULT)
    if criterion is None or criterion.ends:
        found = grade(said, truth, asked, choices=offered, grader=BLIND)
        return float(found.verdict == "correct")
    # What the blind grader does, without a record of it.
    scan = Scan(split_output(said), wanted)
    if not _occurs(criterion, scan):
        return 0.0
    chosen = first_choice(rank(scan))
    return float(chosen is not None and criterion.is_met_by(chosen.mark.number))


def _occurs(criterion: Criterion, scan: Scan) -> bool:
    """Whether a number of an output may be right; where a negative one is, also as the size of a
    fall. If none is, no number needs weighing."""
    may_be_fall = criterion.number.value < 0
    for block in scan.output.blocks:
        for number in scan.numbers(block) if block.kind in CANDIDATE_KINDS else ():
            if criterion.is_met_by(number):
                return True
            if may_be_fall and criterion.is_met_by(number._replace(value=-number.value)):
                return True
    return False


def offered_options(choices: Choices | None) -> tuple[str, ...]:
    """The options as texts. Raises `UserError` for one text, which may be one option or several,
    for lists of options and for a gap (None, NaN)."""
    if choices is None:
        return ()
    if isinstance(choices, str | bytes | bytearray):
        raise UserError(f"choices: a text, not a list of options: {choices!r}"[:120])
    if not is_column(choices):
        raise UserError(f"choices: not a list of options: {choices!r}"[:120])
    offered = dict(choices) if isinstance(choices, Mapping) else list(choices)
    given: list[object] = list(offered.values()) if isinstance(offered, dict) else [*offered]
    if isinstance(offered, dict) and offered.keys() == {"label", "text"}:
        offered = {name: list(items) for name, items in offered.items()}
        given = [*offered["label"], *offered["text"]]
    if any(isinstance(one, list | tuple | Mapping) for one in given):
        raise UserError("choices: a list of lists or objects; give the options of one question")
    try:
        for one in given:
            if not isinstance(one, str) and stated(_written(one)) is None:
                raise ValueError(f"choices: a gap ({one}) among the options")
        return as_choices(offered)
    except ValueError as error:
        raise UserError(str(error)) from None


def is_column(value: object) -> TypeGuard[Iterable[Any]]:
    """Whether a value is a list or another column; an array without a dimension is a number, one
    of two a table."""
    return isinstance(value, Iterable) and len(getattr(value, "shape", (0,))) == 1


def checked_settings(settings: GradeSettings | None) -> GradeSettings:
    """The settings, or the default ones. Raises `UserError` for a value of another type."""
    if settings is None:
        return _DEFAULT
    if not isinstance(settings, GradeSettings):
        kind = type(settings).__name__
        raise UserError(f"settings: a {kind}. Give `GradeSettings(relative_tolerance=0.03)`")
    return settings


def _text(cell: Cell | Chat) -> str | None:
    """What an agent or a question says is taken literally; only a cell that is no text may be
    a gap. Raises `UserError` for a list."""
    if isinstance(cell, str):
        return cell
    if isinstance(cell, list | tuple | set | frozenset):
        raise UserError(f"a {type(cell).__name__} where one text is wanted")
    if _is_array(cell):
        raise _is_no_cell(cell)
    text = _written(cell)
    return text if isinstance(cell, bytes) else stated(text)


def _written(cell: object) -> str:
    """A cell as text: bytes decoded; whole floats as integers; `inf` for an integer of more digits
    than Python writes, which is beyond any number that can be compared; tuples, lists and arrays of
    one dimension as lists. Raises `UserError` for what has fields, such as a `Task` or the message
    of a client library, whose own text names all of them, for a column, and for what has no text,
    such as `object()` or a function."""
    if isinstance(cell, str):
        return cell
    if isinstance(cell, list | tuple) or _is_array(cell):
        return f"[{', '.join(map(_written_item, cell))}]"
    if _has_fields(cell) or getattr(cell, "shape", None):
        raise _is_no_cell(cell)
    if isinstance(cell, bytes):
        return cell.decode("utf-8", errors="replace")
    try:
        text = str(without_point(cell))
    except ValueError:  # the limit of `sys.get_int_max_str_digits`
        return "inf"
    if _is_only_shown(cell, text):
        raise _is_no_cell(cell)
    return text


def _is_only_shown(value: object, text: str) -> bool:
    """Whether the text of a value only shows it to programmers: `<object object at 0x7f...>`, which
    has no answer in it."""
    in_angles = text.startswith("<") and text.endswith(">") and stated(text) is not None
    return in_angles or isinstance(value, bytearray)


def _has_fields(value: object) -> bool:
    return isinstance(value, Mapping) or hasattr(value, "model_dump") or is_dataclass(value)


def _is_no_cell(given: object) -> UserError:
    remedy = " (`grade_column` takes columns)" if hasattr(given, "shape") else ""
    if _has_fields(given):
        remedy = ". Give one of its fields, or a list of messages"
    return UserError(f"a {type(given).__name__} where a text or a number is wanted{remedy}")


def _is_array(cell: object) -> TypeGuard[Iterable[object]]:
    """Whether a cell is an array of one dimension, as a list in a column of a data frame is."""
    return len(getattr(cell, "shape", ())) == 1 and not hasattr(cell, "index")


def _written_item(item: object) -> str:
    """An item of a list as Python writes it, numbers of libraries as plain ones."""
    return repr(str(item)) if isinstance(item, str) else _written(item)


def _chat(output: Cell | Chat) -> Chat | None:
    """The messages of an output that is a chat or the JSON text of one, None for any other."""
    if isinstance(output, str | bytes):
        return chat_in(output)
    if _is_array(output) and not all(isinstance(one, Mapping) for one in output):
        return None
    return _as_recorded(output) if isinstance(output, list) or _is_array(output) else None


def _as_recorded(value: Any, depth: int = 0) -> Any:
    """A value as JSON has it, down to where messages are read. pandas makes an array of each list
    that it reads from Parquet, and clients of APIs return objects."""
    if depth > DEEPEST:
        return value
    if hasattr(value, "model_dump"):
        value = value.model_dump()
    elif is_dataclass(value) and not isinstance(value, type):
        value = {one.name: getattr(value, one.name, None) for one in fields(value)}
    if isinstance(value, dict):
        return {name: _as_recorded(inner, depth + 1) for name, inner in value.items()}
    if isinstance(value, list) or _is_array(value):
        return [_as_recorded(inner, depth + 1) for inner in value]
    return value


def _steps_of_chat(messages: Chat, question: str) -> tuple[Step, ...]:
    """What the agent of a chat said and its tools printed; an empty step if its only turns are
    empty. Raises `UserError` for a list of anything but messages."""
    if not are_messages(messages):
        raise UserError(
            "a list where one output is wanted: a text, or a chat whose messages have a role and a"
            " content. Call this for each output, or `grade_column` for all of them"
        )
    steps = steps_of(read_messages(messages), question)
    return steps or ((Step(),) if has_turn(messages) else ())


def _transcript(output: Cell | Chat, task: Task, gap: str | None = None) -> Transcript:
    """An output as a transcript. gap: what a missing one says, if anything."""
    if (chat := _chat(output)) is not None:
        steps = _steps_of_chat(chat, task.question)
        problem = None if steps else "no_output: the chat has no turn of an assistant"
        return Transcript(transcript_id="", task=task, steps=steps, problem=problem)
    text = _text(output)
    text = gap if text is None else text
    if text is None:
        return Transcript(transcript_id="", task=task, problem="no_output: the output is missing")
    return Transcript(transcript_id="", task=task, steps=(Step(raw_output=text),))
