"""The optional compiled build: the strict path as C, by mypyc. Same source, same grades.

    pip install -c constraints.txt '.[lint]' 'setuptools>=77'
    GRADER_COMPILE=1 pip install --no-build-isolation --no-deps --force-reinstall .

The first line installs mypy and the packages whose types it reads. Without the variable nothing is
compiled, and no C compiler is needed.
"""

from __future__ import annotations

import os

from setuptools import Extension, setup

# The modules that the strict graders run for every transcript. Records (pydantic) stay Python.
STRICT_PATH = (
    "number_edges", "numbers", "tolerance", "criterion", "reading", "strict",
    *(f"text/{name}" for name in (
        "__init__", "split", "keywords", "console", "printout", "markup", "blocks", "sections",
        "closing", "labelled", "markdown_table",
    )),
    *(f"extraction/{name}" for name in (
        "values", "number_words", "units", "topics", "question", "asked", "naming", "phrases",
        "weights", "parts", "relations", "formulas", "coordination",
        "marking", "scan", "number_evidence", "sentence_evidence", "evidence", "region", "blind",
        "mentions", "decisions", "offered", "choices", "denials", "choice_evidence", "significance",
        "causation", "distinct_words", "echo", "affirmation", "choice_parser", "fields",
        "given_values", "names", "several", "clauses", "text_parser", "parsers",
    )),
    *(f"extraction/rules/{name}" for name in (
        "__init__", "sight", "layout", "counts", "conditions", "statistics", "wording",
        "calculations", "expressions", "alternatives",
    )),
)  # fmt: skip


def extensions() -> list[Extension]:
    if os.environ.get("GRADER_COMPILE") != "1":
        return []
    from mypyc.build import mypycify

    sources = [f"grader/{name}.py" for name in STRICT_PATH]
    compiled: list[Extension] = mypycify(sources, opt_level="3", group_name="grader")
    return compiled


setup(ext_modules=extensions())
