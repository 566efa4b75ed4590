"""The playground in a real browser that reaches no other host: it loads, runs its operations, shows a stream."""

import os
import shutil
from collections.abc import Generator
from pathlib import Path

import pytest

from app.settings import Settings
from tests.clients.conftest import Json, Program, Prompted, absent
from tests.servers.running import running
from tests.serving import serve

SAYS = ["Cargo bicycles are lent for 3 days", " and cannot be extended [1].", " The deposit is 120 euros [1]."]
TABS = ["CreateProject", "AddDocument", "CreateChatSession", "Ask", "Follow", "Preview", "Search", "HealthAndModels"]
# Each step waits a minute at most; all together take a few seconds.
VISIT_SECONDS = 150.0
TOKEN = "a+token/of-the_viewer="


@pytest.fixture(scope="module")
def browser() -> str:
    """Chromium."""
    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if found is None and os.environ.get("CHROMIUM_UNAVAILABLE") == "1":
        pytest.skip("Chromium is not installed and cannot be: there is no package of it to be had here.")
    if found is None:
        absent("Chromium is not installed: the test of the playground needs it.")
    return found


@pytest.fixture(scope="module")
def model() -> Generator[Prompted]:
    """A model that answers the playground's question."""
    with running(Prompted(SAYS)) as running_model:
        yield running_model


@pytest.fixture(scope="module")
def visited(browser: str, program: Program, model: Prompted, tmp_path_factory: pytest.TempPathFactory) -> Json:
    """What the playground did with everything that is ready in it, and later with a token."""
    folder = tmp_path_factory.mktemp("playground")
    values = {
        "database_url": f"sqlite:///{folder / 'footnote.db'}",
        "openai_base_url": model.url,
        "chat_model": "openai/chat",
    }
    shown = [text.replace("[1]", "").replace(".", "").strip() for text in SAYS]
    with serve(Settings.model_validate(values)) as url:
        return program(
            "playground",
            url=url,
            model=model.root,
            browser=browser,
            pictures=str(folder),
            says=shown,
            token=TOKEN,
            seconds=VISIT_SECONDS,
        )


def squeezed(text: str) -> str:
    """Without spaces, as the program reads the page: long lines are wrapped."""
    return "".join(text.split())


def test_the_page_loads_without_a_complaint_and_from_this_server_alone(visited: Json) -> None:
    assert visited["complaints"] == []
    assert visited["foreign"] == []


def test_no_script_but_ours_is_allowed(visited: Json) -> None:
    directives = dict(part.strip().split(" ", 1) for part in visited["policy"].split(";"))
    assert directives["default-src"] == "'none'"
    assert directives["script-src"] == directives["worker-src"] == directives["connect-src"] == "'self'"
    assert "unsafe-eval" not in visited["policy"]


def test_operations_are_ready_in_tabs(visited: Json) -> None:
    assert visited["tabs"] == TABS


def test_ready_operations_run_one_after_the_other(visited: Json) -> None:
    results = visited["results"]
    assert "CreateProjectPayload" in results["CreateProject"]
    assert "AddTextDocumentPayload" in results["AddDocument"]
    assert "CreateChatSessionPayload" in results["CreateChatSession"]
    assert "SendMessagePayload" in results["Ask"]
    assert squeezed("Bicycle library handbook") in results["Search"]
    assert '"status":"OK"' in results["HealthAndModels"]


def test_an_answer_is_shown_while_it_is_written(visited: Json, model: Prompted) -> None:
    first, second, *_, last = visited["answer"]
    assert '"AnswerDelta"' in first
    assert '"AnswerDelta"' in second
    assert squeezed(SAYS[0]) in first
    assert squeezed(SAYS[0] + SAYS[1]).removesuffix(".") in second  # the full stop is a piece of its own
    assert squeezed(SAYS[1]) not in first
    assert '"AnswerCompleted"' in last
    assert squeezed("".join(SAYS)) in last
    assert '"outcome":"CITED"' in last
    [chat] = model.chats
    assert "How long may I keep a cargo bicycle" in chat["messages"][-1]["content"]
    assert "Cargo bicycles are lent for 3 days" in str(chat["messages"])


def test_a_token_in_the_address_is_taken_out_of_it_and_sent_with_everything(visited: Json) -> None:
    token = visited["token"]
    assert token["address"].endswith("/graphql")
    assert token["urls"] == []
    assert token["history"] == 2, "the browser's empty page, and ours without the token"
    assert len(token["headers"]) == 2, "the schema is asked for, and again when the page is loaded again"
    assert set(token["headers"]) == {f"Bearer {TOKEN}"}
    assert token["asPayload"] == {"authorization": f"Bearer {TOKEN}"}
    assert token["kept"] == [TOKEN]


def test_what_is_bundled_names_its_licences_and_how_to_rebuild_it() -> None:
    static = Path(__file__).parent.parent.parent / "app" / "static"
    licences = (static / "playground" / "LICENSES.txt").read_text()
    for package in ("graphiql", "graphql", "graphql-ws", "monaco-editor", "monaco-graphql", "react", "react-dom"):
        assert f"\n{package} " in licences, package
    assert "npm run build" in (static / "playground-source" / "README.md").read_text()
