"""Commands as a user runs them: what they print, and where."""

import json
import re
from collections.abc import Generator
from pathlib import Path
from typing import Any

from typer.main import get_command

from app.cli.commands import cli
from tests.cli.conftest import QUESTION, Run
from tests.files.pdf import paragraph, pdf
from tests.old_databases import NEWEST
from tests.servers.openai import OpenAIServer
from tests.servers.running import running


def test_ingest_ask_and_search(process: Run, footnote: Run, docs: Path) -> None:
    first = process("ingest", str(docs), "--project", "shop")
    assert (first.returncode, first.stderr) == (0, "")
    assert first.stdout.startswith("shop: 2 ingested (2 chunks), 1 skipped in ")
    again = footnote("ingest", str(docs), "-p", "shop")
    assert again.stdout.startswith("shop: 0 ingested (0 chunks), 2 unchanged, 1 skipped")
    (docs / "returns.md").write_text("# Returns\n\nGoods may be returned within 14 days of delivery.\n")
    assert footnote("ingest", str(docs), "-p", "shop").stdout.startswith("shop: 1 ingested (1 chunk), 1 unchanged")

    # The byte after the question is no UTF-8, and no path is so long.
    asked = process("ask", f"Within how many days may goods be returned? \udcff{' ' * 5000}", "-p", "shop")
    assert asked.returncode == 0
    assert asked.stdout.splitlines() == [
        "Goods may be returned within 14 days of delivery [1].",
        "",
        "[1] Returns",
        "    “Goods may be returned within 14 days of delivery.”",
    ]
    drawn = asked.stderr.splitlines()
    assert drawn[1] == "window of 32,768 tokens, estimated"
    assert re.fullmatch("S+C+Q-+A+·+→", drawn[2])
    assert len(drawn[2]) == 80
    refused = footnote("ask", "Who won the chess championship?", "-p", "shop")
    assert (refused.returncode, refused.stdout) == (3, "No relevant information was found in the knowledge base.\n")
    assert refused.stderr == "", "no model was asked: there is no window to show"

    found = footnote("search", "shipping from Hamburg", "-p", "shop", "--mode", "lexical", "-n", "1")
    assert found.returncode == 0
    assert "ships.txt" in found.stdout.splitlines()[0]
    assert footnote("search", "quantum chromodynamics", "-p", "shop").returncode == 3
    unordered = footnote("search", "shipping or returned goods", "-p", "shop", RERANK_URL="http://127.0.0.1:1")
    assert unordered.returncode == 0
    notice = "[RERANKER_UNAVAILABLE] The results keep the order of the search. The reranker at RERANK_URL cannot be "
    assert " ".join(unordered.stderr.split()).startswith(notice)


def test_the_place_of_a_source_is_named_on_the_terminal_and_in_exports(footnote: Run, tmp_path: Path) -> None:
    (tmp_path / "prices.csv").write_text("item,price\npen,2.40 euros\nink,7.10 euros\n")
    footnote("ingest", "prices.csv", "-p", "docs")
    asked = footnote("ask", "What is the price of ink?", "-p", "docs", "--json")
    answer = json.loads(asked.stdout)
    session, searched = answer["chatSession"]["id"], answer["searchQuery"]
    assert searched == "What is the price of ink?", "as `Message.searchQuery`"
    assert "[1] prices.csv › row 3\n" in footnote("ask", "What is the price of ink?", "-p", "docs").stdout
    assert "> [1] prices.csv › row 3\n" in footnote("export", session).stdout


def test_a_source_is_listed_with_all_its_quotes_each_once_and_with_its_page(footnote: Run, tmp_path: Path) -> None:
    rooms = {"The library": "nine", "The canteen": "eleven", "The archive": "ten", "The workshop": "seven"}
    hours = [f"{room} opens at {hour} in the morning." for room, hour in rooms.items()]
    more = ["The garden closes at dusk in winter.", "The cellar floods after heavy rain.", "The attic holds old maps."]
    pages = [paragraph(*hours), paragraph(*more)]
    (tmp_path / "house.pdf").write_bytes(pdf(pages, title="House"))
    footnote("ingest", "house.pdf", "-p", "house")
    asked: list[str] = ["ask", "When do the rooms of the house open?", "-p", "house", "--model", "openai/chat"]
    for quoted, listed in {
        (hours[1], more[0], hours[1]): (f"“{hours[1]}”", f"“{more[0]}”, page 2"),
        (*hours, *more): (*(f"“{quote}”" for quote in hours), f"“{more[0]}”, page 2", "and 2 more"),
    }.items():
        said = "".join(f"{quote[:-1]} [1]. " for quote in quoted)
        with running(OpenAIServer(lambda _, said=said: [said])) as model:
            told = footnote(*asked, OPENAI_BASE_URL=model.url).stdout
            as_json = json.loads(footnote(*asked, "--json", OPENAI_BASE_URL=model.url).stdout)
        assert told.splitlines()[-1 - len(listed) :] == ["[1] House, page 1", *(f"    {line}" for line in listed)]
        [citation] = as_json["citations"]
        assert [(use["quote"], use["page"]) for use in citation["uses"]] == [
            (quote, 2 if quote in more else 1) for quote in quoted
        ]


def test_a_preview_shows_what_an_answer_would_use(process: Run, footnote: Run, docs: Path) -> None:
    footnote("ingest", str(docs), "-p", "shop")
    question = "Within how many days may goods be returned?"
    seen = footnote("preview", question, "-p", "shop")
    assert (seen.returncode, seen.stderr) == (0, "")
    lines = seen.stdout.splitlines()
    assert lines[:2] == [
        "RAG  The question is answered from the project's documents.",
        "window of 32,768 tokens, estimated",
    ]
    assert re.fullmatch("S+C+Q-+A+·+→", lines[2])
    assert re.search(r"C context \d+ \(1\)  Q question \d+  - margin 250  A answer 1,200", " ".join(lines[3:5]))
    assert re.fullmatch(r"0\.\d\d +\d+ tokens  included +Returns", lines[5])
    # A console is as wide as the terminal was when its process began.
    narrow = process("preview", question, "-p", "shop", COLUMNS="20").stdout.splitlines()
    assert len(narrow[2]) == 20
    with_messages = footnote("preview", question, "-p", "shop", "--messages").stdout
    assert "Goods may be returned within 30 days of delivery." in with_messages
    assert with_messages.rstrip().endswith(question)
    (docs / "more.md").write_text(f"# More\n\n## Repairs\n\n{'Repairs take some days. ' * 80}\n\n## Sizes\n\nL to M.\n")
    footnote("ingest", str(docs), "-p", "shop")
    placed = footnote("preview", "How many days do repairs take?", "-p", "shop").stdout.splitlines()
    found = {line.rpartition("  ")[2] for line in placed if line.startswith("0.")}
    assert found == {"More › Repairs", "More › Sizes", "Returns", "ships.txt"}
    unknown = footnote("preview", "Who won the chess championship?", "-p", "shop")
    assert unknown.returncode == 3
    assert unknown.stdout.startswith(
        "RAG  Nothing relevant was found, so the answer is a fixed text and no model is called.\n0."
    )
    rewritten = footnote("preview", question, "-p", "shop", "--reformulate")
    assert rewritten.stderr.startswith("[REFORMULATION_FAILED] ")
    assert len(rewritten.stderr.splitlines()) == 1


def test_folders_are_ingested_in_every_format_and_skipped_files_are_named(footnote: Run, tmp_path: Path) -> None:
    folder = tmp_path / "mixed"
    folder.mkdir()
    for name in ("a.json", "b.csv", "c.py", "d.log", "e.yaml", "f.mkd", "g.TXT"):
        (folder / name).write_text("Larks sing at dawn.\n")
    for number in range(22):
        (folder / f"picture {number:02}.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    result = footnote("ingest", str(folder), "-p", "mixed", PATH="")  # where there is no Tesseract
    assert result.returncode == 0, result.stdout
    first, *named, last = result.stdout.splitlines()
    assert first.startswith("mixed: 7 ingested (7 chunks), 22 skipped in ")
    skipped = "  skipped (needs Tesseract): "
    assert named == [*(f"{skipped}{folder}/picture {number:02}.png" for number in range(20)), f"{skipped}2 more"]
    assert last == "  The text of pictures can be read only where Tesseract is installed on the server."


def test_a_new_project_to_which_nothing_could_be_added_is_not_kept(footnote: Run, docs: Path) -> None:
    (docs / "empty.md").write_bytes(b"")
    refused = footnote("ingest", "docs/empty.md", "-p", "new")
    assert refused.returncode == 1
    assert refused.stdout.splitlines()[1:] == [
        "  docs/empty.md: The document is empty: it has no bytes. (EMPTY)",
        "  No document could be added, so the project was not created.",
    ]
    assert footnote("projects").stdout == "There are no projects yet; `footnote ingest` creates one.\n"
    (docs / "broken.pdf").write_bytes(b"%PDF-1.7 and no more")
    assert footnote("ingest", "docs/broken.pdf", "-p", "new").returncode == 1
    assert footnote("projects").stdout.splitlines()[1].split() == ["new", "1", "0", "1", "failed"]
    footnote("documents", "delete", "broken.pdf", "--yes")
    assert footnote("ingest", "docs/empty.md", "-p", "new").returncode == 1
    assert footnote("projects").stdout.splitlines()[1].split() == ["new", "0", "0", "empty"]


def test_a_question_without_a_project_is_for_the_only_one(footnote: Run, docs: Path) -> None:
    footnote("migrate")
    none = footnote("ask", QUESTION)
    assert (none.returncode, none.stdout) == (2, "")
    assert "There is no project in footnote.db yet; `footnote ingest` creates one." in none.stderr
    footnote("ingest", str(docs), "-p", "shop")
    for command in ("ask", "search"):
        assert "30 days" in footnote(command, QUESTION).stdout
    assert "Returns" in footnote("preview", QUESTION).stdout
    footnote("ingest", str(docs), "-p", "shed")
    for command in (["ask", QUESTION], ["search", QUESTION], ["preview", QUESTION], ["chat"]):
        two = footnote(*command)
        assert (two.returncode, two.stdout) == (2, "")
        assert two.stderr == (
            "footnote: There are 2 projects in footnote.db: name one with --project. Projects: “shed”, “shop”.\n"
        )


def test_only_text_that_was_shown_is_said_to_be_withdrawn(footnote: Run, docs: Path) -> None:
    footnote("ingest", str(docs), "-p", "shop")
    question = ("ask", "Within how many days may goods be returned?", "-p", "shop")
    refusal = "The answer could not be supported by the knowledge base.\n"
    cut, none = (footnote(*question, "--set", f"maxTokens={most}") for most in (8, 3))
    assert (cut.stdout, cut.stderr.splitlines()[0]) == (f"Goods may be\n{refusal}", "The text above was withdrawn:")
    assert none.stdout == refusal
    assert "withdrawn" not in none.stderr


def test_shells_complete_commands_and_options(process: Run) -> None:
    def complete(words: str) -> list[str]:
        position = str(len(words.split(" ")) - 1)
        return process(COMP_WORDS=words, COMP_CWORD=position, _FOOTNOTE_COMPLETE="complete_bash").stdout.splitlines()

    assert complete("footnote doc") == ["documents"]
    assert complete("footnote search x --mode ") == ["hybrid", "lexical", "vector"]


def test_migrate_and_export_schema(footnote: Run, tmp_path: Path) -> None:
    assert footnote("migrate").stdout == f"footnote.db: new → {NEWEST}\n"
    assert footnote("migrate").stdout == f"footnote.db: already at {NEWEST}\n"
    schema = Path(__file__).parent.parent.parent / "schema.graphql"
    assert footnote("export-schema").stdout == schema.read_text(encoding="utf-8")
    assert footnote("export-schema", "out.graphql").returncode == 0
    assert (tmp_path / "out.graphql").read_text(encoding="utf-8") == schema.read_text(encoding="utf-8")
    assert footnote("export-schema", "no/such/folder/x").returncode == 1


def test_help_says_what_each_command_is_for(process: Run, footnote: Run) -> None:
    overview = process("--help").stdout
    commands = (
        "serve",
        "migrate",
        "backup",
        "restore",
        "check",
        "ingest",
        "ask",
        "preview",
        "search",
        "export",
        "export-schema",
    )
    for command in commands:
        assert command in overview
        own = footnote(command, "--help")
        assert (own.returncode, own.stderr) == (0, "")
        assert len(own.stdout.splitlines()) > 8
    assert process("--version").stdout == "footnote 0.2.0\n"
    usages: dict[str, str] = {}
    for command in _all_commands(get_command(cli)):
        own = footnote(*command.split(), "--help", COLUMNS="80").stdout
        # Nothing is cut for want of columns, and no type of Python is shown.
        assert not re.search("(?<!Bearer )…|<(?:bool|int|float|str|path|list)", own), own
        usages[command] = re.search(r"Usage: \S+ (.*\S)", own)[1]  # pyright: ignore[reportOptionalSubscript]
    assert usages["ingest"] == "ingest [OPTIONS] PATH..."
    assert usages["documents retry"] == "documents retry [OPTIONS] [DOCUMENT]..."
    assert usages["export-schema"] == "export-schema [OPTIONS] [FILE]"
    assert usages["member set"] == "member set [OPTIONS] PROJECT EMAIL ROLE"
    wrong = footnote("search", "x", "-p", "docs", "--mode", "words").stderr
    assert "“--mode”: “words” is not one of" in wrong


def _all_commands(group: Any, path: str = "") -> Generator[str]:
    """The names of all commands that do something, with those of their groups."""
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from _all_commands(command, f"{path}{name} ")
        elif not command.hidden:
            yield path + name
