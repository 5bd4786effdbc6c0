"""Which code strict grades are made by: the package's version and a digest of its rules."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

from . import __version__

_PACKAGE = Path(__file__).parent
_RULES = ("*.py", "text/**/*.py", "extraction/**/*.py")  # what decides a strict grade
_DIGITS = 8


@cache
def code_version() -> str:
    """The version that strict grades state, such as `0.1.0+5f3a9c02`: equal for the same rules
    only, so that grades of other rules are not taken for those of these. Only the version of the
    package, where it is installed without its sources."""
    digest = hashlib.sha256()
    sources = sorted({path for pattern in _RULES for path in _PACKAGE.glob(pattern)})
    for path in sources:
        digest.update(path.relative_to(_PACKAGE).as_posix().encode() + b"\0")
        digest.update(path.read_bytes() + b"\0")
    return f"{__version__}+{digest.hexdigest()[:_DIGITS]}" if sources else __version__
