"""Projects and documents on the command line: list, delete and retry, as text and as JSON."""

import contextlib
import json
import os
import sys
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from app.cli.commands import cli
from app.database.sqlite import driver
from tests.servers.openai import OpenAIServer
from tests.servers.running import running
from tests.terminal import on_a_terminal

Run = Callable[..., Result]

RETURNS = "# Returns\n\nGoods may be returned within 30 days of delivery.\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in {
        "a/returns.md": RETURNS,
        "a/ships.txt": "Parcels leave from Hamburg.",
        "b/returns.md": "Other.",
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "a" / "broken.pdf").write_bytes(b"%PDF-1.7 and no more")
    return tmp_path


@pytest.fixture
def footnote(folder: Path) -> Generator[Run]:
    """Run `footnote` there, with two projects; returns its output."""

    def run(*arguments: str, typed: str = "", code: int = 0) -> Result:
        result = CliRunner(env={"COLUMNS": "100"}).invoke(cli, list(arguments), input=typed)
        assert result.exit_code == code, (result.output, result.exception)
        return result

    with contextlib.chdir(folder):
        run("ingest", "a", "-p", "shop", code=1)
        run("ingest", "b", "-p", "shed")
        yield run


def listed(footnote: Run, *arguments: str) -> list[dict[str, Any]]:
    return json.loads(footnote("documents", "list", "--json", *arguments).stdout)


def test_names_cannot_steer_the_terminal(footnote: Run, folder: Path) -> None:
    (folder / "c").mkdir()
    name = "red\x1b]0;title\x07\x9b31m\x7f\u202edm\u2066.md"
    (folder / "c" / name).write_text("Foxes are red.")
    lines = footnote("ingest", "c", "-p", "shop").stdout + footnote("documents", "list").stdout
    assert "red]0;title31mdm.md" in lines
    as_json = footnote("documents", "list", "--json").stdout
    assert f"c/{name}" in [document["source"] for document in json.loads(as_json)]
    assert not set("\x1b\x07\x9b\x7f\u202e\u2066") & set(lines + as_json)


def test_projects_and_documents_are_listed(footnote: Run) -> None:
    assert footnote("projects").stdout.splitlines() == [
        "project  documents  chunks  state",
        "shop     3          2       ready, 1 failed",
        "shed     1          1       ready",
    ]
    shop, shed = json.loads(footnote("projects", "--json").stdout)
    assert (shop["name"], shop["state"], shop["chunks"]) == ("shop", "READY", 2)
    assert shop["documents"] == {"total": 3, "queued": 0, "processing": 0, "ready": 2, "failed": 1}
    assert {document["project"]["id"] for document in listed(footnote, "-p", "shed")} == {shed["id"]}
    [failed] = listed(footnote, "--status", "failed", "--status", "QUEUED")
    assert (failed["title"], failed["status"], failed["failure"]["code"]) == ("broken.pdf", "FAILED", "BROKEN")
    lines = footnote("documents", "list", "-p", "shop").stdout.splitlines()
    assert lines[0].split() == ["title", "source", "status", "chunks", "changed", "(UTC)", "id"]
    assert lines[1].startswith("broken.pdf  a/broken.pdf  failed  0       ")
    assert lines[1].endswith(failed["id"])
    assert lines[4] == f"broken.pdf (a/broken.pdf): {failed['failure']['message']} (BROKEN)"
    assert footnote("documents", "list", "-s", "processing").stdout == "There are no such documents.\n"
    refused = footnote("documents", "list", "-s", "lost", code=2).stderr
    assert "“lost” is not one of" in refused
    assert "Projects: “shed”, “shop”." in footnote("documents", "list", "-p", "nope", code=2).stderr


def test_documents_are_deleted_by_id_title_source_or_file_name(footnote: Run, folder: Path) -> None:
    unknown = footnote("documents", "delete", "ships.txt", "nope", "-p", "shop", "--yes", code=2)
    assert unknown.stderr == (
        "footnote: There is no document “nope” in project “shop”. Documents: “broken.pdf”, “Returns”, “ships.txt”; "
        "`footnote documents list` shows them all.\n"
    )
    several = footnote("documents", "delete", "returns.md", "--yes", code=2).stderr
    ids = {document["project"]["name"]: document["id"] for document in listed(footnote)}
    assert several.startswith("footnote: 2 documents match “returns.md”; use one of their ids: ")
    assert ids["shed"] in several
    nobody = footnote("documents", "delete", "Returns", "-p", "shop", code=2)
    assert nobody.stderr == "footnote: There is no terminal to confirm this on; pass --yes.\n"
    for answer in ("n", "", "perhaps"):
        footnote("documents", "delete", "Returns", "-p", "shop", typed=f"{answer}\n", code=1)
    assert len(listed(footnote)) == 4, "nothing is deleted yet"
    with on_a_terminal(folder, "documents", "delete", "Returns", "-p", "shop") as terminal:
        terminal.until("Delete 1 document permanently: Returns (a/returns.md)? [y/N]: ")
        terminal.type("y\n")
        terminal.until("Returns (a/returns.md): deleted")
        assert terminal.end() == 0
    erasing = ("user", "erase", "nobody@example.org")
    assert footnote(*erasing, code=2).stderr == nobody.stderr
    assert footnote(*erasing, typed="yes\n", code=2).stderr.startswith("footnote: There is no user")
    assert footnote(
        "documents", "delete", ids["shed"], "a/ships.txt", "broken.pdf", typed="Y\n"
    ).stdout.splitlines() == [
        "returns.md (b/returns.md): deleted",
        "ships.txt (a/ships.txt): deleted",
        "broken.pdf (a/broken.pdf): deleted",
    ]
    assert footnote("documents", "list").stdout == "There are no documents.\n"
    assert footnote("documents", "delete", "x", code=2).stderr == (
        "footnote: There is no document “x”. There are none yet; `footnote ingest` adds some.\n"
    )
    assert [line.split() for line in footnote("projects").stdout.splitlines()[1:]] == [
        ["shop", "0", "0", "empty"],
        ["shed", "0", "0", "empty"],
    ]


def test_a_project_is_deleted_after_confirmation(footnote: Run, folder: Path) -> None:
    footnote("ask", "Within how many days may goods be returned?", "-p", "shop")
    unknown = footnote("projects", "delete", "nope", "--yes", code=2)
    assert unknown.stderr == "footnote: There is no project “nope” in footnote.db. Projects: “shed”, “shop”.\n"
    with_json = footnote("projects", "--json", "delete", "shop", "--yes", code=2)
    assert "--json belongs to the list; `delete` prints one line." in with_json.stderr
    nobody = footnote("projects", "delete", "shop", code=2)
    assert nobody.stderr == "footnote: There is no terminal to confirm this on; pass --yes.\n"
    footnote("projects", "delete", "shop", typed="n\n", code=1)
    assert len(listed(footnote)) == 4, "nothing is deleted yet"
    with on_a_terminal(folder, "projects", "delete", "shop") as terminal:
        terminal.until("Delete the project “shop” permanently, with 3 documents and 1 chat session? [y/N]: ")
        terminal.type("y\n")
        terminal.until("shop: deleted")
        assert terminal.end() == 0
    assert [project["name"] for project in json.loads(footnote("projects", "--json").stdout)] == ["shed"]
    assert footnote("projects", "delete", "shed", "-y").stdout == "shed: deleted\n"
    assert footnote("projects").stdout == "There are no projects yet; `footnote ingest` creates one.\n"


def test_failed_documents_are_retried(footnote: Run) -> None:
    again = footnote("documents", "retry", code=1)
    assert again.stdout.splitlines()[0] == "0 documents ingested, 1 failed again"
    assert again.stdout.rstrip().endswith("(BROKEN)")
    refused = footnote("documents", "retry", "Returns", "-p", "shop", code=1)
    assert refused.stderr == (
        "footnote: Only failed documents can be retried; these have not failed: Returns (a/returns.md).\n"
    )
    footnote("documents", "delete", "broken.pdf", "-y")
    assert footnote("documents", "retry").stdout == "No document has failed.\n"


def test_documents_that_earlier_parsers_read_are_read_again(footnote: Run, folder: Path) -> None:
    assert footnote("documents", "reread").stdout == "0 documents read again\n"
    with contextlib.closing(driver.choose_driver().module.connect(folder / "footnote.db")) as connection, connection:
        connection.execute("UPDATE documents SET reader_version = 0")
    assert footnote("documents", "reread", "-p", "shed").stdout == "1 document read again\n"
    before = {document["id"]: document["status"] for document in listed(footnote)}
    assert footnote("documents", "reread").stdout == "2 documents read again\n"
    assert footnote("documents", "reread").stdout == "0 documents read again\n"
    assert {document["id"]: document["status"] for document in listed(footnote)} == before
    assert "shop" in footnote("documents", "reread", "-p", "shape", code=2).stderr


def test_search_and_answer_print_json(footnote: Run) -> None:
    found = json.loads(footnote("search", "goods returned", "-p", "shop", "--json").stdout)
    assert found["results"][0]["document"]["title"] == "Returns"
    assert found["results"][0]["score"] >= found["threshold"]
    nothing = footnote("search", "quantum chromodynamics", "-p", "shop", "--json", code=3)
    assert json.loads(nothing.stdout)["results"] == []
    asked = footnote("ask", "Within how many days may goods be returned?", "-p", "shop", "--json")
    answer = json.loads(asked.stdout)
    assert (answer["outcome"], answer["content"]) == ("CITED", "Goods may be returned within 30 days of delivery [1].")
    [source] = answer["citations"]
    assert (source["label"], source["documentTitle"], source["placedBy"]) == ("[1]", "Returns", "MODEL")
    assert 0.5 < answer["confidence"] <= 1
    refused = footnote("ask", "Who won the chess championship?", "-p", "shop", "--json", code=3)
    assert [json.loads(refused.stdout)[field] for field in ("outcome", "confidence")] == ["NO_SOURCES", None]
    seen = json.loads(footnote("preview", "May goods be returned?", "-p", "shop", "--json").stdout)
    assert seen["route"] == "RAG"
    assert seen["budget"]["candidates"][0]["decision"] == "INCLUDED"
    assert "messages" not in seen


def test_documents_are_filtered(footnote: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAG_THRESHOLD", "0.001")

    def titles(*criteria: str, code: int = 0) -> list[str]:
        filters = [part for criterion in criteria for part in ("--filter", criterion)]
        found = json.loads(footnote("search", "goods or parcels", "-p", "shop", "--json", *filters, code=code).stdout)
        return sorted(result["document"]["title"] for result in found["results"])

    assert titles() == titles("status=ready", "status=queued") == ["Returns", "ships.txt"]
    assert titles("titleContains=SHIPS") == ["ships.txt"]
    assert titles("titleContains=ships", "metadata.year=2024", code=3) == []
    asked = ["May goods be returned?", "-p", "shop", "--filter", "titleContains=ships"]
    assert json.loads(footnote("ask", *asked, "--json", code=3).stdout)["outcome"] in ("NO_SOURCES", "INSUFFICIENT")
    seen = json.loads(footnote("preview", *asked, "--json").stdout)
    assert [one["documentTitle"] for one in seen["budget"]["candidates"]] == ["ships.txt"]
    for wrong, says in {
        "year=2024": "give status=NAME, titleContains=TEXT (once) or metadata.KEY=VALUE",
        "status=done": "the status of a document is one of queued, processing, ready, failed",
        "metadata.a=null": "Filter metadata by text, number or boolean values.",
        "metadata.a=1e999": "Numbers in `metadata` must be at most 9,007,199,254,740,992.",
    }.items():
        refused = footnote("search", "goods", "-p", "shop", "--filter", wrong, code=2)
        assert says in " ".join(refused.stderr.replace("│", " ").split())


def test_search_shows_what_an_answer_would_use(footnote: Run, folder: Path) -> None:
    (folder / "b" / "copy.md").write_text("Other.")
    footnote("ingest", "b", "-p", "shed")
    found = json.loads(footnote("search", "Other?", "-p", "shed", "--json").stdout)
    seen = json.loads(footnote("preview", "Other?", "-p", "shed", "--json").stdout)
    decisions = [candidate["decision"] for candidate in seen["budget"]["candidates"]]
    assert (len(found["results"]), sorted(decisions)) == (1, ["DUPLICATE", "INCLUDED"])


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such file names")
def test_files_whose_names_are_not_utf_8_are_ingested(footnote: Run, folder: Path) -> None:
    (folder / "c").mkdir()
    for name in (b"bad\xff.txt", b"bad\xfe.txt", b"bad\xff.xyz", b"good.txt"):
        (folder / "c" / os.fsdecode(name)).write_bytes(b"Parcels leave from " + name[:3])
    output = footnote("ingest", "c", "-p", "depot").stdout
    assert output.startswith("depot: 3 ingested (3 chunks), 1 skipped")
    assert output.splitlines()[1] == r"  skipped (not a format Footnote reads): c/bad\udcff.xyz"
    sources = {document["source"] for document in listed(footnote, "-p", "depot")}
    assert sources == {r"c/bad\udcff.txt", r"c/bad\udcfe.txt", "c/good.txt"}
    assert footnote("ingest", "c", "-p", "depot").stdout.startswith("depot: 0 ingested (0 chunks), 3 unchanged")
    named = footnote("ingest", "c/" + os.fsdecode(b"bad\xff.txt"), "-p", "depot").stdout
    assert named.startswith("depot: 0 ingested (0 chunks), 1 unchanged")
    name = os.fsdecode(b"bad\xff.txt")
    assert footnote("search", name, "-p", name, code=2).stderr.startswith(
        r"footnote: There is no project “bad\udcff.txt”"
    )
    assert footnote("documents", "delete", "--yes", name, "-p", "depot").stdout.endswith(": deleted\n")
    assert {document["source"] for document in listed(footnote, "-p", "depot")} == {r"c/bad\udcfe.txt", "c/good.txt"}


def test_a_project_is_embedded_again(footnote: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    with running(OpenAIServer()) as model:
        monkeypatch.setenv("OPENAI_BASE_URL", model.url)
        done = footnote("reembed", "-p", "shop", "--model", "openai/other")
        assert done.stdout == "shop: 2 chunks embedded with openai/other\n"
        again = footnote("reembed", "-p", "shop", "--model", "openai/other")
        assert again.stdout == "shop: already embedded with openai/other\n"
        assert "Hamburg" in footnote("search", "Where do parcels leave from?", "-p", "shop").stdout
    # Without a name, the server's own model; the former one need not answer.
    assert (
        footnote("reembed", "-p", "shop").stdout.splitlines()[-1] == "shop: 2 chunks embedded with embedded/wordllama"
    )
    assert "No embedding space is being built" in footnote("reembed", "-p", "shop", "--cancel", code=1).stderr
    assert "There is no model “nope” here" in footnote("reembed", "-p", "shop", "-m", "nope", code=2).stderr
