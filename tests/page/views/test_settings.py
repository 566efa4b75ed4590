"""A project's settings: what is wrong is in sight, and nothing is lost without a question."""

import json
import re

import pytest
from playwright.async_api import Browser, Dialog, Page, expect

from app.rag import refusals
from tests.answers import Start, final
from tests.browser import visiting
from tests.conftest import StartSignedIn
from tests.page.holding import holding
from tests.page.people.test_other_people import LOOKED_AT, PASSWORD, add_eve, sign_in
from tests.page.test_built import SOURCE

UPDATE = "mutation($input: UpdateProjectInput!) { updateProject(input: $input) { __typename } }"
DETAILS = "query($id: ID!) { project(id: $id) { description rejectedText answerDefaults { ragTopK } } }"
TEXTS = "query($id: ID!) { project(id: $id) { noSourcesText rejectedText } }"

UNCOVERED = """(field) => { const { bottom } = field.parentElement.getBoundingClientRect();
  return bottom < field.form.querySelector("[type=submit]").parentElement.getBoundingClientRect().top; }"""


async def test_a_field_with_an_error_is_not_covered_by_the_buttons(start: Start, page: Page) -> None:
    client = start()
    project = await client.project("Shop")
    await page.set_viewport_size({"width": 1280, "height": 500})
    await page.goto(f"{client.url.removesuffix('/graphql')}/p/{project}/settings")
    field = page.get_by_role("spinbutton", name="Maximum answer length")
    await expect(page.get_by_text("If empty, the default applies.")).to_be_attached()
    await field.fill("0")
    await page.get_by_role("main").evaluate("(main) => main.scrollTo(0, 0)")
    await page.get_by_role("button", name="Save").click()
    await expect(field).to_be_focused()
    assert await field.evaluate(UNCOVERED)
    await field.fill("")

    model = page.get_by_role("combobox", name="Model")
    await model.fill("no provider")
    await page.get_by_role("main").evaluate("(main) => main.scrollTo(0, 0)")
    await page.get_by_role("button", name="Save").click()
    await expect(model).to_be_focused()
    await expect(model).to_have_attribute("aria-invalid", "true")
    assert await model.evaluate(UNCOVERED)


async def test_unsaved_settings_are_not_left_without_a_question(start: Start, page: Page) -> None:
    client = start()
    project = await client.project("Shop")
    await page.goto(f"{client.url.removesuffix('/graphql')}/p/{project}/settings")
    asked: list[str] = []
    leave = False

    async def decide(dialog: Dialog) -> None:
        asked.append(dialog.message)
        await (dialog.accept() if leave else dialog.dismiss())

    page.on("dialog", decide)
    description, members = page.get_by_role("textbox", name="Description"), page.get_by_role("link", name="Members")
    await description.fill("What we sell")
    await members.click()
    await expect(description).to_have_value("What we sell")
    assert len(asked) == 1
    await page.get_by_role("button", name="Save").click()
    await expect(page.get_by_text("Saved")).to_be_visible()
    await members.click()
    await expect(page.get_by_role("heading", name="Members · Shop")).to_be_visible()
    assert len(asked) == 1
    await page.get_by_role("link", name="Settings").click()
    await description.fill("Something else")
    leave = True
    await members.click()
    await expect(page.get_by_role("heading", name="Members · Shop")).to_be_visible()
    assert len(asked) == 2


async def test_a_button_keeps_the_focus_while_what_it_does_is_under_way_and_does_it_once(
    start: Start, page: Page
) -> None:
    client = start()
    project = await client.project("Shop")
    await page.goto(f"{client.url.removesuffix('/graphql')}/p/{project}/settings")
    description, save = page.get_by_role("textbox", name="Description"), page.get_by_role("button", name="Save")
    await description.fill("What we sell")
    async with holding(page, "mutation UpdateProject") as held:
        await save.press("Enter")
        await held.wait_for(1)
        await save.press("Enter")
        await page.get_by_role("textbox", name="Name").press("Enter")
        await expect(save).to_be_disabled()
    await expect(page.get_by_text("Saved")).to_be_visible()
    await expect(save).to_be_enabled()
    assert len(held.routes) == 1
    await save.press("Tab")
    await page.keyboard.press("Shift+Tab")
    await expect(save).to_be_focused()
    async with holding(page, "mutation UpdateProject") as held:
        await page.keyboard.press("Enter")
        await held.wait_for(1)
        await expect(save).to_be_focused()
    await expect(save).to_be_enabled()
    await expect(save).to_be_focused()


async def test_saving_changes_only_what_was_changed(start: Start, page: Page) -> None:
    client = start()
    project = await client.project("Shop")
    await client.ready(project, "Returns", "Goods may be returned within 30 days of delivery.")
    await page.goto(f"{client.url.removesuffix('/graphql')}/p/{project}/settings")
    description, passages = (
        page.get_by_role("textbox", name="Description"),
        page.get_by_role("slider", name="Passages", exact=True),
    )
    await description.fill("What we sell")
    # In another tab, or by another owner.
    await client.mutate(UPDATE, id=project, rejectedText="Ask Kim.", answerDefaults={"ragTopK": 9})
    save = page.get_by_role("button", name="Save")
    await save.click()
    await expect(page.get_by_text("Saved")).to_be_visible()
    saved = (await client.run(DETAILS, id=project))["project"]
    assert saved == {"description": "What we sell", "rejectedText": "Ask Kim.", "answerDefaults": {"ragTopK": 9}}

    await expect(passages).to_have_value("9")
    await description.fill("What we lend")
    await client.mutate(UPDATE, id=project, description="Nothing", answerDefaults={"ragTopK": 8})
    await page.evaluate(LOOKED_AT)
    await expect(passages).to_have_value("8")
    await expect(description).to_have_value("What we lend")

    # A text that nobody has set stays what it was: in the language of the question.
    session = await client.session(project)
    answer = await final(client, session, "Wann werden die Fahrräder gewartet, und von wem?")
    assert answer["content"] == refusals.no_sources_text("Wann werden die Fahrräder gewartet?")


async def test_default_texts_are_shown_as_defaults_in_the_language_of_the_page(start: Start, chromium: Browser) -> None:
    client = start()
    project = await client.project("Laden")
    async with visiting(chromium, locale="de-DE") as page:
        await page.goto(f"{client.url.removesuffix('/graphql')}/p/{project}/settings")
        field = page.get_by_role("textbox", name="Antwort, wenn nichts Passendes gefunden wird")
        await expect(field).to_have_value("")
        await expect(field).to_have_attribute("placeholder", refusals.no_sources_text("Was ist das?"))
        await expect(field).to_have_accessible_description(re.compile("gilt der Standardtext"))
        await field.fill("Fragen Sie Kim.")
        await page.get_by_role("button", name="Speichern").click()
        await expect(page.get_by_text("Gespeichert")).to_be_visible()
        assert (await client.run(TEXTS, id=project))["project"]["noSourcesText"] == "Fragen Sie Kim."
        await page.get_by_role("button", name="Ausblenden").click()
        await field.fill("")
        await page.get_by_role("button", name="Speichern").click()
        await expect(page.get_by_text("Gespeichert")).to_be_visible()
        found = (await client.run(TEXTS, id=project))["project"]
    assert found == {"noSourcesText": refusals.NO_SOURCES_TEXT, "rejectedText": refusals.REJECTED_TEXT}
    written = (SOURCE / "src" / "views" / "settings" / "details.ts").read_text()
    assert all(f'"{text}"' in written for text in found.values())


async def test_what_is_written_while_a_fact_is_saved_stays(start: Start, page: Page) -> None:
    client = start()
    project = await client.project("Shop")
    await page.goto(f"{client.url.removesuffix('/graphql')}/p/{project}/settings")
    field = page.get_by_role("textbox", name="A new fact")
    await field.fill("I am in Basel.")
    async with holding(page, "mutation Remember") as held:
        await field.press("Enter")
        await held.wait_for(1)
        await field.fill("I like trains.")
    await expect(page.get_by_role("listitem").filter(has_text="I am in Basel.")).to_be_visible()
    await expect(field).to_have_value("I like trains.")
    page.on("dialog", lambda dialog: dialog.accept())


async def test_the_only_owner_is_not_offered_what_is_refused(signed: StartSignedIn, page: Page) -> None:
    server = await signed(members_by_address=True)
    await server.accounts.users.create("eve@example.org", "Eve", PASSWORD)
    project = await server.client.project("Shop")
    await page.goto(f"{server.url}/p/{project}/members")
    await sign_in(page, "kim@example.org")
    kim = page.get_by_role("listitem").filter(has_text="kim@example.org")
    await expect(kim).to_contain_text("The only owner.")
    await expect(kim).to_contain_text("Owner")
    await expect(kim.get_by_role("button")).to_have_count(0)
    await expect(kim.get_by_role("combobox")).to_have_count(0)
    await page.get_by_role("textbox", name="Email address").fill("eve@example.org")
    await page.get_by_role("combobox", name="Role", exact=True).select_option("Owner")
    await page.get_by_role("button", name="Add", exact=True).click()
    await expect(kim.get_by_role("button", name="Remove kim@example.org")).to_be_visible()
    await expect(page.get_by_text("The only owner.")).to_have_count(0)


async def test_what_is_written_and_erased_again_is_not_unsaved(start: Start, page: Page) -> None:
    client = start()
    project = await client.project("Shop")
    await page.goto(f"{client.url.removesuffix('/graphql')}/p/{project}/settings")
    asked: list[str] = []

    async def leave(dialog: Dialog) -> None:
        asked.append(dialog.message)
        await dialog.accept()

    page.on("dialog", leave)
    for name in ("Description", "Instructions for the model"):
        await page.get_by_role("textbox", name=name).fill("x")
        await page.get_by_role("textbox", name=name).fill("")
    async with holding(page, "UpdateProject") as held:
        await page.get_by_role("button", name="Save").click()
        await held.wait_for(1)
        sent = json.loads(held.routes[0].request.post_data or "")["variables"]
    assert sent == {"input": {"id": project}}
    await page.get_by_role("link", name="Members").click()
    await expect(page.get_by_role("heading", name="Members · Shop")).to_be_visible()
    assert asked == []


async def test_a_role_that_could_not_be_changed_is_shown_as_it_is(signed: StartSignedIn, page: Page) -> None:
    server = await signed(members_by_address=True)
    project = await add_eve(server)
    await page.goto(f"{server.url}/p/{project}/members")
    await sign_in(page, "kim@example.org")
    role = page.get_by_label("Role of eve@example.org")
    await expect(role).to_have_value("VIEWER")
    async with holding(page, "SetProjectMember", lose=True) as held:
        await role.select_option("Owner")
        await held.wait_for(1)
    await expect(page.get_by_text("The server cannot be reached")).to_be_visible()
    await expect(role).to_have_value("VIEWER")


@pytest.mark.parametrize(
    ("path", "label", "button", "operation"),
    [
        ("/account", "What it is for", "Create", "CreateAccessToken"),
        ("/members", "Email address", "Add", "SetProjectMember"),
    ],
)
async def test_what_is_written_while_something_is_added_stays(
    signed: StartSignedIn, page: Page, path: str, label: str, button: str, operation: str
) -> None:
    server = await signed(members_by_address=True)
    project = await add_eve(server)
    await page.goto(f"{server.url}/p/{project}/members")
    await sign_in(page, "kim@example.org")
    await expect(page.get_by_role("heading", name="Members · Shop")).to_be_visible()
    if path == "/account":
        await page.goto(f"{server.url}{path}")
    field = page.get_by_label(label)
    await field.fill("eve@example.org")
    async with holding(page, operation) as held:
        await page.get_by_role("button", name=button, exact=True).click()
        await held.wait_for(1)
        await field.fill("adam@example.org")
    await page.wait_for_load_state("networkidle")
    await expect(page.get_by_role("button", name=button, exact=True)).to_be_enabled()
    await expect(field).to_have_value("adam@example.org")
