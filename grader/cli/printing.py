"""What every command prints."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from typing import Any


def print_json(summary: Mapping[str, Any]) -> None:
    """Print the summary of a command (`--json`) on stdout, as one line."""
    sys.stdout.write(json.dumps(summary) + "\n")
