"""What the server refuses, said in the page's language."""

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from graphql import GraphQLEnumType, GraphQLInterfaceType, build_schema
from playwright.async_api import Browser, Page, expect

from app import errors
from tests.answers import Start
from tests.browser import visiting
from tests.page.test_built import ROOT, SOURCE

# What is wrong with a field, and lies below the view or the bar with the buttons.
COVERED = """() => {
  const bar = document.querySelector("main .actions").getBoundingClientRect();
  return [...document.querySelectorAll("main .field [role=alert]")]
    .filter((each) => each.getBoundingClientRect().bottom > bar.top)
    .map((each) => each.textContent);
}"""
TEXTS = sorted((SOURCE / "src" / "messages" / "server").glob("*.json"))


def templates(source: str) -> Iterator[str]:
    """The texts in a program's source, with `{}` for each value in them."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.JoinedStr):
            yield "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def codes_of(kind: type[errors.FootnoteError]) -> set[str]:
    """The codes of this error and of those below it."""
    return {kind.code}.union(*(codes_of(below) for below in kind.__subclasses__()))


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.stem)
def test_every_refusal_has_words_and_every_words_a_refusal(path: Path) -> None:
    texts: dict[str, str] = json.loads(path.read_text())
    schema = build_schema((ROOT / "schema.graphql").read_text())
    rules, error = schema.type_map["ValidationCode"], schema.type_map["Error"]
    assert isinstance(rules, GraphQLEnumType)
    assert isinstance(error, GraphQLInterfaceType)
    of_kind = {key for key in texts if key.startswith(("issue.", "error."))}
    kinds = {f"error.{kind.name}" for kind in schema.get_implementations(error).objects}
    temporary = {"RATE_LIMITED", "UNAVAILABLE", "UNAUTHENTICATED"}
    assert temporary <= codes_of(errors.FootnoteError)
    assert of_kind == kinds | {f"issue.{rule}" for rule in rules.values} | {
        f"error.{code}" for code in (*temporary, "OTHER")
    }
    said = {text for file in (ROOT / "app").rglob("*.py") for text in templates(file.read_text())}
    refusals = [key.removeprefix("refusal.") for key in texts if key.startswith("refusal.")]
    assert refusals
    assert [each for each in refusals if re.sub(r"\{\w+\}", "{}", each) not in said] == []
    for each in refusals:  # what a text says of the refusal, the refusal has
        named = set(re.findall(r"\{\w+\}", texts[f"refusal.{each}"]))
        assert named <= set(re.findall(r"\{\w+\}", each)), each


async def create_project(page: Page, name: str) -> None:
    """Ask for a new project of this name."""
    await page.get_by_role("dialog").get_by_label("Name", exact=True).fill(name)
    await page.get_by_role("button", name="Projekt anlegen").click()


async def test_a_refusal_is_said_in_the_language_of_the_page(start: Start, chromium: Browser) -> None:
    client = start()
    project = await client.project("Laden {name}")
    async with visiting(chromium, locale="de-DE") as page:
        await page.goto(f"{client.url.removesuffix('/graphql')}/p/{project}/settings")
        # What there are no words for is said by its kind, with the server's words.
        await page.set_viewport_size({"width": 320, "height": 480})
        await page.get_by_label("Modell", exact=True).fill("nobody/knows")
        await page.get_by_role("button", name="Speichern").click()
        said = page.get_by_role("main").get_by_role("alert").first
        await expect(said).to_contain_text("Das ist hier nicht möglich. Der Server meldet auf Englisch: „")
        await expect(said).to_contain_text("nobody")
        assert await page.evaluate(COVERED) == []
        await page.set_viewport_size({"width": 1280, "height": 720})
        await page.get_by_role("button", name="Projekt: Laden").click()
        await page.get_by_role("menuitem", name="Neues Projekt").click()
        await create_project(page, "Laden {name}")
        alert = page.get_by_role("dialog").get_by_role("alert")
        await expect(alert).to_have_text("Es gibt schon ein Projekt namens „Laden {name}“.")
        await create_project(page, "La\u200bden\u2028zwei")
        await expect(alert).to_have_text("Das muss eine Zeile Text ohne unsichtbare Zeichen sein.")
