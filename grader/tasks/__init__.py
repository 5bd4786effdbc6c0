"""Reading task files, and finding the tasks of a run in them."""

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
