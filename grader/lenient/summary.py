"""The summary of a lenient pass: calls, costs, verdicts, and agreement between judges."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass, field
from itertools import combinations
from typing import Any

from ..llm.usage import Tally
from .opinion import Opinion


@dataclass
class JudgeAgreement:
    """For each pair of judges, the number of transcripts with a verdict from both, and with the
    same one."""

    both: Counter[tuple[str, str]] = field(default_factory=Counter)
    same: Counter[tuple[str, str]] = field(default_factory=Counter)
    unanimous: int = 0
    compared: int = 0

    def add(self, opinions: tuple[Opinion, ...]) -> None:
        """Count one transcript. Judges that gave no verdict take no part in it."""
        answered = [opinion for opinion in opinions if opinion.answered]
        for a, b in combinations(answered, 2):
            self.both[a.judge, b.judge] += 1
            self.same[a.judge, b.judge] += a.verdict == b.verdict
        if len(answered) > 1 and len(answered) == len(opinions):
            self.compared += 1
            self.unanimous += len({opinion.verdict for opinion in answered}) == 1

    def as_dict(self) -> dict[str, Any]:
        """`unanimous` is over the `n` transcripts on which every judge gave a verdict."""
        pairs = [
            {"judges": list(pair), "n": n, "same": self.same[pair], "rate": self.same[pair] / n}
            for pair, n in self.both.items()
        ]
        rate = self.unanimous / self.compared if self.compared else None
        return {"n": self.compared, "unanimous": self.unanimous, "rate": rate, "pairs": pairs}


@dataclass
class LenientSummary:
    """Counts of one pass over transcripts."""

    judges: tuple[str, ...]
    tally: Tally = field(default_factory=Tally)
    verdicts: Counter[str] = field(default_factory=Counter)
    ungraded_because: Counter[str] = field(default_factory=Counter)
    cut: int = 0
    agreement: JudgeAgreement = field(default_factory=JudgeAgreement)

    def as_dict(self) -> dict[str, Any]:
        """The summary for `--json` and the manifest, with calls as in `Usage`. `judged` transcripts
        have a verdict other than `ungraded`; `agreement` is None with a single judge."""
        return {
            "judges": list(self.judges),
            "judged": self.verdicts.total() - self.verdicts["ungraded"],
            "verdicts": dict(self.verdicts),
            "ungraded_because": dict(self.ungraded_because),
            "transcripts_cut": self.cut,
            **asdict(self.tally.usage),
            "agreement": self.agreement.as_dict() if len(self.judges) > 1 else None,
        }
