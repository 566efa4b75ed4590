"""Requests forwarded by a proxy: which client they come from, and whether they are allowed.

For everything behind this middleware, the client of a request is the one that a trusted proxy forwards for.
"""

import re
from collections.abc import Mapping
from typing import Any

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from app import errors
from app.addresses import Proxies, is_loopback, normalize_ip
from app.http.error_responses import ErrorResponse

# RFC 7239: `for=192.0.2.60;proto=http, for="[2001:db8::17]:4711"`
_FORWARDED_FOR = re.compile(r'\bfor="?([^";,\s]+)', re.IGNORECASE)
_REFUSED = (
    "This request was forwarded by a proxy from another machine, but this server does not require sign-in. Set "
    "TRUSTED_PROXIES to the proxy's address, or set REQUIRE_SIGN_IN."
)


class ForwardedRequests:
    """Takes client and scheme from trusted proxies. `local_only` refuses requests forwarded from other machines."""

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
                await self._send_refusal(scope, receive, send)
                return
        await self._app(scope, receive, send)

    def _set_client(self, scope: Scope, headers: Headers) -> None:
        peer, port = scope.get("client") or (None, 0)
        scope["client"] = (self._proxies.find_client(peer, headers.getlist("x-forwarded-for")), port) if peer else None
        scheme = headers.get("x-forwarded-proto")
        if scheme in ("http", "https") and self._proxies.trusts(peer):
            scope["scheme"] = scheme if scope["type"] == "http" else scheme.replace("http", "ws")

    async def _send_refusal(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008, "reason": "Sign-in is required behind a proxy."})
            return
        await self._error_response(Request(scope), errors.Forbidden(_REFUSED))(scope, receive, send)


def _forwarded_for(headers: Headers) -> list[str]:
    """All clients that the headers name, whether or not the proxy is trusted."""
    named = [*headers.getlist("x-forwarded-for"), *headers.getlist("x-real-ip")]
    named += _FORWARDED_FOR.findall(",".join(headers.getlist("forwarded")))
    return [normalize_ip(entry) or entry for entry in ",".join(named).split(",") if entry.strip()]


def client_address(scope: Mapping[str, Any]) -> str | None:
    """The peer's address, or the client's if the peer is a trusted proxy."""
    client = scope.get("client")
    return client[0] if client else None
