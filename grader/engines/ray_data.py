"""Grades on Ray: on this machine, or on a cluster whose nodes see the same files.

Ray Data streams the places of the input to a pool of actors and their results back, in order,
with backpressure. It restarts an actor that died and repeats its work. Results of an unfinished
task never arrive here, so nothing is doubled. The driver alone writes the run.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from ..errors import UserError
from ..passes.engine import Batch
from ..passes.strict_pass import StrictPass
from ..readers.chunks import Chunk, batched
from ..readers.ranges import read_ranges
from .relay import Relay, Teller

BATCH = 50  # transcripts whose results travel together
BLOCKS_PER_WORKER = 50  # at most; a block is what is repeated when a worker dies


class RayEngine:
    """Grades with `workers` Ray actors of one CPU each."""

    def __init__(self, workers: int, address: str | None = None) -> None:
        self._workers, self._address = workers, address
        try:
            import ray.data  # noqa: F401
        except ImportError:
            raise UserError(
                "--engine ray needs Ray: pip install 'grading-cascade[ray]' (on every node)"
            ) from None

    def chunks(self, path: Path, format: str) -> Iterator[Chunk]:
        return read_ranges(path, format)

    def grade(self, strict_pass: StrictPass, chunks: Iterable[Chunk]) -> Iterator[Batch]:
        """Grade the chunks, in order. Raises `UserError` if Ray cannot be reached or gives up a
        piece."""
        import ray
        from ray.exceptions import RayError

        places = list(chunks)  # a path and three numbers each
        if not places:
            return
        try:
            self._connect()
            teller = Teller()
            for row in self._results(strict_pass, places):
                graded, warnings = pickle.loads(row["graded"])
                teller.tell(warnings)
                yield Batch(places[row["place"]], row["start"], graded)
        except (RayError, ConnectionError) as error:
            raise gave_up(error) from error
        finally:
            if self._address is None:
                ray.shutdown()

    def _connect(self) -> None:
        import ray

        if ray.is_initialized():
            return
        if self._address is None:
            ray.init(num_cpus=self._workers, include_dashboard=False, log_to_driver=False)
        else:
            ray.init(address=self._address, log_to_driver=False)

    def _results(self, strict_pass: StrictPass, places: list[Chunk]) -> Iterator[dict[str, Any]]:
        import ray
        from ray.data import DataContext

        context = DataContext.get_current()
        context.execution_options.preserve_order = True
        context.enable_progress_bars = False
        items = [{"place": i, "chunk": pickle.dumps(chunk)} for i, chunk in enumerate(places)]
        blocks = min(len(items), BLOCKS_PER_WORKER * self._workers)
        dataset = ray.data.from_items(items, override_num_blocks=blocks).map_batches(
            _Worker,
            fn_constructor_args=(ray.put(strict_pass),),
            batch_size=1,
            batch_format="numpy",
            compute=ray.data.ActorPoolStrategy(size=self._workers),
            num_cpus=1,
        )
        yield from dataset.iter_rows()


def gave_up(error: Exception) -> UserError:
    """The error that reports an error of Ray's, by the last line of what may be a long trace."""
    last = str(error).strip().splitlines()[-1:]
    told = ": ".join([type(error).__name__, *last])
    return UserError(f"Ray: {told}. What was graded is on disk; the same command continues")


class _Worker:
    """One actor: its own copy of the pass."""

    def __init__(self, strict_pass: Any) -> None:
        import ray

        self._strict_pass: StrictPass = ray.get(strict_pass)
        self._relay = Relay()

    def __call__(self, batch: dict[str, Any]) -> Iterator[dict[str, Any]]:
        for place, pickled in zip(batch["place"], batch["chunk"], strict=True):
            transcripts = pickle.loads(pickled).transcripts()
            for number, some in enumerate(batched(transcripts, BATCH)):
                graded = pickle.dumps(
                    (list(self._strict_pass.grade_all(some)), self._relay.taken())
                )
                yield {"place": [int(place)], "start": [number * BATCH], "graded": [graded]}
