"""A server that requires sign-in, with a user who has a token."""

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import httpx

from app.database import models, opening
from app.database.protocol import Database
from app.notifier.machine import MachineNotifier
from app.services.accounts import Accounts, open_accounts
from app.settings import Settings
from tests.graphql.client import Client
from tests.serving import serve


@asynccontextmanager
async def accounts(settings: Settings) -> AsyncGenerator[tuple[Database, Accounts]]:
    """The account services on a server's database, as another process of the operator has them."""
    database = opening.open_database(settings.database_url or "")
    try:
        with MachineNotifier.opened(Path(database.name)) as notifier:
            async with open_accounts(settings, database, notifier) as opened:
                yield database, opened
    finally:
        await database.close()


class SignedInServer:
    """A server that requires sign-in, and one of its users."""

    def __init__(self, url: str, user: models.User, token: str, accounts: Accounts) -> None:
        self.url, self.user, self.token, self.accounts = url, user, token, accounts
        self.headers = {"authorization": f"Bearer {token}"}
        self.http = httpx.AsyncClient(timeout=120, headers=self.headers)
        self.client = Client(self.http, url)


StartSignedIn = Callable[..., Awaitable[SignedInServer]]


@asynccontextmanager
async def signed_in(settings: Settings) -> AsyncGenerator[SignedInServer]:
    """Run the server for the duration of the block."""
    with serve(settings) as url:
        async with accounts(settings) as (_, opened):
            user = await opened.users.create("kim@example.org", "Kim", "correct horse battery")
            token, _ = await opened.access_tokens.create(user.id, "test")
            made = SignedInServer(url, user, token, opened)
            try:
                yield made
            finally:
                await made.http.aclose()
