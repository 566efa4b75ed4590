"""Documents that earlier parsers have read: they are counted, and read again from their originals."""

from contextlib import closing
from pathlib import Path

from app.database.sqlite import driver
from tests.graphql.client import INGESTION, Client, Json

STATS = """query($id: ID!) { project(id: $id) { stats { documentCount chunkCount outdatedDocumentCount } } }"""
REREAD = """mutation($input: RereadDocumentsInput!) { rereadDocuments(input: $input) { __typename
  ... on RereadDocumentsPayload { queuedCount project { stats { outdatedDocumentCount } } }
  ... on Error { message } } }"""
SEARCH = """query($input: SearchInput!) { search(input: $input) { nodes { text } } }"""
CITED = """query($id: ID!) { message(id: $id) { citations { sourceStatus quote document { id version } } } }"""
BEES = "# Bees\n\nBees dance to tell where flowers are.\n"


def age_documents(database: Path) -> None:
    """Make all documents look as if they had been read before versions of parsers were kept."""
    # The server's own library: a second one in this process would undo the locks of the first when it closes.
    with closing(driver.choose_driver().module.connect(database)) as connection, connection:
        connection.execute("UPDATE documents SET reader_version = 0")


async def test_outdated_documents_are_read_again(client: Client, database: Path) -> None:
    project = await client.project("rereading")

    async def stats() -> Json:
        return (await client.run(STATS, id=project))["project"]["stats"]

    bees = await client.ready(project, "Bees", BEES)
    session = await client.session(project, ragThreshold=0.01)
    answer = await client.answered(session, "Why do bees dance?")
    before = (await client.run(CITED, id=answer))["message"]["citations"]
    assert [each["sourceStatus"] for each in before] == ["UNCHANGED"]
    assert await stats() == {"documentCount": 1, "chunkCount": 1, "outdatedDocumentCount": 0}
    assert (await client.mutate(REREAD, projectId=project))["queuedCount"] == 0, "nothing is outdated"

    age_documents(database)
    assert (await stats())["outdatedDocumentCount"] == 1
    reread = await client.mutate(REREAD, projectId=project)
    assert reread["queuedCount"] == 1
    assert reread["project"]["stats"]["outdatedDocumentCount"] == 0, "it is queued"
    found = await client.run(SEARCH, input={"projectId": project, "query": "Why do bees dance?"})
    assert "Bees dance" in found["search"]["nodes"][0]["text"], "whether it is read already or not"
    assert (await client.follow(INGESTION, document=bees))[-1]["__typename"] == "IngestionCompleted"
    assert await stats() == {"documentCount": 1, "chunkCount": 1, "outdatedDocumentCount": 0}
    after = (await client.run(CITED, id=answer))["message"]["citations"]
    assert after == [{**each, "sourceStatus": "CHANGED"} for each in before]
