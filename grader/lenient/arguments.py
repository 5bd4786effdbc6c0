"""The lenient grader's command-line options, and settings made from them."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import ValidationError

from ..errors import UserError, first_fault
from ..llm.request import DEFAULT_KEY_VARIABLE
from ..settings import load_settings
from .settings import DEFAULT_MODEL, LenientSettings


class Argument(NamedTuple):
    """A command-line option and its setting; without a metavar it is a switch."""

    flag: str
    setting: str
    metavar: str
    help: str
    is_repeatable: bool = False


# All but `--lenient`. The setting checks the value.
ARGUMENTS = (
    Argument("--lenient-all", "judge_passes", "", "judge strict passes too"),
    Argument("--lenient-sample", "sample", "SHARE", "judge this share of strict passes"),
    Argument(
        "--model",
        "models",
        "NAME",
        f"model that judges; repeat for a majority vote (default: {DEFAULT_MODEL})",
        is_repeatable=True,
    ),
    Argument(
        "--base-url",
        "base_urls",
        "URL",
        "an OpenAI-compatible server: one for all models, or one each",
        is_repeatable=True,
    ),
    Argument(
        "--key-variable",
        "key_variables",
        "NAME",
        "environment variable with the key: one for all models, or one each "
        f"(default: {DEFAULT_KEY_VARIABLE})",
        is_repeatable=True,
    ),
    Argument(
        "--accept-served-model",
        "accept_served_model",
        "",
        "take replies of a server that calls its model by another name",
    ),
    Argument("--concurrency", "concurrency", "N", "requests in flight at once"),
    Argument("--timeout", "request_timeout", "SECONDS", "time limit of one request"),
    Argument("--retries", "retries", "N", "further attempts at a failed request"),
    Argument("--max-calls", "max_calls", "N", "total calls of the run; the rest is ungraded"),
    Argument("--max-tokens", "max_tokens", "N", "total tokens of the run"),
    Argument("--max-cost", "max_cost", "DOLLARS", "total cost of the run"),
    Argument("--context-tokens", "context_tokens", "N", "context length of the model"),
    Argument("--cut-last-step", "cut_last_step", "", "allow cutting a last step that is too long"),
    Argument(
        "--llm-consistency",
        "consistency",
        "",
        "also ask whether printed and written answers agree",
    ),
    Argument("--cache", "cache", "DIR", "folder of replies shared between runs"),
    Argument("--prompts", "prompts", "PATH", "own prompt file, or a folder of them"),
)


def add_lenient_arguments(parser: argparse.ArgumentParser) -> None:
    """Add a group of options. An option that is not given leaves the settings file's value."""
    group = parser.add_argument_group("lenient grading (a language model re-judges failures)")
    group.add_argument(
        "--lenient",
        metavar="MODE",
        help="auto (if a key or address is configured), off, batch (the Batch API: half the price, "
        "within a day; run again to continue), or replay:FILE (recorded replies)"
        + _default("mode"),
    )
    for option in ARGUMENTS:
        kind: dict[str, Any] = {"action": "store_true", "default": None}
        if option.metavar:
            action = "append" if option.is_repeatable else "store"
            kind = {"action": action, "metavar": option.metavar}
        text = option.help + _default(option.setting)
        group.add_argument(option.flag, dest=option.setting, help=text, **kind)


def given_options(options: argparse.Namespace) -> list[str]:
    """The given options that only have an effect where a model judges."""
    asked = options.lenient not in (None, "auto", "off")
    mode = [f"--lenient {options.lenient}"] if asked else []
    return mode + [one.flag for one in ARGUMENTS if getattr(options, one.setting) is not None]


def lenient_settings(options: argparse.Namespace, settings_file: Path | None) -> LenientSettings:
    """Settings from a TOML file's `[lenient]` section, overridden by the options given. Raises
    `UserError`, which names the option, for a value that is not valid."""
    settings = load_settings(LenientSettings, "lenient", settings_file)
    values = {one.setting: getattr(options, one.setting) for one in ARGUMENTS}
    given = {setting: value for setting, value in values.items() if value is not None}
    if options.lenient is not None:
        given |= _mode(options.lenient)
    try:
        return LenientSettings.model_validate(settings.model_dump() | given)
    except ValidationError as error:
        place, problem = first_fault(error)
        setting = place.partition(".")[0]
        flag = next((one.flag for one in ARGUMENTS if one.setting == setting), "--lenient")
        raise UserError(f"{flag}: {problem}") from None


def _default(setting: str) -> str:
    """The default for the help text; empty for a switch, and where the default is empty."""
    value = LenientSettings.model_fields[setting].default
    if not value or isinstance(value, bool):
        return ""
    return f" (default: {value:g})" if isinstance(value, float) else f" (default: {value})"


def _mode(text: str) -> dict[str, Any]:
    """The settings that `--lenient` names. Raises `UserError` if it names none."""
    if text in ("auto", "off", "batch"):
        return {"mode": text}
    mode, _, file = text.partition(":")
    if mode == "replay" and file:
        return {"mode": mode, "replay_file": Path(file)}
    raise UserError(f"--lenient {text}: valid are auto, off, batch and replay:FILE")
