"""`llm_batches.jsonl`: the requests handed to a batch service, and their fate.

A batch is named here before the service starts it, so that a paid batch is found again whenever the
process is killed.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from ..files.jsonl import Appender, read_records
from .budget import Spending
from .request import Endpoint


@dataclass(frozen=True)
class OpenBatch:
    """A batch whose replies are not all in the call log. `batch_id` is "" if the process ended
    between naming and starting it. `estimate` is what each of its requests is expected to take."""

    file_id: str
    batch_id: str
    keys: frozenset[str]
    estimate: Spending


class BatchLog:
    """The open log: appends to it, and knows the batches that earlier sessions left open."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._appender = Appender(path)

    def open_batches(
        self, endpoint: Endpoint, is_answered: Callable[[str], bool]
    ) -> list[OpenBatch]:
        """Batches of an endpoint that hold requests neither answered nor given up."""
        found: dict[str, OpenBatch] = {}
        for _, record in read_records(self._path):
            file_id = str(record.get("file_id"))
            if record.get("event") == "named":
                if (record.get("model"), record.get("base_url")) == _name(endpoint):
                    keys = frozenset(k for k in record["keys"] if not is_answered(k))
                    estimate = Spending(1, record.get("tokens") or 0, record.get("cost") or 0.0)
                    found[file_id] = OpenBatch(file_id, "", keys, estimate)
            elif (batch := found.get(file_id)) is None:
                continue
            elif record.get("event") == "started":
                found[file_id] = replace(batch, batch_id=str(record["batch_id"]))
            elif record.get("event") == "fetched":
                found[file_id] = replace(batch, keys=batch.keys.difference(record["failed"]))
        return [batch for batch in found.values() if batch.keys]

    def named(self, endpoint: Endpoint, file_id: str, keys: list[str], estimate: Spending) -> None:
        """Record that requests were uploaded and their batch is about to be started. estimate: what
        they are expected to take together; of each, its share is recorded."""
        model, base_url = _name(endpoint)
        tokens, cost = -(-estimate.tokens // len(keys)), estimate.cost / len(keys)
        self._add(
            "named", file_id, model=model, base_url=base_url, keys=keys, tokens=tokens, cost=cost
        )

    def started(self, file_id: str, batch_id: str) -> None:
        """Record that the batch of a file has been started."""
        self._add("started", file_id, batch_id=batch_id)

    def fetched(self, file_id: str, failed: list[str]) -> None:
        """Record that a batch has ended, and which of its requests got no reply."""
        self._add("fetched", file_id, failed=failed)

    def close(self) -> None:
        self._appender.close()

    def _add(self, event: str, file_id: str, **more: object) -> None:
        at = datetime.now(UTC).isoformat(timespec="seconds")
        self._appender.write(json.dumps({"at": at, "event": event, "file_id": file_id, **more}))


def _name(endpoint: Endpoint) -> tuple[str, str]:
    return endpoint.model, endpoint.base_url
