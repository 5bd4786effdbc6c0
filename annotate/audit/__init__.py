"""What `grader calibrate` says about one run."""

from .assembly import (
    Audit,
    audit,
    audit_of,
)
from .settings import AuditSettings

__all__ = [
    "Audit",
    "AuditSettings",
    "audit",
    "audit_of",
]
