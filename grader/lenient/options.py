"""The lenient grader's command-line options, and settings made from them."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from ..errors import UserError, first_fault
from ..settings import load_settings
from .settings import DEFAULT_MODEL, LenientSettings


def add_lenient_arguments(parser: argparse.ArgumentParser) -> None:
    """Add a group of options. An option that is not given leaves the settings file's value."""
    group = parser.add_argument_group("lenient grading (a language model re-judges failures)")
    add = group.add_argument
    add(
        "--lenient",
        metavar="MODE",
        help="auto (if a key or address is configured), off, batch (the Batch API: half the price, "
        "within a day; run again to continue), or replay:FILE (recorded replies)"
        + _default("mode"),
    )
    add("--lenient-all", action="store_true", default=None, help="judge strict passes too")
    add("--lenient-sample", type=float, metavar="SHARE", help="judge this share of strict passes")
    add(
        "--model",
        action="append",
        metavar="NAME",
        help=f"judge; repeat for a majority vote (default: {DEFAULT_MODEL})",
    )
    add(
        "--base-url",
        action="append",
        metavar="URL",
        help="an OpenAI-compatible server: one for all models, or one each",
    )
    add(
        "--key-variable",
        action="append",
        metavar="NAME",
        help="environment variable with the key: one for all models, or one each "
        "(default: OPENAI_API_KEY)",
    )
    add(
        "--accept-served-model",
        action="store_true",
        default=None,
        help="take replies of a server that calls its model by another name",
    )
    add(
        "--concurrency",
        type=int,
        metavar="N",
        help="requests in flight at once" + _default("concurrency"),
    )
    add(
        "--timeout",
        type=float,
        metavar="SECONDS",
        help="time limit of one request" + _default("timeout"),
    )
    add(
        "--retries",
        type=int,
        metavar="N",
        help="further attempts at a failed request" + _default("retries"),
    )
    add("--max-calls", type=int, metavar="N", help="total calls of the run; the rest is ungraded")
    add("--max-tokens", type=int, metavar="N", help="total tokens of the run")
    add("--max-cost", type=float, metavar="DOLLARS", help="total cost of the run")
    add(
        "--context-tokens",
        type=int,
        metavar="N",
        help="what the model can read at once" + _default("context_tokens"),
    )
    add("--cut-last-step", action="store_true", default=None, help="allow cutting the last step")
    add(
        "--llm-consistency",
        action="store_true",
        default=None,
        help="also ask whether printed and written answers agree",
    )
    add("--cache", type=Path, metavar="DIR", help="replies shared between runs")
    add("--prompts", type=Path, metavar="PATH", help="own prompt file, or a folder of them")


def _default(field: str) -> str:
    value = LenientSettings.model_fields[field].default
    return f" (default: {value:g})" if isinstance(value, float) else f" (default: {value})"


_FIELDS = {  # option -> setting
    "lenient_all": "judge_passes",
    "lenient_sample": "sample",
    "model": "models",
    "base_url": "base_urls",
    "key_variable": "key_variables",
    "accept_served_model": "accept_served_model",
    "concurrency": "concurrency",
    "timeout": "timeout",
    "retries": "retries",
    "max_calls": "max_calls",
    "max_tokens": "max_tokens",
    "max_cost": "max_cost",
    "context_tokens": "context_tokens",
    "cut_last_step": "cut_last_step",
    "llm_consistency": "consistency",
    "cache": "cache",
    "prompts": "prompts",
}


def given_options(options: argparse.Namespace) -> list[str]:
    """The options given that only make sense where a model judges."""
    asked = options.lenient not in (None, "auto", "off")
    mode = [f"--lenient {options.lenient}"] if asked else []
    return mode + [_flag(name) for name in _FIELDS if getattr(options, name) is not None]


def lenient_settings(options: argparse.Namespace, settings_file: Path | None) -> LenientSettings:
    """Settings from a TOML file's `[lenient]` section, overridden by the options given."""
    settings = load_settings(LenientSettings, "lenient", settings_file)
    given: dict[str, Any] = {
        field: getattr(options, option)
        for option, field in _FIELDS.items()
        if getattr(options, option) is not None
    }
    if options.lenient is not None:
        given.update(_mode(options.lenient))
    try:
        return LenientSettings.model_validate({**settings.model_dump(), **given})
    except ValidationError as error:
        place, problem = first_fault(error)
        field = place.partition(".")[0]
        option = next((name for name, owner in _FIELDS.items() if owner == field), field)
        raise UserError(f"{_flag(option)}: {problem}") from None


def _flag(option: str) -> str:
    return "--" + option.replace("_", "-")


def _mode(text: str) -> dict[str, Any]:
    mode, _, file = text.partition(":")
    if mode == "replay" and file:
        return {"mode": mode, "replay_file": Path(file)}
    if mode in ("auto", "off", "batch") and not file:
        return {"mode": mode}
    raise UserError(f"--lenient {text}: valid are auto, off, batch and replay:FILE")
