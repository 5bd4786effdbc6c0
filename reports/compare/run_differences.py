"""Differences in how `grader run` made the compared runs, beside agent and nudge mode: its limits,
which may explain differences in their results."""

from __future__ import annotations

from typing import Any

from grader.files.json_input import as_mapping

from ..frames import RunFrames
from ..pairing import Arms
from ..wording import sentences

REPLAY = "replay"  # the agent of a manifest whose run took no time and ran no code


def limits_caution(arms: Arms) -> str:
    """A caution that names the limits in which the arms' runs differ; "" if they have the same, or
    were not made by `grader run`."""
    found = {arm: limits_of(frames) for arm, frames in arms.items()}
    differ = []
    for limit in dict.fromkeys(name for limits in found.values() for name in limits):
        stated = {arm: limits[limit] for arm, limits in found.items() if limit in limits}
        if len(set(stated.values())) > 1:
            values = "; ".join(f"{value} in {arm}" for arm, value in stated.items())
            differ.append(f"{limit}: {values}.")
    if not differ:
        return ""
    caution = "Caution: not run under the same limits, so differences may come from these."
    return sentences(caution, *differ)


def limits_of(frames: RunFrames) -> dict[str, str]:
    """The limits that were in force when a run was made, in words."""
    manifest = frames.manifest or {}
    settings = as_mapping(manifest.get("run_settings"))
    loop = as_mapping(settings.get("loop"))
    names = ["max_revisions"]
    if loop.get("nudge_mode") != "none":
        names += ["max_nudges", "rules"]
    if is_live := manifest.get("agent") != REPLAY:
        names.append("task_timeout")
    limits = {name: loop[name] for name in names if name in loop}
    if is_live:
        limits |= as_mapping(settings.get("isolation"))
    return {name: _in_words(value) for name, value in limits.items()}


def _in_words(value: Any) -> str:
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "none"
    return f"{value:g}" if isinstance(value, float) else str(value)
