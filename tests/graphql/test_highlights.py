"""Highlights cost what their text costs, and nothing when nobody asks for them."""

import sys
from pathlib import Path
from types import FrameType

from app.graphql import highlights as module
from app.graphql import ids
from app.graphql.context import Context
from app.graphql.highlights import Highlighter
from app.graphql.options import GraphQLOptions
from app.graphql.schema import build_schema
from app.services import Services, open_backend, require_asker
from app.settings import Settings
from tests import knowledge_room

TEXT = "The larks of the northern moors sang and were singing at dawn. " * 20


class Calls:
    """How often functions of a module are called meanwhile."""

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
    """Found from 1,800 terms in each word of a text by trying one after the other, they took 26 s of the event loop."""
    counts: list[int] = []
    for terms in (1, 1800):
        highlighter = Highlighter(" ".join(["singing", *(f"term{number}" for number in range(terms - 1))]))
        assert [TEXT[start:end] for start, end in highlighter.spans(TEXT)] == ["singing"] * 20
        with Calls() as calls:
            highlighter.spans(TEXT)
        counts.append(calls.count)
    assert counts[0] == counts[1] > 0


async def test_nothing_is_highlighted_when_nobody_asks(tmp_path: Path) -> None:
    settings = Settings.model_validate({"database_url": f"sqlite:///{tmp_path}/footnote.db"})
    async with open_backend(settings, "serve") as backend:
        services = Services(backend)
        asker = require_asker(await services.authentication.authenticate(None))
        project = await services.as_user(asker.user).projects.create("Birds", None, local_providers_only=False)
        document = await knowledge_room.add(backend, project.id, TEXT)
        await knowledge_room.processed(backend, document.id)
        schema, counts = build_schema(GraphQLOptions(max_upload_bytes=0)), list[int]()
        for selected in ("rank", "highlights { startOffset }"):
            query = f"""query($input: SearchInput!) {{ search(input: $input) {{ edges {{ {selected} }} }} }}"""
            wanted = {"projectId": ids.encode("Project", project.id), "query": "singing larks"}
            with Calls() as calls:
                result = await schema.execute(query, {"input": wanted}, Context(services, asker))
            assert result.errors is None
            assert len((result.data or {})["search"]["edges"]) == 1
            counts.append(calls.count)
    # Without: only the query is kept.
    assert counts[0] == 1 < counts[1]
