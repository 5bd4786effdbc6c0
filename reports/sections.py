"""What stands on the report's page, in which order."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from .figures.style import Picture
from .frames import RunFrames
from .names import CASCADE, KEYWORD
from .table import Table, show_rate

# (anchor, title, figures, tables), in page order; a section without content is left out.
SECTIONS: tuple[tuple[str, str, tuple[str, ...], tuple[str, ...]], ...] = (
    ("cascade", "The cascade", ("cascade",), ()),
    ("graders", "Graders against humans", (), ("graders",)),
    ("nudging", "What nudging does", ("cumulative",), ("nudges", "modes")),
    ("tasks", "Task covariates", ("outcomes",), ("outcomes", "covariates")),
    ("anchoring", "Anchoring", ("anchoring",), ()),
    ("confidence", "Confidence", ("confidence",), ("bands",)),
    ("disagreements", "Verbal–execution disagreements", (), ("disagreements",)),
    ("llm", "LLM use, tokens and cost", (), ("llm",)),
    ("settings", "Settings and hashes", (), ("settings",)),
)


class Section(NamedTuple):
    name: str
    title: str
    lines: list[str]
    pictures: list[Picture]
    tables: list[Table]


def sections(
    frames: RunFrames,
    tables: Mapping[str, Table],
    pictures: Mapping[str, Picture],
    run: str,
) -> list[Section]:
    """The sections that have something to show."""
    found = [
        Section(
            name,
            title,
            section_lines(name, frames, run),
            [pictures[p] for p in drawn if p in pictures],
            [tables[t] for t in listed if t in tables],
        )
        for name, title, drawn, listed in SECTIONS
    ]
    return [section for section in found if section.lines or section.pictures or section.tables]


def section_lines(section: str, frames: RunFrames, run: str) -> list[str]:
    """What a section says before its figures and tables."""
    if section == "graders" and frames.audit:
        said = []
        if frames.audit.stages.overall.n:
            agreed = show_rate(frames.audit.stages.overall)
            said.append(f"Snippet triage agreed with the transcript label in {agreed}.")
        return [*said, *frames.audit.notes]
    if section == "nudging" and len(frames):
        nudged = frames.transcripts["n_nudges"]
        return [
            f"{int((nudged > 0).sum()):,} of {len(frames):,} transcripts were nudged, "
            f"{int(nudged.sum()):,} nudges in all; graders {KEYWORD} and {CASCADE}."
        ]
    if section == "llm":
        return _agent_use(frames)
    if section == "settings":
        return [f"To make this report again: grader report {run}"]
    return []


def _agent_use(frames: RunFrames) -> list[str]:
    """What the agent itself used, where its steps recorded it."""
    said = []
    for column, unit in (("tokens", "tokens of output"), ("seconds", "seconds")):
        known = frames.transcripts[column].dropna()
        if len(known):
            said.append(
                f"Agent: {known.sum():,.0f} {unit} over {len(known):,} transcripts that recorded "
                f"them (median {known.median():,.0f} each)."
            )
    return said
