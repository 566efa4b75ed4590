"""What the server's settings, a user's preferences and the command line say of answer options."""

import asyncio
import re
import shutil
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest
from typer.testing import CliRunner, Result

from app.cli.commands import cli
from app.rag.context.prompt import GROUNDED_POLICY, OPEN_POLICY
from app.settings import Settings
from tests.answers import openai
from tests.chat.answer_options.shop import DOCUMENTS, PREVIEW, QUESTION, UPDATE, answer, asked, changed, shop, shown
from tests.graphql.client import Client, Json
from tests.servers.openai import OpenAIServer
from tests.servers.running import running
from tests.serving import serve

REFUSED_ASSIGNMENTS = {
    "ragTopK=many": "`ragTopK` must be a whole number.",
    "ragTopK=51": "`ragTopK` must be between 1 and 50.",
    "reformulate=perhaps": "`reformulate` must be true or false.",
    "grounding=loose": "`grounding` must be one of GROUNDED, OPEN.",
    "documentIds=x": "give NAME=VALUE, with one of the names",
    "ragTopK": "give NAME=VALUE, with one of the names",
}


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
