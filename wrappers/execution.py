"""What the messages of a notebook's cell tell: its output and its error, as plain text."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from .output import Ends

ANSI = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]")

Message = dict[str, Any]


@dataclass(frozen=True)
class Execution:
    """The output of one cell. `error` is its traceback without colours, None if it ran through;
    `complaints` is what it wrote to stderr."""

    output: str
    error: str | None = None
    complaints: str = ""


def collect(messages: Iterable[Message]) -> Execution:
    """Text of a cell's messages: what it printed, displayed and returned."""
    printed = {"stdout": Ends(), "stderr": Ends()}
    output = printed["stdout"]
    error: str | None = None
    for message in messages:
        content = message["content"]
        match message["msg_type"]:
            case "stream" if content.get("name") in printed:
                printed[content["name"]].add(content["text"])
            case "execute_result" | "display_data" if "image/png" not in content["data"]:
                output.add(content["data"].get("text/plain", "") + "\n")
            case "error":
                error = plain_traceback(content["traceback"])
    plain, complaints = (ANSI.sub("", ends.text()) for ends in printed.values())
    return Execution(plain.strip("\n"), error, complaints)


def is_end(message: Message) -> bool:
    """Whether a message tells of the end of a cell."""
    return bool(message["content"].get("execution_state") == "idle")


def plain_traceback(lines: Iterable[str]) -> str:
    """The text of an error's traceback, without colours; of a long one both ends."""
    ends = Ends()
    for line in lines:
        ends.add(line + "\n")
    return ANSI.sub("", ends.text()).removesuffix("\n")
