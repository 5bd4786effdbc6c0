"""Which server is asked, and what is said of a request that failed: never the key."""

from __future__ import annotations

import json

import httpx2
import openai
import pytest

from grader.errors import UserError
from grader.settings import load_settings
from wrappers.agent import AgentUnavailable, TaskUnsuitable, Unwatched
from wrappers.model_server import ConversationTooLong, ServerSettings, WatchedClient, failure
from wrappers.replies import Replies

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
        (413, "Request too large on tokens per minute (TPM)", "HTTP 413: Request too large"),
    ],
)
def test_a_server_is_quoted_without_the_key(status: int, body: str, said: str) -> None:
    found = failure(failed(status, body), KEY, has_replied=True)
    assert isinstance(found, AgentUnavailable)
    assert str(found).startswith(f"the model refused: {said}")
    assert KEY not in str(found) and len(str(found)) < 350


def test_no_server_is_out_of_reach() -> None:
    told = str(failure(failed(0, ""), "", has_replied=True))
    assert told.startswith("the model is out of reach: Connection error. (http")


@pytest.mark.parametrize(
    ("status", "error"),
    [
        (400, {"code": "context_length_exceeded", "message": "no"}),
        (400, {"message": "This model's maximum context length is 4096 tokens."}),  # vLLM
        (400, {"message": "the request exceeds the available context size"}),  # llama.cpp
        (500, {"message": "the request exceeds the available context size"}),
        (422, {"message": "`inputs` tokens + `max_new_tokens` must be <= 4096"}),  # TGI
        (400, {"message": "The input exceeds the maximum number of tokens allowed"}),  # Gemini
    ],
)
def test_too_long_a_conversation_is_the_agents_own_failure(
    status: int, error: dict[str, str]
) -> None:
    """Unless it is so from its first request on."""
    refused = failed(status, json.dumps({"error": error}))
    found = failure(refused, "", has_replied=True)
    assert isinstance(found, ConversationTooLong)
    assert error["message"] in str(found)
    assert isinstance(failure(refused, "", has_replied=False), TaskUnsuitable)


TOLD = {"id": "x", "choices": [{"index": 0, "message": {"role": "assistant", "content": "4.4"}}]}
TOO_LONG = {"error": {"code": 400, "message": "the request exceeds the available context size"}}


def chunk(**choice: object) -> dict[str, object]:
    return {"id": "x", "choices": [{"index": 0, **choice}]}


def watched(*bodies: str, kind: str = "text/event-stream") -> WatchedClient:
    """A client of a server that sends these one after the other."""
    replies = iter(bodies)

    def answer(request: httpx2.Request) -> httpx2.Response:
        return httpx2.Response(200, text=next(replies), headers={"content-type": kind})

    http = openai.DefaultHttpxClient(transport=httpx2.MockTransport(answer))
    client = openai.OpenAI(api_key=KEY, base_url="http://x/v1", http_client=http)
    return WatchedClient(client, Replies(Unwatched(), 120, KEY))


def events(*sent: dict[str, object]) -> str:
    return "".join(f"data: {json.dumps(one)}\n\n" for one in sent)


SAYS = chunk(delta={"content": "4.4"}, finish_reason=None)
ENDS = chunk(delta={}, finish_reason="stop")


def streamed(client: WatchedClient) -> str:
    chunks = client.create(model="m", messages=[], stream=True)
    return "".join(one.choices[0].delta.content or "" for one in chunks)


def test_chunks_without_content_are_left_out_of_a_stream() -> None:
    nothing: dict[str, object] = {"id": "x", "choices": []}
    sent = events(nothing, chunk(delta=None, finish_reason=None), SAYS, ENDS, nothing)
    assert streamed(watched(sent)) == "4.4"


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        (events(SAYS), "no chat completion: its stream ended without a finish_reason"),
        ("", "no chat completion: its stream ended without a finish_reason"),
        (events(SAYS, {"error": {"message": "CUDA out of memory"}}), "refused: CUDA out of memory"),
        (events(TOO_LONG), "refused: the request exceeds"),
    ],
)
def test_a_stream_that_breaks_off_is_no_reply(sent: str, said: str) -> None:
    client = watched(sent)
    with pytest.raises(AgentUnavailable, match=said):
        streamed(client)
    assert client.failure is not None and said in str(client.failure)


def test_a_stream_may_say_that_the_conversation_grew_too_long() -> None:
    client = watched(events(SAYS, ENDS), events(TOO_LONG), events(TOO_LONG))
    assert streamed(client) == "4.4"
    with pytest.raises(ConversationTooLong):
        streamed(client)
    client.begin_task()
    assert client.failure is None
    with pytest.raises(AgentUnavailable):
        streamed(client)


def test_a_completion_sent_as_text_is_one() -> None:
    client = watched(json.dumps(TOLD), kind="text/plain")
    assert client.create(model="m", messages=[]).choices[0].message.content == "4.4"


def test_what_is_no_completion_is_quoted_without_the_key() -> None:
    told = failure(ValueError(f"not JSON: 'busy {KEY}'"), KEY, has_replied=True)
    assert isinstance(told, AgentUnavailable)
    assert str(told) == "the model's server sent no chat completion: not JSON: 'busy [key]'"


def test_the_server_that_the_environment_names_is_part_of_the_settings(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    assert ServerSettings(model="m").base_url == ""
    monkeypatch.setenv("OPENAI_BASE_URL", "http://a/v1/")
    assert ServerSettings(model="m").model_dump()["base_url"] == "http://a/v1"
    assert ServerSettings(model="m", base_url="").base_url == "http://a/v1"
    assert ServerSettings(model="m", base_url="http://b").base_url == "http://b"


@pytest.mark.parametrize("url", ["http://me:secret@x/v1", "http://x/v1?api_key=secret", "x.org"])
def test_no_secret_is_part_of_the_settings(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    given = {"model": "m", "base_url": url}
    with pytest.raises(UserError, match=r"\[agent\.chat\] base_url: a base URL must"):
        load_settings(ServerSettings, "agent.chat", None, given=given)
    monkeypatch.setenv("OPENAI_BASE_URL", url)
    with pytest.raises(UserError, match="base_url: the base URL in OPENAI_BASE_URL must"):
        load_settings(ServerSettings, "agent.chat", None, given={"model": "m"})


@pytest.mark.parametrize("url", [f"http://x/{KEY}/v1", "http://x/sk%2D0123456789/v1"])
def test_an_address_that_holds_the_key_is_refused(
    monkeypatch: pytest.MonkeyPatch, url: str
) -> None:
    monkeypatch.setenv("MY_KEY", KEY)
    given = {"model": "m", "key_variable": "MY_KEY", "base_url": url}
    with pytest.raises(
        UserError, match="base_url: must not hold the key that is in MY_KEY"
    ) as told:
        load_settings(ServerSettings, "agent.chat", None, given=given)
    assert KEY not in str(told.value)
    monkeypatch.setenv("MY_KEY", "x")  # which a local server takes as well as any
    assert ServerSettings.model_validate(given).base_url == url


def test_a_key_in_place_of_its_variable_is_refused() -> None:
    with pytest.raises(UserError, match="not the name of an environment variable") as told:
        load_settings(ServerSettings, "agent.chat", None, given={"model": "m", "key_variable": KEY})
    assert KEY not in str(told.value)


def test_the_default_service_is_not_asked_without_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(UserError, match="no key: set OPENAI_API_KEY, or name a server"):
        ServerSettings(model="m").check_key()
    ServerSettings(model="m", base_url="http://localhost:1/v1").check_key()
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    ServerSettings(model="m").check_key()
