"""The README tells the truth: its operations, commands and settings are run or compared, and nothing is left out."""

import re
import shlex
import shutil
from pathlib import Path

import graphql
import httpx
import pytest
import typer.main

from app.cli.commands import cli
from app.settings import Settings
from tests import faults, readme
from tests.graphql.client import Client
from tests.serving import serve

TEXT = readme.README.read_text(encoding="utf-8")
HELP = "Run `python -m tests.readme` to write what really comes back into the README."


async def test_every_operation_and_request_answers_as_it_says(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/readme.db"
    count, ids = 0, dict[str, str]()
    with serve(Settings.model_validate({"database_url": url})) as address:
        async with httpx.AsyncClient(timeout=30) as http:
            async for block, answer in readme.conversation(Client(http, address), TEXT, ids):
                assert readme.same_in_every_run(block["answer"]) == readme.same_in_every_run(answer), HELP
                count += 1
        requests = list(readme.programs(TEXT, address, ids))
    assert count == 8
    assert [program["language"] for program, _ in requests] == [*["sh"] * 3 * bool(shutil.which("curl")), "python"]
    for program, output in requests:
        same = readme.same_in_every_run if program["language"] == "sh" else str
        assert same(program["output"]) == same(output), HELP


def test_every_command_prints_what_it_says(tmp_path: Path) -> None:
    found = list(readme.console(TEXT, tmp_path))
    assert len(found) == 4
    for command, output in found:
        assert without_times(command["output"]) == without_times(output), HELP


def test_operations_between_the_lines_are_of_the_schema() -> None:
    schema = graphql.build_schema((readme.README.parent / "schema.graphql").read_text(encoding="utf-8"))
    found = re.findall(r"`(mutation \{.*?\})`", TEXT)
    assert len(found) == 2
    for operation in found:
        assert graphql.validate(schema, graphql.parse(operation)) == []


def test_members_are_set_in_projects_that_it_makes() -> None:
    made = {*re.findall(r"--project (\w+)$", TEXT, re.MULTILINE), *re.findall(r'createProject.*name: "(\w+)"', TEXT)}
    named = [shlex.split(line)[3] for line in re.findall(r"^footnote member set .*", TEXT, re.MULTILINE)]
    assert named
    assert set(named) <= made


def without_times(text: str) -> str:
    return re.sub(r"in \d+\.\d s", "in … s", text)


def test_the_settings_table_is_complete() -> None:
    assert readme.settings_table() in TEXT, HELP


def test_faults_are_told_of_as_their_tests_expect() -> None:
    assert [found[0] for found in readme.FAULTS.finditer(TEXT)] == [faults.section()], HELP


def test_every_command_is_in_the_table() -> None:
    commands = typer.main.get_command(cli).commands  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType, reportUnknownVariableType]
    assert set(re.findall(r"^\| `footnote ([a-z-]+)", TEXT, re.MULTILINE)) == set(commands)  # pyright: ignore[reportUnknownArgumentType]


@pytest.mark.parametrize("path", sorted(set(re.findall(r"\]\(([^):#]+)\)", TEXT))))
def test_every_link_leads_somewhere(path: str) -> None:
    assert (readme.README.parent / path).exists()


def test_every_room_is_on_the_map() -> None:
    app = readme.README.parent / "app"
    rooms = {
        f"app/{path.name}{'/' if path.is_dir() else ''}" for path in app.iterdir() if not path.name.startswith("_")
    }
    named = set(re.findall(r"^(app/\S+)", TEXT, re.MULTILINE))
    small = {"app/addresses.py", "app/errors.py", "app/settings.py", "app/language.py", "app/signals.py"}
    small |= {"app/json_values.py", "app/names.py", "app/quotas.py", "app/fairness.py", "app/global_ids.py"}
    assert rooms - small == named
