"""Five ways in which a conversation can go, for any agent that writes Python code.

`mean of x` is 4.4 in the table that the tests write (4.3 and 4.5).
"""

from __future__ import annotations

from .llm import Reply


def code(text: str) -> str:
    return f"I will compute it.\n```python\n{text}\n```"


SCENARIOS: dict[str, list[Reply | str]] = {
    "(once)": [
        code("print(4.4)"),
        "The mean of x is **4.4**.\n\nNext, you can:\n[1]Plot it.\n[2]Test it.\n[3]Stop.",
    ],
    "(repaired)": [
        code("undefined_name + 1"),
        code("value = 4.4\nprint(value)"),
        "The mean of x is 4.4.",
    ],
    "(nudged)": [
        code("print('done')"),
        "The analysis is finished.",
        "It could be 1.1, 2.2, 3.3, 5.5 or 6.6.",
        "4.4",
    ],
    "(never)": ["I cannot say."],
    "(hangs)": [code("print('start')\nwhile True: pass"), "unreachable"],
}
TASK_IDS = [marker.strip("()") for marker in SCENARIOS]

# task id -> outcome, stop reason, instruction types, (reason, recovered) of each nudge
EXPECTED: dict[str, tuple[str, str, list[str], list[tuple[str, bool]]]] = {
    "once": ("clean", "answered", ["original_prompt"], []),
    "repaired": (
        "error_recovered",
        "answered",
        ["original_prompt", "inspector_revision"],
        [],
    ),
    "nudged": (
        "nudge_recovered",
        "answered",
        ["original_prompt", "nudge_original", "nudge_original"],
        [("no_scalar", False), ("ambiguous", True)],
    ),
    "never": (
        "failed",
        "nudges_used_up",
        ["original_prompt", *["nudge_original"] * 3],
        [("no_scalar", False)] * 3,
    ),
    "hangs": ("failed", "timeout", ["original_prompt"], []),
}
