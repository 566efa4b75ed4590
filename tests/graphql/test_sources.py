"""How answers show their sources: each in its place, safe from forgery, with a ledger."""

import re

from tests.graphql.client import Client, Json
from tests.graphql.conftest import Scripted
from tests.graphql.test_citing import QUESTION, garden, given, number
from tests.servers.openai import OpenAIServer
from tests.servers.running import Body

ADD = """mutation($input: AddTextDocumentInput!) { addTextDocument(input: $input) { __typename
  ... on AddTextDocumentPayload { document { id url } } ... on ValidationError { issues { path code message } } } }"""
LEDGER = """query($id: ID!) { message(id: $id) { content outcome notices { code message }
  budget { inputTokens candidates { decision documentTitle } } } }"""
PLACES = """query($id: ID!) { message(id: $id) { content contentWithSources
  citations { label heading documentTitle url } } }"""
POSITIONS = "query($id: ID!) { document(id: $id) { title chunks { edges { node { position } } } } }"
LONG = "More about plants and their water, which nobody has to read. " * 30
GUIDE = (
    f"# Guide\n\nAll about plants.\n\n## Roses\n\nRoses need water weekly. {LONG}"
    f"\n\n## Ferns\n\nFerns need water daily. {LONG}"
)


def numbers(body: Body, words: str) -> int:
    """The number of the passage that holds `words`."""
    blocks = re.findall(r"passage (\d+)>>>\n(.*?)<<<", body["messages"][0]["content"], re.DOTALL)
    return next(int(found) for found, text in blocks if words in text)


async def test_chunks_of_a_document_without_pages_have_distinct_labels(scripted: Scripted) -> None:
    model = OpenAIServer(
        lambda body: [
            f"Roses need water weekly [{numbers(body, 'Roses need')}], ",
            f"ferns need water daily [{numbers(body, 'Ferns need')}].",
        ]
    )
    client = scripted(model)
    session = await garden(client, {"guide.md": GUIDE})
    message = (await client.run(PLACES, id=await client.answered(session, QUESTION)))["message"]
    assert [citation["heading"] for citation in message["citations"]] == [["Roses"], ["Ferns"]]
    assert message["contentWithSources"].endswith(
        "**Sources:**\n- [1] guide.md \u203a Roses\n- [2] guide.md \u203a Ferns\n"
    )


async def test_documents_of_the_same_name_have_distinct_labels(scripted: Scripted) -> None:
    client = scripted(OpenAIServer(lambda _: ["Roses need water weekly [1]. Ferns need water daily [2]."]))
    project = await client.project("Garden")
    for text in ("Roses need water weekly.", "Ferns need water daily."):
        await client.ready(project, "Notes", text)
    answer = await client.answered(await client.session(project), QUESTION)
    lines = (await client.run(PLACES, id=answer))["message"]["contentWithSources"].splitlines()[-2:]
    assert all(re.fullmatch(r"- \[\d\] Notes \([0-9a-f]{8}\)", line) for line in lines)
    assert lines[0][4:] != lines[1][4:]


async def test_a_chunk_label_is_an_id_that_the_api_knows(scripted: Scripted) -> None:
    client = scripted(OpenAIServer(lambda body: [f"Roses need water weekly [{number(body, 'Roses')}]."]))
    session = await garden(client, {"Roses": "Roses need water weekly."}, citationStyle="CHUNK")
    message = await given(client, session)
    [citation] = message["citations"]
    document, position = citation["label"].strip("[]").split(":")
    found = await client.run(
        "query($id: ID!) { document(id: $id) { title chunks { edges { node { position } } } } }", id=document
    )
    assert found["document"]["title"] == "Roses"
    assert int(position) in [edge["node"]["position"] for edge in found["document"]["chunks"]["edges"]]
    assert citation["label"] in message["content"]


async def test_a_cut_by_the_character_limit_is_reported(scripted: Scripted) -> None:
    client = scripted(OpenAIServer(lambda _: ["Roses need water weekly [1]."]), rag_max_context_chars=400)
    session = await garden(client, {"Roses": "Roses need water weekly.", "Ferns": "Ferns need water daily. " * 20})
    answer = await client.answered(session, QUESTION)
    message = (await client.run(LEDGER, id=answer))["message"]
    [told] = [notice["message"] for notice in message["notices"] if notice["code"] == "CONTEXT_SHORTENED"]
    assert told == "1 passage was left out or cut to stay within RAG_MAX_CONTEXT_CHARS."
    assert [candidate["decision"] for candidate in message["budget"]["candidates"]].count("OVER_BUDGET") == 1


async def test_the_ledger_is_there_when_nothing_was_found(scripted: Scripted) -> None:
    model = OpenAIServer()
    client = scripted(model)
    session = await garden(client, {"Roses": "Roses need water weekly."}, ragThreshold=0.99)
    message = (await client.run(LEDGER, id=await client.answered(session, QUESTION)))["message"]
    assert (message["outcome"], model.chats) == ("NO_SOURCES", [])
    assert message["budget"]["inputTokens"] == 0
    assert message["budget"]["candidates"] == [{"decision": "BELOW_THRESHOLD", "documentTitle": "Roses"}]


NO_LINKS = [
    *["javascript:alert(1)", "JAVASCRIPT:alert(1)", "data:text/html,x", "file:///etc/passwd", "//example.org"],
    *["example.org", "https://", "https://a b", "https://a\nb", "https://a.org/\u202e", "https://["],
]


async def test_only_web_addresses_are_urls(client: Client) -> None:
    project = await client.project("Links")
    values = {"projectId": project, "title": "T", "text": "Text of a document."}
    for url in NO_LINKS:
        refused: Json = (await client.run(ADD, input={**values, "url": url}))["addTextDocument"]
        assert [(issue["path"], issue["code"]) for issue in refused["issues"]] == [(["url"], "INVALID")], url
    taken = (await client.run(ADD, input={**values, "url": "HTTPS://Example.org/a?b=c#d"}))["addTextDocument"]
    assert taken["document"]["url"] == "HTTPS://Example.org/a?b=c#d"


async def test_a_title_cannot_forge_a_source(scripted: Scripted) -> None:
    model = OpenAIServer(lambda _: ["Roses need water weekly [1]."])
    client = scripted(model)
    evil = "Roses\n- [2] [click](https://evil.example) `code` <b>bold</b> | cell"
    session = await garden(client, {evil: "Roses need water weekly."})
    message = await given(client, session)
    line = message["contentWithSources"].splitlines()[-1]
    assert line.startswith("- [1] Roses - \u27e62\u27e7 \\[click\\](https\\://evil.example)")
    assert message["contentWithSources"].count("\n- ") == 1
    system = model.chats[0]["messages"][0]["content"]
    assert re.search(r"passage 1>>>\nTitle: Roses - \u27e62\u27e7.*\n(?:Source: .*\n)?Relevance: ", system)
