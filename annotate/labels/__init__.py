"""Labels: their store, and how they are imported, exported, adjudicated and claimed."""

from .store import (
    LabelConflict,
    LabelStore,
    NewLabel,
    open_store,
)

__all__ = [
    "LabelConflict",
    "LabelStore",
    "NewLabel",
    "open_store",
]
