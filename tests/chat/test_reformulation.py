"""Query rewriting: what the model is asked, what is searched, and what can go wrong."""

from collections.abc import Sequence
from typing import Any

import pytest

from app.rag.reformulation import INSTRUCTIONS, MAX_QUERY_CHARACTERS, MAX_TOKENS, clean_query
from tests.answers import Start, asked, codes, final, openai, told
from tests.graphql.client import SEND, Client
from tests.looking import pause
from tests.servers.openai import OpenAIServer
from tests.servers.running import Body, Break, Fault, Page, Refusal, Thought, running

QUESTION = "Until when can goods be returned?"
CANCEL = """mutation($id: ID!) { cancelAnswer(input: { messageId: $id }) {
  ... on CancelAnswerPayload { answer { status } } } }"""
SESSION = "query($id: ID!) { chatSession(id: $id) { reformulate } }"


def rewriting(body: Body) -> bool:
    """Whether the model is asked for a query rather than an answer."""
    return body["messages"][0]["content"] == INSTRUCTIONS


def model(*queries: str, faults: Sequence[Fault] = (), pieces: Sequence[str | Thought] = ()) -> OpenAIServer:
    """A model that rewrites to each of `queries` in turn (or to `pieces`), and answers with a citation."""
    left = iter(queries)

    def answer(body: Body) -> Sequence[str | Thought]:
        if rewriting(body):
            return list(pieces) or [next(left)]
        return ["So it is [1]."]

    return OpenAIServer(answer, faults=faults)


async def zoo(client: Client, **settings: Any) -> str:
    """A session over two documents without common words."""
    project = await client.project("Zoo")
    await client.ready(project, "Foxes", "The red fox hunts mice in the forest at night.")
    await client.ready(project, "Opening hours", "Visitors may enter between nine and six.")
    return await client.session(project, **settings)


async def test_both_wordings_are_searched_and_the_rewritten_one_is_shown(start: Start) -> None:
    with running(model("when does the zoo open for visitors")) as server:
        client = start(**openai(server))
        session = await zoo(client, reformulate=True)
        happened = await told(client, session, "wen red fox")
        message = await final(client, session, "Does it hunt?", searchQuery="red fox mice")
    reformulated, retrieved = happened[:2]
    assert (reformulated["__typename"], reformulated["original"]) == ("QueryReformulated", "wen red fox")
    assert reformulated["searchQuery"] == retrieved["searchQuery"] == "when does the zoo open for visitors"
    assert {passage["documentTitle"] for passage in retrieved["passages"]} == {"Foxes", "Opening hours"}
    rewrite, answer, second = server.chats
    assert (rewrite["temperature"], rewrite["max_tokens"]) == (0.0, MAX_TOKENS)
    assert rewrite["messages"][1]["content"] == "Last message:\nwen red fox\n\nSearch query:"
    # The answer is to the question as asked.
    assert answer["messages"][-1]["content"] == "wen red fox"
    assert "Visitors may enter" in answer["messages"][0]["content"]
    # A query that is given is searched as it is, and nothing is rewritten.
    assert not rewriting(second)
    assert message["searchQuery"] == "red fox mice"
    assert second["messages"][-1]["content"] == "Does it hunt?"


async def test_the_model_sees_the_turns_before_without_markers(start: Start) -> None:
    with running(model("red fox hunting", "red fox hunting time")) as server:
        client = start(**openai(server))
        session = await zoo(client, reformulate=True)
        await client.answered(session, "Tell me about the red fox [3].")
        message = await final(client, session, "And when?")
    assert message["searchQuery"] == "red fox hunting time"
    assert server.chats[2]["messages"][1]["content"] == (
        "Conversation so far:\nUser: Tell me about the red fox ⟦3⟧.\nAssistant: So it is.\n\n"
        "Last message:\nAnd when?\n\nSearch query:"
    )


async def test_long_turns_are_cut_for_the_model(start: Start) -> None:
    with running(model("red fox", "red fox", "red fox", "red fox", "red fox")) as server:
        client = start(**openai(server))
        session = await zoo(client, reformulate=True)
        for turn in range(4):
            await client.answered(session, f"Turn {turn}: what does the red fox hunt? " + "x" * 5000)
        await client.answered(session, "And the red fox? " + "y" * 5000)
    sent = server.chats[-2]["messages"][1]["content"]
    assert rewriting(server.chats[-2])
    assert "Turn 0" not in sent
    assert "Turn 1" in sent
    assert len(sent) < 6000


async def test_the_tokens_of_a_rewrite_count_towards_the_answer(start: Start) -> None:
    with running(model("goods returned deadline")) as server:
        message = await asked(start(**openai(server)), QUESTION, reformulate=True)
    words = [sum(len(part["content"].replace("-", " ").split()) for part in chat["messages"]) for chat in server.chats]
    assert len(words) == 2
    # The stand-in counts words; both requests are in the sum.
    assert message["usage"]["inputTokens"] > words[1]
    assert message["usage"]["outputTokens"] == 2


FAILURES: Sequence[tuple[str, dict[str, Any]]] = [
    ("is refused", {"faults": [Refusal(400)]}),
    ("is broken", {"faults": [Page()] * 3}),
    ("breaks off", {"faults": [Break("end", after=1)], "queries": ["goods returned"]}),
    ("writes nothing", {"queries": [" \n "]}),
    ("only thinks", {"pieces": [Thought("Let me think. "), Thought("Goods?")]}),
    ("writes no words", {"queries": ["?!…"]}),
    ("writes an essay", {"queries": ["goods " * MAX_QUERY_CHARACTERS]}),
    ("does not stop", {"pieces": ["goods returned "] * 20_000}),
]


@pytest.mark.parametrize("how", [how for _, how in FAILURES], ids=[name for name, _ in FAILURES])
async def test_a_failed_rewrite_keeps_the_question_and_is_reported(start: Start, how: dict[str, Any]) -> None:
    server = model(*how.pop("queries", ()), **how)
    with running(server):
        message = await asked(start(**openai(server), reformulation_seconds=3), QUESTION, reformulate=True)
    assert (message["outcome"], message["searchQuery"]) == ("CITED", QUESTION)
    assert codes(message) == ["REFORMULATION_FAILED"]
    assert "was searched as asked" in message["notices"][0]["message"]
    assert server.chats[-1]["messages"][-1]["content"] == QUESTION


async def test_a_slow_rewrite_is_abandoned_and_its_request_closed(start: Start) -> None:
    with running(model("goods returned", faults=[Break("stall", after=0)])) as server:
        message = await asked(start(**openai(server), reformulation_seconds=0.5), QUESTION, reformulate=True)
        assert server.left.wait(120)
    assert (message["outcome"], message["searchQuery"]) == ("CITED", QUESTION)
    assert codes(message) == ["REFORMULATION_FAILED"]
    assert "openai/chat took longer than 0.5 s" in message["notices"][0]["message"]


async def test_a_truncated_rewrite_is_discarded(start: Start) -> None:
    server = model("goods returned within", "x")
    server.finish = "length"
    with running(server):
        message = await asked(start(**openai(server)), QUESTION, reformulate=True)
    assert codes(message) == ["REFORMULATION_FAILED"]


async def test_a_model_that_only_quotes_cannot_rewrite(start: Start) -> None:
    message = await asked(start(), QUESTION, reformulate=True)
    assert (message["outcome"], codes(message)) == ("CITED", ["REFORMULATION_FAILED"])
    assert "embedded/extractive only quotes" in message["notices"][0]["message"]


async def test_the_same_words_are_not_a_rewrite(start: Start) -> None:
    with running(model(f'Search query: "{QUESTION.upper()}"')) as server:
        client = start(**openai(server))
        message = await asked(client, QUESTION, reformulate=True)
    assert (message["searchQuery"], codes(message), len(server.chats)) == (QUESTION, [], 2)


async def test_small_talk_is_not_rewritten_and_nothing_found_is_not_answered(start: Start) -> None:
    with running(model("chess championship winner")) as server:
        client = start(**openai(server))
        thanks = await asked(client, "Thank you!", reformulate=True)
        nothing = await asked(client, "Who won the chess championship?", reformulate=True)
    assert thanks["outcome"] == "PASSED_THROUGH"
    assert nothing["outcome"] == "NO_SOURCES"
    assert [rewriting(chat) for chat in server.chats] == [False, True]


async def test_the_operator_can_turn_rewriting_on_and_a_session_off(start: Start) -> None:
    with running(model("goods returned deadline")) as server:
        client = start(**openai(server), enable_query_reformulation=True)
        project = await client.project("Settings")
        on = await client.session(project)
        off = await client.session(project, reformulate=False)
        assert [(await client.run(SESSION, id=id))["chatSession"]["reformulate"] for id in (on, off)] == [True, False]
        await asked(client, QUESTION)
        await asked(client, "Until when may goods be returned?", reformulate=False)
    assert [rewriting(chat) for chat in server.chats] == [True, False, False]


async def test_cancelling_during_a_rewrite_closes_the_request(start: Start) -> None:
    with running(model("never", faults=[Break("stall", after=0)])) as server:
        client = start(**openai(server), reformulation_seconds=100)
        session = await zoo(client, reformulate=True)
        sent = await client.mutate(SEND, sessionId=session, content="When does the red fox hunt?")
        while not server.chats:  # each look is a request of its own; the server gets on in between
            await client.run(SESSION, id=session)
            await pause()
        done = await client.run(CANCEL, id=sent["answer"]["id"])
        assert done["cancelAnswer"]["answer"]["status"] == "CANCELLED"
        assert server.left.wait(120)
    assert len(server.chats) == 1


@pytest.mark.parametrize(
    ("written", "query"),
    [
        ("red fox hunting", "red fox hunting"),
        ('"red fox hunting"', "red fox hunting"),
        ("“red fox hunting”", "red fox hunting"),
        ("Query: red fox", "red fox"),
        ("Search query: `red fox`", "red fox"),
        ("**Rewritten query:** red fox", "red fox"),
        ("**Search query**: red fox", "red fox"),
        ("Here is the rewritten search query:\n\nred fox\n", "red fox"),
        ("```\nred fox\n```", "red fox"),
        ("- red fox\n- wolf", "red fox"),
        ("1. red fox\n2. wolf", "red fox"),
        ("1. FC Köln Stadion", "1. FC Köln Stadion"),
        ("<think>The user means\nthe fox.</think>\nred fox", "red fox"),
        ("<think>The user means", ""),
        ("red fox\nThis query asks for the fox.", "red fox"),
        ("The query optimizer of PostgreSQL", "The query optimizer of PostgreSQL"),
        ('"red fox" or "wolf"', '"red fox" or "wolf"'),
        ("查询：狐狸", "狐狸"),
        ("  red \t fox  ", "red fox"),
        ("", ""),
    ],
)
def test_text_around_a_rewritten_query_is_removed(written: str, query: str) -> None:
    assert clean_query(written) == query
