"""Settings in; a server that users have to sign in to, with a user who has a token, out."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import httpx

from app.database import engine, models
from app.services.accounts import Accounts, open_accounts
from app.settings import Settings
from tests.graphql.client import Client
from tests.serving import serve


@asynccontextmanager
async def accounts(settings: Settings) -> AsyncGenerator[tuple[engine.Database, Accounts]]:
    """The room of accounts over a server's database, as another process of its operator has it."""
    database = engine.open_database(settings.database_url or "")
    try:
        async with open_accounts(settings, database) as opened:
            yield database, opened
    finally:
        await database.close()


class Signed:
    """A server one has to sign in to, and a user of it."""

    def __init__(self, url: str, user: models.User, token: str, accounts: Accounts) -> None:
        self.url, self.user, self.token, self.accounts = url, user, token, accounts
        self.headers = {"authorization": f"Bearer {token}"}
        self.http = httpx.AsyncClient(timeout=120, headers=self.headers)
        self.client = Client(self.http, url)


@asynccontextmanager
async def signed_in(settings: Settings) -> AsyncGenerator[Signed]:
    """The server, for as long as the block lasts."""
    with serve(settings) as url:
        async with accounts(settings) as (_, opened):
            user = await opened.users.create("kim@example.org", "Kim", "correct horse battery")
            token, _ = await opened.access_tokens.create(user.id, "test")
            made = Signed(url, user, token, opened)
            try:
                yield made
            finally:
                await made.http.aclose()
