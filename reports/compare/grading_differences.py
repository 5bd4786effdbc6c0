"""How compared runs were graded differently, which may be all that they differ by."""

from __future__ import annotations

from grader.run.standing import Standing

from ..frames import RunFrames
from ..names import CASCADE, LENIENT
from ..pairing import Arms
from ..wording import counted, sentences

NONE = "none"


def grading_caution(arms: Arms) -> str:
    """A caution that names what the grades of the arms were not all made with; nothing for arms
    that were graded alike."""
    found = {arm: made_with(frames) for arm, frames in arms.items()}
    differ = [
        f"{fact.capitalize()}: "
        + "; ".join(f"{facts[fact]} in {arm}" for arm, facts in found.items())
        for fact in next(iter(found.values()))
        if len({facts[fact] for facts in found.values()}) > 1
    ]
    if not differ:
        return ""
    caution = "Caution: not graded alike, so that differences may come from the grading."
    return sentences(caution, *(f"{fact}." for fact in differ))


def made_with(frames: RunFrames) -> dict[str, str]:
    """What the grades of a run were made with, in words."""
    manifest = frames.manifest or {}
    standing = Standing.stated_in(manifest) or Standing()
    made = standing.leading
    strict = [name for name in frames.graders if name not in (LENIENT, CASCADE)]
    waiting = max(map(frames.not_graded, frames.grades), default=0)
    judges = ", ".join(manifest.get("lenient", {}).get("judges", []))
    return {
        **{name.replace("_", " "): f"{v:g}" for name, v in frames.settings.model_dump().items()},
        "strict graders": ", ".join(strict) or NONE,
        "version": made.fingerprint.rpartition("-")[0] if made else NONE,
        # those of equal names may have been asked otherwise, which their fingerprint tells
        "judges": f"{judges} ({made.judged_by})" if made and made.judged_by else NONE,
        "not graded yet": f"{waiting:,} of {counted(len(frames), 'transcript')}"
        if waiting
        else NONE,
    }
