"""HTML tags that open no section: which are dropped, and the text without them."""

from __future__ import annotations

import html
import re

from .formats import TAG_NAME, TAGS

INLINE_TAGS = frozenset(
    "a abbr b bdi bdo big cite code del dfn em font i ins kbd mark s samp small span strike strong "
    "sub sup tt u var wbr".split()
)
DROPPED_TAGS = INLINE_TAGS | frozenset(
    "article aside body blockquote br caption center col colgroup dd details div dl dt end_code "
    "figcaption figure footer h1 h2 h3 h4 h5 h6 head header hr html iframe img input label li link "
    "main meta nav ol p section svg table tbody td textarea tfoot th thead title tr ul".split()
)
_TAG = re.compile(rf"</?{TAG_NAME}(?:\s[^<>]{{0,2000}})?/?>")


def without_known_tags(text: str) -> str:
    """The text without the tags of `DROPPED_TAGS` and of the agents' formats, its entities
    resolved; of `10<sup>-5</sup>`, `10^-5` is left. Other angle brackets stay: `<class 'int'>`."""
    if "<" in text:
        text = _TAG.sub(_drop_known, text)
    return html.unescape(text) if "&" in text else text


def without_tags(text: str) -> str:
    """The text without anything that looks like a tag."""
    return _TAG.sub("", text) if "<" in text else text


def _drop_known(match: re.Match[str]) -> str:
    name = match[0].strip("</>").split(None, 1)[0].rstrip("/").lower()
    if name == "sup":
        return "" if match[0][1] == "/" else "^"
    return "" if name in DROPPED_TAGS or name in TAGS else match[0]
