"""Grading transcripts with judges: many at once in bounded memory, each yielded when finished."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Generator, Iterable, Iterator, Mapping
from concurrent.futures import Future
from queue import SimpleQueue
from typing import Any, TypeVar

from ..grader_names import LENIENT, suffix_for
from ..llm.request import ChatRequest, Endpoint, Failure, Reply, Transport
from ..prompts import Prompt
from ..reading import Reading, problem_with
from ..records import Grade, Step, Transcript
from ..settings import GradeSettings
from .case import Case
from .consistency import compare_halves
from .judge import converse
from .loop import LoopThread
from .opinion import Decision, Opinion, majority
from .settings import DECISIVE, LenientSettings
from .summary import LenientSummary

Result = TypeVar("Result")
Companion = TypeVar("Companion")


class LenientGrader:
    """Judges transcripts by asking models through a transport. Use as a context manager.

    before_nudge: judge the steps before the first nudge only; the grader is then named
    `lenient:before_nudge`, like the strict ones. `fingerprint` identifies judges, prompts and
    whatever else their grades depend on; each grade holds it as `judged_by`.
    """

    def __init__(
        self,
        endpoints: tuple[Endpoint, ...],
        transport: Transport,
        prompts: Mapping[str, Prompt],
        settings: LenientSettings,
        grading: GradeSettings,
        summary: LenientSummary,
        *,
        before_nudge: bool = False,
    ) -> None:
        self._endpoints, self._transport, self._prompts = endpoints, transport, prompts
        self._settings, self._grading, self._summary = settings, grading, summary
        self._before_nudge = before_nudge
        self.fingerprint = fingerprint_of(endpoints, prompts, settings)
        self._loop = LoopThread()

    def grade_many(self, transcripts: Iterable[Transcript]) -> Iterator[Grade]:
        """One grade per transcript, in the order in which they are finished.

        Raises `UserError` if the call log cannot be written. At most
        `settings.window` transcripts are held at a time.
        """
        for grade, _ in self.grade_pairs((transcript, None) for transcript in transcripts):
            yield grade

    def grade_pairs(
        self, pairs: Iterable[tuple[Transcript, Companion]]
    ) -> Iterator[tuple[Grade, Companion]]:
        """As `grade_many`, for pairs of a transcript and any value, which is yielded with the
        grade."""
        window = self._settings.window
        pending: dict[Future[Grade], Companion] = {}
        finished: SimpleQueue[Future[Grade]] = SimpleQueue()
        try:
            for transcript, companion in pairs:
                future = self._loop.submit(self._grade(transcript))
                pending[future] = companion
                future.add_done_callback(finished.put)
                while len(pending) >= window or not finished.empty():
                    future = finished.get()
                    yield future.result(), pending.pop(future)
            while pending:
                future = finished.get()
                yield future.result(), pending.pop(future)
        finally:
            self._loop.cancel_together(pending)

    def summary(self) -> LenientSummary:
        """The summary of the pass so far."""
        return self._summary

    def __enter__(self) -> LenientGrader:
        self._loop.__enter__()
        return self

    def __exit__(self, *raised: object) -> None:
        try:
            self._loop.cancel()  # requests on their way are recorded before their log is closed
            self._loop.submit(self._transport.close()).result()
        finally:
            self._loop.__exit__(*raised)

    async def _grade(self, transcript: Transcript) -> Grade:
        if problem := problem_with(transcript):
            return self._finish(transcript, (), Decision("ungraded", problem), {})
        steps = Reading(transcript, self._grading, self._before_nudge).steps
        if not any(step.raw_output.strip() for step in steps):
            return self._finish(transcript, (), Decision("no_answer", "empty_transcript"), {})
        cases = [self._case(transcript, steps, endpoint) for endpoint in self._endpoints]
        opinions = tuple(await asyncio.gather(*(self._drive(converse(case)) for case in cases)))
        evidence: dict[str, Any] = {}
        if self._settings.consistency:
            evidence["consistency"] = await self._drive(compare_halves(cases[0]))
        self._summary.agreement.add(opinions)
        return self._finish(transcript, opinions, majority(opinions), evidence)

    async def _drive(self, conversation: Generator[ChatRequest, Reply | Failure, Result]) -> Result:
        """Answer a conversation's requests one after the other until it has its outcome."""
        try:
            request = next(conversation)
            while True:
                request = conversation.send(await self._transport.answer(request))
        except StopIteration as end:
            result: Result = end.value
            return result

    def _case(self, transcript: Transcript, steps: tuple[Step, ...], endpoint: Endpoint) -> Case:
        return Case(transcript, steps, endpoint, self._prompts, self._settings, self._grading)

    def _finish(
        self,
        transcript: Transcript,
        opinions: tuple[Opinion, ...],
        decision: Decision,
        evidence: dict[str, Any],
    ) -> Grade:
        verdict, reason, value = decision
        evidence["judged_by"] = self.fingerprint
        if opinions:
            evidence["judges"] = [opinion.as_evidence() for opinion in opinions]
        self._summary.verdicts[verdict] += 1
        if verdict == "ungraded":
            self._summary.ungraded_because[reason.split(":")[0]] += 1
        if any("cut" in opinion.facts for opinion in opinions):
            self._summary.cut += 1
            reason = f"{reason} (transcript cut)"  # after the fixed word was counted
        return Grade(
            transcript_id=transcript.transcript_id,
            task_id=transcript.task.task_id,
            grader=LENIENT + suffix_for(before_nudge=self._before_nudge),
            verdict=verdict,
            value=value,
            reason=reason,
            evidence=evidence,
        )


def fingerprint_of(
    endpoints: Iterable[Endpoint], prompts: Mapping[str, Prompt], settings: LenientSettings
) -> str:
    """A short hash; grades with equal hashes come from the same judges, asked the same."""
    facts = (
        sorted(endpoint.name for endpoint in endpoints),
        sorted((prompt.prompt_id, prompt.sha256) for prompt in prompts.values()),
        settings.model_dump(mode="json", include=DECISIVE),
    )
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()[:16]
