"""The `grader` command. Each subcommand is one module with `add_arguments` and `run`.

Only this table is read for `grader --help`; a subcommand's module, and with it every heavy
library, is imported when that subcommand is called. Modules outside this package are named
as text, so that `grader` does not import `wrappers`, `annotate` or `reports`.
"""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import NoReturn

COMMANDS: dict[str, tuple[str, str]] = {
    "grade": ("grader.cli.grade", "grade recorded transcripts with the cascade"),
    "export": ("grader.cli.export", "write a run's grades as CSV, Parquet or DSGym results"),
    "llm-report": ("grader.cli.llm_report", "describe every LLM call made for a run"),
    "run": ("wrappers.cli", "run an agent on tasks, with nudges, and record every step"),
    "annotate": ("annotate.cli", "label snippets and transcripts, blind"),
    "labels": ("annotate.labels_cli", "import, export and adjudicate labels"),
    "calibrate": ("annotate.calibrate_cli", "grade the graders against human labels"),
    "report": ("reports.cli", "make the HTML report, tables and figures of a run"),
    "compare": ("reports.compare_cli", "compare runs over their common tasks"),
    "stress": ("reports.stress_cli", "test the graders without labels"),
}
CONTINUED = ("grade", "run")  # go on where they were interrupted
DONE, PARTIAL, USAGE, CRASHED, INTERRUPTED, PIPE_CLOSED = 0, 1, 2, 70, 130, 141


class _Parser(argparse.ArgumentParser):
    """A parser whose errors are one line, as those of the commands are."""

    def error(self, message: str) -> NoReturn:
        from grader.errors import UserError

        said, _, names = message.partition("unrecognized arguments: ")
        if not said and any(map(os.path.exists, names.split())):
            message += ". Several files are named by their folder or by a pattern in quotes"
        raise UserError(f"{message}. See {self.prog} --help")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line. Returns 0 done, 1 some items ungraded or failed, 2 bad input, 70 an
    error of this program, 130 interrupted, 141 the reader of the output closed it."""
    _prepare_output()
    arguments = list(sys.argv[1:] if argv is None else argv)
    if not arguments or arguments[0].startswith("-"):
        return _top_level(arguments)
    if arguments[0] not in COMMANDS:
        from grader.errors import unknown_name

        sys.stderr.write(f"grader: {unknown_name('command', arguments[0], list(COMMANDS))}\n")
        return USAGE
    return _run_command(arguments[0], arguments[1:])


def _prepare_output() -> None:
    """Make stdout and stderr take what is written: a stream that is closed (`>&-`) loses it, one
    whose encoding lacks a character gets its code."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            nowhere = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - until the end
            setattr(sys, name, nowhere)
        elif isinstance(stream, io.TextIOWrapper) and stream.errors == "strict":
            stream.reconfigure(errors="backslashreplace")


def _top_level(arguments: list[str]) -> int:
    lines = "\n".join(f"  {name:<12}{about}" for name, (_, about) in COMMANDS.items())
    parser = argparse.ArgumentParser(
        prog="grader",
        description="Grade data-analysis agents, and grade the graders.",
        epilog=f"commands:\n{lines}\n\n`grader COMMAND --help` describes one command.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        usage="grader COMMAND ...",
    )
    parser.add_argument("--version", action="store_true", help="print the version and exit")
    options = parser.parse_args(arguments)
    if options.version:
        from grader import __version__

        sys.stdout.write(f"grader {__version__}\n")
        return DONE
    parser.print_help()
    return DONE


def _run_command(name: str, arguments: list[str]) -> int:
    """Run one command, and turn its errors into a line on stderr and an exit code."""
    from grader.errors import UserError
    from grader.invisible import displayable

    _log_to_stderr()
    try:
        code = _call(name, arguments)
        sys.stdout.flush()
        return code
    except UserError as error:
        sys.stderr.write(f"grader {name}: {displayable(str(error))}\n")
        return USAGE
    except BrokenPipeError:
        _discard_stdout()
        return PIPE_CLOSED
    except OSError as error:
        sys.stderr.write(f"grader {name}: {displayable(str(error))}\n")
        _discard_stdout()
        return USAGE
    except KeyboardInterrupt:
        remedy = "; run the same command to continue" if name in CONTINUED else ""
        sys.stderr.write(f"grader {name}: interrupted{remedy}\n")
        return INTERRUPTED
    except Exception:  # noqa: BLE001 - told apart from bad input, and shown whole
        import traceback

        traceback.print_exc()
        return CRASHED


def _call(name: str, arguments: list[str]) -> int:
    from importlib import import_module

    from grader.cli.options import add_json

    module_name, about = COMMANDS[name]
    module = import_module(module_name)
    parser = _Parser(
        prog=f"grader {name}",
        description=f"{about[0].upper()}{about[1:]}.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    module.add_arguments(parser)
    add_json(parser)
    return int(module.run(parser.parse_args(arguments)))


def _discard_stdout() -> None:
    """Discard what is still to be written to stdout, so that it does not fail at exit."""
    with suppress(OSError, ValueError):  # stdout may not be a file
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _log_to_stderr() -> None:
    import logging

    from grader.invisible import displayable

    class _Displayable(logging.Formatter):
        def format(self, record: logging.LogRecord) -> str:
            return displayable(super().format(record))

    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_Displayable("grader: %(message)s"))
    logger = logging.getLogger("grader")
    logger.handlers[:] = [handler]
    logger.setLevel(logging.INFO)
    logger.propagate = False


if __name__ == "__main__":
    sys.exit(main())
