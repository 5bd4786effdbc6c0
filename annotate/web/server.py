"""Serve the labelling page on the loopback interface."""

from __future__ import annotations

import hashlib
import socket
from errno import EADDRINUSE

import uvicorn

from grader.errors import UserError

from ..session import Session
from . import DEFAULT_PORT
from .app import make_app
from .security import Keys

LAST_PORT = 65535


def listen(port: int = DEFAULT_PORT) -> socket.socket:
    """A socket on 127.0.0.1; port 0 takes any free one. Raises `UserError` if the port is taken or
    invalid."""
    if not 0 <= port <= LAST_PORT:
        raise UserError(f"--port must lie between 0 and {LAST_PORT}; it was {port}")
    # The protocol is named so that asyncio turns off Nagle's delay (40 ms a page) on it.
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind(("127.0.0.1", port))
        listener.listen()  # from now on a browser waits instead of being refused
    except OSError as error:
        listener.close()
        taken = error.errno == EADDRINUSE
        remedy = "Another session may be running; end it, or choose" if taken else "Choose"
        raise UserError(
            f"cannot listen on port {port}: {error.strerror}. {remedy} another with --port. A "
            "browser sends labels that it has kept to the port where they were given"
        ) from None
    return listener


def make_server(session: Session, listener: socket.socket) -> tuple[uvicorn.Server, str]:
    """A server for one session and the address to open. Run it with `.run(sockets=[...])`."""
    keys = Keys(listener.getsockname()[1])
    run = session.transcripts.path.resolve()  # another project may call its run the same
    name = f"{session.store.place}|{run}|{session.annotator}"
    digest = hashlib.sha256(name.encode("utf-8", "replace")).hexdigest()[:16]
    config = uvicorn.Config(
        make_app(session, keys, store_name=digest),
        log_level="error",
        access_log=False,
        lifespan="off",
        server_header=False,
        timeout_graceful_shutdown=2,
    )
    return uvicorn.Server(config), keys.address
