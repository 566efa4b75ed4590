"""The README and the handbook are true: examples run, tables and links are compared."""

import asyncio
import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import graphql
import pytest
import typer.main

from app.cli import interrupts, running
from app.cli.commands import cli
from app.knowledge.parsing.formats import SUPPORTED_FORMATS
from app.settings import Settings
from tests import faults, readme
from tests.forks.commands import start_footnote

TEXTS = {page: page.read_text(encoding="utf-8") for page in readme.PAGES}
WHOLE = "\n".join(TEXTS.values())
HELP = "Run `python -m tests.readme` to write what really comes back into the pages."
Outputs = list[tuple[readme.Example, str]]


@pytest.fixture(scope="module")
def outputs() -> Outputs:
    """Every example of all pages with its real output."""

    async def run() -> Outputs:
        return [found async for found in readme.outputs()]

    return asyncio.run(run())


@pytest.mark.parametrize(("kind", "count"), [("operation", 8), ("command", 9), ("request", 7)])
def test_every_example_gives_what_the_page_shows(outputs: Outputs, kind: readme.Kind, count: int) -> None:
    found = [(example, output) for example, output in outputs if example.kind == kind]
    if not shutil.which("curl"):
        count -= sum(1 for text in TEXTS.values() for _ in re.finditer(r"```sh\ncurl ", text)) * (kind == "request")
    assert len(found) == count
    for example, output in found:
        assert example.agrees(output), f"{example.page.name}: {example.code}\nreally gives\n{output}\n{HELP}"


def test_the_start_prints_what_the_readme_shows(tmp_path: Path) -> None:
    environment = {**os.environ, "DATABASE_URL": f"sqlite:///{tmp_path}/footnote.db", "SAMPLE_PROJECT": "true"}
    with start_footnote("serve", "--port", "0", environment=environment, stdout=subprocess.PIPE) as server:
        assert server.stdout is not None
        printed = ""
        for line in server.stdout:
            printed += line
            if "--project" in line:
                break
        server.terminate()
    printed = re.sub(r"(?<=127\.0\.0\.1:)\d+", "8000", printed).replace("  footnote ask", "  .venv/bin/footnote ask")
    assert f"```text\n{printed}```" in TEXTS[readme.ROOT / "README.md"]


def test_operations_quoted_in_prose_match_the_schema() -> None:
    schema = graphql.build_schema((readme.ROOT / "schema.graphql").read_text(encoding="utf-8"))
    found = re.findall(r"`(mutation \{.*?\})`", WHOLE)
    assert len(found) == 2
    for operation in found:
        assert graphql.validate(schema, graphql.parse(operation)) == []


def test_members_are_set_in_projects_that_the_pages_create() -> None:
    made = {*re.findall(r"--project (\w+)$", WHOLE, re.MULTILINE), *re.findall(r'createProject.*name: "(\w+)"', WHOLE)}
    named = [shlex.split(line)[3] for line in re.findall(r"^footnote member set .*", WHOLE, re.MULTILINE)]
    assert named
    assert set(named) <= made


def test_the_table_of_answer_options_is_complete() -> None:
    assert [found[0] for found in readme.OPTIONS_TABLE.finditer(WHOLE)] == [readme.options_table()], HELP


def test_the_settings_table_is_complete() -> None:
    assert [found[0] for found in readme.SETTINGS.finditer(WHOLE)] == [readme.settings_table()], HELP


def test_settings_named_in_the_pages_exist() -> None:
    given = set(re.findall(r"(?<![\w.])([A-Z][A-Z_]+)=", WHOLE))
    assert given
    of_make = {"ARGS", "LOCAL", "MULTILINGUAL", "SERVER"}
    assert given <= {name.upper() for name in Settings.model_fields} | of_make


def test_the_faults_table_matches_the_tests() -> None:
    assert [found[0] for found in readme.FAULTS.finditer(WHOLE)] == [faults.section()], HELP


def test_every_command_is_in_the_table_in_the_order_of_its_help() -> None:
    commands = typer.main.get_command(cli).commands  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType, reportUnknownVariableType]
    shown = [name for name, command in commands.items() if not command.hidden]  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    assert list(dict.fromkeys(re.findall(r"^\| `footnote ([a-z-]+)", WHOLE, re.MULTILINE))) == shown


def test_the_questions_that_the_handbook_shows_are_those_of_its_example() -> None:
    page = TEXTS[readme.ROOT / "app" / "handbook" / "07-answers.md"]
    shown = page.partition("```jsonl\n")[2].partition("```")[0]
    assert shown == (readme.ROOT / "tests" / "evaluation" / "examples.jsonl").read_text(encoding="utf-8")


def test_the_handbook_lists_every_exit_code() -> None:
    page = TEXTS[readme.ROOT / "app" / "handbook" / "01-first-steps.md"]
    _, _, after = page.partition("Exit codes:")
    listed = re.findall(r"\b\d+\b", after.partition("\n## ")[0])
    assert [int(code) for code in listed] == [*running.ExitCode, *interrupts.EXITS]


def test_nobody_is_told_to_install_a_package_of_that_name_from_an_index() -> None:
    """Footnote is on none: what is found there is somebody else's."""
    files = [path for kind in ("*.py", "*.md") for path in (readme.ROOT / "app").rglob(kind)] + [
        readme.ROOT / "README.md"
    ]
    told = {str(path): re.findall(r"(?<!un)install '?footnote\b(?!\[\w+\] @ ).*", path.read_text()) for path in files}
    assert {path: lines for path, lines in told.items() if lines} == {}


@pytest.mark.parametrize("page", [readme.ROOT / "README.md", readme.ROOT / "app" / "handbook" / "02-documents.md"])
def test_pages_list_every_format(page: Path) -> None:
    listed = re.sub(r"\.\w+", r"`\g<0>`", SUPPORTED_FORMATS)
    section = TEXTS[page].partition("## Formats\n")[2].partition("\n## ")[0]
    assert f" {listed}" in " ".join(section.split())


LINKS = [(page, link) for page, text in TEXTS.items() for link in re.findall(r"\]\(([^):]+)\)", text)]


@pytest.mark.parametrize(("page", "link"), LINKS, ids=[f"{page.name}-{link}" for page, link in LINKS])
def test_every_link_has_a_target(page: Path, link: str) -> None:
    path, _, anchor = link.partition("#")
    target = page.parent / path if path else page
    assert target.exists()
    if page in readme.HANDBOOK and target.suffix != ".webp":  # of a picture, its description is read there
        assert target in readme.HANDBOOK, "the handbook is read where the other files are not"
    if anchor:
        headings = re.findall(r"^#+ (.*)", target.read_text(encoding="utf-8"), re.MULTILINE)
        assert anchor in {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_outcomes_are_in_the_table() -> None:
    page = TEXTS[readme.ROOT / "app" / "handbook" / "07-answers.md"]
    schema = graphql.build_schema((readme.ROOT / "schema.graphql").read_text(encoding="utf-8"))
    outcomes = schema.type_map["AnswerOutcome"]
    assert isinstance(outcomes, graphql.GraphQLEnumType)
    table = page[page.index("| outcome |") : page.index("## The budget")]
    assert sorted(re.findall(r"^\| `(\w+)`", table, re.MULTILINE)) == sorted(outcomes.values)


def test_the_readme_lists_every_page_in_order() -> None:
    listed = re.findall(r"^\| \[.*\]\(app/handbook/([^)#]+)\)", TEXTS[readme.ROOT / "README.md"], re.MULTILINE)
    assert listed == [page.name for page in readme.HANDBOOK]


def test_every_package_is_on_the_code_map() -> None:
    app = readme.ROOT / "app"
    rooms = {
        f"app/{path.name}{'/' if path.is_dir() else ''}" for path in app.iterdir() if not path.name.startswith("_")
    }
    named = set(re.findall(r"^(app/\S+)", WHOLE, re.MULTILINE))
    small = {"app/addresses.py", "app/errors.py", "app/language/"}
    small |= {"app/names.py", "app/quotas.py", "app/concurrency.py", "app/safe_text.py", "app/global_ids.py"}
    small |= {"app/cores.py", "app/question_language.py", "app/question_language.toml"}
    small |= {"app/phrase_files.py", "app/statuses.py", "app/default_address.py"}
    assert rooms - small == named
