"""The README's operations and commands in; what really comes back from each out. As a program, it writes that there.

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
from pathlib import Path
from typing import Any

import httpx

from app.settings import Settings
from tests import faults
from tests.graphql.client import Client
from tests.serving import serve

README = Path(__file__).parent.parent / "README.md"
# A block of an operation, and the block of its answer, if it is there already.
BLOCK = re.compile(r"```graphql\n(?P<operation>.*?)```\n(?:\n```json\n(?P<answer>.*?)```\n)?", re.DOTALL)
# A command of the console block, and what it printed, if that is there already.
COMMAND = re.compile(r"^\$ (?P<command>footnote .*)\n(?P<output>(?:(?!\$ |```).*\n)*)", re.MULTILINE)
# A request by another program, and what it printed, if that is there already.
PROGRAM = re.compile(
    r"```(?P<language>sh|python)\n(?P<program>(?:curl|from) .*?)```\n"
    r"(?:\n```(?:json|text)\n(?P<output>.*?)```\n)?",
    re.DOTALL,
)
# How server-sent events begin.
EVENT = "event: "
ADDRESS = "http://127.0.0.1:8000"
SETTINGS = re.compile(r"(?<=\n)\| variable \|.*?\n\n", re.DOTALL)
FAULTS = re.compile(r"(?<=<!-- written by tests/readme.py from tests/faults.py -->\n).*?(?=<!-- end -->)", re.DOTALL)
# Placeholders in operations, and where the id they stand for comes from.
IDS = {
    "PROJECT_ID": ("createProject", "project"),
    "DOCUMENT_ID": ("addTextDocument", "document"),
    "CHAT_SESSION_ID": ("createChatSession", "chatSession"),
    "ANSWER_ID": ("sendMessage", "answer"),
}


async def conversation(client: Client, readme: str, ids: dict[str, str]) -> AsyncGenerator[tuple[re.Match[str], str]]:
    """Each operation of the README with its answer as JSON, in order; `ids` go from one to the next."""
    for block in BLOCK.finditer(readme):
        operation = filled(block["operation"], ids)
        data: Any = await client.follow(operation) if "subscription" in operation else await client.run(operation)
        for name, (mutation, node) in IDS.items():
            if mutation in data:
                ids[name] = data[mutation][node]["id"]
        yield block, shown(data)


def filled(text: str, ids: Mapping[str, str]) -> str:
    """With ids in the place of their placeholders."""
    for name, id in ids.items():
        text = text.replace(f'"{name}"', f'"{id}"')
    return text


def shown(data: Any) -> str:
    """JSON as the README shows it: events one a line."""
    if isinstance(data, list):
        return "".join(f"{json.dumps(event, ensure_ascii=False)}\n" for event in data)  # pyright: ignore[reportUnknownVariableType]
    return f"{json.dumps(data, indent=2, ensure_ascii=False)}\n"


def same_in_every_run(answer: str) -> object:
    """An answer without what differs: ids, times, steps of progress, how text is spread over deltas, last digits."""
    masked = re.sub(r'"((?:doc_|node_)?id)": "[^"]+"', r'"\1": "…"', answer)
    # The fence is random, and so is what a tokenizer makes of it.
    masked = re.sub(r'"(created|prompt_tokens|total_tokens)": \d+', r'"\1": 0', masked)
    if masked.startswith(EVENT):
        lines = re.findall(r"^data: (.+)$", masked, re.MULTILINE)
        masked = shown([event for line in lines for event in json.loads(line)["data"].values()])
    if not masked.startswith('{"__typename"'):
        return _rounded(masked)
    events = [_rounded(line) for line in masked.splitlines()]
    text = "".join(event["text"] for event in events if event["__typename"] == "AnswerDelta")
    others = [event for event in events if event["__typename"] not in ("AnswerDelta", "IngestionProgressed")]
    return text, [{name: value for name, value in event.items() if name != "sequence"} for event in others]


def _rounded(text: str) -> Any:
    """JSON with the digits of its numbers that every machine agrees on."""
    return json.loads(text, parse_float=lambda digits: round(float(digits), 6))


def console(readme: str, folder: Path) -> Iterator[tuple[re.Match[str], str]]:
    """Each command of the README with what it prints, run in order over a database of its own."""
    environment = {**os.environ, "DATABASE_URL": f"sqlite:///{folder}/console.db", "COLUMNS": "100"}
    for command in COMMAND.finditer(readme):
        words = shlex.split(command["command"])
        result = subprocess.run(
            [sys.executable, "-m", "app", *words[1:]],
            cwd=README.parent,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        yield command, result.stdout


def programs(readme: str, address: str, ids: Mapping[str, str]) -> Iterator[tuple[re.Match[str], str]]:
    """Each request by curl (if it is installed) or in Python, with what it prints; after the conversation."""
    for program in PROGRAM.finditer(readme):
        code = filled(program["program"].replace(ADDRESS, address), ids)
        curl = program["language"] == "sh"
        if curl and not shutil.which("curl"):
            continue
        command = [*shlex.split(code), "--silent", "--show-error"] if curl else [sys.executable, "-c", code]
        output = subprocess.run(command, capture_output=True, text=True, check=True, timeout=300).stdout
        yield program, shown(json.loads(output)) if output.startswith("{") else f"{output.strip()}\n"


def settings_table() -> str:
    """The settings with their defaults and descriptions, as a Markdown table."""
    lines = ["| variable | default | what it does |", "|---|---|---|"]
    for name, field in Settings.model_fields.items():
        default = field.default
        shown_default = (
            ""
            if default in (None, [])
            else f"`{str(default).lower() if default is False or default is True else default}`"
        )
        lines.append(f"| `{name.upper()}` | {shown_default} | {field.description} |")
    return "\n".join(lines) + "\n\n"


def tables(readme: str) -> str:
    """The README with those of its tables that are not answers made anew."""
    readme = SETTINGS.sub(lambda _: settings_table(), readme)
    return FAULTS.sub(lambda _: faults.section(), readme)


async def write() -> None:
    """Put into the README what really comes back."""
    readme = README.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        for command, output in list(console(readme, Path(folder))):
            readme = readme.replace(command[0], f"$ {command['command']}\n{output}")
        url = f"sqlite:///{folder}/readme.db"
        with serve(Settings.model_validate({"database_url": url})) as address:
            ids: dict[str, str] = {}
            async with httpx.AsyncClient(timeout=30) as http:
                answers = {block[0]: answer async for block, answer in conversation(Client(http, address), readme, ids)}
            outputs = list(programs(readme, address, ids))
    for program, output in outputs:
        language = "json" if output.startswith("{") else "text"
        code = f"```{program['language']}\n{program['program']}```\n"
        readme = readme.replace(program[0], f"{code}\n```{language}\n{output}```\n")
    for block, answer in answers.items():
        operation = block.split("\n```json")[0].rstrip("\n")
        readme = readme.replace(block, f"{operation}\n\n```json\n{answer}```\n")
    README.write_text(tables(readme), encoding="utf-8")


if __name__ == "__main__":
    asyncio.run(write())
