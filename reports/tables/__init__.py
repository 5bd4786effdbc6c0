"""Tables of a run, each a pure function of its frames. To add one: a file and a row here."""

from __future__ import annotations

from collections.abc import Callable

from ..frames import RunFrames
from ..table import Table
from .bands import bands_table
from .covariates import covariates_table
from .disagreements import disagreements_table
from .graders import graders_table
from .llm import llm_table
from .modes import modes_table
from .nudges import nudges_table
from .outcomes import outcomes_table
from .settings import settings_table
from .transcripts import transcripts_table

# In the order of the page; a table that the run has no data for is None.
TABLES: dict[str, Callable[[RunFrames], Table | None]] = {
    "graders": graders_table,
    "nudges": nudges_table,
    "modes": modes_table,
    "outcomes": outcomes_table,
    "covariates": covariates_table,
    "bands": bands_table,
    "disagreements": disagreements_table,
    "llm": llm_table,
    "transcripts": transcripts_table,
    "settings": settings_table,
}


def make_tables(frames: RunFrames) -> dict[str, Table]:
    """Every table the run has data for, by name, in page order."""
    made = {name: make(frames) for name, make in TABLES.items()}
    return {name: table for name, table in made.items() if table is not None}
