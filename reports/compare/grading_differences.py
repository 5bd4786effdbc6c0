"""Differences in how compared runs were graded, which may explain differences in their results."""

from __future__ import annotations

from grader.files.json_input import as_list, as_mapping
from grader.grader_names import CASCADE, LENIENT
from grader.run.validity import Validity

from ..frames import RunFrames
from ..pairing import Arms
from ..wording import counted, sentences

NONE = "none"


def grading_caution(arms: Arms) -> str:
    """A caution that names how the grading of the arms differs; "" if they were graded in the same
    way."""
    found = {arm: made_with(frames) for arm, frames in arms.items()}
    differ = [
        f"{fact.capitalize()}: "
        + "; ".join(f"{facts[fact]} in {arm}" for arm, facts in found.items())
        for fact in next(iter(found.values()))
        if len({facts[fact] for facts in found.values()}) > 1
    ]
    if not differ:
        return ""
    caution = "Caution: not graded in the same way, so differences may come from the grading."
    return sentences(caution, *(f"{fact}." for fact in differ))


def made_with(frames: RunFrames) -> dict[str, str]:
    """The settings, graders and judges that made a run's grades, in words."""
    manifest = frames.manifest or {}
    validity = Validity.stated_in(manifest) or Validity()
    made = validity.leading
    strict = [name for name in frames.graders if name not in (LENIENT, CASCADE)]
    waiting = max(map(frames.not_graded, frames.grades), default=0)
    judges = ", ".join(map(str, as_list(as_mapping(manifest.get("lenient")).get("judges"))))
    return {
        **{name.replace("_", " "): f"{v:g}" for name, v in frames.settings.model_dump().items()},
        "strict graders": ", ".join(strict) or NONE,
        "version": made.fingerprint.rpartition("-")[0] if made else NONE,
        # judges of one name may have been asked differently: their fingerprint tells
        "judges": f"{judges} ({made.judged_by})" if made and made.judged_by else NONE,
        "not graded yet": f"{waiting:,} of {counted(len(frames), 'transcript')}"
        if waiting
        else NONE,
    }
