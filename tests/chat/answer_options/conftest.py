"""The database whose answer options tests set."""

import asyncio
from pathlib import Path

import httpx
import pytest

from app.settings import Settings
from tests.chat.answer_options.shop import DOCUMENTS
from tests.graphql.client import Client
from tests.serving import serve


def document(number: int) -> str:
    told = f"Goods of kind {number} may be returned within {number + 10} days, as long as they are whole. "
    return f"# Returns {number}\n\n{told * 6}"


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with the project "Shop" and its returns policy."""
    path = tmp_path_factory.mktemp("filled") / "footnote.db"

    async def fill(url: str) -> None:
        async with httpx.AsyncClient(timeout=120) as http:
            client = Client(http, url)
            project = await client.project("Shop")
            for number in range(DOCUMENTS):
                await client.ready(project, f"Returns {number}", document(number))

    with serve(Settings.model_validate({"database_url": f"sqlite:///{path}"})) as url:
        asyncio.run(fill(url))
    return path
