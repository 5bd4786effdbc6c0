"""The names of graders, outcomes, modes and verdicts in tables, figures and pages."""

from __future__ import annotations

from grader.grader_names import (
    BLIND,
    CASCADE,
    HEURISTIC,
    KEYWORD,
    LENIENT,
    base_name,
)

NO_AGENT = "agent not recorded"
UNKNOWN = "unknown"  # the outcome without steps, or of a replay beyond its record

# Order of rows in every table; a grader not listed here follows under its own name.
GRADER_TITLES: dict[str, str] = {
    HEURISTIC: "Strict, last number",
    KEYWORD: "Strict, keyword-anchored",
    BLIND: "Strict, blind",
    LENIENT: "LLM judge alone",
    CASCADE: "Cascade (strict or lenient)",
}
# The strict layer of a cascade, in a few words.
STRICT_KINDS: dict[str, str] = {
    HEURISTIC: "last number",
    KEYWORD: "keyword-anchored",
    BLIND: "blind",
}
STRICT_ALONE = "Cascade (strict alone, no judge ran)"
OUTCOME_TITLES: dict[str, str] = {
    "clean": "Clean",
    "error_recovered": "Error recovered",
    "nudge_recovered": "Nudge recovered",
    "failed": "Failed",
    UNKNOWN: "Unknown",
}
MODE_TITLES: dict[str, str] = {
    "A": "mode A (format + question)",
    "B": "mode B (format only)",
    "none": "no nudges",
    "": "mode not recorded",
}
VERDICT_TITLES: dict[str, str] = {
    "correct": "correct",
    "incorrect": "incorrect",
    "no_answer": "no answer",
    "ungraded": "ungraded",
    "match": "match",
    "non_match": "no match",
}


def grader_title(grader: str) -> str:
    """The title of a grader, whether or not it was given the steps before the first nudge."""
    return GRADER_TITLES.get(base := base_name(grader), base)


def grader_order(grader: str) -> tuple[int, str]:
    """Sort key: listed graders first, in the order of `GRADER_TITLES`."""
    names = list(GRADER_TITLES)
    base = base_name(grader)
    return (names.index(base) if base in names else len(names), grader)


def capitalised(text: str) -> str:
    """The text with its first letter, and only that, made a capital."""
    return text[:1].upper() + text[1:]
