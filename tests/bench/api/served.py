"""Serve one small schema in a process of its own, through Footnote's GraphQL API or Strawberry's view.

`python -m tests.bench.api.served ours|caches|stock` prints its port.
"""

import socket
import sys
import tempfile
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import strawberry
import uvicorn
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route, WebSocketRoute
from strawberry.asgi import GraphQL
from strawberry.extensions import ParserCache, ValidationCache

from app import main, services
from app.cli.server.serve import Server
from app.graphql.api_config import GraphQLConfig
from app.graphql.schema import Schema
from app.graphql.transport.view import GraphQLAPI
from app.settings import Settings


@strawberry.type
class Leaf:
    """A small object."""

    id: int
    name: str


@strawberry.type
class Branch:
    """A list of small objects."""

    id: int
    leaves: list[Leaf]


@strawberry.type
class Query:
    """A trivial field and a nested one."""

    @strawberry.field
    def version(self) -> str:
        """One word."""
        return "1"

    @strawberry.field
    def branches(self) -> list[Branch]:
        """Five lists of five."""
        return [Branch(id=i, leaves=[Leaf(id=j, name=f"leaf {j}") for j in range(5)]) for i in range(5)]


@strawberry.type
class Subscription:
    """As many messages as asked for."""

    @strawberry.subscription
    async def ticks(self, count: int) -> AsyncGenerator[int]:
        """1, 2, 3 …"""
        for number in range(1, count + 1):
            yield number


def _ours() -> GraphQLAPI:
    config = GraphQLConfig(max_upload_bytes=1000)
    return GraphQLAPI(config, Schema(query=Query, subscription=Subscription).with_config(config))


def _bare(*, caches: bool) -> GraphQL[None, None]:
    extensions = [lambda: ParserCache(), lambda: ValidationCache()] if caches else []
    return GraphQL(strawberry.Schema(query=Query, subscription=Subscription, extensions=extensions))


async def _cpu(_: Request) -> PlainTextResponse:
    return PlainTextResponse(str(time.process_time()))


def _lifespan(settings: Settings) -> Callable[[object], AbstractAsyncContextManager[main.State]]:
    @asynccontextmanager
    async def lifespan(_: object) -> AsyncGenerator[main.State]:
        async with services.open_services(settings, "ask") as opened:
            yield {"services": opened}

    return lifespan


def serve(kind: str) -> None:
    """Until killed."""
    settings = Settings.model_validate({"database_url": f"sqlite:///{tempfile.mkdtemp()}/bench.db"})
    api = _ours() if kind == "ours" else _bare(caches=kind == "caches")
    routes = [Route("/graphql", api, methods=None), WebSocketRoute("/graphql", api), Route("/cpu", _cpu)]
    app = main.Application(api, routes=routes, lifespan=_lifespan(settings))  # pyright: ignore[reportArgumentType]
    listening = socket.create_server(("127.0.0.1", 0))
    print(listening.getsockname()[1], flush=True)
    server = Server(settings, app)
    if kind != "ours":
        server = uvicorn.Server(uvicorn.Config(app, log_level="critical", ws="websockets-sansio"))
    server.run(sockets=[listening])


if __name__ == "__main__":
    serve(sys.argv[1])
