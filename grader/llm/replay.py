"""Answers requests from a recording, without any network.

Two forms are read: a run's `llm_calls.jsonl`, which answers only the exact requests recorded, and
plain replies, one `{"transcript_id", "reply", "judge"}` a line, each taken as that judge's
extraction reply. A line may also hold what the judge said to later questions (`PLAIN`).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ..errors import InputError, UserError
from ..files.jsonl import read_records
from ..invisible import encodable, storable_text
from .calls import CallLog, LlmCall
from .request import ChatRequest, Endpoint, Failure, Reply, Sent
from .usage import Tally

DEFAULT_JUDGE = "recorded judge"
# The fields of a plain reply, and the purpose of the request that each answers: the answer, the
# sentence that settles on an option, and YES or NO to its being the published one.
PLAIN = {"reply": "extract", "quote": "quote", "same": "judge"}


class Recording:
    """The replies of one file, and the endpoints (judges) that gave them."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.by_key: dict[str, Reply] = {}
        self.by_transcript: dict[tuple[str, str, str], str] = {}  # purpose, transcript, judge
        self.endpoints: dict[Endpoint, None] = {}
        if not path.is_file():
            raise InputError(
                path, "no such file", "Give the llm_calls.jsonl of a run, or a file of replies"
            )
        for number, record in read_records(path):
            self._read(record, number)
        if not self.endpoints:
            raise InputError(path, "holds no recorded replies", "Record some with a live run")

    def find(self, request: ChatRequest) -> Reply | None:
        if (reply := self.by_key.get(request.key)) is not None:
            return reply
        place = request.purpose, request.transcript_id, request.endpoint.model
        text = self.by_transcript.get(place)
        return None if text is None else Reply(text, parameters={})

    def forget_whole_transcripts(self) -> None:
        """Keep only replies to requests that are known word for word. A plain reply was given to a
        whole transcript and says nothing of the steps before a nudge. Raises `UserError` if that
        leaves none."""
        self.by_transcript.clear()
        if not self.by_key:
            raise UserError(
                f"{self.path}: these replies were given to whole transcripts and cannot judge what "
                "came before a nudge. Use --lenient off, or replay the calls of a run that asked "
                "models"
            )

    def _read(self, record: dict[str, Any], number: int) -> None:
        if "key" not in record:
            self._read_plain(record, number)
            return
        call = LlmCall.read(record, self.path, number)
        if (reply := call.to_reply()) is not None:
            self.endpoints.setdefault(Endpoint(call.model, call.base_url))
            if call.is_plain:
                self.by_transcript[call.purpose, call.transcript_id, call.model] = reply.text
            else:
                self.by_key[call.key] = reply

    def _read_plain(self, record: dict[str, Any], number: int) -> None:
        """Read a plain reply. Raises `InputError` for one that is none, or contradicts another."""
        given = {"judge": DEFAULT_JUDGE} | record
        texts = {name: given[name] for name in ("transcript_id", "judge", *PLAIN) if name in given}
        is_whole = texts.keys() >= {"transcript_id", "reply"}
        if not is_whole or not all(isinstance(text, str) for text in texts.values()):
            raise InputError(
                self.path,
                "neither a recorded call nor a reply",
                'A reply is {"transcript_id": ..., "reply": ..., "judge": ...}, all text, and may '
                'have "quote" and "same"',
                number,
            )
        identifier, judge = storable_text(texts["transcript_id"]), encodable(texts["judge"])
        for field, purpose in PLAIN.items():
            if field not in texts:
                continue
            known = self.by_transcript.setdefault((purpose, identifier, judge), texts[field])
            if known != texts[field]:
                raise InputError(
                    self.path,
                    f"another `{field}` of {judge!r} to transcript {identifier!r}",
                    "Keep the one that counts, or name each judge (`judge`): the majority decides",
                    number,
                )
        self.endpoints.setdefault(Endpoint(judge))


class ReplayTransport:
    """Answers from a recording and writes what was used to the run's log."""

    def __init__(self, recording: Recording, log: CallLog, tally: Tally) -> None:
        self._recording, self._log, self._tally = recording, log, tally

    async def answer(self, request: ChatRequest) -> Reply | Failure:
        reply = self._recording.find(request)
        if reply is None:
            failure = Failure("not_recorded", f"{self._recording.path.name} holds no such reply")
            self._tally.count(LlmCall.of(request, Sent(failure), "replay"))
            return failure
        call = self._call(request, reply)
        self._tally.count(call)
        if self._log.served(request.key, request.transcript_id) != reply:
            self._log.add(call)
        return reply

    async def close(self) -> None:
        self._log.close()

    def _call(self, request: ChatRequest, reply: Reply) -> LlmCall:
        call = LlmCall.of(request, Sent(reply), "replay")
        if request.key in self._recording.by_key:
            return call
        # The prompt behind the reply is unknown: claim none.
        unknown = {"messages": (), "parameters": {}, "prompt_id": "", "prompt_hash": ""}
        return call.model_copy(update=unknown)
