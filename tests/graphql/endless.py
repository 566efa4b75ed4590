"""A door around a small schema whose streams never end: what the product's own cannot be made to do at will."""

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
from app.graphql.context import Context
from app.graphql.options import GraphQLOptions
from app.graphql.schema import Schema
from app.graphql.transport.view import GraphQLAPI
from app.settings import Settings
from tests.serving import serving


@dataclass
class Watched:
    """What the generators tell: that one has begun, and that one has ended."""

    began: threading.Event = field(default_factory=threading.Event)
    ended: threading.Event = field(default_factory=threading.Event)


@strawberry.type
class Thing:
    """What an event is about."""

    number: int


def endless_schema(watched: Watched, options: GraphQLOptions) -> Schema:
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
            """Always has the next one ready."""
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
            """One, and then nothing."""
            watched.began.set()
            try:
                yield 1
                await asyncio.Event().wait()
            finally:
                watched.ended.set()

        @strawberry.subscription
        async def large(self, size: int) -> AsyncGenerator[str]:
            """Pieces of that size, one after the other."""
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
            """One, and then a defect of ours."""
            yield 1
            raise RuntimeError("the secret is 42")

    return Schema(query=Query, subscription=Subscription).prepared(options)


class _Door(GraphQLAPI):
    """Without services: nothing here asks them."""

    async def get_context(self, request: object, response: object) -> Context:
        return _Nothing()  # pyright: ignore[reportReturnType]

    async def on_ws_connect(self, context: object) -> UnsetType:
        return UNSET


@dataclass
class _Nothing:
    asker: None = None
    services: None = None
    connection_params: object = None


@contextmanager
def endless(watched: Watched, **given: float) -> Generator[str]:
    """The server's address."""
    options = GraphQLOptions(max_upload_bytes=1000, **given)  # pyright: ignore[reportArgumentType]
    door = _Door(options, endless_schema(watched, options))
    app = main.Application(door, routes=[Route("/graphql", door, methods=None), WebSocketRoute("/graphql", door)])
    with serving(Settings.model_validate(given), app) as url:
        yield url
