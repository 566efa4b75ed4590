"""Endpoints for operators and their monitors: health, liveness, readiness and metrics."""

import asyncio
import hmac

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response

from app import __version__, errors, services
from app.http.error_responses import plain_response

_METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8"
# As long as a check of the database takes that hangs.
_CREDENTIAL_SECONDS = 2.0
_REFUSED = "Prometheus has to send the METRICS_TOKEN of this server as a Bearer token."


async def health(request: Request) -> Response:
    """503 if the database or the background work is down, otherwise 200, even while model servers are down.

    Authenticated clients also see the status of each component.
    """
    opened = _services(request)
    try:
        caller, parts = await asyncio.gather(_find_caller(request), opened.health())
    except (errors.Unauthenticated, errors.RateLimited) as error:
        return plain_response(request, error)
    worst = services.worst(parts)
    body: dict[str, object] = {"status": worst}
    if caller is not None:
        components = {part.name: {"status": part.status, "detail": part.detail} for part in parts}
        body |= {"version": __version__, "components": components}
    return JSONResponse(body, _status_code(worst))


async def _find_caller(request: Request) -> services.Caller | None:
    """The caller; None without a credential, or if the database cannot tell in time whose it is.

    Raises Unauthenticated or RateLimited.
    """
    header = request.headers.get("authorization")
    finding = asyncio.create_task(_services(request).authentication.authenticate(header))
    finding.add_done_callback(lambda task: task.cancelled() or task.exception())  # nobody may be waiting any more
    try:
        await asyncio.wait({finding}, timeout=_CREDENTIAL_SECONDS)
        return finding.result() if finding.done() else None
    except errors.Unavailable:
        return None
    finally:
        finding.cancel()


async def livez(_: Request) -> Response:
    """200 as long as the server answers at all; if it does not, it should be restarted."""
    return PlainTextResponse("ok\n")


async def readyz(request: Request) -> Response:
    """200 if requests may be sent here, otherwise 503. A model server that is down makes no difference."""
    worst = services.worst(await _services(request).readiness())
    return PlainTextResponse(f"{worst}\n", _status_code(worst))


async def metrics(request: Request) -> Response:
    """Serve metrics to Prometheus. With METRICS_TOKEN, or if users have to sign in, it has to send that token."""
    opened = _services(request)
    token = opened.settings.metrics_token
    sent = request.headers.get("authorization", "")
    if token is None:
        is_allowed = not opened.settings.signs_in
    else:
        # Headers are read as Latin-1; what clients send is UTF-8.
        is_allowed = hmac.compare_digest(sent.encode("latin-1"), f"Bearer {token.get_secret_value()}".encode())
    if not is_allowed:
        return plain_response(request, errors.Unauthenticated(_REFUSED))
    try:
        rendered = await opened.metrics()
    except errors.Unavailable as error:
        return plain_response(request, error)
    if rendered is None:
        return JSONResponse({"error": "METRICS=false turns this off."}, 404)
    return Response(rendered, media_type=_METRICS_TYPE)


def _services(request: Request) -> services.Services:
    return request.state.services


def _status_code(worst: services.HealthStatus) -> int:
    return 503 if worst is services.HealthStatus.DOWN else 200
