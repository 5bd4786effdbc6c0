"""The optional compiled build: the strict path as C, by mypyc. Same source, same grades.

    pip install -c constraints.txt '.[lint]' 'setuptools>=77'
    GRADER_COMPILE=1 pip install --no-build-isolation --no-deps --force-reinstall .

The first line installs mypy and the packages whose types it reads. Without GRADER_COMPILE nothing
is compiled, and no C compiler is needed. GRADER_OPTIMISE=0 compiles in two thirds of the time, for
tests.
"""

from __future__ import annotations

import os
from pathlib import Path

from setuptools import Extension, setup

GRADER = Path(__file__).parent / "grader"


def modules(folder: str) -> list[str]:
    """The modules of a folder of the package, as paths without suffix."""
    return sorted(f"{folder}/{path.stem}" for path in (GRADER / folder).glob("[!_]*.py"))


# The modules that the strict graders run for every transcript. Records (pydantic) stay Python.
STRICT_PATH = (
    "number_edges", "number_forms", "numbers", "tolerance", "criterion", "reading", "strict",
    *(f"text/{name}" for name in (
        "__init__", "split", "keywords", "console", "printout", "markup", "blocks", "sections",
        "closing", "labelled_lines", "list_items", "markdown_table", "sentences",
    )),
    *modules("extraction"), "extraction/rules/__init__", *modules("extraction/rules"),
    *modules("extraction/question"), *modules("extraction/evidence"),
    *modules("extraction/mentions"), *modules("extraction/options"),
    *modules("extraction/words"),
)  # fmt: skip


def extensions() -> list[Extension]:
    if os.environ.get("GRADER_COMPILE") != "1":
        return []
    from mypyc.build import mypycify

    sources = [f"grader/{name}.py" for name in STRICT_PATH]
    level = os.environ.get("GRADER_OPTIMISE", "3")
    compiled: list[Extension] = mypycify(sources, opt_level=level, group_name="grader")
    return compiled


setup(ext_modules=extensions())
