"""Options and settings files become settings; environment variables decide `auto`."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

import pytest

import grader.lenient
from grader.errors import UserError
from grader.lenient import (
    LenientSettings,
    add_lenient_arguments,
    lenient_settings,
    open_lenient,
)
from grader.lenient.arguments import ARGUMENTS
from grader.llm.prices import cost_of, price_of
from grader.llm.request import Endpoint
from grader.run import RunDirectory


def parse(*arguments: str, file: Path | None = None) -> LenientSettings:
    parser = argparse.ArgumentParser()
    add_lenient_arguments(parser)
    return lenient_settings(parser.parse_args(arguments), file)


def test_without_options_the_defaults_hold() -> None:
    assert parse() == LenientSettings()


def test_options_override_the_settings_file(tmp_path: Path) -> None:
    file = tmp_path / "s.toml"
    file.write_text(
        '[lenient]\nmodels = ["x"]\nconcurrency = 3\nmax_cost = 2.5\nsample = 0.1\n'
        "[lenient.prices]\nx = [1.0, 2.0]\n"
    )
    settings = parse("--model", "a", "--model", "b", "--max-calls", "9", file=file)
    assert (settings.models, settings.concurrency) == (("a", "b"), 3)
    assert (settings.max_cost, settings.max_calls, settings.sample) == (2.5, 9, 0.1)
    assert settings.prices == {"x": (1.0, 2.0)}


def test_a_negative_price_is_refused_for_it_would_lift_the_limit_on_costs(tmp_path: Path) -> None:
    file = tmp_path / "s.toml"
    file.write_text("[lenient]\nmax_cost = 2.5\n[lenient.prices]\nx = [-1.0, 2.0]\n")
    with pytest.raises(UserError, match=r"\[lenient\] prices\.x\.0: .*greater than or equal to 0"):
        parse(file=file)


def test_every_setting_is_described() -> None:
    """In the docstring; in the README if there is no option for it."""
    names = {*LenientSettings.model_fields}
    assert names <= {*re.findall(r"\w+", LenientSettings.__doc__ or "")}
    readme = Path(grader.lenient.__file__).with_name("README.md").read_text(encoding="utf-8")
    listed = re.search(r"Only a TOML file can set.*?\n\n", readme, re.DOTALL)
    assert listed is not None
    by_option = {option.setting for option in ARGUMENTS} | {"mode", "replay_file"}
    assert {*re.findall(r"`(\w+)`", listed[0])} == names - by_option


def test_every_option_sets_its_setting() -> None:
    for option in ARGUMENTS:
        field = LenientSettings.model_fields[option.setting]
        default = field.get_default(call_default_factory=True)
        value = {"": [], "SHARE": ["0.5"], "NAME": ["KEY"]}.get(option.metavar, ["600"])
        changed = getattr(parse(option.flag, *value), option.setting)
        assert changed != default
        assert isinstance(changed, tuple) is option.is_repeatable


def test_modes() -> None:
    assert parse("--lenient", "off").mode == "off"
    replay = parse("--lenient", "replay:C:/calls.jsonl")
    assert (replay.mode, replay.replay_file) == ("replay", Path("C:/calls.jsonl"))


def test_a_file_to_replay_alone_means_that_no_model_is_asked(tmp_path: Path) -> None:
    file = tmp_path / "s.toml"
    file.write_text('[lenient]\nreplay_file = "calls.jsonl"\n')
    assert parse(file=file).mode == "replay"
    assert parse("--lenient", "off", file=file).mode == "off"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--lenient", "on"), "valid are auto, off, batch and replay:FILE"),
        (("--lenient", "replay:"), "valid are auto"),
        (("--lenient", "off:"), "valid are auto"),
        (("--cache", ""), "--cache: an empty path"),
        (("--prompts", ""), "--prompts: an empty path"),
        (("--lenient-sample", "2"), "--lenient-sample: "),
        (("--concurrency", "0"), "--concurrency: "),
        (("--max-cost", "-1"), "--max-cost: "),
        (("--max-cost", "nan"), "--max-cost: "),
        (("--retries", "many"), "--retries: Input should be a valid integer"),
    ],
)
def test_impossible_options(arguments: tuple[str, ...], message: str) -> None:
    with pytest.raises(UserError, match=message):
        parse(*arguments)


@pytest.mark.parametrize(
    ("settings", "environment", "configured"),
    [
        ({}, {}, False),
        ({}, {"OPENAI_API_KEY": "k"}, True),
        ({}, {"OPENAI_API_KEY": ""}, False),
        ({}, {"OPENAI_API_KEY": " "}, False),
        ({}, {"OPENAI_BASE_URL": "http://h/v1"}, True),
        ({"base_urls": ("http://h/v1",)}, {}, True),
        ({"key_variables": ("MY_KEY",)}, {"OPENAI_API_KEY": "k"}, False),
        ({"key_variables": ("MY_KEY",)}, {"MY_KEY": "k"}, True),
    ],
)
def test_auto_is_on_where_something_is_configured(
    settings: dict[str, object], environment: dict[str, str], configured: bool
) -> None:
    assert LenientSettings.model_validate(settings).is_configured(environment) is configured


def test_endpoints() -> None:
    settings = LenientSettings(
        models=("a", "b"), base_urls=("", "http://h:1/v1/"), key_variables=("A", "B")
    )
    assert settings.endpoints({}) == (Endpoint("a", "", "A"), Endpoint("b", "http://h:1/v1", "B"))
    assert LenientSettings().endpoints({"OPENAI_BASE_URL": "http://h/v1"}) == (
        Endpoint("gpt-4o-mini", "http://h/v1", "OPENAI_API_KEY"),
    )
    environment = {"OPENAI_BASE_URL": "http://h/v1"}
    assert [one.base_url for one in settings.endpoints(environment)] == [
        "http://h/v1",
        "http://h:1/v1",
    ]


def test_prices() -> None:
    assert price_of("gpt-4o-mini-2024-07-18") == price_of("gpt-4o-mini") == (0.15, 0.60)
    assert price_of("gpt-4o-audio") is None
    assert price_of("gpt-4o-mini", {"gpt-4o-mini": (1, 2)}) == (1, 2)
    assert cost_of((0.15, 0.60), 1_000_000, 500_000) == pytest.approx(0.45)
    assert cost_of(None, 1, 1) is None and cost_of((1, 1), None, 1) is None


def test_strict_only_is_said_once(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    run = RunDirectory.create(tmp_path)
    with caplog.at_level("INFO", logger="grader"):
        assert open_lenient(LenientSettings(), run, environment={}) is None
        assert open_lenient(LenientSettings(mode="off"), run, environment={"X": "1"}) is None
    assert [r.getMessage().split(":")[0] for r in caplog.records] == ["strict graders only"]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"models": ("a", "a")}, "named twice"),
        ({"models": ("a", "b", "c"), "base_urls": ("http://h/1", "http://h/2")}, "3 models but 2"),
        ({"base_urls": ("ftp://h",)}, "must look like"),
        ({"base_urls": ("http://10.0.0.256:8000/v1",)}, "must look like"),
        ({"base_urls": ("http://h\t/v1",)}, "must look like"),
        ({"base_urls": ("http://h /v1",)}, "must look like"),
        ({"base_urls": ("http://h\u200b/v1",)}, "must look like"),
        ({"base_urls": ("http://me:pw@h/v1",)}, "must not hold a key"),
        ({"base_urls": ("http://h/v1?key=1",)}, "must not hold a key"),
        ({"models": ("mine",), "max_cost": 1.0}, r"price of 'mine'"),
        ({"mode": "replay"}, "replay:FILE"),
        ({"mode": "batch", "key_variables": ("NO_KEY",)}, r"is configured \(set NO_KEY, or"),
        ({"mode": "replay", "replay_file": Path("none.jsonl")}, "no such file"),
    ],
)
def test_impossible_settings(tmp_path: Path, settings: dict[str, object], message: str) -> None:
    run = RunDirectory.create(tmp_path)
    with pytest.raises(UserError, match=message) as caught:
        open_lenient(
            LenientSettings.model_validate(settings), run, environment={"OPENAI_API_KEY": "k"}
        )
    assert "pw" not in str(caught.value)


@pytest.mark.parametrize("url", ["http://h/sk-0123456789/v1", "http://h/sk%2D0123456789/v1"])
def test_an_address_that_holds_the_key_is_refused(tmp_path: Path, url: str) -> None:
    run = RunDirectory.create(tmp_path)
    settings = LenientSettings(base_urls=(url,))
    with pytest.raises(UserError, match="must not hold the key in OPENAI_API_KEY") as told:
        open_lenient(settings, run, environment={"OPENAI_API_KEY": "sk-0123456789"})
    assert "0123456789" not in str(told.value)
    assert not [path for path in tmp_path.rglob("*.*") if "0123456789" in path.read_text()]


def test_a_replay_records_no_address_that_it_does_not_use(tmp_path: Path) -> None:
    replies = tmp_path / "replies.jsonl"
    replies.write_text('{"transcript_id": "a", "reply": "5"}\n')
    run = RunDirectory.create(tmp_path / "run")
    settings = LenientSettings(replay_file=replies, base_urls=("http://me:pw0123@h/v1",))
    assert open_lenient(settings, run, environment={}) is not None
    assert "pw0123" not in (run.path / "manifest.json").read_text()


def test_no_setting_holds_a_key() -> None:
    assert not {name for name in LenientSettings.model_fields if "key" in name} - {"key_variables"}


def test_help_states_the_defaults() -> None:
    parser = argparse.ArgumentParser()
    add_lenient_arguments(parser)
    said = {action.dest: action.help or "" for action in parser._actions}
    defaults = LenientSettings()
    for option in ("concurrency", "request_timeout", "retries", "context_tokens"):
        assert f"(default: {getattr(defaults, option):g})" in said[option]
    assert f"(default: {defaults.mode})" in said["lenient"]


def test_a_key_in_place_of_its_variable_is_refused_and_not_repeated() -> None:
    with pytest.raises(UserError, match="not the name of an environment variable") as told:
        parse("--key-variable", "sk-0123456789")
    assert "sk-0123456789" not in str(told.value)
