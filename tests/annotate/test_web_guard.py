"""The labelling page against strangers: token, hosts, headers, forged and oversized posts."""

from __future__ import annotations

import pytest

from annotate.web.security import HEADERS

from .http_page import BASE, PORT, Page


def test_nothing_without_the_token(stranger: Page) -> None:
    client = stranger.client
    for address in ("/item/1", "/item/1/transcript", "/item/1/raw/1", "/done", "/go", "/"):
        assert client.get(address).status_code == 403
    assert client.post("/label", data={"csrf": stranger.keys.csrf}).status_code == 403
    assert client.get("/?token=wrong").status_code == 403
    assert client.get("/?token=é").status_code == 403
    client.cookies.set(stranger.keys.cookie, "wrong")
    assert client.get("/item/1").status_code == 403


def test_the_token_becomes_a_cookie_and_leaves_the_address(stranger: Page) -> None:
    answer = stranger.client.get(f"/?token={stranger.keys.token}", follow_redirects=False)
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    final = stranger.client.get("/")
    assert final.status_code == 200
    assert str(final.url) == f"{BASE}/item/1"
    assert stranger.keys.token not in final.text


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1", "127.0.0.1:80", ""])
def test_other_hosts_are_refused(page: Page, host: str) -> None:
    answer = page.client.get("/item/1", headers={"host": host})
    assert answer.status_code == 421
    assert f"ssh -L {PORT}:127.0.0.1:{PORT}" in answer.text


def test_security_headers_are_on_every_answer(page: Page) -> None:
    for address in ("/item/1", "/static/annotate.js", "/item/999", "/nowhere", "/item/1/raw/1"):
        answer = page.client.get(address)
        assert {k: answer.headers[k] for k in HEADERS} == HEADERS, address
    refused = page.client.get("/item/1", headers={"host": "evil.example"})
    assert "default-src 'none'" in refused.headers["content-security-policy"]


@pytest.mark.parametrize(
    ("changes", "headers"),
    [
        ({"csrf": ""}, {}),
        ({"csrf": "guessed"}, {}),
        ({}, {"origin": "http://evil.example"}),
        ({}, {"origin": "null"}),
        ({}, {"sec-fetch-site": "cross-site"}),
    ],
)
def test_forged_labels_are_refused(
    page: Page, changes: dict[str, str], headers: dict[str, str]
) -> None:
    data = {**page.fields("/item/1"), "verdict": "match", **changes}
    assert page.client.post("/label", data=data, headers=headers).status_code == 403
    undo = {"csrf": data["csrf"]}
    assert headers == {} or page.client.post("/undo", data=undo, headers=headers).status_code == 403
    assert page.session.store.history() == []


def test_a_large_post_is_refused(page: Page) -> None:
    data = {**page.fields("/item/1"), "verdict": "match", "note": "x" * 200_000}
    answer = page.client.post("/label", data=data)
    assert answer.status_code == 413
    assert {k: answer.headers[k] for k in HEADERS} == HEADERS
    answer = page.client.post("/label", content=iter([b"x" * 200_000]))
    assert answer.status_code == 413
