"""The sections of the report's page, in order."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from .figures.style import Picture
from .frames import RunFrames
from .table import Table, show_rate
from .wording import counted


class Outline(NamedTuple):
    """The plan of a section: anchor, title, the names of its figures and tables, and a function
    `says` for the lines before them, from the frames and the run directory as commands name it."""

    name: str
    title: str
    pictures: tuple[str, ...] = ()
    tables: tuple[str, ...] = ()
    says: Callable[[RunFrames, str], list[str]] = lambda frames, run: []


class Section(NamedTuple):
    """A section of one run's page."""

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
    """The sections that have something to show; `run` is the run directory as commands name it."""
    found = [
        Section(
            planned.name,
            planned.title,
            planned.says(frames, run),
            [pictures[p] for p in planned.pictures if p in pictures],
            [tables[t] for t in planned.tables if t in tables],
        )
        for planned in SECTIONS
    ]
    return [section for section in found if section.lines or section.pictures or section.tables]


def _triage(frames: RunFrames, run: str) -> list[str]:
    """How often snippet labels agreed with final labels, and the caveats of the calibration."""
    if frames.audit is None:
        return []
    agreed = frames.audit.stages.overall
    said = f"Snippet labels agreed with the final label in {show_rate(agreed)}."
    return [*([said] if agreed.n else []), *frames.audit.notes]


def _nudged(frames: RunFrames, run: str) -> list[str]:
    if not len(frames):
        return []
    nudges = frames.transcripts["n_nudges"]
    strict, cascade = frames.layers
    return [
        f"Nudged: {int((nudges > 0).sum()):,} of {counted(len(frames), 'transcript')}, with "
        f"{counted(int(nudges.sum()), 'nudge')} in all; graders {strict} and {cascade}."
    ]


def _agent_use(frames: RunFrames, run: str) -> list[str]:
    """The tokens and time of the agent itself, if its steps recorded them."""
    said = []
    for column, unit in (("tokens", "tokens of output"), ("seconds", "seconds")):
        known = frames.transcripts[column].dropna()
        if len(known):
            said.append(
                f"Agent: {known.sum():,.0f} {unit} over {counted(len(known), 'transcript')} that "
                f"recorded them (median {known.median():,.0f} each)."
            )
    return said


def _command(frames: RunFrames, run: str) -> list[str]:
    return [f"To make this report again: grader report {run}{frames.database_option}"]


# In page order; a section without content is left out.
SECTIONS: tuple[Outline, ...] = (
    Outline("cascade", "The cascade", ("cascade",)),
    Outline("graders", "Graders against humans", (), ("graders",), _triage),
    Outline("nudging", "What nudging does", ("cumulative",), ("nudges", "modes"), _nudged),
    Outline("tasks", "Task covariates", ("outcomes",), ("outcomes", "covariates")),
    Outline("anchoring", "Anchoring", ("anchoring",)),
    Outline("confidence", "Confidence", ("confidence",), ("bands",)),
    Outline("disagreements", "Verbal–execution disagreements", (), ("disagreements",)),
    Outline("llm", "LLM use, tokens and cost", (), ("llm",), _agent_use),
    Outline("settings", "Settings and hashes", (), ("settings",), _command),
)
