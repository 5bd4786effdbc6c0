"""What `grader calibrate` says about one run."""

from .assembly import (
    Audit,
    audit,
    audit_of,
)

__all__ = [
    "Audit",
    "audit",
    "audit_of",
]
