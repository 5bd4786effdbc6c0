"""Fencing hostile text: marker lines that it cannot forge, and no text in it that looks like a
model's chat format or our own markers."""

from __future__ import annotations

import hashlib
import re
from typing import NamedTuple

from ..invisible import CONTROL, HIDDEN, encodable

LETTERS = "bcdfghjkmnpqrstvwxz"


class Neutralised(NamedTuple):
    """One kind of text that must not reach a model unchanged, and its replacement."""

    name: str
    pattern: re.Pattern[str]
    replacement: str


NEUTRALISED: tuple[Neutralised, ...] = (
    Neutralised("terminal_code", re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]"), ""),
    Neutralised("control", CONTROL, ""),
    Neutralised("invisible", HIDDEN, ""),
    Neutralised("our_marker", re.compile(r"<<(?=<)"), "< "),
    Neutralised("our_marker_end", re.compile(r">>(?=>)"), "> "),
    Neutralised("template_token", re.compile(r"<(?=[|｜])"), "< "),  # ｜: DeepSeek's
    Neutralised("template_token_end", re.compile(r"([|｜])(?=>)"), r"\1 "),
    Neutralised("template_turn", re.compile(r"<(?=/?(?:start|end)_of_turn>)", re.I), "< "),
    Neutralised("template_mark", re.compile(r"<(?=/?(?:s|bos|eos|pad|unk)>)", re.I), "< "),
    Neutralised("template_inst", re.compile(r"\[(?=/?(?:INST|SYSTEM_PROMPT)\])", re.I), "[ "),
    Neutralised("template_sys", re.compile(r"<<(?=/?SYS>)", re.I), "< < "),
)


def clean(text: str) -> str:
    """`text` with everything in `NEUTRALISED` made harmless, and as valid Unicode."""
    text = encodable(text).replace("\r\n", "\n")
    for row in NEUTRALISED:
        text = row.pattern.sub(row.replacement, text)
    return text


def fence_code(text: str) -> str:
    """The code on a fenced text's marker lines. It depends on the whole text, so that no text can
    hold its own closing line, and is the same each time, so that replies can be cached. It is all
    letters, because small models take digits for a number of the record."""
    digest = hashlib.sha256(text.encode("utf-8", errors="replace")).digest()
    return "".join(LETTERS[byte % len(LETTERS)] for byte in digest[:12])


def fence(text: str, code: str, name: str = "RECORD") -> str:
    """Cleaned `text` between marker lines."""
    return f"<<<{name} {code}\n{clean(text)}\n{name} {code}>>>"
