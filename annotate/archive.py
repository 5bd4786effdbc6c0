"""Random access to the transcripts of a run, without holding them in memory."""

from __future__ import annotations

from collections.abc import Iterator

from grader.errors import InputError
from grader.readers.native import Lines
from grader.records import Transcript
from grader.run import RunDirectory


class Archive:
    """Transcripts by id; a collection of the ids. Reading the file once at the start notes where
    each line begins."""

    def __init__(self, run: RunDirectory) -> None:
        self.path = run.transcripts_path
        self._places: dict[str, tuple[int, int]] = {}
        offset = 0
        with self.path.open("rb") as file:
            for number, line in enumerate(file, 1):
                if line.strip():
                    self._places[self._parse(line, number).transcript_id] = (offset, number)
                offset += len(line)

    def __contains__(self, transcript_id: object) -> bool:
        return transcript_id in self._places

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)

    def read(self, transcript_id: str) -> Transcript:
        """One transcript. Raises `InputError` if the file no longer holds it there."""
        offset, number = self._places[transcript_id]
        try:
            with self.path.open("rb") as file:
                file.seek(offset)
                transcript = self._parse(file.readline(), number)
        except OSError as error:
            raise InputError(self.path, f"cannot read: {error.strerror}", "Restore it") from None
        if transcript.transcript_id != transcript_id:
            raise InputError(self.path, "the file was rewritten", "Start the command again")
        return transcript

    def _parse(self, line: bytes, number: int) -> Transcript:
        (transcript,) = Lines(self.path.name, ((number, line),)).transcripts()
        return transcript
