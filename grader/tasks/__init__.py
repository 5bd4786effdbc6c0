"""Task files, and the tasks of a run found in them."""

from .files import (
    check_data,
    load_covariates,
    load_tasks,
    named_tasks,
)

__all__ = [
    "check_data",
    "load_covariates",
    "load_tasks",
    "named_tasks",
]
