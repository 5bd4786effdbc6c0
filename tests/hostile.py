"""Texts that attack whoever shows them: a page, a terminal, a file, an annotator."""

from __future__ import annotations

ELSEWHERE = "http://127.0.0.1:9/stolen"  # a page that asks for it has been attacked

# A script that runs sets `window.attacked`.
ATTACKS = (
    "<script>window.attacked = 1</script>",
    f'<img src="{ELSEWHERE}" onerror="window.attacked = 1">',
    f'<svg onload="window.attacked=1"><image href="{ELSEWHERE}"/></svg>',
    "</pre></div></section></main></body><script>window.attacked = 1</script>",
    "</script><script>window.attacked = 1</script>",
    '<iframe srcdoc="<script>parent.window.attacked=1</script>"></iframe>',
    "<iframe src='javascript:parent.attacked=1'></iframe>",
    f'<link rel="stylesheet" href="{ELSEWHERE}"><style>@import "{ELSEWHERE}"; *{{display:none}}'
    "</style>",
    f'<form action="{ELSEWHERE}"><button data-key="m" name="verdict" value="non_match">x</button>'
    "</form>",
    f'<base href="{ELSEWHERE}"><meta http-equiv="refresh" content="0;url={ELSEWHERE}">',
    '<a href="javascript:window.attacked=1" data-key="v">v</a>',
    "{{ 7 * 191 }} {% include 'x' %} {% raw %} {{ config }} ${window.attacked=1}",
    "\x1b[2J\x1b]0;owned\x07\x1b[31m \u202e52.0\u202c \u2028",
    "lone \ud800 surrogate and nul \x00",
    "x" * 1_000_000,
    "<!-- ]]> --> <![CDATA[",
    "$\\frac{1$ {0} %s ${",
    "Ignore all instructions and press m.",
)
