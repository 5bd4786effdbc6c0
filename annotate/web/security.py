"""Who may talk to the page: this machine, this session, this page."""

from __future__ import annotations

import hmac
import secrets
from http.cookies import CookieError, SimpleCookie

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ..session import LONGEST_NOTE
from .fields import whole_number

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src 'none'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",  # with no-referrer a form without script has no origin
    "cache-control": "no-store",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
ENDED = (
    "This session's address is needed.\n\n"
    "Open the address that `grader annotate` printed when it was last started; it ends in "
    "?token=... Labels not yet saved are kept in this browser and are sent then, if the port is "
    "the same.\n"
)


LARGEST_POST = 64 * 1024  # room for the longest note, whatever its characters
TOO_LARGE = (
    f"What was sent is larger than {LARGEST_POST // 1024} KiB. A note has at most {LONGEST_NOTE:,} "
    "characters: shorten it.\n"
)


class Keys:
    """The secrets of one server process, and the addresses it answers to."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.token = secrets.token_urlsafe(32)
        self.csrf = secrets.token_urlsafe(32)
        # Cookies are shared between ports, so each port has a name of its own.
        self.cookie = f"grader_session_{port}"
        self.hosts = {f"{name}:{port}" for name in ("127.0.0.1", "localhost", "[::1]")}

    @property
    def unknown_host(self) -> str:
        """The answer under another address."""
        return (
            f"This page answers to 127.0.0.1:{self.port} and localhost:{self.port} only. From "
            "another machine, forward the same port: "
            f"ssh -L {self.port}:127.0.0.1:{self.port} HOST\n"
        )

    @property
    def address(self) -> str:
        """The address to open, token included."""
        return f"http://127.0.0.1:{self.port}/?token={self.token}"

    def is_token(self, given: str | None) -> bool:
        return is_same(given or "", self.token)


def is_same(given: str, secret: str) -> bool:
    """Compare in a time that says nothing of the secret; any text may be given."""
    return hmac.compare_digest(given.encode("utf-8", "surrogatepass"), secret.encode())


class Guard:
    """ASGI middleware: refuses foreign hosts, strangers and large bodies, and sets the security
    headers.

    A foreign Host header means that some other name was made to point at this machine (DNS
    rebinding). Everything but the static files and the entrance needs the session's cookie.
    """

    def __init__(self, app: ASGIApp, keys: Keys) -> None:
        self.app, self.keys = app, keys

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
            await send(message)

        headers = Headers(scope=scope)
        if headers.get("host") not in self.keys.hosts:
            refusal = PlainTextResponse(self.keys.unknown_host, status_code=421)
            await refusal(scope, receive, send_with_headers)
        elif not self._may_enter(scope, headers):
            refusal = PlainTextResponse(ENDED, status_code=403)
            await refusal(scope, receive, send_with_headers)
        elif _is_too_large(headers):
            refusal = PlainTextResponse(TOO_LARGE, status_code=413)
            await refusal(scope, receive, send_with_headers)
        else:
            await self.app(scope, receive, send_with_headers)

    def _may_enter(self, scope: Scope, headers: Headers) -> bool:
        if scope["path"] == "/" or scope["path"].startswith("/static/"):
            return True
        cookie: SimpleCookie = SimpleCookie()
        try:
            cookie.load(headers.get("cookie", ""))
        except CookieError:
            return False
        morsel = cookie.get(self.keys.cookie)
        return self.keys.is_token(morsel.value if morsel else None)


def _is_too_large(headers: Headers) -> bool:
    """Whether a body is too large, or does not say how large it is."""
    length = whole_number(headers.get("content-length", "0"), LARGEST_POST + 1)
    return length > LARGEST_POST or "transfer-encoding" in headers


def forged(request: Request, given: object, keys: Keys) -> bool:
    """True unless a POST carries this session's CSRF token and comes from this page."""
    origin = request.headers.get("origin")
    if origin is not None and origin.removeprefix("http://") not in keys.hosts:
        return True
    if request.headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        return True
    return not (isinstance(given, str) and is_same(given, keys.csrf))
