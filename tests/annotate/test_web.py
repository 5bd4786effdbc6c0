"""The labelling page over HTTP: labels, moving about, blindness, errors."""

import html
import re
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from annotate.cases import cases_of
from annotate.cli import revealed
from annotate.labels import LabelStore
from annotate.labels.claims import claim
from annotate.session import Session
from annotate.web.app import make_app
from annotate.web.security import Keys
from annotate.web.server import listen
from grader.errors import UserError
from grader.run import RunDirectory
from grader.run.transcript_index import TranscriptIndex

from .http_page import BASE, PORT, Page
from .runs import make_run, transcript


def test_labelling_without_script_redirects_to_the_next_item(page: Page) -> None:
    data = {**page.fields("/item/1"), "verdict": "match", "note": "seen <b>"}
    answer = page.client.post("/label", data=data)
    assert str(answer.url) == f"{BASE}/item/2"
    (stored,) = page.session.store.history()
    assert (stored.verdict, stored.reason, stored.seconds) == ("match", "seen <b>", None)
    assert "seen &lt;b&gt;" in page.client.get("/item/1").text


def test_the_lines_of_an_imported_note_stay_apart_in_its_field(page: Page) -> None:
    """A browser takes line ends out of a field's value, and would glue the words together."""
    page.session.label(0, "snippet", "match", note="first line\r\nsecond\nthird")
    assert 'value="first line second third"' in page.client.get("/item/1").text


def test_needs_transcript_leads_there_and_the_last_to_done(page: Page) -> None:
    data = {**page.fields("/item/1"), "verdict": "needs_transcript"}
    assert str(page.client.post("/label", data=data).url) == f"{BASE}/item/1/transcript"
    for number in range(2, 13):
        assert page.label(f"/item/{number}", "match") == 200
    data = {**page.fields("/item/1/transcript"), "verdict": "match"}
    answer = page.client.post("/label", data=data)
    assert str(answer.url) == f"{BASE}/done"
    assert "All 12 labelled" in answer.text
    assert "<title>12 of 12 labelled · label</title>" in answer.text
    assert "min left" not in answer.text


def test_sending_a_form_twice_is_one_label(page: Page) -> None:
    data = {**page.fields("/item/1"), "verdict": "match"}
    for _ in range(3):
        assert page.client.post("/label", data=data).status_code == 200
    assert len(page.session.store.history()) == 1


def test_sending_an_undo_twice_takes_back_one_label(page: Page) -> None:
    for number in (1, 2):
        assert page.label(f"/item/{number}", "match") == 200
    undo = page.fields("/item/3", "undo")
    for _ in range(2):
        assert str(page.client.post("/undo", data=undo).url) == f"{BASE}/item/2"
    assert len(page.session.store.current()) == 1
    page.client.post("/undo", data=page.fields("/item/2", "undo"))
    assert page.session.store.current() == []


@pytest.mark.parametrize("character", ["x", "\N{GRINNING FACE}"])
def test_a_note_too_long_is_refused_with_the_limit(page: Page, character: str) -> None:
    data = {**page.fields("/item/1"), "verdict": "match"}
    for count, problem in ((5001, "has 5,001"), (200_000, "larger than 64 KiB")):
        text = page.client.post("/label", data={**data, "note": character * count}).text
        assert problem in text and "at most 5,000 characters" in text
    assert page.session.store.history() == []
    page.client.post("/label", data={**data, "note": character * 5000})
    assert [len(label.reason) for label in page.session.store.history()] == [5000]


def test_a_form_without_a_name_for_its_act_is_one_of_its_own(page: Page) -> None:
    for address in ("/item/1", "/item/2"):
        data = {**page.fields(address), "verdict": "match"}
        del data["nonce"]
        assert page.client.post("/label", data=data).status_code == 200
    assert len(page.session.store.history()) == 2


def test_two_tabs_conflict_clearly(page: Page) -> None:
    first, second = page.fields("/item/1"), page.fields("/item/1")
    page.client.post("/label", data={**first, "verdict": "match"})
    answer = page.client.post(
        "/label", data={**second, "verdict": "non_match"}, headers={"accept": "application/json"}
    )
    assert answer.status_code == 409
    assert "elsewhere" in answer.json()["error"]


def test_a_database_that_is_gone_is_said_so(page: Page, run: RunDirectory) -> None:
    fields = page.fields("/item/1")
    run.labels_path.unlink()
    answer = page.client.post(
        "/label", data={**fields, "verdict": "match"}, headers={"accept": "application/json"}
    )
    assert answer.status_code == 503
    assert "Nothing was stored" in answer.json()["error"]
    assert "Nothing was stored" in page.client.get("/item/1").text


@pytest.mark.parametrize(
    "changes",
    [
        {"verdict": "correct"},
        {"stage": "final"},
        {"stage": "transcript", "verdict": "needs_transcript"},
        {"key": "nope"},
        {"seconds": "nan"},
    ],
)
def test_odd_fields(page: Page, changes: dict[str, str]) -> None:
    data = {**page.fields("/item/1"), "verdict": "match", **changes}
    answer = page.client.post("/label", data=data)
    if "seconds" in changes:
        assert page.session.store.history()[0].seconds is None
    else:
        assert answer.status_code == 404
        assert page.session.store.history() == []


def test_moving(page: Page) -> None:
    get = page.client.get
    assert str(get("/go?number=7").url) == f"{BASE}/item/7"
    for number in ("9999", "0", "x", "²"):
        assert "numbered 1 to 12" in get(f"/go?number={number}").text
    assert str(get("/go?find=item 9").url) == f"{BASE}/item/10"
    assert str(get("/go?choose=all&after=5").url) == f"{BASE}/item/6?choose=all"
    assert str(get("/go?back=1&after=5").url) == f"{BASE}/item/4"
    page.session.label(5, "snippet", "match")
    assert str(get("/go?next=1&after=5").url) == f"{BASE}/item/6"
    assert str(get("/go?next=1&after=12&choose=labelled").url) == f"{BASE}/item/1?choose=labelled"
    assert "no question contains" in get("/go?find=zebra").text
    assert get("/item/0").status_code == 404
    assert get("/item/13").status_code == 404
    assert get("/item/1/raw/2").status_code == 404


def test_the_snippets_say_that_a_label_of_the_transcript_counts(page: Page) -> None:
    page.label("/item/1/transcript", "non_match")
    assert "is the one that counts: non-match" in page.client.get("/item/1").text
    assert "the one that counts" not in page.client.get("/item/1/transcript").text


def test_everything_is_shown_with_the_filter_that_was_chosen(tmp_path: Path) -> None:
    output = "a b " * 10_000 + "The proportion is **0.25**."
    run = make_run(tmp_path / "run", [transcript(0, output)])
    archive = TranscriptIndex(run.transcripts_path)
    session = Session(archive, LabelStore.open(run.labels_path), "ada", list(archive))
    keys = Keys(PORT)
    with TestClient(make_app(session, keys), base_url=BASE) as client:
        client.get(f"/?token={keys.token}")
        for query, expected in (
            ("?choose=labelled", "?choose=labelled&amp;whole=1"),
            ("", "?whole=1"),
        ):
            text = client.get(f"/item/1/transcript{query}").text
            assert re.findall(r'href="([^"]*)">Show everything', text) == [expected]
            shown = client.get(f"/item/1/transcript{html.unescape(expected)}").text
            assert "Show everything" not in shown
            assert ('data-choose="labelled"' in shown) == bool(query)


def test_the_end_of_split_work(session: Session) -> None:
    bob = Session(session.transcripts, session.store, "bob", session.queue[:3], split=True)
    session.label(0, "snippet", "match")
    keys = Keys(PORT)
    with TestClient(make_app(bob, keys), base_url=BASE) as client:
        page = Page(client, keys, bob)
        first = client.get(f"/?token={keys.token}")
        assert str(first.url) == f"{BASE}/item/2"
        assert "0 labelled, 1 by others" in first.text
        assert claim(session.store, session.queue[2], "ada")
        page.label("/item/2", "match")
        assert "Others are working on the rest" in client.get("/go").text
        session.label(2, "snippet", "match")
        assert "All 3 labelled" in client.get("/go").text


@pytest.mark.parametrize("address", ["/item/2", "/item/2/transcript"])
def test_a_page_that_is_opened_is_not_handed_to_another(session: Session, address: str) -> None:
    bob, cy = (
        Session(session.transcripts, session.store, name, session.queue[:3], split=True)
        for name in ("bob", "cy")
    )
    keys = Keys(PORT)
    with TestClient(make_app(bob, keys), base_url=BASE) as client:
        client.get(f"/?token={keys.token}")
        client.get(address)
    assert cy.advance(-1) == 2


@pytest.mark.parametrize("address", ["/item/3", "/item/3/transcript"])
def test_undo_returns_to_where_the_label_was_given(page: Page, address: str) -> None:
    page.label(address, "match")
    answer = page.client.post("/undo", data={"csrf": page.keys.csrf})
    assert str(answer.url) == BASE + address
    assert page.session.store.current() == []
    assert "no label of yours" in page.client.post("/undo", data={"csrf": page.keys.csrf}).text


def test_blind_in_every_response(page: Page) -> None:
    ada = page.session
    bob = Session(ada.transcripts, ada.store, "bob-the-other", ada.queue)
    bob.label(0, "snippet", "non_match", note="bobs note")
    secrets = ("agent-x9", "secret-nudge-text", "incorrect", "strict_", "cascade", "bob", "bobs",
               "categorical", "task00", ">t00", "grade:", "nudge")  # fmt: skip
    addresses = ["/done", "/go", "/static/annotate.js"]
    for number in range(1, 13):
        addresses += [f"/item/{number}{end}" for end in ("", "/transcript", "/raw/1")]
    for address in addresses:
        answer = page.client.get(address)
        whole = answer.text + str(answer.headers)
        for secret in secrets:
            assert secret not in whole, (address, secret)
    assert page.label("/item/1", "match") == 200


def test_unblinded_shows_and_records(run: RunDirectory, store: LabelStore) -> None:
    archive = TranscriptIndex(run.transcripts_path)
    shown = revealed(cases_of(run))
    session = Session(archive, store, "ada", list(archive), revealed=shown)
    keys = Keys(PORT)
    with TestClient(make_app(session, keys), base_url=BASE) as client:
        page = Page(client, keys, session)
        text = client.get(f"/?token={keys.token}").text
        assert "agent-x9" in text
        assert "cascade: incorrect" in text
        page.label("/item/1", "match")
    assert store.history()[0].unblinded


def test_a_taken_port_is_a_clear_error() -> None:
    first = listen(0)
    with pytest.raises(UserError, match=r"Another session may be running.*--port"):
        listen(first.getsockname()[1])
    first.close()


@pytest.mark.parametrize("port", [-1, 65536, 99999])
def test_a_number_that_is_no_port_is_said_so(port: int) -> None:
    with pytest.raises(UserError, match="between 0 and 65535") as caught:
        listen(port)
    assert "running" not in str(caught.value)
