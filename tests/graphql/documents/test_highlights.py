"""Highlights are the words that a search finds; they cost time in proportion to their text, and only when selected."""

import sys
import unicodedata
from pathlib import Path
from types import FrameType

import pytest

from app.graphql import ids
from app.graphql.api_config import GraphQLConfig
from app.graphql.context import Context
from app.graphql.schema import build_schema
from app.knowledge.search import highlights as module
from app.knowledge.search.highlights import Highlighter
from app.services import Services, open_backend, require_caller
from app.settings import Settings
from tests import documents
from tests.answers import Start

TEXT = "The larks of the northern moors sang and were singing at dawn. " * 20


class Calls:
    """Count calls to a module's functions."""

    def __init__(self) -> None:
        self.count = 0

    def __enter__(self) -> "Calls":
        sys.setprofile(self._note)
        return self

    def __exit__(self, *_: object) -> None:
        sys.setprofile(None)

    def _note(self, frame: FrameType, event: str, _: object) -> None:
        self.count += event == "call" and frame.f_code.co_filename == module.__file__


def test_a_text_costs_the_same_whatever_the_query() -> None:
    """Trying 1,800 terms one by one on each word once blocked the event loop for 26 s."""
    counts: list[int] = []
    for terms in (1, 1800):
        highlighter = Highlighter(" ".join(["singing", *(f"term{number}" for number in range(terms - 1))]))
        assert [TEXT[start:end] for start, end in highlighter.find_spans(TEXT)] == ["singing"] * 20
        with Calls() as calls:
            highlighter.find_spans(TEXT)
        counts.append(calls.count)
    assert counts[0] == counts[1] > 0


async def test_nothing_is_highlighted_unless_requested(tmp_path: Path) -> None:
    settings = Settings.model_validate({"database_url": f"sqlite:///{tmp_path}/footnote.db"})
    async with open_backend(settings, "serve") as backend:
        services = Services(backend)
        caller = require_caller(await services.authentication.authenticate(None))
        project = await services.as_user(caller.user).projects.create_project("Birds", None, local_providers_only=False)
        document = await documents.add(backend, project.id, TEXT)
        await documents.processed(backend, document.id)
        schema, counts = build_schema(GraphQLConfig(max_upload_bytes=0)), list[int]()
        for selected in ("rank", "highlights { startOffset }"):
            query = f"""query($input: SearchInput!) {{ search(input: $input) {{ edges {{ {selected} }} }} }}"""
            wanted = {"projectId": ids.encode("Project", project.id), "query": "singing larks"}
            with Calls() as calls:
                result = await schema.execute(query, {"input": wanted}, Context(services, caller))
            assert result.errors is None
            assert len((result.data or {})["search"]["edges"]) == 1
            counts.append(calls.count)
    # Without: only the query is kept.
    assert counts[0] == 1 < counts[1]


SEARCH = """query($input: SearchInput!) { search(input: $input) {
  edges { highlights { startOffset endOffset } node { text } } } }"""


@pytest.mark.parametrize(
    ("text", "query", "expected"),
    [
        ("The café serves crème brûlée.", "cafe creme", ["café", "crème"]),
        ("The cafe is open.", "café", ["cafe"]),
        ("İstanbul has ﬁve airports.", "istanbul five", ["İstanbul", "ﬁve"]),
        ("Call read_user_name() twice.", "user name", ["user", "name"]),
        ("🎉 GPT模型很大。\r\n\t🎉 模型", "GPT模型", ["GPT模型", "模型"]),
        ("서울에서는 한국어를 쓴다.", unicodedata.normalize("NFD", "한국어"), ["한국어"]),
        ("がんばる人がギターを弾く。", unicodedata.normalize("NFD", "ギター"), ["ギター"]),
    ],
)
async def test_what_is_found_is_highlighted_however_it_is_written(
    start: Start, text: str, query: str, expected: list[str]
) -> None:
    client = start()
    project = await client.project("Written")
    await client.ready(project, "Untitled", text)
    wanted = {"projectId": project, "query": query, "mode": "LEXICAL"}
    [edge] = (await client.run(SEARCH, input=wanted))["search"]["edges"]
    shown = edge["node"]["text"]
    assert [shown[span["startOffset"] : span["endOffset"]] for span in edge["highlights"]] == expected
