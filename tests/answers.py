"""Shared by tests of answers: start a server with its model, ask a question, return the final answer."""

from collections.abc import Callable
from typing import Any

from tests.graphql.client import EVENTS, Client, Json
from tests.servers.running import StandIn

MESSAGE = """query($id: ID!) { message(id: $id) { content status outcome finishReason searchQuery
  failure { code message retryable } notices { code message } usage { model inputTokens outputTokens }
  budget { contextWindow inputTokens adjustedMaxTokens counting segments { kind tokens itemsKept itemsDropped }
    candidates { decision documentTitle tokens } }
  citations { index label documentTitle quote quoteSpan { startOffset endOffset } chunk { text } support
    uses { markerSpan { startOffset endOffset } quote placedBy } } } }"""
TEXT = """# Returns

Goods may be returned within 30 days of delivery. A similar rule [7] was found before [12, 13].

## Exceptions

Opened software cannot be returned."""

Start = Callable[..., Client]


def openai(model: StandIn, name: str = "chat") -> dict[str, Any]:
    """Settings for a server that uses this model."""
    return {"openai_base_url": model.url, "openai_api_key": "sk-very-secret", "chat_model": f"openai/{name}"}


async def asked(client: Client, question: str, **settings: Any) -> dict[str, Any]:
    """Ask a question about TEXT in a project and session of its own, and return the final answer."""
    project = await client.project(f"Shop {question}")
    await client.ready(project, "Returns", TEXT)
    return await final(client, await client.session(project, **settings), question)


async def final(client: Client, session: str, question: str, **values: Json) -> dict[str, Any]:
    """Ask in a session, and return the final answer."""
    answer = await client.answered(session, question, **values)
    return (await client.run(MESSAGE, id=answer))["message"]


async def told(client: Client, session: str, question: str, **values: Json) -> list[Json]:
    """All events of the answer to a question."""
    return await client.follow(EVENTS, id=await client.answered(session, question, **values))


def codes(message: dict[str, Any]) -> list[str]:
    """The notices of a message or preview, except weak citations, which scripted answers always cause."""
    return [notice["code"] for notice in message["notices"] if notice["code"] != "WEAK_CITATION"]
