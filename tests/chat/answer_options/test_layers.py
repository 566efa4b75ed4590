"""Every answer option in every layer: the value that wins is the one shown and the one the model receives."""

import re
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

import httpx
import pytest
from graphql import GraphQLInputObjectType, GraphQLObjectType, build_schema

from app import graphql
from app.answer_options import OPTIONS, AnswerOptions, to_camel_case
from app.rag.context.prompt import OPEN_POLICY
from app.settings import Settings
from tests.answers import openai
from tests.chat.answer_options.shop import PREVIEW, QUESTION, Seen, answer, asked, changed, shop, shown
from tests.graphql.client import Client, Json
from tests.servers.openai import OpenAIServer
from tests.servers.running import running
from tests.serving import serve

# The settings of the server, by the options whose defaults they are.
VARIABLES = {"model": "chat_model"} | {name: one.variable.lower() for name, one in OPTIONS.items() if one.variable}
NO_VARIABLE = OPTIONS.keys() - VARIABLES.keys()


@dataclass(frozen=True)
class Case:
    """Two values of a setting, and how to tell which one an answer used; `more` are server settings."""

    one: Json
    other: Json
    observed: Callable[[Seen], Json]
    more: dict[str, Json] = field(default_factory=dict[str, Json])


def _is_cosine(candidate: Json) -> bool:
    return abs(candidate["score"] - candidate["vectorScore"]) < 0.001


CASES: Mapping[str, Case] = {
    "model": Case("openai/chat", "openai/other", lambda seen: f"openai/{seen.chats[-1]['model']}"),
    "system_prompt": Case("Be brief.", "Be kind.", lambda seen: seen.system.partition("\n\n")[0]),
    "enable_rag": Case(True, False, lambda seen: "<<<" in seen.system),
    "rag_top_k": Case(1, 2, lambda seen: len(seen.candidates)),
    "rag_threshold": Case(1.0, 0.001, lambda seen: 1.0 if seen.message["outcome"] == "NO_SOURCES" else 0.001),
    # With all the weight, the cosine is the score.
    "rag_dense_weight": Case(
        1.0, 0.0, lambda seen: float(_is_cosine(seen.candidates[0])), more={"rag_threshold": 0.001}
    ),
    "include_citations": Case(False, True, lambda seen: "[1]" in seen.message["content"]),
    "grounding": Case("OPEN", "GROUNDED", lambda seen: "OPEN" if OPEN_POLICY in seen.system else "GROUNDED"),
    # With an answer that may take it all, passages get their share and no more.
    "context_token_ratio": Case(
        0.8, 0.2, lambda seen: 0.8 if len(seen.candidates) > 3 else 0.2, more={"max_tokens": 1_000_000}
    ),
    "max_tokens": Case(333, 444, lambda seen: seen.chats[-1]["max_tokens"]),
    "temperature": Case(0.1, 1.3, lambda seen: seen.chats[-1]["temperature"]),
    "reformulate": Case(True, False, lambda seen: len(seen.chats) == 2),
    "search_mode": Case(
        "LEXICAL", "VECTOR", lambda seen: "LEXICAL" if seen.candidates[0]["vectorScore"] is None else "VECTOR"
    ),
    "citation_style": Case(
        "CHUNK", "NUMBERED", lambda seen: "NUMBERED" if "[1]" in seen.message["content"] else "CHUNK"
    ),
    "context_placement": Case("USER", "SYSTEM", lambda seen: "SYSTEM" if "<<<" in seen.system else "USER"),
    "prompt_profile": Case(
        "SMALL", "LARGE", lambda seen: "SMALL" if "bakery" in seen.chats[-1]["messages"][1]["content"] else "LARGE"
    ),
}


@pytest.mark.parametrize("name", CASES)
async def test_the_nearest_layer_with_a_value_wins(filled: Path, tmp_path: Path, name: str) -> None:
    case, key = CASES[name], to_camel_case(name)
    shutil.copy(filled, tmp_path / "footnote.db")
    models = [{"id": id, "object": "model", "max_model_len": 2500} for id in ("chat", "other")]
    with running(OpenAIServer(answer, models=models)) as model:
        said = {} if name in NO_VARIABLE else {VARIABLES[name]: case.one}
        values = openai(model) | case.more | said | {"database_url": f"sqlite:///{tmp_path / 'footnote.db'}"}
        with serve(Settings.model_validate(values)) as url:
            async with httpx.AsyncClient(timeout=120) as http:
                client = Client(http, url)
                project = await shop(client)
                if said:
                    session = await client.session(project)
                    assert await shown(client, "Project", project, name) == case.one
                    assert await shown(client, "ChatSession", session, name) == case.one
                    assert case.observed(await asked(client, model, session)) == case.one
                assert (await changed(client, project, **{key: case.other}))["__typename"] == "UpdateProjectPayload"
                session = await client.session(project)
                assert await shown(client, "Project", project, name) == case.other
                assert await shown(client, "ChatSession", session, name) == case.other
                assert case.observed(await asked(client, model, session)) == case.other
                session = await client.session(project, **{key: case.one})
                assert await shown(client, "ChatSession", session, name) == case.one
                assert case.observed(await asked(client, model, session)) == case.one
                overridden = await client.session(project, **{key: case.one})
                override = {"sessionId": overridden, "content": QUESTION, key: case.other}
                preview = (await client.run(PREVIEW, input=override))["previewAnswer"]
                seen = await asked(client, model, overridden, **{key: case.other})
    assert case.observed(seen) == case.other
    assert preview["budget"] == seen.message["budget"]
    assert bare(preview["messages"]) == bare(seen.chats[-1]["messages"])


def bare(messages: list[Json]) -> list[tuple[str, str]]:
    """Role and content of each message, without the fence words, which vary."""
    return [(one["role"], re.sub(r"<<<[a-z]{10} ", "<<<", one["content"])) for one in messages]


async def test_documents_can_be_chosen_by_a_session_and_a_question(filled: Path, tmp_path: Path) -> None:
    shutil.copy(filled, tmp_path / "footnote.db")
    with running(OpenAIServer(answer)) as model:
        values = openai(model) | {"database_url": f"sqlite:///{tmp_path / 'footnote.db'}"}
        with serve(Settings.model_validate(values)) as url:
            async with httpx.AsyncClient(timeout=120) as http:
                client = Client(http, url)
                project = await shop(client)
                found = await client.run(
                    "query($id: ID!) { project(id: $id) { documents(first: 6) { nodes { id title } } } }", id=project
                )
                ids = {one["title"]: one["id"] for one in found["project"]["documents"]["nodes"]}
                session = await client.session(project, documentIds=[ids["Returns 3"]])
                of_session = await asked(client, model, session)
                of_question = await asked(client, model, session, documentIds=[ids["Returns 4"]])
    assert [one["documentTitle"] for one in of_session.candidates] == ["Returns 3"]
    assert [one["documentTitle"] for one in of_question.candidates] == ["Returns 4"]


def test_every_setting_is_in_every_layer_and_is_tested() -> None:
    schema = build_schema(graphql.schema_text())
    every = {to_camel_case(name) for name in OPTIONS}
    of_project = {to_camel_case(name) for name, option in OPTIONS.items() if option.per_project}
    assert OPTIONS.keys() == CASES.keys() | {"document_ids", "document_filter"}
    for name in ("CreateChatSessionInput", "UpdateChatSessionInput", "SendMessageInput", "PreviewAnswerInput"):
        assert every <= cast("GraphQLInputObjectType", schema.type_map[name]).fields.keys()
    assert every <= cast("GraphQLObjectType", schema.type_map["ChatSession"]).fields.keys()
    assert of_project == cast("GraphQLObjectType", schema.type_map["AnswerDefaults"]).fields.keys()
    assert of_project == cast("GraphQLInputObjectType", schema.type_map["AnswerDefaultsInput"]).fields.keys()
    declared = AnswerOptions()
    for name in OPTIONS.keys() - NO_VARIABLE - {"model"}:
        assert Settings.model_fields[VARIABLES[name]].default == getattr(declared, name)
