"""Fixtures: the page in a browser, servers with the Handbook, and servers whose model says what it is told to."""

from collections.abc import AsyncGenerator, Callable, Generator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page

from app.settings import Settings
from tests.browser import running_chromium, visiting
from tests.clients import conftest as clients
from tests.clients.conftest import Prompted
from tests.servers.running import running
from tests.serving import serve

Json = Any
Visiting = Callable[..., AbstractAsyncContextManager[Page]]

browser = clients.browser
node = clients.node
operator = clients.operator


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests that share a browser share the event loop in which its driver runs."""
    for item in items:
        if pytest_asyncio.is_async_test(item) and item.path.is_relative_to(Path(__file__).parent):
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def chromium(browser: str) -> AsyncGenerator[Browser]:
    """A running browser, in which each test has a context of its own: what a start takes is as much as a short test."""
    async with running_chromium(browser) as started:
        yield started


@pytest_asyncio.fixture(loop_scope="session")
async def page(chromium: Browser) -> AsyncGenerator[Page]:
    """An empty page. Whatever goes wrong in it fails the test, and so does a request to a second place."""
    async with visiting(chromium) as opened:
        yield opened


@pytest.fixture(scope="module")
def handbook(tmp_path_factory: pytest.TempPathFactory) -> Generator[str]:
    """The address of a server as it first starts: with the Handbook, and the embedded model."""
    database = tmp_path_factory.mktemp("page") / "footnote.db"
    with serve(Settings.model_validate({"database_url": f"sqlite:///{database}", "sample_project": True})) as url:
        yield url


@pytest.fixture
def visit(chromium: Browser, handbook: str) -> Visiting:
    """Visit the server with the Handbook, with options of Playwright's contexts: `async with visit() as page: …`"""

    @asynccontextmanager
    async def visit(**options: Json) -> AsyncGenerator[Page]:
        async with visiting(chromium, **options) as page:
            await page.goto(handbook)
            yield page

    return visit


@dataclass(frozen=True)
class Place:
    """A server, and the model behind it, which says its next words when it is told to."""

    url: str
    model: Prompted

    async def say_more(self, times: int = 1) -> None:
        """Let the model say its next words."""
        async with httpx.AsyncClient() as client:
            for _ in range(times):
                (await client.post(f"{self.model.root}/more")).raise_for_status()

    async def run(self, query: str, **variables: Json) -> Json:
        """The data of an operation."""
        async with httpx.AsyncClient() as client:
            response = await client.post(f"{self.url}/graphql", json={"query": query, "variables": variables})
        result = response.raise_for_status().json()
        assert "errors" not in result, result["errors"]
        return result["data"]

    async def create_project(self, name: str, documents: Mapping[str, str]) -> str:
        """The id of a new project with these texts, by title; they may still be read."""
        created = (await self.run(_CREATE, name=name))["createProject"]["project"]["id"]
        texts = [{"title": title, "text": text} for title, text in documents.items()]
        added = (await self.run(_ADD, project=created, documents=texts))["addTextDocuments"]["results"]
        assert [result["__typename"] for result in added] == ["AddTextDocumentPayload"] * len(texts)
        return created


_CREATE = """mutation($name: String!) {
  createProject(input: { name: $name }) { ... on CreateProjectPayload { project { id } } } }"""
_ADD = """mutation($project: ID!, $documents: [TextDocumentInput!]!) {
  addTextDocuments(input: { projectId: $project, documents: $documents }) {
    ... on AddTextDocumentsPayload { results { __typename } } } }"""


@contextmanager
def place_with(folder: Path, says: Sequence[str], **settings: Json) -> Generator[Place]:
    """A server whose model says these pieces."""
    with running(Prompted(list(says))) as model:
        values = {
            "database_url": f"sqlite:///{folder / 'footnote.db'}",
            "openai_base_url": model.url,
            "chat_model": "openai/chat",
            **settings,
        }
        with serve(Settings.model_validate(values)) as url:
            yield Place(url, model)
