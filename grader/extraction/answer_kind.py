"""The kind of answer that a task wants: a number, a share, an option or words."""

from __future__ import annotations

from collections.abc import Iterable

from ..records import AnswerKind
from ..truth import FENCING, is_meant_as_number, published_number, stated
from .options.decisions import decision
from .options.offered import CLOSED_SETS, either_or, listed_with, quoted_with
from .published_range import accepted_range, is_group
from .words.fields import published_fields
from .words.values import published_values


def infer_answer_kind(
    ground_truth: str | None, choices: Iterable[str] = (), question: str = ""
) -> AnswerKind:
    """The kind of answer a task wants, from its published answer, its options and question. An
    answer meant as a number is one, even if it cannot be read."""
    if tuple(choices):
        return "choice"
    if ground_truth is None or stated(ground_truth) is None:
        return "number"
    number = published_number(ground_truth)
    if number is None and (ends := accepted_range(ground_truth, question)):
        number = ends[0]
    if number is not None:
        return "percent" if number.is_percent else "number"
    bare = ground_truth.strip(FENCING)
    if any(decision(bare.lower()) in answers for answers in CLOSED_SETS):
        return "choice"
    if any(offers(bare.lower(), question) for offers in (quoted_with, listed_with, either_or)):
        return "choice"
    if published_values(ground_truth) or published_fields(ground_truth):
        return "text"
    is_number = is_meant_as_number(ground_truth) and not is_group(ground_truth, question)
    return "number" if is_number else "text"
