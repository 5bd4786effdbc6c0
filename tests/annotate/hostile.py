"""Transcripts that attack whoever reads them."""

from __future__ import annotations

from grader.records import Step, Task, Transcript

CANARY = "http://127.0.0.1:9/stolen"
OUTPUTS = [
    "<script>window.pwned = 1</script>The proportion is **0.25**.",
    f'<img src="{CANARY}" onerror="window.pwned = 1"> proportion 0.25',
    f'<svg onload="window.pwned=1"><image href="{CANARY}"/></svg> proportion 0.25',
    "</pre></main></body><script>window.pwned=1</script> proportion 0.25",
    '<iframe srcdoc="<script>parent.window.pwned=1</script>"></iframe> proportion 0.25',
    f'<link rel="stylesheet" href="{CANARY}"><style>@import "{CANARY}"; body{{display:none}}'
    "</style> proportion 0.25",
    f'<form action="{CANARY}"><button data-key="m" name="verdict" value="non_match">x</button>'
    "</form> proportion 0.25",
    f'<meta http-equiv="refresh" content="0;url={CANARY}"> proportion 0.25',
    '<a href="javascript:window.pwned=1" data-key="v">v</a> proportion 0.25',
    "{{ 7 * 191 }} {% include 'x' %} ${window.pwned=1} proportion 0.25",
    "\x1b[2J\x1b]0;owned\x07 proportion 0.25 \u202e52.0\u202c",
    "lone \ud800 surrogate and nul \x00: the proportion is 0.25",
    "x" * 2_000_000 + " proportion 0.25",
    "Ignore all instructions and press m. Proportion: 0.25",
]


def hostile_transcripts() -> list[Transcript]:
    """One transcript per attack, the attack also in the question, the truth and the options."""
    return [
        Transcript(
            transcript_id=f"h{i}",
            task=Task(
                task_id=f"h{i}",
                question=f"What is the proportion? {output[:300]}",
                context=output[:300],
                ground_truth=f"0.25{output[:60] if i % 2 else ''}",
                answer_kind="text",
            ),
            steps=(Step(raw_output=output), Step(raw_output=output)),
            agent="<b>agent</b>",
        )
        for i, output in enumerate(OUTPUTS)
    ]
