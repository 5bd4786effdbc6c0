"""What is said of a request that failed: the server's words, never the key."""

from __future__ import annotations

import json

import httpx2
import openai
import pytest

from wrappers.agents.refusal import refusal

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
    ],
)
def test_a_server_is_quoted_without_the_key(
    monkeypatch: pytest.MonkeyPatch, status: int, body: str, said: str
) -> None:
    monkeypatch.setenv("SOME_KEY", KEY)
    told = str(refusal(failed(status, body), "SOME_KEY"))
    assert told.startswith(f"the model refused: {said}")
    assert KEY not in told and len(told) < 350


def test_no_server_is_out_of_reach() -> None:
    told = str(refusal(failed(0, ""), "NOT_SET"))
    assert told == "the model is out of reach: Connection error."
