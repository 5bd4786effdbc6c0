"""Does the 95 % interval of the pass rate cover the truth 95 times in 100, and what does it save?

    python -m tests.bench.annotate_coverage [REPEATS] [--json FILE]

Each repeat draws tasks from a population with a known true pass rate, grades them with a grader
of known sensitivity and specificity, draws a labelling queue with the package's own designs and
labels its first part. Where a task has several tries, those of half of the tasks always agree.
Coverage is of the population's true pass rate, of the grader's recall and precision, and of the
recall of a baseline grader that the design knows nothing of; "± 1.96 s.e." is how often this rate
is so near to the truth, the other figures are of intervals. "Saved"
is the share of labels spared for the same width against labelling at random and using the labels
alone, 1 - (width / width of that Wilson interval)^2, as widths go with one over the root of n.
Exits 1 if the headline's coverage leaves 93 to 97 % by more than two standard errors of the
simulation anywhere.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from annotate.cases import Case, tasks_of, verdicts_of
from annotate.sample import draw
from annotate.sample.weights import weighting_of
from annotate.statistics.calibrate import grader_rates
from annotate.statistics.cells import cells_of
from annotate.statistics.estimates import Aim, classical, poststratified, ppi, rogan_gladen
from annotate.statistics.rates import Interval, Rate
from annotate.statistics.repeats import effect_of_matches
from grader.grader_names import HEURISTIC

DESIGNS = ("random", "stratified", "informative")
GRADERS = (  # true pass rate, sensitivity, specificity
    (0.47, 0.97, 1.00),  # the paper's cascade
    (0.47, 0.86, 0.995),  # the paper's strict_keyword, nearly
    (0.47, 0.26, 0.995),  # a heuristic parser
    (0.47, 0.80, 0.90),
    (0.80, 0.90, 0.90),
    (0.15, 0.90, 0.97),
)
BASELINE = (0.34, 0.987)  # sensitivity and specificity of a grader whose passes cut across strata
SIZES = ((300, 60, 1), (300, 120, 1), (1500, 150, 1), (500, 100, 5))  # transcripts, labels, tries
TARGET = (0.93, 0.97)


@dataclass(frozen=True)
class Setting:
    design: str
    truth: float
    sensitivity: float
    specificity: float
    transcripts: int
    labels: int
    tries: int

    @property
    def precision(self) -> float:
        """The share of matches among what the grader passes."""
        right, wrong = self.truth * self.sensitivity, (1 - self.truth) * (1 - self.specificity)
        return right / (right + wrong)


@dataclass(frozen=True)
class Result:
    setting: Setting
    coverage: dict[str, float]
    half_width: dict[str, float]
    saved: float


def settings() -> Iterator[Setting]:
    for transcripts, labels, tries in SIZES:
        for truth, sensitivity, specificity in GRADERS:
            for design in DESIGNS:
                yield Setting(design, truth, sensitivity, specificity, transcripts, labels, tries)


def simulate(setting: Setting, repeats: int) -> Result:
    rng = np.random.default_rng(list(repr(setting).encode()))
    covered: dict[str, list[bool]] = {}
    widths: dict[str, list[float]] = {}
    for repeat in range(repeats):
        cases, matches = population(setting, rng)
        sample = draw(cases, setting.design, size=setting.labels, seed=repeat)
        weighting = weighting_of(cases, {key: matches[key] for key in sample.queue}, sample)
        labels = weighting.sampled
        passed = {case.transcript_id: case.verdicts["cascade"] == "correct" for case in cases}
        cells = cells_of(passed, sample.strata, labels)
        aim = Aim(design_effect=effect_of_matches(passed, labels, sample.strata, tasks_of(cases)))
        found = [poststratified(cells, aim, draws=2000, seed=repeat)]
        found += [estimate(cells, aim) for estimate in (ppi, rogan_gladen, classical)]
        if setting.design != "random":
            plain = rng.permutation(list(matches))[: setting.labels]
            everything = dict.fromkeys(matches, "all")
            random_cells = cells_of(passed, everything, {key: matches[key] for key in plain})
            plainly = classical(random_cells, aim)
            found.append(plainly.model_copy(update={"name": "random labels alone"}))
        rates, baseline = (
            grader_rates(
                grader,
                verdicts_of(cases, grader),
                labels,
                drawn=weighting.drawn_from,
                tasks=tasks_of(cases),
            )
            for grader in ("cascade", HEURISTIC)
        )
        of = [(one.name, one, setting.truth) for one in found]
        of.append(("recall", rates.recall, setting.sensitivity))
        of.append(("precision", rates.precision, setting.precision))
        of.append(("baseline recall", baseline.recall, BASELINE[0]))
        of.append(("baseline recall ± 1.96 s.e.", _within_two(baseline.recall), BASELINE[0]))
        for name, one, true in of:
            if one.low is None or one.high is None:
                continue
            covered.setdefault(name, []).append(one.low - 1e-9 <= true <= one.high + 1e-9)
            widths.setdefault(name, []).append((one.high - one.low) / 2)
    width = {name: float(np.mean(values)) for name, values in widths.items()}
    alone = width.get("random labels alone", width["classical"])
    return Result(
        setting,
        {name: float(np.mean(values)) for name, values in covered.items()},
        width,
        1 - (width["poststratified"] / alone) ** 2,
    )


def _within_two(rate: Rate) -> Interval:
    """The interval of 1.96 standard errors to either side of a rate."""
    if rate.value is None or rate.standard_error is None:
        return Interval(method="standard error")
    reach = 1.96 * rate.standard_error
    return Interval(low=rate.value - reach, high=rate.value + reach, method="standard error")


def population(setting: Setting, rng: np.random.Generator) -> tuple[list[Case], dict[str, bool]]:
    """Transcripts with a second grader and a confidence that know something of the errors, and a
    baseline grader."""
    n, tries = setting.transcripts, setting.tries
    agree, fate = np.repeat(rng.random((2, n // tries)), tries, axis=1)
    chance = np.where((tries > 1) & (agree < 0.5), fate < setting.truth, setting.truth)
    match = rng.random(n) < chance
    ok = np.where(match, rng.random(n) < setting.sensitivity, rng.random(n) > setting.specificity)
    wrong = match != ok
    other = np.where(rng.random(n) < np.where(wrong, 0.6, 0.05), ~ok, ok)
    sure = np.clip(rng.normal(np.where(wrong, 0.45, 0.75), 0.2, n), 0, 1)
    base = rng.random(n) < np.where(match, BASELINE[0], 1 - BASELINE[1])
    word = {True: "correct", False: "incorrect"}
    cases = [
        Case(
            transcript_id=f"t{i}",
            task_id=f"t{i // tries}",
            verdicts={
                "cascade": word[bool(ok[i])],
                "strict_blind": word[bool(other[i])],
                HEURISTIC: word[bool(base[i])],
            },
            confidence=float(sure[i]),
        )
        for i in range(n)
    ]  # fmt: skip
    return cases, {f"t{i}": bool(match[i]) for i in range(n)}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("repeats", type=int, nargs="?", default=1000)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--design", choices=DESIGNS, help="only this one")
    options = parser.parse_args()
    todo = [s for s in settings() if options.design in (None, s.design)]
    with ProcessPoolExecutor(2) as pool:
        results = list(pool.map(simulate, todo, [options.repeats] * len(todo)))
    for result in results:
        one = result.setting
        cover = "  ".join(
            f"{name} {100 * value:.1f}% ±{100 * result.half_width[name]:.1f}"
            for name, value in result.coverage.items()
        )
        sys.stdout.write(
            f"{one.design:<12}true {one.truth:.2f} sens {one.sensitivity:.2f} spec "
            f"{one.specificity:.3f} N {one.transcripts:>4} n {one.labels:>3} tries {one.tries} | "
            f"{cover} | saved "
            f"{100 * result.saved:.0f}%\n"
        )
    covers = [r.coverage["poststratified"] for r in results]
    inside = sum(TARGET[0] <= c <= TARGET[1] for c in covers)
    sys.stdout.write(
        f"\npoststratified: coverage {100 * min(covers):.1f}% to {100 * max(covers):.1f}%, mean "
        f"{100 * float(np.mean(covers)):.1f}%; within 93-97% in {inside} of {len(covers)} settings "
        f"({options.repeats} repeats each, s.e. {100 * (0.0475 / options.repeats) ** 0.5:.1f} "
        "points)\n"
    )
    for name in dict.fromkeys(name for result in results for name in result.coverage):
        if name in ("poststratified", "random labels alone"):
            continue
        others = [r.coverage[name] for r in results if name in r.coverage]
        sys.stdout.write(
            f"{name}: coverage {100 * min(others):.1f}% to {100 * max(others):.1f}%, mean "
            f"{100 * float(np.mean(others)):.1f}%\n"
        )
    for design in DESIGNS:
        saved = [r.saved for r in results if r.setting.design == design]
        if not saved:
            continue
        sys.stdout.write(
            f"{design}: {100 * min(saved):.0f}% to {100 * max(saved):.0f}% of labels saved, median "
            f"{100 * float(np.median(saved)):.0f}%\n"
        )
    if options.json:
        options.json.write_text(json.dumps([asdict(r) for r in results], indent=1))
    error = 2 * (0.0475 / options.repeats) ** 0.5
    return int(min(covers) < TARGET[0] - error or max(covers) > TARGET[1] + error)


if __name__ == "__main__":
    sys.exit(main())
