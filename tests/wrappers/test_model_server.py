"""Which server is asked, and what is said of a request that failed: never the key."""

from __future__ import annotations

import json

import httpx2
import openai
import pytest

from grader.errors import UserError
from wrappers.agent import AgentUnavailable
from wrappers.model_server import ConversationTooLong, ServerSettings, failure

KEY = "sk-0123456789"


def failed(status: int, body: str) -> openai.APIError:
    """What the client raises for a response; status 0: for none."""

    def answer(request: httpx2.Request) -> httpx2.Response:
        if not status:
            raise httpx2.ConnectError("no route", request=request)
        return httpx2.Response(status, text=body)

    http = openai.DefaultHttpxClient(transport=httpx2.MockTransport(answer))
    client = openai.OpenAI(api_key=KEY, base_url="http://x/v1", http_client=http, max_retries=0)
    with pytest.raises(openai.APIError) as caught:
        client.models.list()
    return caught.value


@pytest.mark.parametrize(
    ("status", "body", "said"),
    [
        (401, json.dumps({"error": {"message": f"Bad key {KEY}"}}), "HTTP 401: Bad key [key]"),
        (403, f"key {KEY}\n  is not yours", "HTTP 403: key [key] is not yours"),
        (404, "", "HTTP 404"),
        (502, "<html>" + "x " * 500, "HTTP 502: <html>x x"),
        (429, "too many tokens per minute", "HTTP 429: too many tokens"),
    ],
)
def test_a_server_is_quoted_without_the_key(status: int, body: str, said: str) -> None:
    found = failure(failed(status, body), KEY)
    assert isinstance(found, AgentUnavailable)
    assert str(found).startswith(f"the model refused: {said}")
    assert KEY not in str(found) and len(str(found)) < 350


def test_no_server_is_out_of_reach() -> None:
    told = str(failure(failed(0, ""), ""))
    assert told == "the model is out of reach: Connection error."


@pytest.mark.parametrize(
    ("status", "error"),
    [
        (400, {"code": "context_length_exceeded", "message": "no"}),
        (400, {"message": "This model's maximum context length is 4096 tokens."}),  # vLLM
        (400, {"message": "the request exceeds the available context size"}),  # llama.cpp
        (413, {"message": "no"}),
    ],
)
def test_too_long_a_conversation_is_the_agents_own_failure(
    status: int, error: dict[str, str]
) -> None:
    found = failure(failed(status, json.dumps({"error": error})), "")
    assert isinstance(found, ConversationTooLong)
    assert error["message"] in str(found)


def test_what_is_no_completion_is_quoted_without_the_key() -> None:
    told = failure(ValueError(f"not JSON: 'busy {KEY}'"), KEY)
    assert isinstance(told, AgentUnavailable)
    assert str(told) == "the model's server sent no chat completion: not JSON: 'busy [key]'"


def test_the_server_that_the_environment_names_is_part_of_the_settings(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    assert ServerSettings(model="m").base_url == ""
    monkeypatch.setenv("OPENAI_BASE_URL", "http://a/v1/")
    assert ServerSettings(model="m").model_dump()["base_url"] == "http://a/v1"
    assert ServerSettings(model="m", base_url="http://b").base_url == "http://b"


@pytest.mark.parametrize("url", ["http://me:secret@x/v1", "http://x/v1?api_key=secret", "x.org"])
def test_no_secret_is_part_of_the_settings(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    with pytest.raises(UserError, match="a base URL must"):
        ServerSettings(model="m", base_url=url)
    monkeypatch.setenv("OPENAI_BASE_URL", url)
    with pytest.raises(UserError, match="a base URL must"):
        ServerSettings(model="m")
