"""Engines that grade in several processes: on this machine, or on Ray (`passes/engine.py` has the
protocol, and the one that grades in this process)."""

from __future__ import annotations

from ..errors import UserError, unknown_name
from ..passes.engine import Engine, SerialEngine
from .processes import ProcessEngine
from .ray_data import RayEngine

ENGINES = ("local", "ray")


def open_engine(name: str = "local", workers: int = 1, address: str | None = None) -> Engine:
    """The engine of that name. Raises `UserError` for an unknown name or senseless number.

    workers: processes (local) or Ray workers. address: of a Ray cluster; None starts Ray here.
    """
    if name not in ENGINES:
        raise unknown_name("engine", name, list(ENGINES))
    if workers < 1:
        raise UserError(f"--workers {workers}: at least 1")
    if address and name != "ray":
        raise UserError(f"--ray-address {address}: goes with --engine ray")
    if name == "ray":
        return RayEngine(workers, address)
    if workers == 1:
        return SerialEngine()
    return ProcessEngine(workers)
