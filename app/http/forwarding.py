"""Requests that a proxy forwards: whom they come from, and whether they may.

The client of a request becomes whom a trusted proxy forwards for, for everything behind this middleware.
"""

import re

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from app import errors
from app.addresses import Proxies, is_loopback, plain
from app.http.error_responses import ErrorResponse

# RFC 7239: `for=192.0.2.60;proto=http, for="[2001:db8::17]:4711"`
_FORWARDED_FOR = re.compile(r'\bfor="?([^";,\s]+)', re.IGNORECASE)
_REFUSED = (
    "This request came through a proxy from another machine, and nobody has to sign in here. Name the proxy in "
    "TRUSTED_PROXIES, or set REQUIRE_SIGN_IN."
)


class ForwardedRequests:
    """Believes trusted proxies about client and scheme. `local_only`: refuses what comes from other machines."""

    def __init__(self, app: ASGIApp, *, proxies: Proxies, local_only: bool, error_response: ErrorResponse) -> None:
        self._app = app
        self._proxies = proxies
        self._local_only = local_only
        self._error_response = error_response

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or refuse it."""
        if scope["type"] in ("http", "websocket"):
            headers = Headers(scope=scope)
            self._set_client(scope, headers)
            if self._local_only and not all(map(is_loopback, _forwarded_for(headers))):
                await self._refuse(scope, receive, send)
                return
        await self._app(scope, receive, send)

    def _set_client(self, scope: Scope, headers: Headers) -> None:
        peer, port = scope.get("client") or (None, 0)
        scope["client"] = (self._proxies.client(peer, headers.getlist("x-forwarded-for")), port) if peer else None
        scheme = headers.get("x-forwarded-proto")
        if scheme in ("http", "https") and self._proxies.trusts(peer):
            scope["scheme"] = scheme if scope["type"] == "http" else scheme.replace("http", "ws")

    async def _refuse(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008, "reason": "Sign-in is required behind a proxy."})
            return
        await self._error_response(Request(scope), errors.Forbidden(_REFUSED))(scope, receive, send)


def _forwarded_for(headers: Headers) -> list[str]:
    """Everyone a proxy says it forwards for, believed or not."""
    named = [*headers.getlist("x-forwarded-for"), *headers.getlist("x-real-ip")]
    named += _FORWARDED_FOR.findall(",".join(headers.getlist("forwarded")))
    return [plain(entry) or entry for entry in ",".join(named).split(",") if entry.strip()]
