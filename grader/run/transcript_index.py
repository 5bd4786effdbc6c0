"""Random access to the transcripts of a native file, without holding them in memory."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from pathlib import Path

from ..errors import InputError, cannot_read
from ..files.idmap import IdMap, key_of
from ..files.jsonl import read_lines
from ..readers.native_lines import Lines
from ..records import Transcript


class TranscriptIndex:
    """Transcripts by id, each read when it is asked for. The file is read once at the start, and
    some 32 bytes a transcript are kept. Raises `InputError` if it cannot be read."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._line_of = IdMap()  # counted from 0
        self._starts = array("Q", [0])  # of each line, and of what comes after the last
        try:
            with path.open("rb") as file:
                for number, line in enumerate(file):
                    self._starts.append(self._starts[-1] + len(line))
                    if line.strip():
                        self._line_of[key_of(self._parsed(number, line).transcript_id)] = number
        except OSError as error:
            raise cannot_read(path, error) from None

    def __contains__(self, transcript_id: object) -> bool:
        return isinstance(transcript_id, str) and key_of(transcript_id) in self._line_of

    def __iter__(self) -> Iterator[str]:
        """The ids, in the order of the file, which is read again."""
        for number, line in read_lines(self.path):
            yield self._parsed(number - 1, line).transcript_id

    def __len__(self) -> int:
        return len(self._line_of)

    def read(self, transcript_id: str) -> Transcript:
        """One transcript. Raises `KeyError` if none has this id, and `InputError` if the file no
        longer holds it there."""
        number = self._line_of.get(key_of(transcript_id))
        if number is None:
            raise KeyError(transcript_id)
        try:
            with self.path.open("rb") as file:
                file.seek(self._starts[number])
                transcript = self._parsed(number, file.readline())
        except OSError as error:
            raise cannot_read(self.path, error) from None
        if transcript.transcript_id != transcript_id:
            raise InputError(self.path, "the file was rewritten", "Start the command again")
        return transcript

    def _parsed(self, number: int, line: bytes) -> Transcript:
        (transcript,) = Lines(self.path.name, ((number + 1, line),)).transcripts()
        return transcript
