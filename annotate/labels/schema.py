"""The tables of the label database. Rows are only ever added, except in `CLAIMS`, and to a database
without labels that another run takes over."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    DateTime,
    Float,
    ForeignKey,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

METADATA = MetaData()
LONGEST_NAME = 200
LONGEST_VERSION = 64

# One row an act of labelling. `revision` counts the acts of one annotator on one transcript at
# one stage; its uniqueness is what makes two acts at once a conflict instead of a double label.
# `nonce` names the act itself: sending the same act twice adds one row.
# A row with `retracts` takes back an earlier row and carries no judgement of its own.
LABELS = Table(
    "labels",
    METADATA,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("transcript_id", Text, nullable=False, index=True),
    Column("annotator", String(LONGEST_NAME), nullable=False),
    Column("stage", String(16), nullable=False),
    Column("revision", Integer, nullable=False),
    Column("verdict", String(32), nullable=False),
    Column("reason", Text, nullable=False, default=""),
    Column("seconds", Float),
    Column("unblinded", Boolean, nullable=False, default=False),
    Column("adjudication", Boolean, nullable=False, default=False),
    Column("tool_version", String(LONGEST_VERSION), nullable=False, default=""),
    Column("created_at", DateTime(timezone=True), nullable=False),
    Column("retracts", Integer, ForeignKey("labels.id")),
    Column("nonce", String(64), nullable=False, unique=True),
    UniqueConstraint("transcript_id", "annotator", "stage", "revision", name="one_act_at_a_time"),
)

# The run that the labels belong to, in one row: the number of its transcripts just before the first
# label or queue, and their digest.
OWNER = Table(
    "owner",
    METADATA,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("transcripts", Integer, nullable=False),
    Column("sha256", String(64), nullable=False),
)

# Which annotator has claimed a transcript, where the work is split.
CLAIMS = Table(
    "claims",
    METADATA,
    Column("transcript_id", Text, primary_key=True),
    Column("annotator", String(LONGEST_NAME), nullable=False),
    Column("until", DateTime(timezone=True), nullable=False),
)

# A labelling order, drawn once and shared by all annotators; the first `size` are the queue.
SAMPLES = Table(
    "samples",
    METADATA,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("design", String(32), nullable=False),
    Column("seed", BigInteger, nullable=False),
    Column("size", Integer, nullable=False),
    Column("strata_by", Text, nullable=False, default=""),
    Column("created_at", DateTime(timezone=True), nullable=False),
)

SAMPLE_ITEMS = Table(
    "sample_items",
    METADATA,
    Column("sample_id", Integer, ForeignKey("samples.id"), primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("transcript_id", Text, nullable=False),
    Column("stratum", Text, nullable=False),
)
