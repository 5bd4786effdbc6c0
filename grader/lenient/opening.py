"""Making a lenient grader from settings, environment and run directory."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Mapping

from ..errors import UserError, unknown_name
from ..llm.budget import Budget
from ..llm.calls import CallLog
from ..llm.completion import holds_key
from ..llm.replay import Recording, ReplayTransport
from ..llm.request import DEFAULT_KEY_VARIABLE, Endpoint, Transport
from ..llm.usage import Tally
from ..prompts import Prompt, load_prompts
from ..run import RunDirectory
from ..settings import GradeSettings
from .grader import LenientGrader
from .settings import LenientSettings
from .summary import LenientSummary

log = logging.getLogger("grader")


def open_lenient(
    settings: LenientSettings,
    run: RunDirectory,
    grading: GradeSettings | None = None,
    *,
    before_nudge: bool = False,
    environment: Mapping[str, str] | None = None,
) -> LenientGrader | None:
    """The lenient grader of a run, or None where grading is strict only (said once, in the log).

    The run directory must be held for writing: calls are appended to its log. Prompts used are
    recorded in its manifest. Raises `UserError` on settings that cannot be carried out.
    """
    environment = os.environ if environment is None else environment
    if not _has_judges(settings, environment):
        return None
    prompts = load_prompts(settings.prompts)
    recording = _recording(settings, before_nudge)
    endpoints = _judges(settings, recording, environment)
    summary = LenientSummary(tuple(endpoint.name for endpoint in endpoints))
    calls = CallLog(run.llm_calls_path)
    transport: Transport = (
        _live(endpoints, settings, run, calls, summary.tally, environment)
        if recording is None
        else ReplayTransport(recording, calls, summary.tally)
    )
    _record_judges(run, settings, prompts, summary.judges)
    return LenientGrader(
        endpoints,
        transport,
        prompts,
        settings,
        grading or GradeSettings(),
        summary,
        before_nudge=before_nudge,
    )


def _has_judges(settings: LenientSettings, environment: Mapping[str, str]) -> bool:
    """Whether a model or a recording can be asked; if not, the log says so. Raises `UserError` if
    batches were requested and no model is configured."""
    if settings.mode == "off":
        return False
    if settings.mode == "replay" or settings.is_configured(environment):
        return True
    variables = " or ".join(settings.key_variables or (DEFAULT_KEY_VARIABLE,))
    lack = (
        f"no language model is configured (set {variables}, or give --base-url, or "
        "--lenient replay:FILE)"
    )
    if settings.mode == "batch":
        raise UserError(f"--lenient batch: {lack}")
    log.info("strict graders only: %s", lack)
    return False


def _recording(settings: LenientSettings, before_nudge: bool) -> Recording | None:
    """The recorded replies; None outside the replay mode. Before the first nudge, replies to whole
    transcripts are left out."""
    if settings.mode != "replay":
        return None
    if settings.replay_file is None:
        raise UserError("lenient mode replay needs a file: --lenient replay:FILE")
    recording = Recording(settings.replay_file)
    if before_nudge:
        recording.forget_whole_transcripts()
    return recording


def _judges(
    settings: LenientSettings, recording: Recording | None, environment: Mapping[str, str]
) -> tuple[Endpoint, ...]:
    """The judges, sorted by name: a recording may hold them in any order."""
    if recording is None:
        judges = settings.endpoints(environment)
    else:
        judges = _chosen(tuple(recording.endpoints), settings.models)
    return tuple(sorted(judges, key=lambda endpoint: endpoint.name))


def _record_judges(
    run: RunDirectory,
    settings: LenientSettings,
    prompts: Mapping[str, Prompt],
    judges: tuple[str, ...],
) -> None:
    """Record the judges, their prompts and settings in the run's manifest."""
    used = {prompt.prompt_id: prompt.sha256 for prompt in prompts.values()}
    unused = {"base_urls"} if settings.mode == "replay" else set[str]()  # nor looked at for keys
    recorded = settings.model_dump(
        mode="json", exclude={"cache", "prompts", "replay_file", *unused}
    )
    run.update_manifest(lenient={"judges": list(judges), "prompts": used, "settings": recorded})


def _chosen(recorded: tuple[Endpoint, ...], models: tuple[str, ...]) -> tuple[Endpoint, ...]:
    """The recorded judges, or only those requested by name."""
    if not models:
        return recorded
    for model in models:
        if model not in {endpoint.model for endpoint in recorded}:
            raise unknown_name("recorded judge", model, [e.model for e in recorded])
    return tuple(endpoint for endpoint in recorded if endpoint.model in models)


def _live(
    endpoints: tuple[Endpoint, ...],
    settings: LenientSettings,
    run: RunDirectory,
    calls: CallLog,
    tally: Tally,
    environment: Mapping[str, str],
) -> Transport:
    from ..llm.batch_log import BatchLog
    from ..llm.batch_sender import BatchPolicy, BatchSender
    from ..llm.client import Client
    from ..llm.gateway import AnySender, Gateway
    from ..llm.prices import price_of
    from ..llm.retry import RetryPolicy
    from ..llm.sender import Sender
    from ..llm.store import ReplyStore

    budget = Budget(settings.max_calls, settings.max_tokens, settings.max_cost, calls.spent)
    retries = RetryPolicy(settings.retries, settings.first_wait, settings.longest_wait)
    policy = BatchPolicy(settings.batch_requests, settings.batch_quiet, settings.batch_poll)
    slots = asyncio.Semaphore(settings.concurrency)
    batches = BatchLog(run.llm_batches_path) if settings.mode == "batch" else None

    def is_answered(key: str) -> bool:
        return calls.find(key) is not None

    def sender_for(endpoint: Endpoint) -> AnySender:
        key = _key(endpoint, environment)
        client = Client(endpoint, key, settings.request_timeout, settings.accept_served_model)
        price = price_of(endpoint.model, settings.prices)
        if batches is None:
            return Sender(endpoint, client, budget, slots, retries, price)
        return BatchSender(endpoint, client, budget, retries, policy, price, batches, is_answered)

    senders = {endpoint: sender_for(endpoint) for endpoint in endpoints}
    store = ReplyStore(settings.cache) if settings.cache else None
    return Gateway(senders, calls, store, tally, batches)


def _key(endpoint: Endpoint, environment: Mapping[str, str]) -> str | None:
    """The key for an endpoint, or None. Raises `UserError`, without quoting it, for a text that
    cannot be sent as a key, and if the address, which is recorded, holds it."""
    variable = endpoint.key_variable
    key = environment.get(variable, "").strip()
    if not key:
        return None
    if not (key.isascii() and key.isprintable()):
        raise UserError(f"{variable} holds characters that no key has; set it anew")
    if holds_key(endpoint.base_url, key):
        raise UserError(f"a base URL must not hold the key in {variable}, for it is recorded")
    return key
