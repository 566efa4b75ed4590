"""Requests answered from documents: what is searched, what the model receives, and what comes back."""

import logging
import re
from collections.abc import Callable
from typing import Any

import pytest

from app.graphql import ids
from app.openai_api import sources
from app.providers.base import PromptMessage
from app.providers.tokens import TokenCounter
from app.rag.context.prompt import OPEN_POLICY
from app.rag.pass_through import PromptMeasurement
from tests.openai_api.api import ABSENT, KAITO, QUESTION, OpenAIServer, RawServer, error, events, text
from tests.openai_api.conftest import Start
from tests.openai_api.test_pass_through import chunk
from tests.servers.running import running

Json = Any
SYSTEM = {"role": "system", "content": "You are a helpful assistant."}


NO_SOURCES: Json = {"source_nodes": [], "citations": [], "notices": []}


def user(content: Json) -> Json:
    return {"role": "user", "content": content}


def assistant(content: Json) -> Json:
    return {"role": "assistant", "content": content}


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


# Twenty passages of about a hundred tokens each, all about the same.
MANY = tuple(f"KAITO part {n}. " + f"KAITO does thing {n} for workloads and more. " * 8 for n in range(20))


def window(tokens: int) -> list[Json]:
    return [{"id": "chat", "object": "model", "max_model_len": tokens}]


async def nodes_with(start: Start, tokens: int, **fields: Json) -> tuple[int, Json]:
    """The number of passages in the prompt, and the request as sent."""
    with running(OpenAIServer(lambda _: ["It is [1]."], models=window(tokens))) as model:
        response = await (await start(model, MANY)).ask(**fields)
    assert response.status_code == 200, response.text
    sent = model.chats[0]
    return len(re.findall(r"<<<\w+ passage \d+>>>", sent["messages"][0]["content"])), sent


async def test_a_choice_of_no_tools_goes_with_them(start: Start) -> None:
    chosen: Json = {"tool_choice": "auto", "parallel_tool_calls": True, "function_call": "auto"}
    with running(OpenAIServer(lambda _: ["It is [1]."])) as model:
        response = await (await start(model)).ask(tools=[], functions=[], **chosen)
    assert response.headers["x-footnote-route"] == "rag"
    assert not {"tools", "functions", *chosen} & model.chats[0].keys()


async def test_top_k_is_wide_and_the_window_decides(start: Start) -> None:
    """Many more than a session's five; none is dropped while there is room."""
    count, sent = await nodes_with(start, 32_000)
    assert count == 20
    assert "max_tokens" not in sent


async def test_top_k_has_a_maximum(start: Start) -> None:
    with running(OpenAIServer(lambda _: ["It is [1]."])) as model:
        response = await (await start(model, MANY, rag_max_top_k=7)).ask()
    assert len(response.json()["source_nodes"]) == 7


@pytest.mark.parametrize(
    ("measured", "per_passage", "most", "top_k"),
    [
        (PromptMeasurement(8192, 500), 500, 300, 100),
        (PromptMeasurement(128_000, 500), 500, 300, 255),
        (PromptMeasurement(200_000, 500), 500, 300, 300),
        (PromptMeasurement(128_000, 500), 1000, 300, 127),
        (PromptMeasurement(8192, 8192), 500, 300, 100),
        (PromptMeasurement(8192, 500), 500, 20, 20),
    ],
)
def test_top_k_worked_examples(measured: PromptMeasurement, per_passage: int, most: int, top_k: int) -> None:
    assert measured.candidate_limit(per_passage, most) == top_k


async def test_a_small_limit_leaves_more_room_for_passages(start: Start) -> None:
    """Seed 000's second example of `max_tokens`, against its first and an excessive one."""
    small, sent = await nodes_with(start, 3000, max_tokens=100)
    assert sent["max_tokens"] == 100
    assert small > 12


async def test_without_a_limit_none_is_sent(start: Start) -> None:
    count, sent = await nodes_with(start, 3000)
    assert "max_tokens" not in sent
    assert 0 < count <= 12  # half of the window is the answer's


async def test_an_excessive_limit_is_reduced_and_reported(start: Start) -> None:
    """Seed 000's third example: 8,000 asked for, with a window of 8,192 and a prompt of about 500 tokens."""
    prompt = "What is KAITO? " + "Tell me of the workloads. " * 70
    with running(OpenAIServer(lambda _: ["It is [1]."], models=window(8192))) as model:
        api = await start(model)
        body = (await api.ask(prompt, max_tokens=8000)).json()
        absent = await api.ask(ABSENT + " " + "Nobody of them plays. " * 100, max_tokens=8000)
        passed = await api.post({"model": "chat", "messages": [user("Hi")], "max_tokens": 8000})
    sent = model.chats[0]
    counted = TokenCounter().count_messages(PromptMessage(m["role"], m["content"]) for m in sent["messages"])
    assert 6000 < sent["max_tokens"] <= 8192 - counted
    assert body["notices"][0]["code"] == "MAX_TOKENS_REDUCED"
    # Nothing found: reduced to what is left beside the messages, and nothing else is changed.
    assert absent.headers["x-footnote-route"] == "no-sources"
    alone = TokenCounter().count_messages(PromptMessage("user", m["content"]) for m in model.chats[1]["messages"])
    assert model.chats[1]["max_tokens"] == 8192 - alone < 8000
    # Where retrieval does not apply, the provider judges.
    assert passed.status_code == 200
    assert model.chats[2]["max_tokens"] == 8000


async def test_a_window_full_of_messages_leaves_no_room_for_passages(start: Start) -> None:
    question = "What is KAITO? " + "Tell me of the workloads. " * 100
    tokens = TokenCounter().count_messages([PromptMessage("user", question)])
    with running(OpenAIServer(lambda _: ["It is."], models=window(tokens))) as model:
        response = await (await start(model)).ask(question)
    assert response.status_code == 200
    # There is room for the conversation, and none for passages: it goes as it is.
    assert response.headers["x-footnote-route"] == "no-sources"
    assert model.chats == [{"model": "chat", "messages": [user(question)]}]


async def test_history_never_shrinks(start: Start) -> None:
    turns = [m for n in range(30) for m in (user(f"Question {n}?"), assistant(f"Answer {n}: " + "so it is. " * 12))]
    with running(OpenAIServer(lambda _: ["It is [1]."], models=window(3800))) as model:
        response = await (await start(model, MANY)).ask([*turns, user(QUESTION)])
    assert response.headers["x-footnote-route"] == "rag"
    assert [m["content"].strip() for m in model.chats[0]["messages"][1:]] == [
        *(turn["content"].strip() for turn in turns),
        QUESTION,
    ]
    assert 0 < len(response.json()["source_nodes"]) < 20


async def test_the_ratio_decides_how_much_is_context(start: Start) -> None:
    with running(OpenAIServer(lambda _: ["It is [1]."], models=window(3000))) as model:
        api = await start(model, MANY)
        counts = [len((await api.ask(context_token_ratio=ratio)).json()["source_nodes"]) for ratio in (0.2, 0.5, 0.8)]
    assert 0 < counts[0] < counts[1] < counts[2]


BAD_RATIOS = [0, 0.0, 0.1, 0.19999, 0.80001, 1, 5, -0.5]


@pytest.mark.parametrize("ratio", BAD_RATIOS)
async def test_a_ratio_out_of_bounds_is_refused(start: Start, ratio: float) -> None:
    with running(OpenAIServer()) as model:
        api = await start(model)
        found = error(await api.ask(context_token_ratio=ratio), 400)
        # It is checked before the route is chosen.
        passed = error(await api.ask(context_token_ratio=ratio, tools=[{"type": "function"}]), 400)
    assert found["param"] == passed["param"] == "context_token_ratio"
    assert "between 0.2 and 0.8" in found["message"]
    assert model.chats == []


@pytest.mark.parametrize("ratio", [0.2, 0.8, None])
async def test_a_ratio_on_its_bounds_passes(start: Start, ratio: float | None) -> None:
    with running(OpenAIServer(lambda _: ["It is [1]."])) as model:
        response = await (await start(model)).ask(context_token_ratio=ratio)
    assert response.headers["x-footnote-route"] == "rag"


async def test_documents_can_be_filtered(start: Start) -> None:
    with running(OpenAIServer(lambda _: ["It is [1]."])) as model:
        api = await start(model, ("KAITO needs Helm.", "KAITO needs GPUs."))

        async def titles(**filter: Json) -> list[str]:
            body = (await api.ask(document_filter=filter)).json()
            return sorted(node["metadata"]["title"] for node in body["source_nodes"])

        assert await titles() == await titles(status=["READY"]) == ["Document 0", "Document 1"]
        assert await titles(title_contains="MENT 1") == ["Document 1"]
        nothing = await api.ask(document_filter={"metadata": {"year": 2024}})
    assert nothing.headers["x-footnote-route"] == "no-sources"
    assert [notice["code"] for notice in nothing.json()["notices"]] == ["NO_MATCHING_DOCUMENTS"]
    assert all("document_filter" not in body for body in model.chats)


async def test_documents_can_be_chosen(start: Start) -> None:
    with running(OpenAIServer(lambda _: ["It is [1]."])) as model:
        api = await start(model, ("KAITO needs Helm.", "KAITO needs GPUs."))
        nodes = (await api.ask()).json()["source_nodes"]
        chosen = nodes[1]["doc_id"]
        for name in (chosen, ids.find("Document", chosen)):
            found = (await api.ask(document_ids=[name])).json()["source_nodes"]
            assert [node["doc_id"] for node in found] == [chosen]
        elsewhere = await api.graphql.ready(await api.graphql.project("Others"), "Other", "KAITO needs time.")
        for unknown in (elsewhere, api.project, "x", "0" * 32):
            refused = error(await api.ask(document_ids=[chosen, unknown]), 404)
            assert (refused["param"], refused["code"]) == ("document_ids", "document_not_found")
            assert refused["message"] == f"There is no document “{unknown}” in this project."
    assert all("document_ids" not in body for body in model.chats)


@pytest.mark.parametrize("wrong", [[], [1], [None], ["x"] * 101])
async def test_lists_of_documents_that_are_none_are_refused(start: Start, wrong: Json) -> None:
    with running(OpenAIServer()) as model:
        found = error(await (await start(model)).ask(document_ids=wrong), 400)
    assert found["message"] == "`document_ids` must be a list of 1 to 100 ids of documents."
    assert model.chats == []


NO_TITLE = "`title_contains` must be a string of at most 500 characters."
NO_STATUSES = "`status` must be a list of QUEUED, PROCESSING, READY, FAILED."


@pytest.mark.parametrize(
    ("filter", "parameter", "says"),
    [
        ([], "document_filter", "`document_filter` must be an object."),
        ({"titleContains": "x"}, "titleContains", "A document filter has `status`, `title_contains` and `metadata`."),
        *(({"title_contains": wrong}, "title_contains", NO_TITLE) for wrong in ("x" * 501, 1)),
        *(({"status": wrong}, "status", NO_STATUSES) for wrong in (["DONE"], "READY", [["READY"]])),
        ({"status": ["READY"] * 101}, "status", "`status` must have at most 100 entries."),
        ({"metadata": {"a": None}}, "metadata", "Filter metadata by text, number or boolean values."),
        ({"metadata": {"a": 1e300}}, "metadata", "Numbers in `metadata` must be at most 9,007,199,254,740,992."),
    ],
)
async def test_a_filter_that_is_none_is_refused(start: Start, filter: Json, parameter: str, says: str) -> None:
    with running(OpenAIServer()) as model:
        found = error(await (await start(model)).ask(document_filter=filter), 400)
    expected = parameter if parameter == "document_filter" else f"document_filter.{parameter}"
    assert (found["param"], found["message"]) == (expected, says)


NAMES: list[Callable[[str], str]] = [lambda id: id, lambda id: str(ids.find("Project", id)), lambda _: "Docs"]


@pytest.mark.parametrize("name", NAMES, ids=["global id", "bare id", "name"])
async def test_an_index_is_a_project_by_id_or_name(start: Start, name: Callable[[str], str]) -> None:
    with running(OpenAIServer(lambda _: ["It is [1]."])) as model:
        api = await start(model)
        response = await api.ask(index_name=name(api.project))
    assert response.headers["x-footnote-route"] == "rag"


@pytest.mark.parametrize("name", ["docs ", "nothing", "0" * 32, ids.encode("Project", "0" * 32), "\ud83d", "'; --"])
async def test_an_unknown_index_is_not_found(start: Start, name: str) -> None:
    with running(OpenAIServer()) as model:
        api = await start(model)
        body = {"model": "chat", "messages": [user(QUESTION)], "index_name": name}
        found = error(await api.post(body), 404)
    assert (found["code"], found["param"]) == ("index_not_found", "index_name")
    assert model.chats == []


def test_a_project_is_named_by_its_id_of_the_graphql_api() -> None:
    assert sources.row_id("Project", ids.encode("Project", "b" * 32)) == "b" * 32
    assert sources.row_id("Project", ids.encode("Document", "b" * 32)) is None
    assert sources.row_id("Project", "Docs") is None


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
