"""The audit of one run, printed by `grader calibrate`."""

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
