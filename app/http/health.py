"""The health endpoint."""

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from app import __version__, errors, services
from app.http.error_responses import plain_response


async def health(request: Request) -> Response:
    """200 if questions can be asked, otherwise 503. Authenticated clients also see the status of each component."""
    opened: services.Services = request.state.services
    try:
        caller = await opened.authentication.authenticate(request.headers.get("authorization"))
    except (errors.Unauthenticated, errors.RateLimited) as error:
        return plain_response(request, error)
    except errors.Unavailable:
        caller = None
    parts = await opened.health()
    worst = services.worst(parts)
    body: dict[str, object] = {"status": worst}
    if caller is not None:
        components = {part.name: {"status": part.status, "detail": part.detail} for part in parts}
        body |= {"version": __version__, "components": components}
    return JSONResponse(body, 503 if worst is services.HealthStatus.DOWN else 200)
