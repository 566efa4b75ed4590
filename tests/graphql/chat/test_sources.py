"""How answers show their sources: each in its place, safe from forgery, with a ledger."""

import re
from contextlib import closing
from pathlib import Path

import pytest

from app.database.sqlite import driver
from tests.files.pdf import paragraph, pdf
from tests.graphql.chat.test_citing import QUESTION, garden, given, number
from tests.graphql.client import INGESTION, Client, Json
from tests.graphql.conftest import Scripted
from tests.graphql.documents.test_documents import upload
from tests.servers.openai import OpenAIServer
from tests.servers.running import Body

PADDING = ["More about plants and their water, which nobody has to read."] * 20
PLANTS = pdf(
    [
        paragraph("Roses need water weekly.", *PADDING),
        paragraph("Ferns need water daily.", *PADDING, "Mosses need water hourly.", *PADDING[:8]),
    ]
)
ADD = """mutation($input: AddTextDocumentInput!) { addTextDocument(input: $input) { __typename
  ... on AddTextDocumentPayload { document { id url } } ... on ValidationError { issues { path code message } } } }"""
LEDGER = """query($id: ID!) { message(id: $id) { content outcome notices { code message }
  budget { inputTokens candidates { decision documentTitle } } } }"""
PLACES = """query($id: ID!) { message(id: $id) { content contentWithSources
  citations { label heading documentTitle url } } }"""
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


PAGES = """query($id: ID!, $session: ID!) {
  message(id: $id) { contentWithSources citations { page uses { page } } }
  exportChatSession(id: $session, format: MARKDOWN) }"""


async def test_each_quote_has_the_page_on_which_it_stands(scripted: Scripted, tmp_path: Path) -> None:
    """Passages that begin on one page are one citation, wherever their quotes stand."""
    model = OpenAIServer(
        lambda body: [
            f"Ferns need water daily [{numbers(body, 'Ferns need')}]. ",
            f"Roses need water weekly [{numbers(body, 'Roses need')}]. ",
            f"Mosses need water hourly [{numbers(body, 'Mosses need')}].",
        ]
    )
    client = scripted(model)
    project = await client.project("Garden")
    added = (await upload(client, "plants.pdf", PLANTS, "application/pdf", projectId=project)).json()
    document = added["data"]["uploadDocument"]["document"]["id"]
    assert (await client.follow(INGESTION, document=document))[-1]["__typename"] == "IngestionCompleted"
    session = await client.session(project)
    answer = await client.answered(session, QUESTION)
    found = await client.run(PAGES, id=answer, session=session)
    pages = [
        (citation["page"], [use["page"] for use in citation["uses"]]) for citation in found["message"]["citations"]
    ]
    assert pages == [(2, [2, 1]), (2, [2])]
    assert found["message"]["contentWithSources"].endswith("\n- [1] plants.pdf, page 2\n- [2] plants.pdf, page 2\n")
    for line in ("[1] plants.pdf, page 2", "“Ferns need water daily.”", "“Roses need water weekly.”, page 1"):
        assert f"> {line}\n" in found["exportChatSession"]

    # An answer of an earlier version, which does not say so.
    with closing(driver.choose_driver().module.connect(tmp_path / "footnote.db")) as connection, connection:
        connection.execute(
            "UPDATE messages SET citations = json_remove(citations, '$[0].uses[0].page', '$[0].uses[1].page')"
        )
    found = await client.run(PAGES, id=answer, session=session)
    assert [use["page"] for use in found["message"]["citations"][0]["uses"]] == [None, None]
    assert "> “Roses need water weekly.”\n" in found["exportChatSession"]


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


ROWS = """query($id: ID!, $session: ID!) {
  message(id: $id) { contentWithSources citations { heading uses { quote row } } }
  exportChatSession(id: $session, format: MARKDOWN) }"""
PLANTING = "Plant,Water\n,litres\nRoses,2\nFerns,5\nMosses,1\n"
LONG_ROW = "Plant,Water,Care\nRoses,2,{}\nFerns,5,none\n".format("Cut them in spring before the first leaves. " * 14)


@pytest.mark.parametrize("table", [PLANTING, LONG_ROW])
async def test_each_quote_of_a_sheet_has_its_row(scripted: Scripted, table: str) -> None:
    """All rows are in one passage. A row on several lines hides which line is which row."""
    model = OpenAIServer(
        lambda body: [
            f"Ferns: 5 [{numbers(body, 'Ferns')}]. ",
            f"Roses: 2 [{numbers(body, 'Roses')}].",
        ]
    )
    client = scripted(model)
    project = await client.project("Garden")
    added = (await upload(client, "plants.csv", table.encode(), "text/csv", projectId=project)).json()
    document = added["data"]["uploadDocument"]["document"]["id"]
    assert (await client.follow(INGESTION, document=document))[-1]["__typename"] == "IngestionCompleted"
    session = await client.session(project)
    found = await client.run(ROWS, id=await client.answered(session, "Water of Ferns and Roses?"), session=session)
    [citation] = found["message"]["citations"]
    rows = [use["row"] for use in citation["uses"]]
    sources = found["message"]["contentWithSources"].rpartition("\n- ")[2]
    if table == LONG_ROW:
        assert (citation["heading"], rows) == (["rows 2\u20133"], [None, None])
        assert sources == "[1] plants.csv \u203a rows 2\u20133\n"
    else:
        assert (citation["heading"], rows) == (["row 4"], ["row 4", "row 3"])
        assert sources == "[1] plants.csv \u203a row 4\n"
        assert "“Plant: Roses; Water / litres: 2”, row 3" in found["exportChatSession"]
