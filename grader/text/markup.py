"""HTML tags that open no section: which are dropped, and the text without them; its tables as
those of Markdown."""

from __future__ import annotations

import html
import re

from .formats import TAG_NAME, TAGS

INLINE_TAGS = frozenset(
    "a abbr b bdi bdo big cite code del dfn em font i ins kbd mark s samp small span strike strong "
    "sub sup tt u var wbr".split()
)
TABLE_TAGS = frozenset("col colgroup tbody td tfoot th thead tr".split())  # inside a <table>
_PARAGRAPHS = frozenset(
    "article aside body blockquote br caption center dd details div dl dt end_code figcaption "
    "figure footer h1 h2 h3 h4 h5 h6 head header hr html iframe img input label li link main meta "
    "nav ol p section svg table textarea title ul".split()
)
DROPPED_TAGS = INLINE_TAGS | TABLE_TAGS | _PARAGRAPHS
_TAG = re.compile(rf"</?{TAG_NAME}(?:\s[^<>]{{0,2000}})?/?>")
_TABLE_EDGE, _PART, _ROW, _CELL = (
    re.compile(rf"<(?:{name})\b[^<>]{{0,2000}}>", re.IGNORECASE)
    for name in ("/?table", "/?(?:thead|tbody|tfoot|colgroup|col)|/t[rdh]", "tr", "t[dh]")
)


def without_known_tags(text: str) -> str:
    """The text without the tags of `DROPPED_TAGS` and of the agents' formats, its entities
    resolved, its tables in Markdown; of `10<sup>-5</sup>`, `10^-5` is left. Other angle brackets
    stay: `<class 'int'>`."""
    if "<" in text:
        if "<tr" in text or "<TR" in text:
            text = "\n".join(map(_in_markdown, _TABLE_EDGE.split(text)))
        text = _TAG.sub(_drop_known, text)
    return html.unescape(text) if "&" in text else text


def without_tags(text: str) -> str:
    """The text without anything that looks like a tag."""
    return _TAG.sub("", text) if "<" in text else text


def _in_markdown(table: str) -> str:
    """Each `<tr>` as a line of a table in Markdown. If the first has only `<th>`, these are the
    headings."""
    before, *rows = _ROW.split(_PART.sub("", table))
    if not rows:
        return table
    lines = [before]
    for number, row in enumerate(rows):
        outside, *cells = _CELL.split(row)
        lines.append(outside)
        if cells:
            lines.append(f"| {' | '.join(' '.join(cell.split()) for cell in cells)} |")
        if cells and number == 0 and "<td" not in row.lower():
            lines.append("|" + "---|" * len(cells))
    return "\n".join(line for line in lines if line.strip())


def _drop_known(match: re.Match[str]) -> str:
    name = match[0].strip("</>").split(None, 1)[0].rstrip("/").lower()
    if name == "sup":
        return "" if match[0][1] == "/" else "^"
    if name in INLINE_TAGS or name in TAGS:
        return ""
    return " " if name in DROPPED_TAGS else match[0]
