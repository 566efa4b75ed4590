"""Token counting: never below what a real server counts, and more exact as it reports usage."""

import random
from collections.abc import AsyncGenerator, Generator
from pathlib import Path

import httpx
import pytest

from app.chat.calibrations import Calibrations
from app.database import models, opening, upgrade
from app.providers import tokens
from app.providers.base import PromptMessage
from app.providers.openai.provider import OpenAIProvider
from app.settings import Settings
from tests.graphql.client import Client, Json
from tests.prompt.counted_texts import KINDS, prompts
from tests.servers.llamacpp import CHAT, llamacpp
from tests.servers.openai import OpenAIServer
from tests.servers.running import running
from tests.serving import serve
from tests.signed_in_server import signed_in

WINDOW = 2048
STORY = "Tell me a story of a ship. " * 60
BUDGET = """query($id: ID!) { message(id: $id) { status content notices { code } usage { inputTokens } failure { code }
  budget { contextWindow inputTokens adjustedMaxTokens counting reportedInputTokens
    segments { kind tokens itemsKept itemsDropped } } } }"""


@pytest.fixture(scope="module")
def server() -> Generator[str]:
    with llamacpp("chat", CHAT, WINDOW) as address:
        yield address


@pytest.fixture
async def http() -> AsyncGenerator[httpx.AsyncClient]:
    async with httpx.AsyncClient(timeout=120) as client:
        yield client


def plain_count(body: Json) -> int:
    """What the plain estimate counts in a request."""
    return tokens.TokenCounter(100).count_messages(PromptMessage(m["role"], m["content"]) for m in body["messages"])


async def asked(client: Client, session: str, question: str) -> Json:
    answer = await client.answered(session, question)
    return (await client.run(BUDGET, id=answer))["message"]


async def test_a_counting_servers_count_matches_its_usage(server: str, http: httpx.AsyncClient, tmp_path: Path) -> None:
    """The ledger uses the server's own count, template included, and the usage it then reports is never higher."""
    values = {
        "database_url": f"sqlite:///{tmp_path / 'footnote.db'}",
        "openai_base_url": f"{server}/v1",
        "chat_model": "openai/tiny",
    }
    with serve(Settings.model_validate(values)) as url:
        client = Client(http, url)
        project = await client.project("exact")
        for kind, text in KINDS.items():
            await client.ready(project, kind, "\n\n".join([text] * 4))
        for number, kind in enumerate(KINDS):
            session = await client.session(project, grounding="OPEN", maxTokens=30)
            for question in (f"What is said of {kind}?", KINDS[kind][:300] + "?"):
                message = await asked(client, session, question)
                ledger = message["budget"]
                assert ledger["counting"] == "EXACT", (number, message)
                assert ledger["reportedInputTokens"] <= ledger["inputTokens"]
                assert ledger["inputTokens"] + ledger["adjustedMaxTokens"] <= WINDOW
                assert sum(segment["tokens"] for segment in ledger["segments"]) <= WINDOW


async def test_a_counting_server_never_undercounts_two_hundred_prompts(server: str) -> None:
    """The provider's count against the usage the same server reports for a one-token answer."""
    provider = OpenAIProvider("llamacpp", f"{server}/v1", None, local=True)
    short: list[tuple[str, int, int]] = []
    async with httpx.AsyncClient(base_url=server, timeout=120, trust_env=False) as raw:
        for kind, messages in prompts(200, random.Random(7)):  # noqa: S311
            ours = await provider.language_model("tiny").count_tokens(messages)
            body = {"messages": [{"role": m.role, "content": m.content} for m in messages], "max_tokens": 1}
            read = (await raw.post("/v1/chat/completions", json=body)).json()["usage"]["prompt_tokens"]
            if ours is None or ours < read:
                short.append((kind, ours or 0, read))
    await provider.close()
    assert not short


async def test_reported_usage_calibrates_later_counts(http: httpx.AsyncClient, tmp_path: Path) -> None:
    """With a tokenizer twice as fine as the estimate the ledger soon says CALIBRATED, even after a restart."""
    values = {"database_url": f"sqlite:///{tmp_path / 'footnote.db'}", "chat_model": "openai/chat"}
    with running(OpenAIServer(lambda _: ["Fine."], reads=lambda body: 2 * plain_count(body))) as model:
        settings = Settings.model_validate(values | {"openai_base_url": model.url})
        with serve(settings) as url:
            client = Client(http, url)
            project = await client.project("calibrated")
            session = await client.session(project, enableRag=False)
            ledgers = [(await asked(client, session, f"{i}: {STORY}"))["budget"] for i in range(7)]
            assert ledgers[0]["counting"] == "ESTIMATED"
            assert ledgers[0]["inputTokens"] < ledgers[0]["reportedInputTokens"]
            assert ledgers[-1]["counting"] == "CALIBRATED"
            assert ledgers[-1]["inputTokens"] >= ledgers[-1]["reportedInputTokens"]
        with serve(settings) as url:
            again = await asked(Client(http, url), session, STORY)
    assert again["budget"]["counting"] == "CALIBRATED"
    assert again["budget"]["inputTokens"] >= again["budget"]["reportedInputTokens"]


async def test_the_prompts_of_one_user_do_not_change_how_those_of_another_are_counted(tmp_path: Path) -> None:
    """A user whose words are few tokens each would make the prompts of others too long for their window."""
    values = {"database_url": f"sqlite:///{tmp_path / 'footnote.db'}", "chat_model": "openai/chat"}
    with running(OpenAIServer(lambda _: ["Fine."], reads=lambda body: plain_count(body) * 7 // 10)) as model:
        settings = Settings.model_validate(values | {"openai_base_url": model.url, "require_sign_in": True})
        async with signed_in(settings) as server:
            other = await server.accounts.users.create("ada@example.org", "Ada", "correct horse battery")
            token, _ = await server.accounts.access_tokens.create(other.id, "test")
            found: list[str] = []
            for credential in (server.token, token):
                server.http.headers["authorization"] = f"Bearer {credential}"
                project = await server.client.project("Counted")
                session = await server.client.session(project, enableRag=False)
                answers = [await asked(server.client, session, f"{number}: {STORY}") for number in range(6)]
                found += [answer["budget"]["counting"] for answer in answers]
    assert found == [*["ESTIMATED"] * 5, "CALIBRATED"] * 2


async def test_implausible_usage_is_ignored(tmp_path: Path) -> None:
    database = opening.open_database(f"sqlite:///{tmp_path / 'footnote.db'}")
    await upgrade.upgrade_database(database)
    user = "0" * 32
    await database.run_write(lambda db: db.add(models.User(id=user, email="kim@example.org", name="Kim")))
    calibrations = Calibrations(database)
    text = [PromptMessage("user", "A few plain words of English text. " * 100)]
    for reported in (0, 10, 10_000_000, -5):
        for _ in range(10):
            calibrations.learn(user, "openai/chat", text, reported)
    assert calibrations.counter_for(user, "openai/chat", "LATIN").counting == "ESTIMATED"
    for _ in range(10):
        calibrations.learn(user, "openai/chat", [PromptMessage("user", "Short.")], 8)
    assert calibrations.counter_for(user, "openai/chat", "LATIN").counting == "ESTIMATED"
    plain = tokens.TokenCounter(100).count_messages(text)
    for _ in range(10):
        calibrations.learn(user, "openai/chat", text, plain)
    assert calibrations.counter_for(user, "openai/chat", "LATIN").percent == 103
    assert calibrations.counter_for(user, "openai/chat", "CJK").counting == "ESTIMATED"
    assert calibrations.counter_for(user, "openai/other", "LATIN").counting == "ESTIMATED"
    await calibrations.save()
    read = Calibrations(database)
    await read.load()
    assert read.counter_for(user, "openai/chat", "LATIN").percent == 103
    await database.close()


async def test_as_many_calibrations_are_kept_as_fit(tmp_path: Path) -> None:
    """Those that learned something last; at the start, those that have learned most."""
    database = opening.open_database(f"sqlite:///{tmp_path / 'footnote.db'}")
    await upgrade.upgrade_database(database)
    first, second, third = (models.User(id=str(n) * 32, email=f"{n}@example.org", name="Kim") for n in range(3))
    await database.run_write(lambda db: db.add_all([first, second, third]))
    calibrations = Calibrations(database, max_calibrations=2)
    text = [PromptMessage("user", "A few plain words of English text. " * 100)]
    plain = tokens.TokenCounter(100).count_messages(text)

    async def learn(user: models.User, times: int) -> None:
        for _ in range(times):
            calibrations.learn(user.id, "openai/chat", text, plain)
        await calibrations.save()

    def countings(known: Calibrations) -> list[str]:
        return [known.counter_for(user.id, "openai/chat", "LATIN").counting for user in (first, second, third)]

    for user, times in ((first, 5), (second, 6), (first, 1), (third, 7)):
        await learn(user, times)
    assert countings(calibrations) == ["CALIBRATED", "ESTIMATED", "CALIBRATED"]
    read = Calibrations(database, max_calibrations=1)
    await read.load()
    assert countings(read) == ["ESTIMATED", "ESTIMATED", "CALIBRATED"]
    await database.close()


async def test_two_hundred_messages_on_a_small_window(http: httpx.AsyncClient, tmp_path: Path) -> None:
    """There is an answer, a notice, a total within the window, and the newest turns in the request."""
    values = {"database_url": f"sqlite:///{tmp_path / 'footnote.db'}", "chat_model": "openai/chat"}
    words = "some words about ships and harbours and the weather at sea " * 8
    model = OpenAIServer(lambda _: [words], models=[{"id": "chat", "object": "model", "meta": {"n_ctx": 8192}}])
    with running(model), serve(Settings.model_validate(values | {"openai_base_url": model.url})) as url:
        client = Client(http, url)
        session = await client.session(await client.project("long"), enableRag=False)
        for turn in range(100):
            await client.answered(session, f"Question number {turn}.")
        message = await asked(client, session, "And the last question?")
    ledger = message["budget"]
    assert (message["status"], ledger["contextWindow"]) == ("COMPLETED", 8192)
    assert "HISTORY_SHORTENED" in {notice["code"] for notice in message["notices"]}
    assert sum(segment["tokens"] for segment in ledger["segments"]) <= 8192
    sent = model.chats[-1]["messages"]
    questions = [m["content"] for m in sent if m["role"] == "user"]
    assert questions[-1] == "And the last question?"
    kept = len(questions) - 1
    assert questions[:-1] == [f"Question number {turn}." for turn in range(100 - kept, 100)]
    assert 10 < kept < 100
    history = next(segment for segment in ledger["segments"] if segment["kind"] == "HISTORY")
    assert (history["itemsKept"], history["itemsDropped"]) == (kept, 100 - kept)


async def test_an_excessive_max_tokens_is_reduced_and_reported(http: httpx.AsyncClient, tmp_path: Path) -> None:
    values = {"database_url": f"sqlite:///{tmp_path / 'footnote.db'}", "chat_model": "openai/chat"}
    model = OpenAIServer(lambda _: ["Fine."], models=[{"id": "chat", "object": "model", "meta": {"n_ctx": 4096}}])
    with running(model), serve(Settings.model_validate(values | {"openai_base_url": model.url})) as url:
        client = Client(http, url)
        session = await client.session(await client.project("greedy"), enableRag=False, maxTokens=100_000)
        message = await asked(client, session, "How far is it?")
    ledger = message["budget"]
    assert "MAX_TOKENS_REDUCED" in {notice["code"] for notice in message["notices"]}
    assert model.chats[-1]["max_tokens"] == ledger["adjustedMaxTokens"] < 4096 - ledger["inputTokens"]
