"""Every answer option in every layer: the value that wins is the one shown and the one the model receives."""

import asyncio
import re
import shutil
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

import httpx
import pytest
from graphql import GraphQLInputObjectType, GraphQLObjectType, build_schema
from sqlalchemy import String
from typer.testing import CliRunner, Result

from app import graphql
from app.answer_options import OPTIONS, AnswerOption, AnswerOptions, to_camel_case
from app.cli.commands import cli
from app.database.base import Base
from app.rag.context.prompt import GROUNDED_POLICY, OPEN_POLICY
from app.rag.reformulation import INSTRUCTIONS
from app.settings import Settings
from tests.answers import openai
from tests.graphql.client import Client, Json
from tests.servers.openai import OpenAIServer
from tests.servers.running import Body, running
from tests.serving import serve

QUESTION = "Until when can goods be returned?"
NAMES = ("model", "preferred_model")  # columns with names of models
DOCUMENTS = 6
UPDATE = """mutation($input: UpdateProjectInput!) { updateProject(input: $input) { __typename
  ... on UpdateProjectPayload { project { id } } ... on ValidationError { issues { path code message } } } }"""
# The settings of the server, by the options whose defaults they are.
VARIABLES = {"model": "chat_model"} | {name: one.variable.lower() for name, one in OPTIONS.items() if one.variable}
NO_VARIABLE = OPTIONS.keys() - VARIABLES.keys()
REFUSED_ASSIGNMENTS = {
    "ragTopK=many": "`ragTopK` must be a whole number.",
    "ragTopK=51": "`ragTopK` must be between 1 and 50.",
    "reformulate=perhaps": "`reformulate` must be true or false.",
    "grounding=loose": "`grounding` must be one of GROUNDED, OPEN.",
    "documentIds=x": "give NAME=VALUE, with one of the names",
    "ragTopK": "give NAME=VALUE, with one of the names",
}
LEDGER = """requestedMaxTokens contextWindow candidates { decision documentTitle score vectorScore }
  segments { kind tokens itemsKept }"""
MESSAGE = f"query($id: ID!) {{ message(id: $id) {{ content searchQuery outcome budget {{ {LEDGER} }} }} }}"
PREVIEW = f"""query($input: PreviewAnswerInput!) {{ previewAnswer(input: $input) {{
  route routeReason searchQuery messages {{ role content }} budget {{ {LEDGER} }} }} }}"""


@dataclass(frozen=True)
class Seen:
    """The outcome of one question: the request to the model, and the stored message."""

    chats: list[Body]
    message: Json

    @property
    def system(self) -> str:
        """The system message the model received."""
        return next((m["content"] for m in self.chats[-1]["messages"] if m["role"] == "system"), "")

    @property
    def candidates(self) -> list[Json]:
        """The passages that made it into the prompt."""
        return [one for one in self.message["budget"]["candidates"] if one["decision"] == "INCLUDED"]


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


def answer(body: Body) -> list[str]:
    return ["goods returned"] if body["messages"][0]["content"] == INSTRUCTIONS else ["Within some days [1]."]


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


async def shop(client: Client) -> str:
    """The id of the project."""
    return (await client.run("{ projects(first: 1) { nodes { id } } }"))["projects"]["nodes"][0]["id"]


async def shown(client: Client, kind: str, id: str, name: str) -> Json:
    """The value shown by a session or a project."""
    field = to_camel_case(name) if kind == "ChatSession" else f"answerDefaults {{ {to_camel_case(name)} }}"
    node = (await client.run(f"query($id: ID!) {{ node(id: $id) {{ ... on {kind} {{ {field} }} }} }}", id=id))["node"]
    return node[to_camel_case(name)] if kind == "ChatSession" else node["answerDefaults"][to_camel_case(name)]


async def asked(client: Client, model: OpenAIServer, session: str, /, **overrides: Json) -> Seen:
    before = len(model.chats)
    message = (await client.run(MESSAGE, id=await client.answered(session, QUESTION, **overrides)))["message"]
    return Seen(model.chats[before:], message)


async def changed(client: Client, project: str, **defaults: Json) -> Json:
    return await client.mutate(UPDATE, id=project, answerDefaults=defaults)


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


@pytest.mark.parametrize(
    ("minimum", "maximum", "allowed_range", "allowed", "refused"),
    [
        (1, 50, "between 1 and 50", [1, 50], [0, 51]),
        (1000, None, "at least 1,000", [1000, 10**9], [999]),
        (None, 2, "at most 2", [-1, 2], [2.1, float("nan")]),
        (None, None, None, [-1, 10**9], []),
    ],
)
def test_each_bound_of_an_option_holds_alone(
    minimum: int | None, maximum: int | None, allowed_range: str | None, allowed: list[float], refused: list[float]
) -> None:
    option = AnswerOption(description="A number.", minimum=minimum, maximum=maximum)
    assert option.allowed_range == allowed_range
    assert all(map(option.is_in_range, allowed))
    assert not any(map(option.is_in_range, refused))


def test_tables_hold_the_longest_name_of_a_model() -> None:
    """PostgreSQL refuses a longer one: a single calibration for such a model kept all of them from being saved."""
    longest = OPTIONS["model"].max_length
    columns = [table.c[name] for table in Base.metadata.tables.values() for name in NAMES if name in table.c]
    assert len(columns) > 3
    lengths = {str(column): column.type.length for column in columns if isinstance(column.type, String)}
    assert len(lengths) == len(columns)
    assert not {column for column, length in lengths.items() if length is None or longest is None or length < longest}


async def test_a_project_can_reset_its_defaults_and_rejects_wrong_ones(filled: Path, tmp_path: Path) -> None:
    shutil.copy(filled, tmp_path / "footnote.db")
    with serve(Settings.model_validate({"database_url": f"sqlite:///{tmp_path / 'footnote.db'}"})) as url:
        async with httpx.AsyncClient(timeout=120) as http:
            client = Client(http, url)
            project = await shop(client)
            await changed(client, project, ragTopK=9, grounding="OPEN")
            wrong = await changed(client, project, ragTopK=51, model="nobody/knows")
            assert [issue["path"] for issue in wrong["issues"]] == [
                ["answerDefaults", "ragTopK"],
                ["answerDefaults", "model"],
            ]
            assert await shown(client, "Project", project, "rag_top_k") == 9
            await changed(client, project, ragTopK=None)
            assert await shown(client, "Project", project, "rag_top_k") == 5
            assert await shown(client, "Project", project, "grounding") == "OPEN"
            assert (await client.mutate(UPDATE, id=project, answerDefaults=None))[
                "__typename"
            ] == "UpdateProjectPayload"
            assert await shown(client, "Project", project, "grounding") == "GROUNDED"


@asynccontextmanager
async def served(filled: Path, folder: Path, **values: Json) -> AsyncGenerator[Client]:
    """A server over the shop's database with these settings; yields its client."""
    shutil.copy(filled, folder / "footnote.db")
    settings = Settings.model_validate({"database_url": f"sqlite:///{folder / 'footnote.db'}", **values})
    with serve(settings) as url:
        async with httpx.AsyncClient(timeout=120) as http:
            yield Client(http, url)


async def command(arguments: list[str], env: Mapping[str, str]) -> Result:
    """The output of a `footnote` command on the database in this folder."""
    return await asyncio.to_thread(CliRunner().invoke, cli, arguments, env=env)


async def at_openais(client: Client, **fields: Json) -> httpx.Response:
    """Ask over the OpenAI API."""
    body = {"index_name": "Shop", "messages": [{"role": "user", "content": QUESTION}], **fields}
    return await client.http.post(client.url.replace("/graphql", "/v1/chat/completions"), json=body)


async def test_retrieval_disabled_by_the_server_stays_off(filled: Path, tmp_path: Path) -> None:
    with running(OpenAIServer(answer)) as model:
        async with served(filled, tmp_path, **openai(model), rag_enabled=False) as client:
            project = await shop(client)
            await changed(client, project, enableRag=True)
            session = await client.session(project, enableRag=True)
            assert await shown(client, "Project", project, "enable_rag") is False
            assert await shown(client, "ChatSession", session, "enable_rag") is False
            override = {"sessionId": session, "content": QUESTION, "enableRag": True}
            preview = (await client.run(PREVIEW, input=override))["previewAnswer"]
            seen = await asked(client, model, session, enableRag=True)
            from_api = await at_openais(client)
    assert (preview["route"], preview["routeReason"]) == ("PASS_THROUGH", "Retrieval is switched off on this server.")
    assert "<<<" not in str(preview["messages"]) + str(seen.chats)
    assert from_api.headers["x-footnote-route"] == "pass-through"


async def test_a_users_preferred_model_is_used_unless_a_nearer_layer_says_otherwise(
    filled: Path, tmp_path: Path
) -> None:
    prefer = "mutation($input: UpdateViewerInput!) { updateViewer(input: $input) { __typename } }"
    only_local = {"localProvidersOnly": True}
    with running(OpenAIServer(answer)) as model:
        values = openai(model) | {"openrouter_api_key": "sk-nobody", "ollama_host": "http://127.0.0.1:9"}
        async with served(filled, tmp_path, **values) as client:
            project = await shop(client)

            async def used(**overrides: Json) -> tuple[Json, Json, Json]:
                """What a session shows, and what the model receives from it and from the OpenAI API."""
                session = await client.session(project)
                seen = await asked(client, model, session, **overrides)
                await at_openais(client, **overrides)
                return (
                    await shown(client, "ChatSession", session, "model"),
                    seen.chats[-1]["model"],
                    model.chats[-1]["model"],
                )

            assert await used() == ("openai/chat", "chat", "chat")
            await client.mutate(prefer, preferredModel="openai/liked")
            assert await used() == ("openai/liked", "liked", "liked")
            assert await used(model="openai/asked") == ("openai/liked", "asked", "asked")
            await changed(client, project, model="openai/shops")
            assert await used() == ("openai/shops", "shops", "shops")
            await changed(client, project, model=None)
            # A wish that cannot be granted here is passed over.
            await client.mutate(prefer, preferredModel="openrouter/far/away")
            await client.mutate(UPDATE, id=project, **only_local)
            assert await used() == ("openai/chat", "chat", "chat")


async def test_the_threshold_of_the_server_holds_at_every_api(
    filled: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with running(OpenAIServer(answer)) as model:
        async with served(filled, tmp_path, **openai(model), rag_threshold=1.0) as client:
            from_api = await at_openais(client)
            await changed(client, await shop(client), ragThreshold=0.01)
            of_project = await at_openais(client)
    assert (from_api.headers["x-footnote-route"], of_project.headers["x-footnote-route"]) == ("no-sources", "rag")
    monkeypatch.chdir(tmp_path)
    searching = ["search", QUESTION, "--project", "Shop"]
    by_project = await command(searching, {"RAG_THRESHOLD": "1"})
    assert (by_project.exit_code, len(re.findall(r"^ \d  ", by_project.stdout, re.MULTILINE))) == (0, 5)
    shutil.copy(filled, tmp_path / "footnote.db")
    strict = await command(searching, {"RAG_THRESHOLD": "1"})
    assert (strict.exit_code, strict.stdout) == (3, "Nothing relevant was found (threshold 1.00).\n")
    words = await command(searching, {"SEARCH_MODE": "lexical", "RAG_TOP_K": "1"})
    assert (words.exit_code, len(re.findall(r"^ \d  ", words.stdout, re.MULTILINE))) == (0, 1)


async def test_the_command_line_uses_the_operators_settings(
    filled: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copy(filled, tmp_path / "footnote.db")
    with running(OpenAIServer(answer)) as model:
        env = {"OPENAI_BASE_URL": model.url, "CHAT_MODEL": "openai/chat", "GROUNDING": "open"}
        preview = ["preview", QUESTION, "--project", "Shop", "--messages"]
        by_server = await command(preview, env)
        grounded = await command([*preview, "--grounded"], env)
    assert OPEN_POLICY in by_server.stdout, by_server.output
    assert GROUNDED_POLICY in grounded.stdout


async def test_max_context_tokens_override_the_ratio_only_in_a_session(filled: Path, tmp_path: Path) -> None:
    with running(OpenAIServer(answer)) as model:
        async with served(filled, tmp_path, **openai(model), max_context_tokens=400, rag_top_k=6) as client:
            project = await shop(client)
            kept = [
                len((await asked(client, model, await client.session(project, contextTokenRatio=ratio))).candidates)
                for ratio in (0.2, 0.8)
            ]
            from_api = (await at_openais(client, context_token_ratio=0.8)).json()
        async with served(filled, tmp_path, **openai(model), max_context_tokens=4000, rag_top_k=6) as client:
            session = await client.session(await shop(client), contextTokenRatio=0.8)
            uncapped = len((await asked(client, model, session)).candidates)
    assert kept == [kept[0]] * 2
    assert 0 < kept[0] < 4
    assert uncapped == len(from_api["source_nodes"]) == DOCUMENTS


async def test_the_command_line_sets_options_by_name(
    filled: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copy(filled, tmp_path / "footnote.db")
    with running(OpenAIServer(answer)) as model:
        env = {"OPENAI_BASE_URL": model.url, "CHAT_MODEL": "openai/chat", "RAG_TOP_K": "4"}
        ask = ["ask", QUESTION, "--project", "Shop"]
        chosen = ["--set", "ragTopK=2", "--set", "grounding=open", "--set", "temperature=1.5", "--set", "maxTokens=321"]
        by_name = await command([*ask, *chosen, "--set", "includeCitations=no"], env)
        refused = {wrong: await command([*ask, "--set", wrong], env) for wrong in REFUSED_ASSIGNMENTS}
    [sent] = model.chats
    system = sent["messages"][0]["content"]
    assert by_name.exit_code == 0, by_name.output
    assert by_name.stdout.startswith("Within some days.\n")
    assert (sent["temperature"], sent["max_tokens"]) == (1.5, 321)
    assert OPEN_POLICY in system
    assert len(set(re.findall("Goods of kind (.)", system))) == 2
    for wrong, result in refused.items():
        assert result.exit_code != 0
        assert REFUSED_ASSIGNMENTS[wrong] in " ".join(re.sub("[│╭╰╮╯─]", " ", result.output).split()), result.output
