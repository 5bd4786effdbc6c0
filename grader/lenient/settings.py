"""Settings of the lenient grader, loadable from TOML section `[lenient]`."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, field_validator, model_validator

from ..errors import UserError
from ..llm.prices import price_of
from ..llm.request import (
    ADDRESS_VARIABLE,
    DEFAULT_KEY_VARIABLE,
    Endpoint,
    server_url,
    variable_name,
)
from ..records import Verdict
from ..settings import StageSettings

Mode = Literal["auto", "off", "replay", "batch"]
# The judges' requests and replies depend on these; the rest is about sending.
DECISIVE = {"context_tokens", "cut_last_step", "temperature", "max_reply_tokens", "consistency"}
DEFAULT_MODEL = "gpt-4o-mini"
Price = Annotated[float, Field(ge=0)]  # a negative one would lift the limit on costs


class LenientSettings(StageSettings):
    """How strict failures are re-judged.

    mode: `auto` asks models if a key or address is configured; `replay` reads `replay_file`, and is
        the mode if only the file is given; `batch` asks through the service's Batch API, at half
        the price and within a day.
    models: one judge each; several vote.
    base_urls, key_variables: one for all judges, or one each in the same order. A base URL of ""
        means OPENAI_BASE_URL, else OpenAI's service; a key variable is the name of
        the environment variable that holds the key.
    judge_passes, sample: judge strict passes too, all of them or this share.
    concurrency: requests in flight at once, to all judges together.
    request_timeout: seconds that one attempt at a request may take.
    retries: attempts after the first; those while a busy server answers others do not count.
    first_wait, longest_wait: seconds before the first retry, and before any: the wait doubles each
        time. A server that asks for a longer pause than `longest_wait` is not waited for.
    max_calls, max_tokens, max_cost: limits of the whole run: requests, tokens (read and written),
        US dollars. What they leave is ungraded; None is no limit.
    prices: (prompt, completion) dollars per million tokens, by model.
    context_tokens: what the model can read, reply included.
    cut_last_step: also cut a last step that alone exceeds the context.
    temperature: of the models' sampling; at 0 a model says what it finds likeliest.
    max_reply_tokens: most tokens of a reply; where a sentence is quoted, more are allowed.
    consistency: also ask (of several judges, the first by name) whether each step's printed and
        written answers agree.
    batch_requests, batches_at_once, batch_quiet, batch_poll: most requests of one batch; full
        batches that run at a time; seconds without a new request after which one is submitted;
        seconds between looks at a running one.
    accept_served_model: take replies of a server that names another model than asked for.
    cache: a folder of replies that runs share. prompts: a file of an own prompt, or a folder.
    """

    mode: Mode = "auto"
    replay_file: Path | None = None
    models: tuple[str, ...] = ()
    base_urls: tuple[str, ...] = ()
    key_variables: tuple[Annotated[str, AfterValidator(variable_name)], ...] = ()
    judge_passes: bool = False
    sample: float = Field(default=0.0, ge=0, le=1)
    concurrency: int = Field(default=8, ge=1, le=1000)
    request_timeout: float = Field(default=60.0, gt=0)
    retries: int = Field(default=6, ge=0)
    first_wait: float = Field(default=0.5, ge=0)
    longest_wait: float = Field(default=60.0, ge=0)
    max_calls: int | None = Field(default=None, ge=0)
    max_tokens: int | None = Field(default=None, ge=0)
    max_cost: float | None = Field(default=None, ge=0)
    prices: dict[str, tuple[Price, Price]] = Field(default_factory=dict)
    context_tokens: int = Field(default=100_000, ge=512)
    cut_last_step: bool = False
    temperature: float = Field(default=0.0, ge=0)
    max_reply_tokens: int = Field(default=64, ge=8)
    consistency: bool = False
    accept_served_model: bool = False
    batch_requests: int = Field(default=5_000, ge=1, le=50_000)
    batches_at_once: int = Field(default=4, ge=1, le=1000)
    batch_quiet: float = Field(default=5.0, gt=0)
    batch_poll: float = Field(default=30.0, gt=0)
    cache: Path | None = None
    prompts: Path | None = None

    @model_validator(mode="before")
    @classmethod
    def _replays_a_file(cls, given: Any) -> Any:
        if isinstance(given, dict) and given.get("replay_file") and "mode" not in given:
            return given | {"mode": "replay"}  # no model is asked, and paid, by mistake
        return given

    @field_validator("cache", "prompts", mode="before")
    @classmethod
    def _is_named(cls, path: Any) -> Any:
        if path == "":  # would mean the working directory
            raise ValueError("an empty path (is a variable not set?)")
        return path

    @property
    def window(self) -> int:
        """How many transcripts are judged at a time, and held in memory."""
        if self.mode == "batch":
            return self.batch_requests * self.batches_at_once
        return 2 * self.concurrency

    def endpoints(self, environment: Mapping[str, str]) -> tuple[Endpoint, ...]:
        """The judges. Raises `UserError` if the settings do not describe any."""
        models = self.models or (DEFAULT_MODEL,)
        urls = _one_each("base URL", self.base_urls or ("",), len(models))
        variables = _one_each(
            "key variable", self.key_variables or (DEFAULT_KEY_VARIABLE,), len(models)
        )
        endpoints = tuple(
            Endpoint(model, server_url(url, environment), variable)
            for model, url, variable in zip(models, urls, variables, strict=True)
        )
        if len({(e.model, e.base_url) for e in endpoints}) < len(endpoints):
            raise UserError("the same model at the same address is named twice as a judge")
        if self.max_cost is not None:
            self._check_prices(endpoints)
        return endpoints

    def is_configured(self, environment: Mapping[str, str]) -> bool:
        """Whether a model can be asked: a key is in the environment, or an address is set."""
        variables = self.key_variables or (DEFAULT_KEY_VARIABLE,)
        return bool(
            any(self.base_urls)
            or environment.get(ADDRESS_VARIABLE)
            or any(environment.get(variable, "").strip() for variable in variables)
        )

    def _check_prices(self, endpoints: tuple[Endpoint, ...]) -> None:
        for endpoint in endpoints:
            if price_of(endpoint.model, self.prices) is None:
                raise UserError(
                    f"--max-cost needs the price of {endpoint.model!r}, which is not known. Give "
                    f'it in a settings file: [lenient.prices] "{endpoint.model}" = [0.15, 0.60] '
                    "(dollars per million prompt and completion tokens), or use --max-tokens"
                )


def wants_judging(settings: LenientSettings, transcript_id: str, verdict: Verdict) -> bool:
    """Whether the lenient grader judges a transcript with this strict verdict: every failure, and
    the passes that the settings ask for, but no transcript that cannot be graded. The sample
    depends on the id alone, so it is the same each time."""
    if verdict != "correct" or settings.judge_passes:
        return verdict != "ungraded"
    if not settings.sample:
        return False
    digest = sha256(transcript_id.encode("utf-8", errors="replace")).digest()
    return int.from_bytes(digest[:8], "big") / 2.0**64 < settings.sample


def _one_each(what: str, given: tuple[str, ...], judges: int) -> tuple[str, ...]:
    if len(given) == 1:
        return given * judges
    if len(given) != judges:
        raise UserError(f"{judges} models but {len(given)} {what}s: give one for all or one each")
    return given
