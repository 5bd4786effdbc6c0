"""Checked fields of requests to the labelling page, and addresses that hold them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import TypeVar
from urllib.parse import urlencode

from starlette.datastructures import FormData
from starlette.requests import Request

from grader.errors import UserError
from grader.records import LabelStage

from ..labels.own_labels import FILTERS

Value = TypeVar("Value", bound=str)
LONGEST_NONCE = 50


def chosen_filter(given: Mapping[str, object]) -> str:
    """The filter that an address or a form names, "open" without one."""
    choose = given.get("choose")
    return choose if isinstance(choose, str) and choose in FILTERS else "open"


def filter_query(choose: str, **others: str) -> str:
    """The end of an address that keeps a filter chosen, and says `others`."""
    query = urlencode(others if choose == "open" else {"choose": choose, **others})
    return query and "?" + query


def item_address(place: int, stage: LabelStage, choose: str) -> str:
    """The address of the item at a place in the queue (from 0), at a stage."""
    end = "/transcript" if stage == "transcript" else ""
    return f"/item/{place + 1}{end}{filter_query(choose)}"


def nonce(form: FormData) -> str | None:
    """The name of the act that a form sends, None without one."""
    return str(form.get("nonce") or "")[:LONGEST_NONCE] or None


def one_of(form: FormData, name: str, allowed: Iterable[Value]) -> Value:
    """The value of a field. Raises `UserError` unless it is one of `allowed`."""
    values = list(allowed)
    for value in values:
        if form.get(name) == value:
            return value
    raise UserError(f"{name} must be one of {', '.join(values)}")


def seconds(value: object) -> float | None:
    """A number of seconds, or None for an invalid value."""
    try:
        found = float(str(value))
    except ValueError:
        return None
    return found if math.isfinite(found) else None


def whole_number(value: object, default: int) -> int:
    """A number of up to eight digits; `default` for anything else."""
    text = str(value)
    return int(text) if text.isascii() and text.isdigit() and len(text) < 9 else default


def wants_json(request: Request) -> bool:
    """True for the page's script, which reads answers as JSON."""
    return "application/json" in request.headers.get("accept", "")
