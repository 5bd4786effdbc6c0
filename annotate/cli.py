"""`grader annotate`: label snippets and transcripts, blind."""

from __future__ import annotations

import argparse
import getpass
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from functools import partial
from socket import socket

from grader.cli import DONE
from grader.cli.options import add_database, add_run, comma_separated
from grader.cli.printing import print_json
from grader.errors import UserError
from grader.run import RunDirectory
from grader.run.transcript_index import TranscriptIndex

from .cases import Case, cases_of, gradable
from .labels import open_store
from .labels.own_labels import Progress
from .labels.rows import checked_annotator
from .sample import Sample, draw, resized
from .sample.designs import DESIGNS, KEYS
from .sample.queue import load_sample, save_sample
from .session import Session
from .view import Revealed
from .web import DEFAULT_PORT

DEFAULT_SIZE = 150


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add_run(parser)
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--web", action="store_true", help="in the browser, on this machine (default)")
    how.add_argument("--terminal", action="store_true", help="in the terminal")
    parser.add_argument("--annotator", metavar="NAME", help="your name (default: your login)")
    add_database(parser)
    _add_queue(parser)
    parser.add_argument(
        "--unblinded",
        action="store_true",
        help="show grades, agent and nudge mode; each label is marked as unblinded",
    )
    parser.add_argument(
        "--port", type=int, metavar="N", help=f"port of the page (default: {DEFAULT_PORT})"
    )


def _add_queue(parser: argparse.ArgumentParser) -> None:
    queue = parser.add_argument_group(
        "queue",
        "drawn once and shared by all annotators; naming a design draws a new one,\n"
        "unless the queue was drawn so from the same transcripts",
    )
    queue.add_argument(
        "--design",
        metavar="NAME",
        help=f"one of {', '.join(DESIGNS)} (default: informative; random without grades)",
    )
    queue.add_argument("--size", type=int, metavar="N", help=f"length (default: {DEFAULT_SIZE})")
    queue.add_argument(
        "--by",
        type=comma_separated,
        default="",
        metavar="KEYS",
        help=f"what to stratify by (implies --design stratified): {', '.join(KEYS)} or a "
        "covariate; comma-separated",
    )
    queue.add_argument(
        "--seed",
        type=int,
        metavar="N",
        help="seed of a new draw (default: that of the queue if it was drawn so, else 0)",
    )
    queue.add_argument(
        "--split", action="store_true", help="skip what others have labelled or are working on"
    )


def run(options: argparse.Namespace) -> int:
    """Label until the annotator leaves; exit code 0."""
    directory = RunDirectory.open(options.run)
    cases = cases_of(directory)
    with open_store(directory, options.database) as store:
        stored = load_sample(store)
        sample = choose_sample(
            stored, cases, options.design, options.size, options.by, options.seed
        )
        session = Session(
            TranscriptIndex(directory.transcripts_path),
            store,
            annotator_name(options.annotator),
            sample.among(_gradable_ids(cases)).queue,
            revealed=revealed(cases) if options.unblinded else None,
            split=options.split,
        )
        with _desk(options, session) as label:
            if sample != stored:
                save_sample(store, sample)
            label()
        session.refresh()
    _report(session.progress(), as_json=options.json)
    return DONE


def choose_sample(
    stored: Sample | None,
    cases: Sequence[Case],
    design: str | None,
    size: int | None,
    strata_by: Sequence[str],
    seed: int | None,
) -> Sample:
    """The labelling queue: the stored one, resized to `size`, or a new one if none is stored or if
    a `design` is named that the stored one was not drawn by, or not from the transcripts that can
    be graded now. New grades alone change no queue: its strata stay valid. Strata imply the design
    `stratified`. The first draw is `informative` with grades and `random` without. A design named
    again without a seed keeps the seed of the stored queue. Raises `UserError` for an impossible
    draw, and for another seed if nothing is drawn."""
    if design is None and strata_by:
        design = "stratified"
    if stored is not None and design is None and seed not in (None, stored.seed):
        raise UserError("the queue is drawn already; --seed needs --design, which draws a new one")
    if seed is None:
        seed = _seed_of(stored, design, strata_by)
    if stored is not None and not _asks_anew(stored, cases, design, strata_by, seed):
        return stored if size is None else resized(stored, size)
    graded = any(case.verdicts for case in cases)
    return draw(
        cases,
        design or ("informative" if graded else "random"),
        size=DEFAULT_SIZE if size is None else size,
        strata_by=strata_by,
        seed=seed,
    )


def annotator_name(given: str | None) -> str:
    """The annotator's name, by default the user's. Raises `UserError` for an empty or overlong
    one, and if the system does not know the user's."""
    try:
        return checked_annotator(getpass.getuser() if given is None else given)
    except (KeyError, OSError):  # a user id without a login, as in some containers
        raise UserError("the system has no name for this user. Give --annotator NAME") from None
    except ValueError as error:
        raise UserError(f"--annotator: {error}") from None


def revealed(cases: Sequence[Case]) -> dict[str, Revealed]:
    """What an unblinded session shows, by transcript_id."""
    return {
        case.transcript_id: Revealed(
            transcript_id=case.transcript_id,
            agent=case.agent,
            condition=case.nudge_mode or "",
            grades=tuple(case.verdicts.items()),
        )
        for case in cases
    }


def _seed_of(stored: Sample | None, design: str | None, strata_by: Sequence[str]) -> int:
    """The seed where none is named: the stored queue's if it was drawn by the same design and
    strata, else 0."""
    if stored is None or (design, tuple(strata_by)) != (stored.design, stored.strata_by):
        return 0
    return stored.seed


def _asks_anew(
    stored: Sample, cases: Sequence[Case], design: str | None, strata_by: Sequence[str], seed: int
) -> bool:
    asked = (design, seed, tuple(strata_by))
    is_other = asked != (stored.design, stored.seed, stored.strata_by)
    return design is not None and (is_other or stored.strata.keys() != _gradable_ids(cases))


def _gradable_ids(cases: Sequence[Case]) -> set[str]:
    return {case.transcript_id for case in gradable(cases)}


@contextmanager
def _desk(options: argparse.Namespace, session: Session) -> Iterator[Callable[[], None]]:
    """The function that runs the session. Raises `UserError` without a terminal or a free port."""
    if options.terminal:
        from .terminal import run_terminal
        from .terminal.keys import check_terminal

        check_terminal()
        yield partial(run_terminal, session)
        return
    from .web.server import listen

    with closing(listen(DEFAULT_PORT if options.port is None else options.port)) as listener:
        yield partial(_serve, session, listener)


def _serve(session: Session, listener: socket) -> None:
    from .web.server import make_server

    server, address = make_server(session, listener)
    sys.stderr.write(f"Label at  {address}\nCtrl-C ends; labels are stored as you go.\n")
    sys.stderr.flush()
    with suppress(KeyboardInterrupt):
        server.run(sockets=[listener])


def _report(progress: Progress, *, as_json: bool) -> None:
    if as_json:
        print_json(progress.model_dump())
        return
    pace = "" if progress.seconds is None else f", {progress.seconds:.0f} s each (median)"
    sys.stderr.write(f"{progress.done} of {progress.total} labelled{pace}.\n")
