"""A throw-away Postgres server on this machine."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from .live import free_port

_HOMES = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
PG_CTL = shutil.which(
    "pg_ctl", path=os.pathsep.join([os.environ.get("PATH", ""), *map(str, _HOMES)])
)


def missing() -> str | None:
    """Why no server can be started here, or None."""
    if PG_CTL is None:
        return "no Postgres server on this machine (Debian: apt-get install postgresql)"
    if os.geteuid() == 0 and not _has_user("postgres"):
        return "Postgres does not run as root and there is no user postgres"
    return None


@contextmanager
def postgres() -> Iterator[str]:
    """Start a server with an empty database; yields its URL."""
    assert PG_CTL is not None
    with tempfile.TemporaryDirectory() as folder:
        data, port = Path(folder) / "data", free_port()
        if os.geteuid() == 0:
            Path(folder).chmod(0o755)
            shutil.chown(folder, "postgres")
        _run(PG_CTL, "initdb", "-D", str(data), "-o", "-A trust -U audit --no-sync -E UTF8")
        options = f"-p {port} -k {folder} -c listen_addresses=127.0.0.1 -c fsync=off"
        log = Path(folder) / "log"
        _run(PG_CTL, "start", "-w", "-D", str(data), "-l", str(log), "-o", options)
        try:
            yield f"postgresql://audit@127.0.0.1:{port}/postgres"
        finally:
            _run(PG_CTL, "stop", "-w", "-m", "immediate", "-D", str(data))


def _run(*command: str) -> None:
    """Run as the user postgres where this is root, which Postgres refuses to be."""
    prefix = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
    # stdout must not be a pipe: the server keeps it open
    with tempfile.TemporaryFile() as output:
        done = subprocess.run(
            [*prefix, *command], stdout=output, stderr=subprocess.STDOUT, cwd="/", check=False
        )
        output.seek(0)
        assert done.returncode == 0, output.read().decode()


def _has_user(name: str) -> bool:
    try:
        pwd.getpwnam(name)
    except KeyError:
        return False
    return True
