"""The labelling queue in the label database: drawn once, shared by all annotators."""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import Connection, func, insert, select

from grader.invisible import storable_text

from ..labels import LabelStore
from ..labels.schema import SAMPLE_ITEMS, SAMPLES
from .drawing import Sample, SampleItem


def save_sample(store: LabelStore, sample: Sample) -> None:
    """Make this the queue from now on; earlier ones are kept."""
    store.write(lambda connection: _insert(connection, sample))


def load_sample(store: LabelStore) -> Sample | None:
    """The current queue, or None if none was drawn yet for this run."""
    with store.transaction() as connection:
        if store.ownership is not None and store.ownership.is_anothers(connection):
            return None
        newest = connection.execute(select(func.max(SAMPLES.c.id))).scalar()
        if newest is None:
            return None
        head = connection.execute(select(SAMPLES).where(SAMPLES.c.id == newest)).mappings().one()
        rows = connection.execute(
            select(SAMPLE_ITEMS)
            .where(SAMPLE_ITEMS.c.sample_id == newest)
            .order_by(SAMPLE_ITEMS.c.position)
        ).mappings()
        items = tuple(
            SampleItem(**{name: row[name] for name in SampleItem.model_fields}) for row in rows
        )
    return Sample(
        design=head["design"],
        seed=head["seed"],
        size=head["size"],
        strata_by=tuple(filter(None, head["strata_by"].split("\n"))),
        items=items,
    )


def _insert(connection: Connection, sample: Sample) -> None:
    result = connection.execute(
        insert(SAMPLES).values(
            design=sample.design,
            seed=sample.seed,
            size=sample.size,
            strata_by=storable_text("\n".join(sample.strata_by)),
            created_at=datetime.now(UTC),
        )
    )
    key = result.inserted_primary_key
    sample_id = key[0] if key else None
    rows = [
        {"sample_id": sample_id, **item.model_dump(), "stratum": storable_text(item.stratum)}
        for item in sample.items
    ]
    if rows:
        connection.execute(insert(SAMPLE_ITEMS), rows)
