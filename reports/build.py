"""Write a report: pages, tables and figures into `DIR/report/`. The only writer of reports."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from shlex import quote

from grader.errors import UserError, cannot_write
from grader.files.locking import locked
from grader.files.replacing import replacing
from grader.invisible import encodable
from grader.llm.calls import LlmCall
from grader.records import Grade
from grader.run import RunDirectory

from .figures import draw_figures
from .figures.style import Picture
from .frames import RunFrames
from .html import report_page
from .names import grader_order
from .table import Table
from .tables import make_tables
from .tables.transcripts import transcript_rows
from .transcript_page import page_name, transcript_page

REPORT = "Grading report"
MARK = ".made-by-grader"  # holds the kind of page that a folder is for


def time_now() -> str:
    """The time that a page states: `2026-05-04 13:15 UTC`."""
    return datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")


def build_report(
    run: RunDirectory,
    frames: RunFrames,
    made: str,
    progress: Callable[[int], None] = lambda done: None,
) -> Path:
    """Write the whole report of a run and return its page. The same run gives the same bytes, apart
    from `made`, the time stated. `progress` is called after each transcript page.

    Raises `UserError` if the directory cannot be written, or holds files that are not of a report.
    """
    claim(run.report_path, REPORT)
    tables, pictures = make_tables(frames), draw_figures(frames)
    with _new_folder(run.report_path / "transcripts") as place:
        files = write_transcript_pages(run, frames, place, progress)
        page = report_page(
            frames, tables, pictures, transcript_rows(frames), files, made, quote(str(run.path))
        )
    return write_page(run.report_path, page, tables, pictures)


def write_page(
    folder: Path, page: str, tables: Mapping[str, Table], pictures: Mapping[str, Picture]
) -> Path:
    """Write a page `index.html` with its tables and figures into a folder of its own, and return
    its path. Earlier files in `tables/` and `figures/` are removed.

    Raises `UserError` if the directory cannot be written.
    """
    with _new_folder(folder / "tables") as place:
        write_tables(tables, place)
    with _new_folder(folder / "figures") as place:
        write_pictures(pictures, place)
    with replacing(folder / "index.html") as place:
        write_text(place, page)
    return folder / "index.html"


def claim(folder: Path, kind: str) -> None:
    """Mark a folder as one for pages of this kind. Raises `UserError` if it holds more than hidden
    files, and for a report marked folders, and neither the mark nor an earlier page, known by its
    title."""
    mark, page = folder / MARK, folder / "index.html"
    try:
        inside = folder.iterdir() if folder.is_dir() else ()
        found = [one for one in inside if not one.name.startswith(".")]
        if kind == REPORT:  # comparisons and a stress test lie in it
            found = [one for one in found if not (one / MARK).is_file()]
        if mark.is_file():
            is_ours = mark.read_text(encoding="utf-8").strip() == kind
        else:
            titles = f"<title>{kind}:", f": {kind.lower()}</title>"  # the second before the mark
            text = page.read_text(encoding="utf-8") if page.is_file() else ""
            is_ours = any(title in text for title in titles)
    except (OSError, ValueError) as error:
        raise UserError(f"{folder}: cannot be read as a folder of pages: {error}") from error
    if found and not is_ours:
        raise UserError(
            f"{folder} holds other files, which might be replaced. Move them away, or name a new "
            f"or an empty folder, or one with an earlier {kind.lower()}"
        )
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with replacing(mark) as place:
            write_text(place, f"{kind}\n")
    except OSError as error:
        raise cannot_write(folder, error) from error


def write_pages(folder: Path, pages: Mapping[str, str]) -> None:
    """Write pages, given by file name, into a folder of their own. Raises `UserError` if it cannot
    be written."""
    with _new_folder(folder) as place:
        for name, page in pages.items():
            write_text(place / name, page)


@contextmanager
def _new_folder(folder: Path) -> Iterator[Path]:
    """An empty folder to write to, which replaces `folder` once it is complete; an error leaves the
    old one. A second process waits. Raises `UserError` if it cannot be written."""
    place, old = (folder.with_name(f".{folder.name}.{name}") for name in ("new", "old"))
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with locked(folder.with_name(f".{folder.name}.lock"), wait=True):
            try:
                _put_back(old, folder)  # killed between the two renames below
                shutil.rmtree(place, ignore_errors=True)  # left by a killed command
                place.mkdir()
                yield place
                shutil.rmtree(old, ignore_errors=True)
                if folder.is_dir():
                    folder.rename(old)
                place.rename(folder)
            finally:
                _put_back(old, folder)
                shutil.rmtree(place, ignore_errors=True)
                shutil.rmtree(old, ignore_errors=True)
    except OSError as error:
        raise cannot_write(folder, error) from error


def _put_back(old: Path, folder: Path) -> None:
    """Rename a folder back that was moved away for a new one which did not take its place."""
    if old.is_dir() and not folder.exists():
        old.rename(folder)


def write_tables(tables: Mapping[str, Table], folder: Path) -> None:
    """Write each table as CSV, Markdown and LaTeX."""
    for name, table in tables.items():
        write_text(folder / f"{name}.csv", table.csv())
        write_text(folder / f"{name}.md", table.markdown())
        write_text(folder / f"{name}.tex", table.latex())


def write_pictures(pictures: Mapping[str, Picture], folder: Path) -> None:
    """Write each figure as SVG and PNG."""
    for name, drawn in pictures.items():
        write_text(folder / f"{name}.svg", drawn.svg)
        (folder / f"{name}.png").write_bytes(drawn.png)


def write_transcript_pages(
    run: RunDirectory, frames: RunFrames, folder: Path, progress: Callable[[int], None]
) -> list[str]:
    """Write a page for each transcript of the frames, read from the run one by one; returns the
    file names. The run may have grown since: later transcripts get no page."""
    rows = {row["transcript_id"]: row for row in transcript_rows(frames)}
    files = [page_name(number, key) for number, key in enumerate(rows)]
    numbers = {key: number for number, key in enumerate(rows)}
    grades, calls = grades_by_transcript(frames), calls_by_transcript(frames.calls)
    for transcript in run.transcripts():
        key = transcript.transcript_id
        number = numbers.get(key)
        if number is None:
            continue
        page = transcript_page(
            transcript,
            rows[key],
            grades.get(key, []),
            calls.get(key, []),
            frames.given.get(key, ()),
            previous=files[number - 1] if number else None,
            following=files[number + 1] if number + 1 < len(files) else None,
        )
        write_text(folder / files[number], page)
        progress(number + 1)
    return files


def grades_by_transcript(frames: RunFrames) -> dict[str, list[Grade]]:
    """Current grades of each transcript, in the order tables show graders."""
    found: dict[str, list[Grade]] = {}
    for grader in sorted(frames.grades, key=grader_order):
        for key, grade in frames.grades[grader].items():
            found.setdefault(key, []).append(grade)
    return found


def calls_by_transcript(calls: Iterable[LlmCall]) -> dict[str, list[LlmCall]]:
    """The LLM calls made for each transcript, by judge, then by purpose, then oldest first. The
    order between judges has no meaning."""
    found: dict[str, list[LlmCall]] = {}
    for call in sorted(calls, key=lambda call: (call.model, call.base_url, call.purpose)):
        found.setdefault(call.transcript_id, []).append(call)
    return found


def write_text(path: Path, text: str) -> None:
    """Write a text as UTF-8, with its line ends unchanged."""
    path.write_bytes(encodable(text).encode("utf-8"))
