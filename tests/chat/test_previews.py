"""A preview matches the answer: same route, query, budget and messages, with no model call and nothing stored."""

import re

import pytest

from app.rag.reformulation import INSTRUCTIONS
from tests.answers import TEXT, Start, codes, final, openai
from tests.graphql.client import Client, Json
from tests.servers.openai import OpenAIServer
from tests.servers.running import Body, running

QUESTION = "Until when can goods be returned?"
LEDGER = """contextWindow inputTokens requestedMaxTokens adjustedMaxTokens counting
  segments { kind tokens itemsKept itemsDropped } candidates { decision documentTitle score tokens }"""
PREVIEW = f"""query($input: PreviewAnswerInput!) {{ previewAnswer(input: $input) {{
  route routeReason searchQuery estimatedCostUsd notices {{ code message }} messages {{ role content tokens }}
  budget {{ {LEDGER} }} }} }}"""
BUDGET = f"query($id: ID!) {{ message(id: $id) {{ searchQuery budget {{ {LEDGER} }} notices {{ code message }} }} }}"
OWNER = "query($id: ID!) { chatSession(id: $id) { project { id } } }"
SESSIONS = "query($id: ID!) { project(id: $id) { chatSessions { nodes { id } } } }"
COUNT = "query($id: ID!) { chatSession(id: $id) { messages { totalCount } } }"


async def shop(client: Client, **settings: Json) -> str:
    """A session over TEXT."""
    project = await client.project("Shop")
    await client.ready(project, "Returns", TEXT)
    return await client.session(project, **settings)


async def previewed(client: Client, session: str, content: str = QUESTION, **values: Json) -> Json:
    return (await client.run(PREVIEW, input={"sessionId": session, "content": content, **values}))["previewAnswer"]


def without_fences(messages: list[Json]) -> list[tuple[str, str]]:
    """Role and content of each message, without the fence word, which varies."""
    fences = [
        (re.sub(r"<<<[a-z]{10} ", "<<<FENCE ", message["content"]), message["content"].count("<<<"))
        for message in messages
    ]
    assert sum(count for _, count in fences) > 0
    return [(message["role"], content) for message, (content, _) in zip(messages, fences, strict=True)]


async def test_a_preview_shows_what_the_answer_then_sends(start: Start) -> None:
    with running(OpenAIServer(lambda _: ["Within 30 days [1]."])) as model:
        client = start(**openai(model))
        session = await shop(client, systemPrompt="Be brief.", maxTokens=8000)
        await client.answered(session, "What is this about, in the shop [4]? Are goods returned?")
        asked = len(model.chats)
        preview = await previewed(client, session)
        assert len(model.chats) == asked
        assert (await client.run(COUNT, id=session))["chatSession"]["messages"]["totalCount"] == 2
        answer = await client.answered(session, QUESTION)
        message = (await client.run(BUDGET, id=answer))["message"]
    sent = model.chats[-1]
    assert without_fences(preview["messages"]) == without_fences(sent["messages"])
    assert preview["budget"] == message["budget"]
    assert preview["budget"]["adjustedMaxTokens"] == sent["max_tokens"] < 8000
    assert preview["notices"] == message["notices"]
    assert codes(preview) == ["MAX_TOKENS_REDUCED"]
    assert preview["searchQuery"] == message["searchQuery"] == QUESTION
    assert (preview["route"], preview["routeReason"]) == (
        "RAG",
        "The question is answered from the project's documents.",
    )
    # Five tokens open the answer; the rest is the messages'.
    assert sum(part["tokens"] for part in preview["messages"]) == preview["budget"]["inputTokens"] - 5
    assert preview["estimatedCostUsd"] is None


async def test_given_options_override_the_session(start: Start) -> None:
    with running(OpenAIServer()) as model:
        client = start(**openai(model))
        session = await shop(client)
        preview = await previewed(
            client, session, "And then?", searchQuery="goods returned", maxTokens=333, contextTokenRatio=0.2
        )
    assert (preview["searchQuery"], preview["messages"][-1]["content"]) == ("goods returned", "And then?")
    assert preview["budget"]["requestedMaxTokens"] == preview["budget"]["adjustedMaxTokens"] == 333
    assert "Goods may be returned" in preview["messages"][0]["content"]
    assert model.chats == []


async def test_a_question_is_rewritten_only_on_request(start: Start) -> None:
    def answer(body: Body) -> list[str]:
        return (
            ["goods returned deadline"] if body["messages"][0]["content"] == INSTRUCTIONS else ["Within 30 days [1]."]
        )

    with running(OpenAIServer(answer)) as model:
        client = start(**openai(model), enable_query_reformulation=True)
        session = await shop(client)
        plain = await previewed(client, session)
        assert model.chats == []
        rewritten = await previewed(client, session, reformulate=True)
        given = await previewed(client, session, reformulate=True, searchQuery="goods returned")
    assert (plain["searchQuery"], rewritten["searchQuery"]) == (QUESTION, "goods returned deadline")
    assert given["searchQuery"] == "goods returned"
    assert [chat["messages"][0]["content"] for chat in model.chats] == [INSTRUCTIONS]


async def test_without_a_model_call_there_are_no_messages(start: Start) -> None:
    with running(OpenAIServer()) as model:
        client = start(**openai(model))
        session = await shop(client)
        preview = await previewed(client, session, "Who won the chess championship?")
        opened = await previewed(
            client, await client.session(await client.project("Open"), grounding="OPEN"), "Who won the championship?"
        )
    assert (preview["messages"], preview["budget"]["segments"], preview["budget"]["inputTokens"]) == ([], [], 0)
    assert preview["routeReason"].startswith("Nothing relevant was found")
    assert {candidate["decision"] for candidate in preview["budget"]["candidates"]} == {"BELOW_THRESHOLD"}
    assert [message["role"] for message in opened["messages"]] == ["user"]
    assert model.chats == []


async def test_the_cost_of_the_embedded_model_is_known(start: Start) -> None:
    client = start()
    session = await shop(client)
    preview = await previewed(client, session)
    assert preview["estimatedCostUsd"] == 0
    assert (await final(client, session, QUESTION))["outcome"] == "CITED"


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ({"content": " "}, "The question must not be empty."),
        ({"content": "x" * 100_001}, "at most 100,000 characters"),
        ({"maxTokens": 0}, "`maxTokens` must be between 1 and"),
        ({"contextTokenRatio": 0.19}, "`contextTokenRatio` must be between 0.2 and 0.8"),
        ({"searchQuery": "  "}, "`searchQuery` must not be empty"),
        ({"searchQuery": "x" * 10_001}, "at most 10,000 characters"),
        ({"content": "word " * 19_000}, "more than the model's window"),
    ],
)
async def test_questions_that_cannot_be_sent_cannot_be_previewed(start: Start, values: Json, says: str) -> None:
    with running(OpenAIServer()) as model:
        client = start(**openai(model))
        session = await client.session(await client.project("Empty"), grounding="OPEN")
        (error,) = await client.errors(PREVIEW, input={"sessionId": session, "content": QUESTION, **values})
    assert error["extensions"]["code"] == "BAD_USER_INPUT"
    assert says in error["message"]


async def test_the_first_question_of_a_chat_can_be_previewed_before_there_is_one(start: Start) -> None:
    with running(OpenAIServer()) as model:
        client = start(**openai(model))
        session = await shop(client)
        project = (await client.run(OWNER, id=session))["chatSession"]["project"]["id"]
        asked = {"projectId": project, "content": QUESTION, "maxTokens": 100}
        preview = (await client.run(PREVIEW, input=asked))["previewAnswer"]
        assert preview["budget"] == (await previewed(client, session, maxTokens=100))["budget"]
        assert len((await client.run(SESSIONS, id=project))["project"]["chatSessions"]["nodes"]) == 1
        for wrong, says in (
            ({"sessionId": session}, "Give either"),
            ({"projectId": None}, "Give either"),
            ({"editedMessageId": session}, "no message"),
        ):
            (error,) = await client.errors(PREVIEW, input=asked | wrong)
            assert says in error["message"]


async def test_an_unknown_session_has_no_preview(start: Start) -> None:
    client = start()
    session = await client.session(project := await client.project("Gone"))
    for id in (project, session[:-1], "nothing"):
        (error,) = await client.errors(PREVIEW, input={"sessionId": id, "content": QUESTION})
        assert error["extensions"]["code"] == "NOT_FOUND"
