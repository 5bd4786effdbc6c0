"""The case of a transcript before one judge: its settings and prompts, and the requests it can
make."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from ..criterion import Criterion, criterion_of
from ..extraction.options.choices import options
from ..llm.request import ChatRequest, Endpoint
from ..prompts import Prompt
from ..records import Step, Task, Transcript
from ..settings import GradeSettings
from ..text import split_output
from .fence import clean, fence, fence_code
from .settings import LenientSettings

QUOTE_TOKENS = 200  # a reply with a long sentence


@dataclass(frozen=True)
class Case:
    """A transcript before one judge, with everything needed to judge it."""

    transcript: Transcript
    steps: tuple[Step, ...]
    endpoint: Endpoint
    prompts: Mapping[str, Prompt]
    settings: LenientSettings
    grading: GradeSettings

    @cached_property
    def criterion(self) -> Criterion | None:
        """Which numbers are right; None if the published answer is no number."""
        return criterion_of(self.task, self.grading)

    @property
    def task(self) -> Task:
        return self.transcript.task

    def request(
        self, name: str, purpose: str, *, restated: bool = False, **values: str
    ) -> ChatRequest:
        """A request with prompt `name` filled in."""
        prompt = self.prompts[name]
        return ChatRequest(
            endpoint=self.endpoint,
            messages=prompt.render(restated=restated, question=clean(self.task.question), **values),
            temperature=self.settings.temperature,
            max_tokens=self.settings.max_reply_tokens,
            purpose=purpose,
            prompt_id=prompt.prompt_id,
            prompt_hash=prompt.sha256,
            transcript_id=self.transcript.transcript_id,
            task_id=self.task.task_id,
        )

    def agent_texts(self) -> Iterator[str]:
        """The agent's whole output, latest step first: unchanged, and with markup resolved."""
        for step in reversed(self.steps):
            yield step.raw_output
        for step in reversed(self.steps):
            output = split_output(step.raw_output)
            yield output.verbal
            yield output.execution

    def agent_words(self) -> Iterator[str]:
        """What the agent itself says, latest step first: no code, and nothing that it printed."""
        for step in reversed(self.steps):
            for block in split_output(step.raw_output).blocks:
                if block.kind in ("prose", "answer", "reasoning"):
                    yield block.text


def extraction_request(case: Case, text: str, *, restated: bool) -> ChatRequest:
    """The request for the answer in `text`, a transcript. It does not hold the published answer."""
    code = fence_code(text)
    purpose = "extract_again" if restated else "extract"
    values = {"transcript": fence(text, code), "code": code}
    if case.task.answer_kind != "choice":
        name = "extract_text" if case.task.answer_kind == "text" else "extract_number"
        return case.request(name, purpose, restated=restated, **values)
    listed = _listed_options(case.task)
    if not listed:
        return case.request("extract_text", purpose, restated=restated, **values)
    return case.request("extract_option", purpose, restated=restated, choices=listed, **values)


def quote_request(case: Case, text: str, option: str) -> ChatRequest:
    """The request for the sentence of `text`, a transcript, that settles on an option."""
    code = fence_code(text)
    request = case.request(
        "quote_option",
        "quote",
        transcript=fence(text, code),
        code=code,
        choices=_listed_options(case.task),
        answer=clean(option),
    )
    return replace(request, max_tokens=max(request.max_tokens, QUOTE_TOKENS))


def _listed_options(task: Task) -> str:
    """The options as a prompt lists them; "" if there are none."""
    lines = [
        wording if key == wording.lower() else f"{key.upper()}. {wording}"
        for key, wording in options(task).items()
    ]
    return clean("\n".join(lines))
