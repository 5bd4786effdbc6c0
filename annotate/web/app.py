"""Routes of the labelling page."""

from __future__ import annotations

import math
import uuid
from pathlib import Path
from typing import Any, cast, get_args

from starlette.applications import Starlette
from starlette.background import BackgroundTask
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.templating import Jinja2Templates

from grader.errors import UserError
from grader.invisible import displayable
from grader.records import LabelStage

from ..labels import LabelConflict
from ..labels.database import DatabaseUnavailable
from ..labels.own_labels import FILTERS
from ..session import LONGEST_NOTE, Session
from ..verdict_keys import VERDICT_KEYS, verdict_keys
from .fields import (
    chosen_filter,
    filter_query,
    item_address,
    nonce,
    one_of,
    seconds,
    wants_json,
    whole_number,
)
from .security import Guard, Keys, forged

HERE = Path(__file__).parent


def make_app(session: Session, keys: Keys, *, store_name: str = "") -> Starlette:
    """The web application of one session. `store_name` tells one label database from another,
    so that labels kept in the browser are never sent to the wrong one."""
    pages = Pages(session, keys, store_name)
    return Starlette(
        routes=[
            Route("/", pages.entrance),
            Route("/item/{number:int}", pages.item),
            Route("/item/{number:int}/transcript", pages.transcript),
            Route("/item/{number:int}/raw/{step:int}", pages.raw),
            Route("/done", pages.done),
            Route("/go", pages.go),
            Route("/label", pages.label, methods=["POST"]),
            Route("/undo", pages.undo, methods=["POST"]),
            Mount("/static", StaticFiles(directory=HERE / "static")),
        ],
        middleware=[Middleware(Guard, keys=keys)],
        exception_handlers={UserError: cast(Any, pages.problem)},
    )


class Pages:
    """The handlers. Reading files and the database happens in worker threads."""

    def __init__(self, session: Session, keys: Keys, store_name: str) -> None:
        self.session, self.keys, self.store_name = session, keys, store_name
        self.templates = Jinja2Templates(directory=HERE / "templates")
        self.templates.env.trim_blocks = self.templates.env.lstrip_blocks = True

    async def entrance(self, request: Request) -> Response:
        """Exchange the address's token for a cookie, then start at the first open item."""
        given = request.query_params.get("token")
        if given is None:
            return RedirectResponse("/go", status_code=303)
        if not self.keys.is_token(given):
            return PlainTextResponse("wrong or old token\n", status_code=403)
        response = RedirectResponse("/go", status_code=303)
        response.set_cookie(self.keys.cookie, given, httponly=True, samesite="strict")
        return response

    async def item(self, request: Request) -> Response:
        """The snippet stage of one item."""
        position = self._position(request)
        context = await run_in_threadpool(self._item_context, request, position)
        ahead = BackgroundTask(self._read_ahead, position, chosen_filter(request.query_params))
        return self._page(request, "item.html", context, ahead)

    async def transcript(self, request: Request) -> Response:
        """The transcript stage of one item; `?whole=1` shows very long stretches in full."""
        position = self._position(request)
        context = await run_in_threadpool(self._transcript_context, request, position)
        return self._page(request, "transcript.html", context)

    async def raw(self, request: Request) -> Response:
        """One step's output as it was recorded, as plain text."""
        position, step = self._position(request), request.path_params["step"]
        key = self.session.queue[position]
        transcript = await run_in_threadpool(self.session.transcripts.read, key)
        if not 1 <= step <= len(transcript.steps):
            raise UserError("no such step")
        return PlainTextResponse(displayable(transcript.steps[step - 1].raw_output))

    async def done(self, request: Request) -> Response:
        """The page shown if nothing is left under the chosen filter."""
        return self._page(request, "done.html", self._frame(request, None))

    async def go(self, request: Request) -> Response:
        """Move: to an item number, to the next question that holds a text, to the neighbour in the
        queue, or on by filter. Only the last uses the filter; the others keep it chosen."""
        number, text = request.query_params.get("number"), request.query_params.get("find")
        after = whole_number(request.query_params.get("after"), 0) - 1
        choose = chosen_filter(request.query_params)
        place: int | None
        if number:
            place = self.session.numbered(number)
        elif text:
            place = await run_in_threadpool(self.session.find, text, after)
        elif request.query_params.get("back"):
            place = self.session.preceding(max(after, 0), "all")
            place = max(after, 0) if place is None else place
        elif request.query_params.get("next"):
            place = self.session.following(after, "all")
        else:
            place = await run_in_threadpool(self.session.advance, after, choose)
        return RedirectResponse(self._address(place, choose), status_code=303)

    async def label(self, request: Request) -> Response:
        """Store one label, then answer with the address of the next item."""
        form = await request.form()
        if forged(request, form.get("csrf"), self.keys):
            return PlainTextResponse("not sent by this page\n", status_code=403)
        position = await run_in_threadpool(self.session.position, str(form.get("key")))
        stage: LabelStage = one_of(form, "stage", get_args(LabelStage))
        stored = await run_in_threadpool(
            self.session.label,
            position,
            stage,
            one_of(form, "verdict", verdict_keys(stage)),
            note=str(form.get("note") or ""),
            seconds=seconds(form.get("seconds")),
            nonce=nonce(form),
            expected_revision=whole_number(form.get("revision"), 0),
            unblinded=bool(form.get("unblinded", self.session.unblinded)),
        )
        choose = chosen_filter(form)
        if stored.verdict == "needs_transcript":
            return self._answer(request, item_address(position, "transcript", choose))
        place = await run_in_threadpool(self.session.advance, position, choose)
        return self._answer(request, self._address(place, choose))

    async def undo(self, request: Request) -> Response:
        """Take back the last label and return to where it was given."""
        form = await request.form()
        if forged(request, form.get("csrf"), self.keys):
            return PlainTextResponse("not sent by this page\n", status_code=403)
        place, stage = await run_in_threadpool(self.session.undo, nonce(form))
        return self._answer(request, item_address(place, stage, chosen_filter(form)))

    async def problem(self, request: Request, error: UserError) -> Response:
        """The error's message: as JSON for the page's script, otherwise as a page."""
        status = 404
        if isinstance(error, DatabaseUnavailable):
            status = 503
        elif isinstance(error, LabelConflict):
            status = 409
        message = displayable(str(error))
        if wants_json(request):
            return JSONResponse({"error": message}, status_code=status)
        context = {"message": message}
        return self.templates.TemplateResponse(request, "problem.html", context, status)

    # -- what the templates need -----------------------------------------------------------

    def _frame(self, request: Request, position: int | None) -> dict[str, Any]:
        progress = self.session.progress()
        left = progress.minutes_left
        return {
            "annotator": displayable(self.session.annotator),
            "progress": progress,
            "minutes_left": None if left is None else math.ceil(left),
            "position": position,
            "choose": chosen_filter(request.query_params),
            "filters": list(FILTERS),
            "query": filter_query(chosen_filter(request.query_params)),
            "csrf": self.keys.csrf,
            "nonce": uuid.uuid4().hex,
            "longest_note": LONGEST_NOTE,
            "store_name": self.store_name,
            "revealed": None if position is None else self.session.reveal(position),
            "unblinded": self.session.unblinded,
        }

    def _item_context(self, request: Request, position: int) -> dict[str, Any]:
        self.session.open(position)
        final = self.session.final_verdict(position)
        return {
            **self._frame(request, position),
            "item": self.session.item(position),
            "own_label": self.session.own_label(position, "snippet"),
            "final": None if final is None else VERDICT_KEYS[final].name,
            "stage": "snippet",
            "verdicts": verdict_keys("snippet"),
        }

    def _transcript_context(self, request: Request, position: int) -> dict[str, Any]:
        self.session.open(position)
        whole = request.query_params.get("whole") == "1"
        return {
            **self._frame(request, position),
            "whole_query": filter_query(chosen_filter(request.query_params), whole="1"),
            "item": self.session.transcript(position, whole=whole),
            "own_label": self.session.own_label(position, "transcript"),
            "stage": "transcript",
            "verdicts": verdict_keys("transcript"),
        }

    def _page(
        self,
        request: Request,
        name: str,
        context: dict[str, Any],
        background: BackgroundTask | None = None,
    ) -> Response:
        return self.templates.TemplateResponse(request, name, context, background=background)

    def _position(self, request: Request) -> int:
        number = int(request.path_params["number"])
        if not 1 <= number <= len(self.session.queue):
            raise UserError(f"no item {number}: the queue has {len(self.session.queue)}")
        return number - 1

    def _address(self, place: int | None, choose: str) -> str:
        if place is None:
            return f"/done{filter_query(choose)}"
        return item_address(place, self.session.stage_of(place), choose)

    def _answer(self, request: Request, address: str) -> Response:
        if wants_json(request):
            return JSONResponse({"next": address})
        return RedirectResponse(address, status_code=303)

    def _read_ahead(self, position: int, choose: str) -> None:
        """Prepare the next item's snippets before its page is requested."""
        place = self.session.following(position, choose)
        if place is not None:
            self.session.item(place)
