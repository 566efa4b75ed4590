"""Projects of different users with one name: nobody is answered from, or writes into, another user's by its name."""

import contextlib
import json
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import httpx
import pytest
from typer.testing import CliRunner, Result

from app.cli.commands import cli
from app.graphql import ids
from app.services import MemberRole
from app.settings import Settings
from tests.answers import openai as asked_of
from tests.graphql.client import CREATE_PROJECT, Client
from tests.openai_api.api import error
from tests.servers.openai import OpenAIServer
from tests.servers.running import running
from tests.serving import serve
from tests.signed_in_server import SignedInServer, StartSignedIn

Run = Callable[..., Result]

RENAME = """mutation($input: UpdateProjectInput!) { updateProject(input: $input) { __typename } }"""
CREATE = """mutation($name: String!) { createProject(input: {name: $name}) {
  ... on CreateProjectPayload { project { id } } } }"""
QUESTION = "What does the contract of the mill say about the price of flour?"


def row_id(global_id: str) -> str:
    found = ids.decode(global_id)
    assert found is not None
    return found[1]


async def asked(server: SignedInServer, http: httpx.AsyncClient, index: str) -> httpx.Response:
    body = {"model": "openai/chat", "index_name": index, "messages": [{"role": "user", "content": QUESTION}]}
    return await http.post(f"{server.url}/v1/chat/completions", json=body)


async def test_a_shared_project_cannot_take_the_name_of_ones_own(signed: StartSignedIn) -> None:
    with running(OpenAIServer(lambda _: ["Flour costs 5."])) as model:
        server = await signed(**asked_of(model))
        bob, pat = [await server.accounts.users.create(f"{name}@example.org") for name in ("bob", "pat")]
        tokens = [(await server.accounts.access_tokens.create(user.id, "test"))[0] for user in (bob, pat)]
        async with (
            httpx.AsyncClient(timeout=120, headers={"authorization": f"Bearer {tokens[0]}"}) as of_bob,
            httpx.AsyncClient(timeout=120, headers={"authorization": f"Bearer {tokens[1]}"}) as of_pat,
        ):
            client = Client(of_bob, server.url)
            older = (await client.mutate(CREATE_PROJECT, name="Plans"))["project"]["id"]
            await client.ready(older, "Contract", "The contract of the mill: the price of flour is bobsprice.")
            own = (await server.client.mutate(CREATE_PROJECT, name="Contracts"))["project"]["id"]
            await server.client.ready(own, "Contract", "The contract of the mill: the price of flour is kimsprice.")
            members = server.accounts.members
            await members.set_member(row_id(older), server.user.id, MemberRole.VIEWER, None)
            renamed = await client.mutate(RENAME, id=older, name="Contracts")
            assert renamed["__typename"] == "UpdateProjectPayload"

            assert (await asked(server, server.http, "Contracts")).status_code == 200
            assert "kimsprice" in str(model.chats[-1])
            assert "bobsprice" not in str(model.chats[-1])

            # Who owns neither, or both, has to say which.
            for project, role in ((older, MemberRole.VIEWER), (own, MemberRole.EDITOR)):
                await members.set_member(row_id(project), pat.id, role, None)
            sent = len(model.chats)
            refused = error(await asked(server, of_pat, "Contracts"), 400)
            assert (refused["code"], refused["param"]) == ("index_ambiguous", "index_name")
            assert refused["message"] == "2 projects are named “Contracts”; use the id of the one you mean."
            await members.set_member(row_id(older), server.user.id, MemberRole.OWNER, None)
            assert error(await asked(server, server.http, "Contracts"), 400)["code"] == "index_ambiguous"
            assert len(model.chats) == sent
            assert (await asked(server, of_pat, older)).status_code == 200
            assert "bobsprice" in str(model.chats[-1])


@pytest.fixture
def footnote(tmp_path: Path) -> Generator[Run]:
    """Run `footnote` in a folder with a document and the user bob; returns its output."""
    (tmp_path / "mill.md").write_text("# Mill\n\nThe price of flour is secret.\n")
    runner = CliRunner(env={"COLUMNS": "200"})

    def run(*arguments: str, code: int = 0) -> Result:
        result = runner.invoke(cli, list(arguments))
        assert result.exit_code == code, (result.output, result.exception)
        return result

    with contextlib.chdir(tmp_path):
        run("ingest", "mill.md", "-p", "shop")
        for name in ("bob", "pat"):
            run("user", "add", f"{name}@example.org")
        yield run


@contextlib.contextmanager
def bobs_project(footnote: Run, folder: Path, name: str) -> Generator[tuple[str, Callable[[], Any]]]:
    """A project that bob creates on a running server: its id, and a function that reads what is in it."""
    token = footnote("token", "create", "bob@example.org", "--label", "test").stdout.strip()
    values = {"database_url": f"sqlite:///{folder / 'footnote.db'}", "require_sign_in": True}
    headers = {"authorization": f"Bearer {token}"}
    with serve(Settings.model_validate(values)) as url, httpx.Client(timeout=120, headers=headers) as http:

        def post(query: str, **variables: str) -> Any:
            return http.post(f"{url}/graphql", json={"query": query, "variables": variables}).json()["data"]

        id = post(CREATE, name=name)["createProject"]["project"]["id"]
        yield id, lambda: post("query($id: ID!) { project(id: $id) { documents { totalCount } } }", id=id)


def test_ingest_does_not_adopt_the_project_of_another_user(footnote: Run, tmp_path: Path) -> None:
    with bobs_project(footnote, tmp_path, "Contracts") as (id, read):
        refused = footnote("ingest", "mill.md", "--project", "Contracts", code=2)
        assert refused.stderr == (
            "footnote: The project “Contracts” belongs to bob@example.org; to add documents to it, give its id: "
            f"--project {id}\n"
        )
        assert read() == {"project": {"documents": {"totalCount": 0}}}
        footnote("ingest", "mill.md", "--project", id)
        assert read() == {"project": {"documents": {"totalCount": 1}}}
        absent = ids.encode("Project", "0" * 32)
        missing = footnote("ingest", "mill.md", "--project", absent, code=2)
        assert missing.stderr == f"footnote: There is no project with the id {absent} in footnote.db.\n"
        # The operator's own project needs no id, also when it is shared.
        footnote("member", "set", "shop", "bob@example.org", "OWNER")
        assert "1 unchanged" in footnote("ingest", "mill.md", "--project", "shop").stdout


def test_an_ambiguous_name_is_refused_with_the_ids_and_owners(footnote: Run, tmp_path: Path) -> None:
    with bobs_project(footnote, tmp_path, "shop") as (id, read):
        own = str(footnote("projects", "--json").stdout).partition('"id": "')[2].partition('"')[0]
        told = (
            f"footnote: 2 projects are named “shop”; use one of their ids: {own} (owned by owner@localhost), "
            f"{id} (owned by bob@example.org).\n"
        )
        for command in (
            ("member", "set", "shop", "pat@example.org", "VIEWER"),
            ("ingest", "mill.md", "-p", "shop"),
            ("documents", "list", "-p", "shop"),
        ):
            assert footnote(*command, code=2).stderr == told
        assert read() == {"project": {"documents": {"totalCount": 0}}}
        footnote("member", "set", id, "pat@example.org", "VIEWER")
        assert "pat@example.org" in footnote("member", "list", id).stdout
        assert "pat@example.org" not in footnote("member", "list", own).stdout
        question = {"question": "What is secret?", "documents": ["mill.md"]}
        (tmp_path / "questions.jsonl").write_text(json.dumps(question))
        [asked] = json.loads(footnote("eval", "questions.jsonl", "--json", "-p", own).stdout)["questions"]
        assert asked["found"] is True
