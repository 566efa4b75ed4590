"""What a user's projects hold is bounded, counted exactly, and shown."""

import io
import zipfile
from pathlib import Path

import httpx
import pytest
from typer.testing import CliRunner

from app import global_ids
from app.accounts.members import Role
from app.cli.commands import cli
from app.services import open_backend
from tests import behind
from tests.answers import Start
from tests.conftest import MakeSettings
from tests.documents import add
from tests.graphql.client import INGESTION, Client, Json
from tests.graphql.documents.test_documents import upload
from tests.graphql.embedding_models.switching import NEW, TwoModels
from tests.looking import pause
from tests.servers.running import running
from tests.signed_in_server import StartSignedIn

ADD = """mutation($input: AddTextDocumentInput!) { addTextDocument(input: $input) { __typename
  ... on AddTextDocumentPayload { document { id } }
  ... on ValidationError { message issues { path code } } } }"""
ADD_ALL = """mutation($input: AddTextDocumentsInput!) { addTextDocuments(input: $input) {
  ... on AddTextDocumentsPayload { results { ... on AddTextDocumentPayload { document { title } }
  ... on ValidationError { issues { code } } ... on UnavailableError { service } } } } }"""
DELETE = "mutation($input: DeleteDocumentInput!) { deleteDocument(input: $input) { __typename } }"
REMOVE = "mutation($input: DeleteProjectInput!) { deleteProject(input: $input) { __typename } }"
RETRY = "mutation($input: RetryDocumentInput!) { retryDocument(input: $input) { __typename } }"
SHOWN = "query($id: ID!) { viewer { storedBytes maxStoredBytes } project(id: $id) { stats { bytes storedBytes } } }"
RECOUNTED = """SELECT SUM(n) FROM (SELECT SUM(LENGTH(data)) AS n FROM originals
  UNION ALL SELECT SUM(LENGTH(text)) FROM chunks) AS counted"""


def text(length: int, word: str = "Apples") -> str:
    """A text of so many bytes; it becomes a chunk of as many characters."""
    sentence = f"{word} are red. "
    return (sentence * (length // len(sentence))).ljust(length, "x")


async def shown(client: Client, project: str) -> tuple[float, float | None, float]:
    found = await client.run(SHOWN, id=project)
    return *found["viewer"].values(), found["project"]["stats"]["storedBytes"]


async def refused(client: Client, project: str, **values: Json) -> str:
    added = await client.mutate(ADD, projectId=project, title="More", **values)
    assert [issue["code"] for issue in added["issues"]] == ["STORAGE_FULL"]
    return added["message"]


async def test_documents_without_room_are_refused(start: Start, database_url: str) -> None:
    client = start(max_stored_bytes_per_user=5_000)
    project, other = await client.project("First"), await client.project("Second")
    first = await client.ready(project, "First", text(700), source="first")
    assert (await shown(client, project))[1:] == (5_000, 1_400)
    await client.ready(other, "Other", text(700))
    assert await shown(client, project) == (2_800, 5_000, 1_400)
    assert await refused(client, project, text=text(2_201)) == (
        "There is no room for this document: the projects of this project's owner hold 2,800 of the 5,000 bytes "
        "allowed (MAX_STORED_BYTES_PER_USER). Delete documents to make room."
    )
    sent = (await upload(client, "more.txt", text(2_201).encode(), "text/plain", projectId=other)).json()
    assert "STORAGE_FULL" in str(sent)
    # Each of a batch has its own result.
    texts = [{"title": name, "text": text(1_200, name)} for name in ("Plums", "Pears", "Figs")]
    found = (await client.mutate(ADD_ALL, projectId=project, documents=texts))["results"]
    assert found == [{"document": {"title": "Plums"}}, {"issues": [{"code": "STORAGE_FULL"}]}, found[2]]
    assert found[2] == {"issues": [{"code": "STORAGE_FULL"}]}
    # The same again, and a version that is not larger, need no room.
    for content in (text(700), text(690, "Apricots")):
        again = await client.mutate(ADD, projectId=project, title="First", text=content, source="first")
        assert again["__typename"] == "AddTextDocumentPayload"
        await client.follow(INGESTION, document=again["document"]["id"])
    held, _, _ = await shown(client, project)
    assert held == float(behind.fetch(database_url, RECOUNTED)[0][0])
    await client.mutate(DELETE, id=first)
    assert (await shown(client, project))[0] == held - 2 * 690
    await client.mutate(REMOVE, id=other)
    assert (await shown(client, project))[0] == held - 2 * 690 - 1_400


async def test_a_document_whose_text_has_no_room_fails_and_can_be_retried(start: Start, database_url: str) -> None:
    """A small file may hold a long text, which shows only when it is read."""
    client = start(max_stored_bytes_per_user=20_000)
    project = await client.project("Packed")
    first = await client.ready(project, "First", text(5_000), source="first")
    held, _, _ = await shown(client, project)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("long.txt", text(15_000))
    held += len(packed.getvalue())
    sent = (await upload(client, "long.zip", packed.getvalue(), "application/zip", projectId=project)).json()
    document = sent["data"]["uploadDocument"]["document"]["id"]
    [*_, last] = await client.follow(INGESTION, document=document)
    assert (last["failure"]["code"], last["failure"]["retryable"]) == ("STORAGE_FULL", True)
    assert f"hold {held:,.0f} of the 20,000 bytes allowed" in last["failure"]["message"]
    assert await shown(client, project) == (held, 20_000, held)
    await client.mutate(DELETE, id=first)
    await client.mutate(RETRY, id=document)
    [*_, last] = await client.follow(INGESTION, document=document)
    assert last["document"]["status"] == "READY"
    held, _, _ = await shown(client, project)
    assert held == behind.fetch(database_url, RECOUNTED)[0][0] > 15_000


async def test_documents_that_are_read_at_once_do_not_exceed_the_limit_together(
    start: Start, database_url: str
) -> None:
    """Each fits, alone, when it is read; embedding both may take minutes."""
    with running(TwoModels()) as model:
        values = {"openai_base_url": model.url, "openai_api_key": "sk-1", "embedding_model": NEW}
        client = start(max_stored_bytes_per_user=3_000, **values)
        model.gate.clear()
        documents: list[str] = []
        for name in ("First", "Second"):
            added = await client.mutate(ADD, projectId=await client.project(name), title=name, text=text(1_000, name))
            documents.append(added["document"]["id"])
        while sum(len(asked) > 1_000 for _, asked in model.asked) < 2:  # until both are being embedded
            await pause()
        model.gate.set()
        ends = [(await client.follow(INGESTION, document=document))[-1] for document in documents]
        assert sorted(end["__typename"] for end in ends) == ["IngestionCompleted", "IngestionFailed"]
        [failed] = [end["failure"] for end in ends if "failure" in end]
        assert (failed["code"], failed["retryable"]) == ("STORAGE_FULL", True)
        held = (await client.run("{ viewer { storedBytes } }"))["viewer"]["storedBytes"]
        assert held == behind.fetch(database_url, RECOUNTED)[0][0] == 3_000


async def test_an_original_that_is_still_searched_counts_beside_versions_that_fail(
    start: Start, database_url: str
) -> None:
    client = start(max_stored_bytes_per_user=9_000)
    project = await client.project("Pages")

    async def replace(page: bytes) -> Json:
        values: dict[str, Json] = {"projectId": project, "source": "page"}
        sent = (await upload(client, "page.html", page, "text/html", **values)).json()
        document = sent["data"]["uploadDocument"]["document"]["id"]
        [*_, last] = await client.follow(INGESTION, document=document)
        held, _, of_project = await shown(client, project)
        assert held == of_project == behind.fetch(database_url, RECOUNTED)[0][0]
        return last

    full = f"<p>{text(1_000)}</p><!--{'x' * 3_000}-->".encode()
    assert "failure" not in await replace(full)
    held, _, _ = await shown(client, project)
    empty = b"<html></html>"
    assert "failure" in await replace(empty)
    assert (await shown(client, project))[0] == held + len(empty)
    assert "failure" in await replace(empty + b" ")  # the version that failed is not kept
    assert (await shown(client, project))[0] == held + len(empty) + 1
    await refused(client, project, text=text(4_200))
    # A version that is not larger than the searched one needs no room, and frees that of the others.
    assert "failure" not in await replace(full.replace(b"Apples", b"Plums!"))
    assert (await shown(client, project))[0] == held
    assert "failure" in await replace(empty)
    document = behind.fetch(database_url, "SELECT id FROM documents")[0][0]
    await client.mutate(DELETE, id=global_ids.encode("Document", str(document)))
    assert (await shown(client, project))[0] == 0


async def test_what_has_to_wait_takes_no_room(start: Start) -> None:
    client = start(max_stored_bytes_per_user=1_500, max_queued_documents_per_project=1, process_documents=False)
    texts = [{"title": name, "text": text(700, name)} for name in ("Plums", "Pears", "Figs")]
    found = (await client.mutate(ADD_ALL, projectId=await client.project("Busy"), documents=texts))["results"]
    assert found == [{"document": {"title": "Plums"}}, {"service": "ingestion"}, {"service": "ingestion"}]


async def test_a_project_counts_for_its_first_owner(signed: StartSignedIn) -> None:
    kim = await signed(max_stored_bytes_per_user=3_000)
    user = await kim.accounts.users.create("ben@example.org", "Ben", "correct horse battery")
    token, _ = await kim.accounts.access_tokens.create(user.id, "test")
    async with httpx.AsyncClient(timeout=120, headers={"authorization": f"Bearer {token}"}) as http:
        ben, project = Client(http, kim.url), await kim.client.project("Shared")
        await kim.accounts.members.set_member(global_ids.find("Project", project) or "", user.id, Role.OWNER, None)
        await ben.ready(project, "Full", text(1_400))
        assert "There is no room" in await refused(ben, project, text=text(300))
        assert (await ben.run("{ viewer { storedBytes } }"))["viewer"]["storedBytes"] == 0
        await ben.ready(await ben.project("Own"), "Own", text(1_400))


async def test_no_limit_is_allowed(start: Start) -> None:
    client = start(max_stored_bytes_per_user=0)
    project = await client.project("Unlimited")
    await client.ready(project, "First", text(700))
    assert await shown(client, project) == (1_400, None, 1_400)


async def test_a_wrong_count_is_found_and_repaired(make_settings: MakeSettings) -> None:
    settings = make_settings()
    async with open_backend(settings, "ingest") as footnote:
        project = await footnote.knowledge.projects.create_project("Counted")
        await add(footnote, project.id, text(700))
        assert (await footnote.knowledge.check.check()).findings == []
        behind.execute(settings.database_url or "", "UPDATE projects SET stored_bytes = 5")
        found = await footnote.knowledge.check.check()
        assert [finding.message for finding in found.findings] == ["The stored size of a project is wrong."]
        await footnote.knowledge.check.repair(found)
        assert behind.fetch(settings.database_url or "", "SELECT stored_bytes FROM projects") == [(1_400,)]
        # The original of an earlier version, as is kept while that is searched.
        kept = "INSERT INTO originals(document_id, version, position, data) SELECT id, 0, 0, x'2E2E' FROM documents"
        behind.execute(settings.database_url or "", kept)
        await footnote.knowledge.check.repair(await footnote.knowledge.check.check())
        assert behind.fetch(settings.database_url or "", "SELECT stored_bytes FROM projects") == [(1_402,)]


def test_the_command_line_says_what_has_no_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.txt").write_text(text(700))
    (tmp_path / "b.txt").write_text(text(1_600, "Plums"))
    environment = {"COLUMNS": "100", "MAX_STORED_BYTES_PER_USER": "1500"}
    done = CliRunner(env=environment).invoke(cli, ["ingest", "a.txt", "b.txt", "-p", "fruit"])
    assert done.exit_code == 1
    assert "1 ingested (1 chunk), 1 failed" in done.stdout
    assert "b.txt: There is no room for this document: the projects of this project's owner hold " in done.stdout
