"""The items of lists, by their labels: "- Urban: 0.22" is labelled "Urban"."""

from __future__ import annotations

import re
from typing import NamedTuple

_ITEM = re.compile(r"^([ \t]*)(?:[-*•]|[0-9]{1,2}[.)])[ \t]+([^\n]+)", re.MULTILINE)
_LABEL = re.compile(r"([^\n:]{1,40}):")
_LONGEST_PARENT = 60
_TAB = 4  # blanks


class Item(NamedTuple):
    """Where a labelled item begins, its label, and that with the labels of the items above it."""

    start: int
    label: str
    in_full: str


def labelled_items(text: str) -> list[Item]:
    """The labelled items of the lists in a text. An item stands under those that are less indented
    and say nothing but their label (or more in brackets):

        - Drivers under 25
          - Urban: 0.22
    """
    found: list[Item] = []
    above: list[tuple[int, str]] = []  # indents and labels of the items that this one stands under
    for item in _ITEM.finditer(text):
        indent = len(item[1].expandtabs(_TAB))
        while above and above[-1][0] >= indent:
            above.pop()
        said = item[2].strip()
        label = _LABEL.match(said)
        if label and label.end() < len(said.rstrip("*_ ")):
            in_full = " ".join([*[parent for _, parent in above], label[1]])
            found.append(Item(item.start(), label[1], in_full))
        elif len(said) <= _LONGEST_PARENT:
            above.append((indent, said.partition("(")[0].strip("*_: ")))
    return found
