"""Run a command under limits, in namespaces of its own. A script: `python sandbox.py SPEC CMD...`

SPEC is JSON: `cpu_seconds`, `memory_mb`, `file_mb` (null = no limit), `network` (false = none but
its own loopback), `namespaces` (false = limits only), `report` (the open file that is told why the
command is not run; the command does not inherit it), `parent` (the process that starts it). The
command and everything it starts die with this script, and this script dies with its parent (on
Linux; elsewhere there are the limits only). Standard library only, because it runs before
anything else does.
Exit codes: 125 a namespace or a limit was refused, 127 the command cannot be run.
"""

from __future__ import annotations

import ctypes
import fcntl
import json
import math
import os
import resource
import select
import signal
import socket
import struct
import sys
from collections.abc import Callable
from typing import Any, NoReturn

REFUSED, NO_COMMAND = 125, 127
STDERR = 2
CLONE_NEWNS, CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET = 0x20000, 0x10000000, 0x20000000, 0x40000000
MS_REC, MS_PRIVATE = 0x4000, 0x40000
PR_SET_PDEATHSIG = 1
SIOCGIFFLAGS, SIOCSIFFLAGS, IFF_UP = 0x8913, 0x8914, 0x1
MEGABYTE = 1 << 20

libc = ctypes.CDLL(None, use_errno=True)


def main(arguments: list[str]) -> int:
    spec, command = json.loads(arguments[0]), arguments[1:]
    report = kept_back(spec["report"])
    die_with_parent(spec["parent"])
    try:
        limit(spec)
    except (OSError, ValueError) as error:
        complain(report, f"limits refused: {error}")
        return REFUSED
    if not spec["namespaces"]:
        run(command, report)
    try:
        enter_namespaces(report, network=spec["network"])
        die_with_parent(spec["parent"])  # entering a user namespace cleared it
        return supervise(command, report, network=spec["network"])
    except OSError as error:  # no process or file is to be had, here or in a child
        complain(report, f"namespaces refused: {error}")
        return REFUSED


def kept_back(report: int) -> int:
    """The file of the report as one that the command does not inherit."""
    copy = os.dup(report)
    if report != STDERR:
        os.close(report)
    return copy


def complain(report: int, reason: str) -> None:
    os.write(report, os.fsencode(f"sandbox: {reason}\n"))


def limit(spec: dict[str, Any]) -> None:
    """Set the resource limits; children inherit them. A limit that is in force already and is
    lower (`ulimit -v`) stays."""
    lower(resource.RLIMIT_CORE, 0)
    if (seconds := spec["cpu_seconds"]) is not None:
        lower(resource.RLIMIT_CPU, seconds, seconds + 1)  # XCPU, then KILL
    for name, kind in (("memory_mb", resource.RLIMIT_AS), ("file_mb", resource.RLIMIT_FSIZE)):
        if (megabytes := spec[name]) is not None:
            lower(kind, megabytes * MEGABYTE)


def lower(kind: int, soft: int, hard: int | None = None) -> None:
    """Set a soft and a hard limit (the same, if not given), but neither above what is in force."""
    now = [math.inf if one == resource.RLIM_INFINITY else one for one in resource.getrlimit(kind)]
    wanted = (min(soft, *now), min(soft if hard is None else hard, now[1]))
    resource.setrlimit(kind, (int(wanted[0]), int(wanted[1])))


def enter_namespaces(report: int, *, network: bool) -> None:
    """New process, mount and (unless `network`) network namespaces; a new user namespace too
    where the user may not make the others. Ends the script with `REFUSED` if nothing helps."""
    wanted = CLONE_NEWNS | CLONE_NEWPID | (0 if network else CLONE_NEWNET)
    if libc.unshare(wanted) == 0:
        return
    user, group = os.getuid(), os.getgid()
    if libc.unshare(wanted | CLONE_NEWUSER) != 0:
        complain(report, f"namespaces refused: {os.strerror(ctypes.get_errno())}")
        raise SystemExit(REFUSED)
    for name, line in (
        ("setgroups", "deny"),
        ("uid_map", f"{user} {user} 1"),
        ("gid_map", f"{group} {group} 1"),
    ):
        with open(f"/proc/self/{name}", "w") as file:  # noqa: PTH123
            file.write(line)


def supervise(command: list[str], report: int, *, network: bool) -> int:
    """Run the command in the namespaces and wait for it. When it ends, or this process does,
    the kernel ends every process in there."""
    return in_child(lambda: first_process(command, report, network=network), report)


def first_process(command: list[str], report: int, *, network: bool) -> int:
    """The first process of the namespaces. The kernel withholds from it the signals that would
    end another, so the command is not this process but its child."""
    hide_outer_processes()
    if not network:
        loopback_up()
    return in_child(lambda: run(command, report), report)


def in_child(act: Callable[[], int], report: int) -> int:
    """Act in a child process that dies with this one, and wait for it: its exit code, 128 and
    the signal if one ended it. Orphans that end here are reaped. The report is the child's."""
    parents_end, held = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(held)
        libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if select.select([parents_end], [], [], 0)[0]:  # it died before
            os._exit(1)
        os._exit(act())
    os.close(report)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)  # the group gets them too: the command decides
    ended = None
    while ended != child:
        ended, status = os.wait()
    code = os.waitstatus_to_exitcode(status)
    return code if code >= 0 else 128 - code


def hide_outer_processes() -> None:
    """Mount a new /proc, so that other processes' environments cannot be read. Where the system
    forbids it (some containers) the outer /proc stays."""
    libc.mount(None, b"/", None, MS_REC | MS_PRIVATE, None)
    libc.mount(b"proc", b"/proc", b"proc", 0, None)


def loopback_up() -> None:
    """Switch on the namespace's own loopback: local servers inside it work, nothing else."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as handle:
        request = struct.pack("16sH14x", b"lo", 0)
        flags = struct.unpack("16sH14x", fcntl.ioctl(handle, SIOCGIFFLAGS, request))[1]
        fcntl.ioctl(handle, SIOCSIFFLAGS, struct.pack("16sH14x", b"lo", flags | IFF_UP))


def die_with_parent(parent: int) -> None:
    """Die with this process, at once if it has died already and left the script to another."""
    if sys.platform != "linux":
        return
    libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        raise SystemExit(1)


def run(command: list[str], report: int) -> NoReturn:
    try:
        os.execvp(command[0], command)
    except OSError as error:
        complain(report, f"{command[0]}: {error.strerror}")
        os._exit(NO_COMMAND)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
