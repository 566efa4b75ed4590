"""The playground in a browser with no outside network: sign-in, its operations, a stream."""

from collections.abc import Generator
from pathlib import Path

import pytest

from app.settings import Settings
from tests.clients.conftest import Json, Operator, Program, Prompted
from tests.servers.running import running
from tests.serving import serve

SAYS = ["Cargo bicycles are lent for 3 days", " and cannot be extended [1].", " The deposit is 120 euros [1]."]
TABS = ["CreateProject", "AddDocument", "CreateChatSession", "Ask", "Follow", "Preview", "Search", "HealthAndModels"]
# Each step waits a minute at most; all together take a few seconds.
VISIT_SECONDS = 150.0
# Ours have none of these signs; those of other servers do.
WRONG = "a+token/of-the_viewer="
PASSWORD = "correct horse battery"


@pytest.fixture(scope="module")
def model() -> Generator[Prompted]:
    """A model that answers the playground's question."""
    with running(Prompted(SAYS)) as running_model:
        yield running_model


@pytest.fixture(scope="module")
def visited(
    browser: str, program: Program, operator: Operator, model: Prompted, tmp_path_factory: pytest.TempPathFactory
) -> Json:
    """What the playground did with each of its prepared operations, and later with a token."""
    folder = tmp_path_factory.mktemp("playground")
    values = {
        "database_url": f"sqlite:///{folder / 'footnote.db'}",
        "openai_base_url": model.url,
        "chat_model": "openai/chat",
    }
    shown = [text.replace("[1]", "").replace(".", "").strip() for text in SAYS]
    with serve(Settings.model_validate(values)) as url:
        token = operator(values["database_url"], "token", "create", "owner@localhost", "--label", "browser")
        found = program(
            "playground",
            url=url,
            model=model.root,
            browser=browser,
            pictures=str(folder),
            says=shown,
            token=token,
            wrong=WRONG,
            seconds=VISIT_SECONDS,
        )
        return {**found, "given": token}


@pytest.fixture(scope="module")
def signing_in(browser: str, program: Program, operator: Operator, tmp_path_factory: pytest.TempPathFactory) -> Json:
    """What users see on a server that requires sign-in, starting with its first link."""
    folder = tmp_path_factory.mktemp("signing-in")
    database = f"sqlite:///{folder / 'footnote.db'}"
    values = {"database_url": database, "require_sign_in": True, "page": False}
    with serve(Settings.model_validate(values)) as url, pytest.MonkeyPatch.context() as patch:
        patch.setenv("PAGE", "false")  # links lead to the playground then
        operator(database, "user", "add", "kim@example.org", "--password-stdin", typed=f"{PASSWORD}\n")
        return program(
            "signing-in",
            url=url,
            link=operator(database, "user", "link", "owner@localhost", "--url", url),
            another=operator(database, "user", "link", "kim@example.org", "--url", url),
            browser=browser,
            pictures=str(folder),
            password=PASSWORD,
            seconds=VISIT_SECONDS,
        )


def squeezed(text: str) -> str:
    """The text without spaces, since the page wraps long lines."""
    return "".join(text.split())


def test_the_page_loads_without_errors_and_from_this_server_alone(visited: Json) -> None:
    assert visited["complaints"] == []
    assert visited["foreign"] == []


def test_no_script_but_ours_is_allowed(visited: Json) -> None:
    directives = dict(part.strip().split(" ", 1) for part in visited["policy"].split(";"))
    assert directives["default-src"] == "'none'"
    assert directives["script-src"] == directives["worker-src"] == directives["connect-src"] == "'self'"
    assert "unsafe-eval" not in visited["policy"]


def test_prepared_operations_are_in_tabs(visited: Json) -> None:
    assert visited["tabs"] == TABS


def test_prepared_operations_run_in_order(visited: Json) -> None:
    results = visited["results"]
    assert "CreateProjectPayload" in results["CreateProject"]
    assert "AddTextDocumentPayload" in results["AddDocument"]
    assert "CreateChatSessionPayload" in results["CreateChatSession"]
    assert "SendMessagePayload" in results["Ask"]
    assert squeezed("Bicycle library handbook") in results["Search"]
    assert '"status":"OK"' in results["HealthAndModels"]


def test_an_answer_is_shown_while_it_is_written(visited: Json, model: Prompted) -> None:
    first, second, *_, last = visited["answer"]
    # The page shows the latest event: a citation may have followed its words before they were read off.
    assert '"AnswerDelta"' in first or '"CitationAdded"' in first
    assert '"AnswerDelta"' in second or '"CitationAdded"' in second
    assert '"AnswerDelta"' not in first or squeezed(SAYS[0]) in first
    # The full stop is a piece of its own.
    assert '"AnswerDelta"' not in second or squeezed(SAYS[0] + SAYS[1]).removesuffix(".") in second
    assert squeezed(SAYS[1]) not in first
    assert '"AnswerCompleted"' in last
    assert squeezed("".join(SAYS)) in last
    assert '"outcome":"CITED"' in last
    [chat] = model.chats
    assert "How long may I keep a cargo bicycle" in chat["messages"][-1]["content"]
    assert "Cargo bicycles are lent for 3 days" in str(chat["messages"])


def test_a_token_in_the_url_is_removed_from_it_and_sent_with_every_request(visited: Json) -> None:
    token = visited["token"]
    assert token["address"].endswith("/graphql")
    assert token["urls"] == []
    assert token["history"] == 2, "the browser's empty page, and ours without the token"
    assert len(token["headers"]) == 2, "the schema is asked for, and again when the page is loaded again"
    assert set(token["headers"]) == {f"Bearer {visited['given']}"}
    assert token["asPayload"] == {"authorization": f"Bearer {visited['given']}"}
    assert token["kept"] == [visited["given"]]
    assert token["refusals"] == 0


def test_a_link_replaces_a_sign_in_only_after_confirmation(visited: Json) -> None:
    token = visited["token"]
    assert token["stayed"] == [visited["given"]]
    assert token["address2"].endswith("/graphql")
    assert token["question"].startswith("Follow the link?")


def test_a_wrong_token_is_sent_unchanged_and_leads_to_the_form(visited: Json) -> None:
    assert visited["token"]["wrong"] == {
        "header": f"Bearer {WRONG}",
        "said": "You are not signed in. This credential is wrong, expired or revoked.",
    }


def test_the_first_link_signs_in_and_leaves_no_trace(signing_in: Json) -> None:
    link = signing_in["link"]
    assert link["address"].endswith("/graphql")
    assert link["history"] == 2, "the browser's empty page, and ours without the link"
    assert link["urls"] == []
    assert [value[:10] for value in link["kept"] if "fn_" in value] == ["fn_signin_"]
    assert "You are signed in as owner@localhost." in link["asked"]
    assert "mutation: Mutation" in link["schema"]
    assert "CreateProjectPayload" in link["result"]


def test_a_link_that_was_used_says_what_to_do(signing_in: Json) -> None:
    second = signing_in["secondTime"]
    assert second["said"] == (
        "The link did not let you in. This link has been used or has expired. "
        "footnote user link EMAIL creates a new one."
    )
    assert [value for value in second["kept"] if "fn_" in value] == []


def test_only_the_right_password_signs_in(signing_in: Json) -> None:
    password = signing_in["password"]
    assert password["wrong"] == "The email address or the password is wrong."
    assert '"status":"OK"' in password["result"]


def test_a_subscription_also_asks_for_a_new_sign_in(signing_in: Json) -> None:
    ended, token = signing_in["ended"], signing_in["token"]
    assert ended["payloads"] == [f"Bearer {ended['token']}"] * 2
    assert "4403" in ended["shown"]
    assert ended["said"] == "You are not signed in. This credential is wrong, expired or revoked."
    assert token["wrong"] == "This credential is wrong, expired or revoked."
    assert '"status":"OK"' in token["result"]


def test_signing_out_leaves_nothing_behind(signing_in: Json) -> None:
    assert signing_in["signedOut"] == {"kept": 0, "alerts": 0, "status": 401, "button": "Sign in"}


def test_a_link_signs_in_a_user_with_a_password_and_keeps_it(signing_in: Json) -> None:
    later = signing_in["later"]
    assert later["said"].startswith("You have a password already. footnote user password kim@example.org sets another")
    assert later["address"].endswith("/graphql")
    assert later["account"].split() == ["kim@example.org", "Sign", "out"]
    assert '"status":"OK"' in later["result"]


def test_signing_in_loads_nothing_from_elsewhere_and_breaks_no_policy(signing_in: Json) -> None:
    assert signing_in["complaints"] == []
    assert signing_in["foreign"] == []


def test_the_bundle_names_its_licenses_and_how_to_rebuild_it() -> None:
    static = Path(__file__).parent.parent.parent / "app" / "static"
    licenses = (static / "playground" / "LICENSES.txt").read_text()
    for package in ("graphiql", "graphql", "graphql-ws", "monaco-editor", "monaco-graphql", "react", "react-dom"):
        assert f"\n{package} " in licenses, package
    assert "npm run build" in (static / "playground-source" / "README.md").read_text()
