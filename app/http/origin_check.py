"""Check the host and origin of requests, to refuse those that a page of another site makes a browser send.

A page can make the user's browser send requests to any address, including this machine. So the host name must be one of
ours (DNS rebinding points a foreign name here), and the page must be ours or from an origin that the operator allows.
Programs send neither Origin nor Sec-Fetch-Site. The signature of a signed URL proves that its user was given it, so
pages of any site may show what it leads to.
"""

import re
from collections.abc import Callable, Iterable

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from app import errors
from app.addresses import is_loopback
from app.http.error_responses import ErrorResponse

_HOST = re.compile(r"(?P<name>\[[0-9a-f:.]+\]|[^\s:\[\]@/?#]+)(:(?P<port>\d{1,5}))?", re.IGNORECASE)
_DEFAULT_PORTS = {"http": "80", "https": "443"}
_ANY = "*"


class OriginCheck:
    """Refuses requests and sockets with an unknown host name, or from a page of another origin."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        hosts: Iterable[str],
        origins: Iterable[str],
        loopback: bool,
        operations_path: str,
        is_signed: Callable[[Scope], bool],
        error_response: ErrorResponse,
    ) -> None:
        """`hosts` are allowed in addition to loopback names. If empty, all are, except on a `loopback` address.

        At `operations_path`, a query string is an operation. `is_signed` says whether a request is for a signed URL.
        """
        self._app = app
        self._operations_path = operations_path
        self._is_signed = is_signed
        self._error_response = error_response
        self._hosts = frozenset(host.lower().rstrip(".") for host in hosts)
        self._any_host = _ANY in self._hosts or not (self._hosts or loopback)
        self._origins = frozenset(origins)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or refuse it."""
        problem = self._find_problem(scope) if scope["type"] in ("http", "websocket") else None
        if problem is None:
            await self._app(scope, receive, send)
        elif scope["type"] == "http":
            await self._error_response(Request(scope), errors.Forbidden(problem))(scope, receive, send)
        else:
            await send({"type": "websocket.close", "code": 1008, "reason": problem})

    def _find_problem(self, scope: Scope) -> str | None:
        headers = Headers(scope=scope)
        hosts = headers.getlist("host")
        host = _HOST.fullmatch(hosts[0]) if len(hosts) == 1 else None
        if host is None or not self._is_own_host(host["name"]):
            return "This host name is not allowed; ALLOWED_HOSTS lists those that are."
        if self._is_cross_origin(scope, headers, hosts[0]):
            return "The request comes from a page of another origin; CORS_ORIGINS lists the origins allowed."
        return None

    def _is_own_host(self, name: str) -> bool:
        name = name.lower().removesuffix(".")
        if self._any_host or is_loopback(name) or name in self._hosts:
            return True
        return any(host.startswith("*.") and name.endswith(host[1:]) for host in self._hosts)

    def _is_cross_origin(self, scope: Scope, headers: Headers, host: str) -> bool:
        if _ANY in self._origins:
            return False
        site = headers.get("sec-fetch-site", "none")
        origins = headers.getlist("origin")
        if origins:
            # If the browser says that the origin is the same, it is, even if a proxy has changed the Host header.
            address = _name_and_port(origins[0])
            own = site == "same-origin" or (
                address is not None and address == _name_and_port(f"{_scheme_of(origins[0])}://{host}")
            )
            return len(origins) > 1 or not (own or origins[0] in self._origins)
        return site not in ("none", "same-origin") and not (self._is_link(scope, headers) or self._is_signed(scope))

    def _is_link(self, scope: Scope, headers: Headers) -> bool:
        """Whether a link is followed. Other sites may link to all pages, but not to the result of an operation."""
        return (
            scope.get("method") == "GET"
            and headers.get("sec-fetch-mode") == "navigate"
            and headers.get("sec-fetch-dest") == "document"
            and not (scope["path"] == self._operations_path and scope["query_string"])
        )


def _scheme_of(origin: str) -> str:
    return origin.partition("://")[0]


def _name_and_port(origin: str) -> tuple[str, str] | None:
    """Host name and port. The scheme only determines the default port, because TLS may end at a proxy."""
    scheme, _, host = origin.lower().partition("://")
    found = _HOST.fullmatch(host)
    if found is None or scheme not in _DEFAULT_PORTS:
        return None
    return found["name"].removesuffix("."), found["port"] or _DEFAULT_PORTS[scheme]
