"""Does a regular expression of the project backtrack without end? Tries to make every one of them.

    python -m tests.bench.patterns [--examples 200] [--only TEXT] [--limit 0.006]

Every compiled pattern of the project must read whole texts built to hurt it: a text that it
matches (by hypothesis), a part of which is repeated to some 400 characters, and then something
that it does not expect. A pattern that is linear needs microseconds for that, a quadratic one about
a millisecond; what needs more CPU seconds than the limit is printed with the text, and the
exit code is 1. `adversarial` measures the whole strict path on long texts; this finds what those
texts do not reach.
"""

from __future__ import annotations

import argparse
import importlib
import pkgutil
import re
import signal
import sys
import time
from collections.abc import Iterator
from types import FrameType
from typing import NamedTuple

import regex
from hypothesis import HealthCheck, Phase, Verbosity, given, seed, settings
from hypothesis import strategies as st
from hypothesis.errors import InvalidArgument

from tests.strategies import without_look_ahead

PACKAGES = ("grader", "wrappers", "annotate", "reports")
LENGTH = 400
ATTACKS = 4  # on each text that a pattern matches
LONGEST = 2.0  # CPU seconds after which a match is given up
ALPHABET = st.characters(max_codepoint=126)  # other blanks and letters act like these
_MANY = re.compile(r"(?<=[{,])([0-9]{1,2})[0-9]{3}(?=[,}])")  # repeats, more than can be drawn
KILLERS = ("", "!", "\n", "x", "0", " x", "\n!")


class Named(NamedTuple):
    """A compiled pattern and the name it has in its module."""

    name: str
    pattern: re.Pattern[str]


class Slowest(NamedTuple):
    """The text that took a pattern the longest, and how long, in CPU seconds."""

    seconds: float
    text: str


def patterns() -> Iterator[Named]:
    """Every text pattern that a module of the project compiles when it is imported."""
    for package in PACKAGES:
        path = importlib.import_module(package).__path__
        for info in pkgutil.walk_packages(path, f"{package}."):
            if info.name.endswith("__main__"):
                continue
            try:
                module = importlib.import_module(info.name)
            except ModuleNotFoundError:  # of an extra that is not installed
                continue
            for name, value in vars(module).items():
                yield from _within(f"{info.name}.{name}", value)


def _within(name: str, value: object) -> Iterator[Named]:
    if isinstance(value, re.Pattern | regex.Pattern) and isinstance(value.pattern, str):
        yield Named(name, value)
    elif isinstance(value, list | tuple):
        for place, item in enumerate(value):
            yield from _within(f"{name}[{place}]", item)
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _within(f"{name}[{key!r}]", item)


def slowest_text(pattern: re.Pattern[str], examples: int) -> Slowest:
    """The worst of so many texts for a pattern that must match all of each."""
    worst = Slowest(0.0, "")

    @seed(0)
    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        verbosity=Verbosity.quiet,
        suppress_health_check=list(HealthCheck),
    )
    @given(_matching(pattern), st.data())
    def attack(text: str, data: st.DataObject) -> None:
        nonlocal worst
        random = data.draw(st.randoms(use_true_random=False))
        for _ in range(ATTACKS):
            start = random.randrange(len(text) + 1)
            end = start + random.randint(1, 8)
            part = text[start:end] or " "
            attacking = text[:end] + part * (LENGTH // len(part)) + random.choice(KILLERS)
            worst = max(worst, Slowest(_seconds(pattern, attacking), attacking))

    attack()
    return worst


def _seconds(pattern: re.Pattern[str], text: str) -> float:
    began = time.process_time()
    signal.setitimer(signal.ITIMER_VIRTUAL, LONGEST)
    try:
        pattern.fullmatch(text)
    except TimeoutError:
        pass  # its time tells
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    return time.process_time() - began


def _give_up(number: int, frame: FrameType | None) -> None:
    raise TimeoutError


def _matching(pattern: re.Pattern[str]) -> st.SearchStrategy[str]:
    """Texts that a pattern matches, of plain characters if it allows that."""
    if not isinstance(pattern, re.Pattern):  # but one of `regex`, which hypothesis cannot read
        common = re.IGNORECASE | re.MULTILINE | re.DOTALL | re.VERBOSE
        pattern = re.compile(pattern.pattern, pattern.flags & common)
    pattern = without_look_ahead(pattern)
    pattern = re.compile(_MANY.sub(r"\1", pattern.pattern), pattern.flags)
    plain = st.from_regex(pattern, alphabet=ALPHABET)
    try:
        plain.validate()
    except InvalidArgument:  # it asks for other characters
        return st.from_regex(pattern)
    return plain


def main() -> int:
    """Attack every pattern; print those that are slow and how many there were."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--examples", type=int, default=200, help="texts a pattern")
    parser.add_argument("--only", default="", help="patterns whose name holds this text")
    parser.add_argument("--limit", type=float, default=0.006, help="CPU seconds a text")
    options = parser.parse_args()
    signal.signal(signal.SIGVTALRM, _give_up)
    chosen = {found.pattern: found for found in patterns() if options.only in found.name}
    slow = 0
    for name, pattern in chosen.values():
        worst = slowest_text(pattern, options.examples)
        if worst.seconds > options.limit:
            slow += 1
            sys.stdout.write(f"{worst.seconds * 1e3:9.1f} ms {name} {worst.text!r}\n")
            sys.stdout.flush()
    sys.stdout.write(f"{len(chosen)} patterns, {slow} slower than {options.limit} s\n")
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
