"""Routing: when retrieval applies and what is searched with, for every shape of conversation."""

from collections.abc import Sequence
from typing import get_args

import pytest

from app import errors
from app.providers import base
from app.providers.base import PromptMessage
from app.rag import conversation, routing
from app.statuses import Route
from tests.answers import Start, final, openai
from tests.servers.openai import OpenAIServer
from tests.servers.running import running

SYSTEM = PromptMessage("system", "You are a helpful assistant.")
WHAT, IS = PromptMessage("user", "What is KAITO?"), PromptMessage("assistant", "KAITO is a Kubernetes operator.")
MORE, SPECIFICALLY = (
    PromptMessage("user", "Tell me more about it."),
    PromptMessage("user", "Specifically about GPU support."),
)
HOW = PromptMessage("user", "How do I install it?")

PREVIEW = """query($id: ID!, $content: String!) { previewAnswer(input: { sessionId: $id, content: $content }) {
  route routeReason } }"""


@pytest.mark.parametrize(
    ("messages", "system", "turns", "question"),
    [
        ([WHAT], [], [], "What is KAITO?"),
        ([SYSTEM, WHAT], [SYSTEM], [], "What is KAITO?"),
        ([SYSTEM, WHAT, IS, HOW], [SYSTEM], [[WHAT, IS]], "How do I install it?"),
        (
            [SYSTEM, WHAT, IS, MORE, SPECIFICALLY],
            [SYSTEM],
            [[WHAT, IS]],
            "Tell me more about it.\n\nSpecifically about GPU support.",
        ),
        ([WHAT, MORE], [], [], "What is KAITO?\n\nTell me more about it."),
        ([WHAT, MORE, IS, HOW], [], [[WHAT, MORE, IS]], "How do I install it?"),
        ([WHAT, IS, MORE, IS, HOW], [], [[WHAT, IS], [MORE, IS]], "How do I install it?"),
        # An assistant that speaks first, or twice, begins no turn of its own.
        ([IS, WHAT], [], [[IS]], "What is KAITO?"),
        ([WHAT, IS, IS, HOW], [], [[WHAT, IS, IS]], "How do I install it?"),
        # Instructions count wherever they stand, and never end the search for the question.
        ([WHAT, IS, MORE, SYSTEM, SPECIFICALLY], [SYSTEM], [[WHAT, IS]], f"{MORE.content}\n\n{SPECIFICALLY.content}"),
        (
            [PromptMessage("developer", "Be brief."), WHAT],
            [PromptMessage("developer", "Be brief.")],
            [],
            "What is KAITO?",
        ),
        ([WHAT, IS, PromptMessage("user", "  How?\n")], [], [[WHAT, IS]], "How?"),
    ],
)
def test_a_conversation_is_split_into_history_and_question(
    messages: Sequence[PromptMessage],
    system: Sequence[PromptMessage],
    turns: Sequence[Sequence[PromptMessage]],
    question: str,
) -> None:
    talk = conversation.read_conversation(messages)
    assert talk.question == question
    assert talk.system == tuple(message.content for message in system)
    assert [list(turn) for turn in talk.turns] == turns


@pytest.mark.parametrize(
    "messages",
    [[], [SYSTEM], [WHAT, IS], [SYSTEM, WHAT, IS, SYSTEM], [WHAT, IS, PromptMessage("user", " \n")], [IS]],
)
def test_a_conversation_without_a_user_prompt_is_refused(messages: Sequence[PromptMessage]) -> None:
    with pytest.raises(errors.Invalid) as caught:
        conversation.read_conversation(messages)
    assert caught.value.message == "There must be a user prompt since the latest assistant message."


def test_follow_ups_are_searched_with_the_last_two_user_turns() -> None:
    talk = conversation.read_conversation([PromptMessage("user", "Zero."), IS, WHAT, IS, MORE, SPECIFICALLY, IS, HOW])
    assert talk.recent_questions == "What is KAITO?\n\nTell me more about it.\n\nSpecifically about GPU support."
    assert conversation.read_conversation([SYSTEM, WHAT]).recent_questions is None


CASES: Sequence[tuple[dict[str, bool], str]] = [
    ({"enabled_on_server": False}, "Retrieval is switched off on this server."),
    ({"enabled_for_request": False}, "Retrieval is switched off for this request."),
    ({"has_index": False}, "The request names no documents to answer from."),
    ({"has_tools": True}, "The request contains tools, so it is passed to the model unchanged."),
    (
        {"has_unknown_roles": True},
        "A message has a role that retrieval does not support, so the request is passed on unchanged.",
    ),
    ({"has_non_text": True}, "A user message contains more than text, so the request is passed on unchanged."),
]


@pytest.mark.parametrize(("flags", "reason"), CASES, ids=[next(iter(flags)) for flags, _ in CASES])
def test_each_reason_to_pass_through_is_reported(flags: dict[str, bool], reason: str) -> None:
    routed = routing.choose_route("What is KAITO?", **{"enabled_on_server": True, **flags})
    assert routed == routing.RoutingDecision(Route.PASS_THROUGH, reason)


def test_the_first_applicable_reason_is_reported() -> None:
    flags = {name: value for case, _ in CASES for name, value in case.items()}
    for case, reason in CASES:
        assert routing.choose_route("Thanks!", **flags).reason == reason
        flags = {name: not value if name in case else value for name, value in flags.items()}
    assert routing.choose_route("Thanks!", **flags).reason.startswith("This is about the conversation itself")
    assert routing.choose_route("Thanks!", detect_small_talk=False, **flags).route == "RAG"


def test_the_roles_are_those_of_a_message() -> None:
    assert set(get_args(base.Role)) == routing.ROLES
    assert "function" not in routing.ROLES
    assert "tool" not in routing.ROLES


@pytest.mark.parametrize(
    "question",
    [
        "Thanks!",
        "thank you so much",
        "Hello there",
        "Merci beaucoup!",
        "Vielen Dank",
        "你好！",
        "Ok, bye",
        "Great, thanks",
    ],
)
def test_small_talk_needs_no_retrieval(question: str) -> None:
    assert routing.choose_route(question, enabled_on_server=True).route == "PASS_THROUGH"


@pytest.mark.parametrize("question", ["Summarise our chat.", "Can you recap this conversation please?"])
def test_a_question_about_the_conversation_needs_no_retrieval(question: str) -> None:
    assert routing.choose_route(question, enabled_on_server=True).route == "PASS_THROUGH"


@pytest.mark.parametrize(
    "question",
    [
        "Thanks, and what is the return policy?",
        "Hello World program in the manual",
        "What is a good morning routine?",
        "Summarise the chapter on returns.",
        "What does the policy say about this conversation being recorded?",
        "OK Corral",
        "?",
    ],
)
def test_a_question_within_small_talk_is_still_searched(question: str) -> None:
    assert routing.choose_route(question, enabled_on_server=True).route == "RAG"


async def test_small_talk_in_a_grounded_session_is_answered_from_the_conversation(start: Start) -> None:
    with running(OpenAIServer(lambda _: ["You are welcome."])) as model:
        client = start(**openai(model))
        session = await client.session(await client.project("Talk"), grounding="GROUNDED", systemPrompt="Be kind.")
        message = await final(client, session, "Thank you!")
        seen = (await client.run(PREVIEW, id=session, content="Thank you!"))["previewAnswer"]
    assert (message["content"], message["outcome"]) == ("You are welcome.", "PASSED_THROUGH")
    assert message["searchQuery"] is None
    # No policy and no passages: only what the session says, and the talk.
    assert model.chats[0]["messages"] == [
        {"role": "system", "content": "Be kind."},
        {"role": "user", "content": "Thank you!"},
    ]
    assert seen["route"] == "PASS_THROUGH"
    assert seen["routeReason"].startswith("This is about the conversation itself")


@pytest.mark.parametrize(("server", "session"), [(False, True), (True, False)])
async def test_retrieval_can_be_off_for_the_server_and_for_a_session(start: Start, server: bool, session: bool) -> None:
    with running(OpenAIServer(lambda _: ["Hello."])) as model:
        client = start(**openai(model), rag_enabled=server)
        project = await client.project("Off")
        await client.ready(project, "Returns", "Goods may be returned within 30 days.")
        message = await final(client, await client.session(project, enableRag=session), "When can goods be returned?")
    assert message["outcome"] == "PASSED_THROUGH"
    assert model.chats[0]["messages"] == [{"role": "user", "content": "When can goods be returned?"}]
