"""The queue of `grader annotate`: kept, made longer, drawn anew."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from annotate.cases import cases_of
from annotate.cli import choose_sample
from annotate.labels import LabelStore
from annotate.sample import draw
from annotate.sample.queue import load_sample, save_sample
from annotate.session import Session
from grader.cli import main
from grader.errors import UserError
from grader.run import RunDirectory

from .runs import say


def test_the_queue_is_kept_extended_and_redrawn(run: RunDirectory) -> None:
    cases = cases_of(run)
    first = choose_sample(None, cases, None, 6, (), None)
    assert (first.design, first.size) == ("informative", 6)
    assert choose_sample(first, cases, None, None, (), None) == first
    longer = choose_sample(first, cases, None, 8, (), None)
    assert longer.queue[:6] == first.queue
    assert choose_sample(longer, cases, "informative", None, (), None) == longer
    regraded = [case.model_copy(update={"verdicts": {}}) for case in cases]
    assert choose_sample(longer, regraded, "informative", None, (), None) == longer
    by_type = choose_sample(longer, cases, "stratified", 6, ("variable_type",), None)
    assert by_type.strata_by == ("variable_type",)
    with pytest.raises(UserError, match="unknown stratum"):
        choose_sample(by_type, cases, "stratified", 6, ("colour",), None)


@pytest.mark.parametrize(("design", "by"), [("random", ()), (None, ("variable_type",))])
def test_a_design_is_drawn_anew_once_transcripts_were_added(
    run: RunDirectory, design: str | None, by: tuple[str, ...]
) -> None:
    cases = cases_of(run)
    stored = choose_sample(None, cases[:8], design, 6, by, None)
    assert choose_sample(stored, cases, None, None, (), None) == stored
    anew = choose_sample(stored, cases, design, 6, by, None)
    assert (len(stored.items), len(anew.items)) == (8, 12)
    assert choose_sample(anew, cases, design, None, by, None) == anew


def test_strata_imply_stratified_and_a_seed_needs_a_draw(run: RunDirectory) -> None:
    cases = cases_of(run)
    stored = choose_sample(None, cases, "random", 6, (), 3)
    assert stored.seed == 3
    by_type = choose_sample(stored, cases, None, None, ("variable_type",), None)
    assert (by_type.design, by_type.strata_by) == ("stratified", ("variable_type",))
    assert choose_sample(by_type, cases, None, None, ("variable_type",), None) == by_type
    assert choose_sample(stored, cases, None, None, (), 3) == stored
    with pytest.raises(UserError, match="--seed needs --design"):
        choose_sample(stored, cases, None, None, (), 9)
    with pytest.raises(UserError, match="unknown stratum 'nonsense'"):
        choose_sample(stored, cases, None, None, ("nonsense",), None)
    with pytest.raises(UserError, match="--design stratified"):
        choose_sample(stored, cases, "random", None, ("outcome",), None)


def test_a_design_named_again_keeps_the_seed(run: RunDirectory) -> None:
    cases = cases_of(run)
    stored = choose_sample(None, cases[:8], "random", 6, (), 3)
    assert choose_sample(stored, cases[:8], "random", None, (), None) == stored
    assert choose_sample(stored, cases[:8], "random", 6, (), 0).seed == 0
    assert choose_sample(stored, cases, "random", 6, (), None).seed == 3  # the run grew
    assert choose_sample(stored, cases, "informative", 6, (), None).seed == 0


@pytest.mark.parametrize(
    "arguments",
    [
        ["--terminal"],
        ["--web", "--port", "99999"],
        ["--web", "--annotator", " "],
        ["--web", "--size", "0"],
        ["--web", "--size", "-5"],
    ],
)
def test_a_command_that_fails_leaves_the_queue(
    run: RunDirectory,
    store: LabelStore,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
) -> None:
    queue = draw(cases_of(run), "informative", size=6)
    save_sample(store, queue)
    assert say(capsys, "annotate", run.path, "--design", "random", *arguments)[0] == 2
    assert load_sample(store) == queue


def test_the_session_leaves_out_what_can_no_longer_be_graded(
    run: RunDirectory, store: LabelStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    sample = draw(cases_of(run), "random")
    save_sample(store, sample)
    lines = run.transcripts_path.read_text().splitlines(keepends=True)
    lines[3] = lines[3].replace('"ground_truth": "0.25"', '"ground_truth": ""')
    run.transcripts_path.write_text("".join(lines[:-1]))
    queues = []

    @contextmanager
    def desk(_: object, session: Session) -> Iterator[Callable[[], None]]:
        yield lambda: queues.append(session.queue)

    monkeypatch.setattr("annotate.cli._desk", desk)
    assert main(["annotate", str(run.path)]) == 0
    assert queues == [[key for key in sample.queue if key not in ("t003", "t011")]]
    assert load_sample(store) == sample
