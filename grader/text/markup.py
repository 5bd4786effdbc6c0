"""HTML tags that open no section: which are dropped, and the text without them."""

from __future__ import annotations

import html
import re

from .formats import TAG_NAME, TAGS

DROPPED_TAGS = frozenset(
    "a b br blockquote body center code dd details div dl dt em figure font h1 h2 h3 h4 h5 h6 "
    "head hr html i iframe img input label li link main meta ol p s section small span strong "
    "end_code sub sup svg table tbody td textarea tfoot th thead title tr tt u ul".split()
)
INLINE_TAGS = frozenset("a b code em font i s small span strong sub sup tt u".split())
_TAG = re.compile(rf"</?{TAG_NAME}(?:\s[^<>]{{0,2000}})?/?>")


def without_known_tags(text: str) -> str:
    """The text without the tags of `DROPPED_TAGS` and of the agents' formats, its entities
    resolved. Other angle brackets stay: `<class 'int'>`."""
    if "<" in text:
        text = _TAG.sub(_drop_known, text)
    return html.unescape(text) if "&" in text else text


def without_tags(text: str) -> str:
    """The text without anything that looks like a tag."""
    return _TAG.sub("", text) if "<" in text else text


def _drop_known(match: re.Match[str]) -> str:
    name = match[0].strip("</>").split(None, 1)[0].rstrip("/").lower()
    return "" if name in DROPPED_TAGS or name in TAGS else match[0]
