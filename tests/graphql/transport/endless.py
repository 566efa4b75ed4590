"""A server for a small schema whose streams never end, which the product's own schema cannot do on demand."""

import asyncio
import threading
from collections.abc import AsyncGenerator, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count

import strawberry
from starlette.routing import Route, WebSocketRoute
from strawberry.types.unset import UNSET, UnsetType

from app import main
from app.graphql.api_config import GraphQLConfig
from app.graphql.context import Context
from app.graphql.schema import Schema
from app.graphql.transport.view import GraphQLAPI
from app.settings import Settings
from tests.serving import serving


@dataclass
class Watched:
    """Signals from the generators: one has started, one has ended."""

    began: threading.Event = field(default_factory=threading.Event)
    ended: threading.Event = field(default_factory=threading.Event)


@strawberry.type
class Thing:
    """The payload of an event."""

    number: int


def endless_schema(watched: Watched, config: GraphQLConfig) -> Schema:
    """A schema whose streams never end."""

    @strawberry.type
    class Query:
        @strawberry.field
        def fine(self) -> str:
            return "fine"

    @strawberry.type
    class Subscription:
        @strawberry.subscription
        async def busy(self) -> AsyncGenerator[int]:
            """Always has the next event ready."""
            watched.began.set()
            number = 0
            try:
                while True:
                    number += 1
                    yield number
            finally:
                watched.ended.set()

        @strawberry.subscription
        async def idle(self) -> AsyncGenerator[int]:
            """One event, then silence."""
            watched.began.set()
            try:
                yield 1
                await asyncio.Event().wait()
            finally:
                watched.ended.set()

        @strawberry.subscription
        async def large(self, size: int) -> AsyncGenerator[str]:
            """A stream of pieces of this size."""
            watched.began.set()
            try:
                while True:
                    yield "x" * size
            finally:
                watched.ended.set()

        @strawberry.subscription
        async def things(self) -> AsyncGenerator[Thing]:
            """One after the other."""
            for number in count():
                yield Thing(number=number)

        @strawberry.subscription
        async def broken(self) -> AsyncGenerator[int]:
            """One event, then an internal error."""
            yield 1
            raise RuntimeError("the secret is 42")

    return Schema(query=Query, subscription=Subscription).with_config(config)


class _BareAPI(GraphQLAPI):
    """A GraphQL server without services: this schema needs none."""

    async def get_context(self, request: object, response: object) -> Context:
        return _Nothing()  # pyright: ignore[reportReturnType]

    async def on_ws_connect(self, context: object) -> UnsetType:
        return UNSET


@dataclass
class _Nothing:
    caller: None = None
    services: None = None
    connection_params: object = None

    async def recheck_credential(self) -> None:
        """There is none that could end."""


@contextmanager
def endless(watched: Watched, **given: float) -> Generator[str]:
    """The server's address."""
    config = GraphQLConfig(max_upload_bytes=1000, **given)  # pyright: ignore[reportArgumentType]
    api = _BareAPI(config, endless_schema(watched, config))
    app = main.Application(api, routes=[Route("/graphql", api, methods=None), WebSocketRoute("/graphql", api)])
    with serving(Settings.model_validate(given), app) as url:
        yield url
