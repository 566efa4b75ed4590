"""Run every example in the README and the handbook. As a program, write the real output into the pages.

python -m tests.readme
"""

import asyncio
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import AsyncGenerator, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any, Literal

import httpx

from app.answer_options import OPTIONS, AnswerOptions, to_camel_case
from app.settings import Settings
from tests import faults
from tests.forks.commands import run_footnote
from tests.graphql.client import INGESTION, Client
from tests.serving import serve

ROOT = Path(__file__).parent.parent
HANDBOOK = sorted((ROOT / "app" / "handbook").glob("*.md"))
PAGES = [ROOT / "README.md", *HANDBOOK]

Kind = Literal["operation", "command", "request"]
# Each pattern finds an example, and what came back from it if that is there already.
PATTERNS: dict[Kind, re.Pattern[str]] = {
    "operation": re.compile(
        r"```graphql\n(?P<code>.*?)```\n(?:\n```json\n(?P<output>.*?)```\n)?",
        re.DOTALL,
    ),
    "command": re.compile(
        r"^\$ (?P<code>(?:\.venv/bin/)?footnote .*)\n(?P<output>(?:(?!\$ |```).*\n)*)",
        re.MULTILINE,
    ),
    "request": re.compile(
        r"```(?P<language>sh|python)\n(?P<code>(?:curl|from) .*?)```\n(?:\n```(?:json|text)\n(?P<output>.*?)```\n)?",
        re.DOTALL,
    ),
}
# How server-sent events begin.
EVENT = "event: "
ADDRESS = "http://127.0.0.1:8000"
SETTINGS = re.compile(r"^\| variable \|.*\n(?:\|.*\n)*", re.MULTILINE)
FAULTS = re.compile(r"(?<=<!-- written by tests/readme.py from tests/faults.py -->\n).*?(?=<!-- end -->)", re.DOTALL)
OPTIONS_TABLE = re.compile(r"(?<=\n)\| option \|.*?\n\n", re.DOTALL)
# Placeholders in operations, and where the id they stand for comes from.
IDS = {
    "PROJECT_ID": ("createProject", "project"),
    "DOCUMENT_ID": ("addTextDocument", "document"),
    "CHAT_SESSION_ID": ("createChatSession", "chatSession"),
    "ANSWER_ID": ("sendMessage", "answer"),
}


# Characters of a line.
_LINE = 120


@dataclass(frozen=True)
class Example:
    """A code block on a page: a GraphQL operation, a `footnote` command, or a request with curl or Python."""

    page: Path
    kind: Kind
    match: re.Match[str]

    @property
    def code(self) -> str:
        """The code to run."""
        return self.match["code"]

    @property
    def uses_curl(self) -> bool:
        """Whether it needs curl."""
        return self.kind == "request" and self.match["language"] == "sh"

    def agrees(self, output: str) -> bool:
        """Whether the page shows this output, ignoring values that vary between runs."""
        shown = self.match["output"]
        return shown is not None and self._comparable(shown) == self._comparable(output)

    def _comparable(self, output: str) -> object:
        if self.kind == "command":
            # The fence is random, and so is what a tokenizer makes of it.
            return re.sub(r"\d+\.\d+ s\b|(?<=tokens read per question) +\d+", "…", output)
        return same_in_every_run(output) if self.kind == "operation" or self.uses_curl else output

    def with_output(self, output: str) -> str:
        """The example as the page should show it."""
        if self.kind == "command":
            return f"$ {self.code}\n{output}"
        language = "graphql" if self.kind == "operation" else self.match["language"]
        shown_as = "json" if self.kind == "operation" or output.startswith("{") else "text"
        return f"```{language}\n{self.code}```\n\n```{shown_as}\n{output}```\n"


def examples(page: Path) -> Iterator[Example]:
    """The examples of a page, top to bottom, except those that need curl where there is none."""
    text = page.read_text(encoding="utf-8")
    found = chain.from_iterable(
        (Example(page, kind, match) for match in pattern.finditer(text)) for kind, pattern in PATTERNS.items()
    )
    for example in sorted(found, key=lambda example: example.match.start()):
        if shutil.which("curl") or not example.uses_curl:
            yield example


async def outputs() -> AsyncGenerator[tuple[Example, str]]:
    """Run every example of all pages in order, on one server and database, and return their real output."""
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{folder}/readme.db"
        with serve(Settings.model_validate({"database_url": url, "sample_project": True})) as address:
            async with httpx.AsyncClient(timeout=120) as http:
                client = Client(http, address)
                await _wait_for_sample_project(client)
                ids: dict[str, str] = {}
                for page in PAGES:
                    for example in examples(page):
                        match example.kind:
                            case "operation":
                                output = await _answer(client, example.code, ids)
                            case "command":
                                output = await asyncio.to_thread(_printed, example.code, url)
                            case "request":
                                output = await asyncio.to_thread(_responded, example, address, ids)
                        yield example, output


async def _wait_for_sample_project(client: Client) -> None:
    """Wait until a new server has processed all documents of its only project."""
    found = await client.run("{ projects { nodes { documents(first: 50) { nodes { id } } } } }")
    for document in found["projects"]["nodes"][0]["documents"]["nodes"]:
        await client.follow(INGESTION, document=document["id"])


async def _answer(client: Client, operation: str, ids: dict[str, str]) -> str:
    """Run an operation; `ids` keeps the ids it created for later ones."""
    operation = _filled(operation, ids)
    data: Any = await client.follow(operation) if "subscription" in operation else await client.run(operation)
    for name, (mutation, node) in IDS.items():
        if mutation in data:
            ids[name] = data[mutation][node]["id"]
    return _shown(data)


def _filled(text: str, ids: Mapping[str, str]) -> str:
    """The code with placeholders replaced by ids."""
    for name, id in ids.items():
        text = text.replace(f'"{name}"', f'"{id}"')
    return text


def _printed(command: str, database_url: str) -> str:
    """The standard output of a `footnote` command."""
    environment = {**os.environ, "DATABASE_URL": database_url, "COLUMNS": "100"}
    return run_footnote(*shlex.split(command)[1:], folder=ROOT, environment=environment).stdout


def _responded(example: Example, address: str, ids: Mapping[str, str]) -> str:
    """The output of a request with curl or Python."""
    code = _filled(example.code.replace(ADDRESS, address), ids)
    command = [*shlex.split(code), "--silent", "--show-error"] if example.uses_curl else [sys.executable, "-c", code]
    output = subprocess.run(command, capture_output=True, text=True, check=True, timeout=300).stdout
    is_long = output.startswith("{") and len(output) > _LINE
    return _shown(json.loads(output)) if is_long else f"{output.strip()}\n"


def _shown(data: Any) -> str:
    """JSON as the pages show it if it does not fit on a line: one event per line."""
    if isinstance(data, list):
        return "".join(f"{json.dumps(event, ensure_ascii=False)}\n" for event in data)  # pyright: ignore[reportUnknownVariableType]
    return f"{json.dumps(data, indent=2, ensure_ascii=False)}\n"


def same_in_every_run(answer: str) -> object:
    """Output without varying parts: ids, times, progress, how text is split into deltas, trailing digits."""
    masked = re.sub(r'"((?:doc_|node_)?id)": ?"[^"]+"', r'"\1": "…"', answer)
    # The fence is random, and so is what a tokenizer makes of it.
    masked = re.sub(r'"(created|prompt_tokens|total_tokens)": ?\d+', r'"\1": 0', masked)
    if masked.startswith(EVENT):
        lines = re.findall(r"^data: (.+)$", masked, re.MULTILINE)
        masked = _shown([event for line in lines for event in json.loads(line)["data"].values()])
    if not masked.startswith('{"__typename"'):
        return _rounded(masked)
    events = [_rounded(line) for line in masked.splitlines()]
    text = "".join(event["text"] for event in events if event["__typename"] == "AnswerDelta")
    others = [event for event in events if event["__typename"] not in ("AnswerDelta", "IngestionProgressed")]
    return text, [{name: value for name, value in event.items() if name != "sequence"} for event in others]


def _rounded(text: str) -> Any:
    """JSON with numbers rounded to digits that every machine agrees on."""
    return json.loads(text, parse_float=lambda digits: round(float(digits), 6))


def settings_table() -> str:
    """The settings with their defaults and descriptions, as a Markdown table."""
    lines = ["| variable | default | what it does |", "|---|---|---|"]
    answers = {option.variable.lower() for option in OPTIONS.values() if option.variable}
    for name, field in sorted(Settings.model_fields.items(), key=lambda setting: setting[0] in answers):
        default = field.default
        shown_default = "" if default in (None, []) else f"`{_as_variable(default)}`"
        lines.append(f"| `{name.upper()}` | {shown_default} | {field.description} |")
    return "\n".join(lines) + "\n"


def _as_variable(value: Any) -> str:
    """A value as the environment or `.env` has it."""
    if isinstance(value, list):
        return ",".join(value)  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
    return str(value).lower() if isinstance(value, bool) else str(value)


def options_table() -> str:
    """The answer options with their defaults and descriptions, as a Markdown table."""
    lines = ["| option | default | what it does |", "|---|---|---|"]
    for name, option in OPTIONS.items():
        default = getattr(AnswerOptions(), name)
        shown_default = "" if default is None else f"`{json.dumps(default).strip(chr(34))}`"
        lines.append(f"| `{to_camel_case(name)}` | {shown_default} | {option.described_with_range} |")
    return "\n".join(lines) + "\n\n"


def _with_tables(page: str) -> str:
    """The page with its generated tables renewed."""
    page = SETTINGS.sub(lambda _: settings_table(), page)
    page = OPTIONS_TABLE.sub(lambda _: options_table(), page)
    return FAULTS.sub(lambda _: faults.section(), page)


async def write() -> None:
    """Write the real output into the pages; matching output stays as it is."""
    for page in PAGES:
        page.write_text(_with_tables(page.read_text(encoding="utf-8")), encoding="utf-8")
    changed = [(example, output) async for example, output in outputs() if not example.agrees(output)]
    for example, output in reversed(changed):  # from the end, so that the places before stay good
        text = example.page.read_text(encoding="utf-8")
        start, end = example.match.span()
        example.page.write_text(text[:start] + example.with_output(output) + text[end:], encoding="utf-8")
    print(f"{len(changed)} outputs written")


if __name__ == "__main__":
    asyncio.run(write())
