"""Requests answered from documents: what is searched, what the model receives, and what comes back."""

import logging
from typing import Any

import pytest

from app.rag.context.prompt import OPEN_POLICY
from tests.openai_api.api import ABSENT, KAITO, QUESTION, OpenAIServer, RawServer, assistant, error, events, text, user
from tests.openai_api.conftest import Start
from tests.openai_api.test_pass_through import chunk
from tests.servers.running import running

Json = Any
SYSTEM = {"role": "system", "content": "You are a helpful assistant."}


NO_SOURCES: Json = {"source_nodes": [], "citations": [], "notices": []}


# The messages of seed 000's examples; what is searched with; what follows the system message that goes out.
EXAMPLES: dict[str, tuple[Json, str, Json]] = {
    "1: a simple question": ([SYSTEM, user("What is KAITO?")], "What is KAITO?", [user("What is KAITO?")]),
    "2: a conversation": (
        [
            SYSTEM,
            user("What is KAITO?"),
            assistant("KAITO is a Kubernetes operator for AI workloads."),
            user("How do I install it?"),
        ],
        "How do I install it?",
        [
            user("What is KAITO?"),
            assistant("KAITO is a Kubernetes operator for AI workloads."),
            user("How do I install it?"),
        ],
    ),
    "3: several user messages": (
        [
            SYSTEM,
            user("What is KAITO?"),
            assistant("KAITO is a Kubernetes operator."),
            user("Tell me more about it."),
            user("Specifically about GPU support."),
        ],
        "Tell me more about it.\n\nSpecifically about GPU support.",
        [
            user("What is KAITO?"),
            assistant("KAITO is a Kubernetes operator."),
            user("Tell me more about it.\n\nSpecifically about GPU support."),
        ],
    ),
    "parts of text": (
        [user([{"type": "text", "text": "What is"}, {"type": "text", "text": "KAITO?"}])],
        "What is\nKAITO?",
        [user("What is\nKAITO?")],
    ),
}


@pytest.mark.parametrize(("messages", "searched", "sent"), EXAMPLES.values(), ids=EXAMPLES)
async def test_the_examples_of_retrieval(start: Start, messages: Json, searched: str, sent: Json) -> None:
    with running(OpenAIServer(lambda _: ["It is an operator [1]."])) as model:
        api = await start(model, embedding_model="openai/embed")
        before = len(model.embeddings)
        response = await api.ask(messages)
    assert response.headers["x-footnote-route"] == "rag", response.text
    assert model.embeddings[before]["input"][0] == searched
    system, *rest = model.chats[0]["messages"]
    instructions = f"{SYSTEM['content']}\n\n" if messages[0] is SYSTEM else ""
    assert system["role"] == "system"
    assert system["content"].startswith(f"{instructions}{OPEN_POLICY}\n\n<<<")
    assert "KAITO has GPU support for NVIDIA nodes." in system["content"]
    assert rest == sent


@pytest.mark.parametrize(
    "messages",
    [
        [user("What is KAITO?"), assistant("KAITO is a Kubernetes operator.")],
        [SYSTEM],
        [user("What is KAITO?"), assistant("It is."), SYSTEM],
        [user("  \n")],
        [user("")],
    ],
)
async def test_without_a_user_prompt_there_is_nothing_to_search(start: Start, messages: Json) -> None:
    with running(OpenAIServer()) as model:
        found = error(await (await start(model)).ask(messages), 400)
    assert found["message"] == "There must be a user prompt since the latest assistant message."
    assert found["type"] == "invalid_request_error"
    assert model.chats == []


async def test_an_answer_has_sources_and_checked_citations(start: Start) -> None:
    with running(OpenAIServer(lambda _: ["KAITO is an operator [", "1] for", " AI [7] with GPUs [1]."])) as model:
        api = await start(model)
        body = (await api.ask(seed=7)).json()
    assert body["object"] == "chat.completion"
    assert body["model"] == "openai/chat"
    (choice,) = body["choices"]
    assert choice["message"] == {"role": "assistant", "content": "KAITO is an operator [1] for AI with GPUs [1]."}
    assert choice["finish_reason"] == "stop"
    assert body["usage"]["completion_tokens"] == 3
    (node,) = body["source_nodes"]
    assert (node["text"], node["metadata"]["title"]) == (KAITO, "Document 0")
    assert 0.2 <= node["score"] <= 1
    found = await api.graphql.run(
        "query($ids: [ID!]!) { nodes(ids: $ids) { __typename ... on Chunk { text } ... on Document { title } } }",
        ids=[node["doc_id"], node["node_id"]],
    )
    assert found["nodes"] == [
        {"__typename": "Document", "title": "Document 0"},
        {"__typename": "Chunk", "text": KAITO},
    ]
    (citation,) = body["citations"]
    assert (citation["index"], citation["label"], citation["doc_id"]) == (1, "[1]", node["doc_id"])
    assert citation["uses"]
    for use in citation["uses"]:
        assert choice["message"]["content"][slice(*use["marker_span"])] == "[1]"
        assert node["text"][slice(*use["quote_span"])] == use["quote"]
        assert use["page"] is None
    assert [notice["code"] for notice in body["notices"]] == ["INVENTED_CITATION_REMOVED"]


@pytest.mark.parametrize("with_usage", [False, True])
async def test_a_stream_ends_with_the_sources(start: Start, with_usage: bool) -> None:
    options: Json = {"stream_options": {"include_usage": True}} if with_usage else {}
    with running(OpenAIServer(lambda _: ["It is an operator [", "1]", " with GPUs [3]."], byte_by_byte=True)) as model:
        api = await start(model)
        whole = (await api.ask()).json()
        *chunks, done = events(await api.ask(stream=True, **options))
    assert done == "[DONE]"
    assert text(chunks) == "It is an operator [1] with GPUs." == whole["choices"][0]["message"]["content"]
    assert len({chunk["id"] for chunk in chunks}) == 1
    assert {chunk["object"] for chunk in chunks} == {"chat.completion.chunk"}
    assert chunks[0]["choices"][0]["delta"]["role"] == "assistant"
    finishes = [choice["finish_reason"] for chunk in chunks for choice in chunk["choices"]]
    assert finishes == [*[None] * (len(finishes) - 1), "stop"]
    for field in ("source_nodes", "citations", "notices"):
        assert [field in chunk for chunk in chunks] == [*[False] * (len(chunks) - 1), True]
        assert chunks[-1][field] == whole[field]
    assert [chunk for chunk in chunks if "usage" in chunk] == ([chunks[-1]] if with_usage else [])
    assert (chunks[-1]["choices"] == []) is with_usage


async def test_nothing_found_passes_the_request_through(start: Start, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "app.openai_api")
    body: Json = {"messages": [SYSTEM, user(f"{ABSENT} See [3].")], "temperature": 0.7, "max_tokens": 50, "x": 1}
    answer: Json = {"id": "x", "choices": [{"message": {"role": "assistant", "content": "Me [3]."}}]}
    with running(RawServer(lambda _: answer)) as model:
        response = await (await start(model)).ask(body["messages"], temperature=0.7, max_tokens=50, x=1)
    assert response.headers["x-footnote-route"] == "no-sources"
    assert response.json() == answer | NO_SOURCES
    [told] = [line for line in caplog.messages if line.startswith("no-sources")]
    assert told == (
        "no-sources, model openai/chat: No passage of the project's documents is relevant and fits the window, so "
        "the request is passed on unchanged."
    )
    assert model.chats == [{"model": "chat", **body}]


async def test_of_many_notices_of_a_kind_one_is_logged(start: Start, caplog: pytest.LogCaptureFixture) -> None:
    """Whoever asks can make a model invent hundreds of citations."""
    invented = [f"KAITO is an operator [{number}]. " for number in range(100, 400)]
    with running(OpenAIServer(lambda _: ["KAITO is an operator [1]. ", *invented])) as model:
        response = await (await start(model)).ask()
    codes = [notice["code"] for notice in response.json()["notices"]]
    assert codes.count("INVENTED_CITATION_REMOVED") > 200
    assert len([line for line in caplog.messages if line.startswith("INVENTED_CITATION_REMOVED")]) == 1


@pytest.mark.parametrize("with_usage", [False, True])
async def test_a_stream_without_sources_ends_with_none(start: Start, with_usage: bool) -> None:
    head: Json = {"id": "x", "object": "chat.completion.chunk"}
    chunks: list[Json] = [
        {**head, "choices": [{"index": 0, "delta": {"content": "Me"}, "finish_reason": None}]},
        {**head, "choices": [{"index": 0, "delta": {"content": " [3]."}, "finish_reason": None}]},
        {**head, "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]},
        *([{**head, "choices": [], "usage": {"total_tokens": 3}}] if with_usage else []),
    ]
    with running(RawServer(lambda _: chunks)) as model:
        response = await (await start(model)).ask(ABSENT, stream=True)
    assert response.headers["x-footnote-route"] == "no-sources"
    assert events(response) == [*chunks[:-1], chunks[-1] | NO_SOURCES, "[DONE]"]


async def test_the_models_own_citations_stay(start: Start) -> None:
    """Some providers search the web, and report it under the same field name."""
    answer: Json = {"choices": [{"message": {"role": "assistant", "content": "Me."}}], "citations": ["https://x.org"]}
    with running(RawServer(lambda _: answer)) as model:
        response = await (await start(model)).ask(ABSENT)
    assert response.json() == NO_SOURCES | answer


async def test_small_talk_is_searched_like_anything_else(start: Start) -> None:
    with running(OpenAIServer(lambda _: ["You are welcome."])) as model:
        response = await (await start(model, ("Thank you letters: thank you very much.",))).ask("Thank you very much!")
    assert response.headers["x-footnote-route"] == "rag"


async def test_the_clients_parameters_reach_the_provider_and_ours_do_not(start: Start) -> None:
    fields: Json = {
        "temperature": 1.25,
        "top_p": 0.5,
        "seed": 11,
        "stop": ["END"],
        "user": "u",
        "x_unknown": {"a": [1]},
    }
    with running(OpenAIServer(lambda _: ["It is [1]."])) as model:
        api = await start(model)
        await api.ask(context_token_ratio=0.4, tools=[], **fields)
        await api.ask(stream=True)
        await api.ask(max_completion_tokens=33)
        await api.ask(max_tokens=34)
    sent = [{k: v for k, v in chat.items() if k not in ("model", "messages")} for chat in model.chats]
    streamed = {"stream": True, "stream_options": {"include_usage": True}}
    assert sent == [
        {**streamed, **fields},
        streamed,
        {**streamed, "max_completion_tokens": 33},
        {**streamed, "max_tokens": 34},
    ]
    assert {chat["model"] for chat in model.chats} == {"chat"}


async def test_a_choice_of_no_tools_goes_with_them(start: Start) -> None:
    chosen: Json = {"tool_choice": "auto", "parallel_tool_calls": True, "function_call": "auto"}
    with running(OpenAIServer(lambda _: ["It is [1]."])) as model:
        response = await (await start(model)).ask(tools=[], functions=[], **chosen)
    assert response.headers["x-footnote-route"] == "rag"
    assert not {"tools", "functions", *chosen} & model.chats[0].keys()


async def test_reasoning_is_kept_apart(start: Start) -> None:
    from_model = [{"reasoning_content": "Hm [1]."}, {"content": "It is [1]."}]
    chunks = [chunk(delta) for delta in from_model]
    with running(RawServer(lambda _: [*chunks, chunk({}, "length")])) as model:
        api = await start(model)
        (choice,) = (await api.ask()).json()["choices"]
        *streamed, _ = events(await api.ask(stream=True))
    assert choice["message"] == {"role": "assistant", "content": "It is [1].", "reasoning_content": "Hm [1]."}
    assert choice["finish_reason"] == "length"
    assert streamed[0]["choices"][0]["delta"] == {"role": "assistant", "reasoning_content": "Hm [1]."}


async def test_logprobs_are_refused_for_rewritten_text(start: Start) -> None:
    with running(OpenAIServer()) as model:
        found = error(await (await start(model)).ask(logprobs=True), 400)
    assert found["param"] == "logprobs"
    assert model.chats == []


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize(("question", "decision"), [(QUESTION, "INCLUDED"), (ABSENT, "BELOW_THRESHOLD")])
async def test_the_ledger_is_returned_on_request(start: Start, stream: bool, question: str, decision: str) -> None:
    with running(OpenAIServer(lambda _: ["It is an operator [1]."])) as model:
        api = await start(model)
        plain = await api.ask(question, stream=stream)
        asked = await api.ask(question, stream=stream, include_budget=True)
    assert "budget" not in plain.text
    told = events(asked)[-2] if stream else asked.json()
    budget = told["budget"]
    assert sum(segment["tokens"] for segment in budget["segments"]) <= budget["context_window"]
    assert {candidate["decision"] for candidate in budget["candidates"]} == {decision}
    assert ["include_budget" in sent for sent in model.chats] == [False, False]
