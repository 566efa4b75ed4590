"""The base URLs of this API, and what is answered where there is nothing."""

from collections.abc import Sequence
from urllib.parse import quote

from starlette.requests import Request
from starlette.routing import BaseRoute, Route
from starlette.types import Receive, Scope, Send

from app.openai_api.refusals import INVALID, Refusal

_PROJECTS = "/projects"
BASE_PATHS = ("/v1", f"{_PROJECTS}/{{project}}/v1")
"""The paths of the base URLs. With the second one, requests that name no project mean that one."""
_OPENAI_PATHS = ("/chat/completions", "/completions", "/responses", "/embeddings", "/models", "/models/{id:path}")
_WRONG_PATHS = (*_OPENAI_PATHS, "/v1", "//v1/{path:path}", _PROJECTS, f"{_PROJECTS}/{{path:path}}")
"""Where clients with a wrong base URL look for this API."""
_MAX_SHOWN = 200


def project_in_url(request: Request) -> str | None:
    """The name or id of the project in the base URL, if there is one."""
    return request.path_params.get("project")


def find_base_url(request: Request) -> str:
    """The base URL for a request, at the address that it was sent to: that of the project in its URL, if there is one.

    If the URL is for a project but does not name it, the base URL has `NAME` in place of it.
    """
    path = request.scope["path"]
    project = project_in_url(request)
    if project is None and f"{path}/".startswith(f"{_PROJECTS}/"):
        project = path.removeprefix(_PROJECTS).strip("/").partition("/")[0] or "NAME"
    base_path = "/v1" if project is None else f"{_PROJECTS}/{quote(project[:_MAX_SHOWN], safe='')}/v1"
    return f"{str(request.base_url).rstrip('/')}{base_path}"


def unknown_path(request: Request) -> Refusal:
    """The refusal of a request whose path has nothing; it says where this API is."""
    message = (
        f"There is nothing at {request.scope['path'][:_MAX_SHOWN]}; the base URL of this API is "
        f"{find_base_url(request)}, and it has the paths /models, /chat/completions and /responses."
    )
    return Refusal(404, message, INVALID, "unknown_url")


def wrong_base_routes() -> Sequence[BaseRoute]:
    """The routes where clients with a wrong base URL look for this API. The response names the right one."""
    return [Route(path, _WrongBase()) for path in _WRONG_PATHS]


class _WrongBase:
    """An ASGI endpoint for any method. Starlette would allow a plain function only GET."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await unknown_path(Request(scope, receive)).to_response()(scope, receive, send)
