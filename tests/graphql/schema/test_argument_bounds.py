"""Arguments over their length limit are refused at the edge, before any normalizing, matching or lookup."""

import asyncio

import httpx
import pytest
from graphql import GraphQLInputObjectType

from app.graphql.api_config import GraphQLConfig
from app.graphql.limits import arguments
from app.graphql.schema import Schema, build_schema
from app.settings import Settings
from tests.graphql.client import Client, Json, received, start
from tests.graphql.schema.places import NOBODY, Place, places
from tests.graphql.schema.walking import SCHEMA
from tests.serving import serve

KINDS = ("Project", "Document", "ChatSession", "Message", "User")
BOUNDED = [
    place
    for place in places(SCHEMA, dict.fromkeys(KINDS, NOBODY))
    if place.is_list
    or (place.type_name in ("String", "ID", "JSON") and not place.coordinate.endswith("TextDocumentInput.text"))
]
# A file comes with a form, which only a server reads.
ROOT = [
    place
    for place in BOUNDED
    if place.name.startswith(("Query", "Mutation")) and not place.name.startswith("Mutation.uploadDocument")
]
# Normalizing this many of them takes time that grows with the square of their number: they stand in two orders.
MARKS = "\u0301\u0323"


def too_much(place: Place, more: int = 1) -> Json:
    """A value at its limit, or one over it."""
    if place.is_list and isinstance(SCHEMA.type_map[place.type_name], GraphQLInputObjectType):
        return [{"title": "Larks", "text": "Larks sing."}] * (arguments.max_entries(place.coordinate) + more)
    if place.is_list:
        item = "STATUS" if place.type_name not in ("ID", "String") else "x"
        values = sorted(getattr(SCHEMA.type_map[place.type_name], "values", {item: 0}))
        return values[:1] * (arguments.max_entries(place.coordinate) + more)
    most = arguments.max_characters(place.coordinate, place.type_name)
    assert most is not None
    if place.type_name == "JSON":
        return {"a": (MARKS * most)[: most - 2 + more]}
    return (MARKS * most)[: most + more]


def said(place: Place) -> str:
    if place.is_list:
        return f"`{place.keys[-1]}` must have at most {arguments.max_entries(place.coordinate):,} entries."
    most = arguments.max_characters(place.coordinate, place.type_name)
    return f"`{place.keys[-1]}` must have at most {most:,} characters."


class Untouchable:
    """An operation's context that records any attempt to reach the services."""

    def __init__(self) -> None:
        self.touched = False

    def __getattr__(self, name: str) -> Json:
        self.touched = True
        raise AttributeError(name)


def test_every_argument_has_a_limit() -> None:
    assert len(BOUNDED) >= 93
    assert {place.operation for place in BOUNDED} == {"query", "mutation", "subscription"}


@pytest.fixture(scope="module")
def schema() -> Schema:
    return build_schema(GraphQLConfig(max_upload_bytes=0))


@pytest.mark.parametrize("place", ROOT, ids=lambda place: place.name)
async def test_no_service_is_asked_about_a_value_over_its_limit(schema: Schema, place: Place) -> None:
    context = Untouchable()
    result = await schema.execute(place.text, place.variables_with(too_much(place)), context_value=context)
    assert not context.touched
    assert said(place) in str([result.errors, result.data])


@pytest.fixture(scope="module")
def known(server: str) -> dict[str, str]:
    async def make() -> dict[str, str]:
        async with httpx.AsyncClient(timeout=120) as http:
            client = Client(http, server)
            project = await client.project("bounds")
            document = await client.ready(project, "Larks", "# Larks\n\nLarks sing at dawn.\n")
            session = await client.session(project)
            user = (await client.run("{ viewer { user { id } } }"))["viewer"]["user"]["id"]
            answer = await client.answered(session, "When do larks sing?")
            return dict(zip(KINDS, (project, document, session, answer, user), strict=True))

    return asyncio.run(make())


async def test_values_over_the_limit_are_reported_and_values_at_it_pass(client: Client, known: dict[str, str]) -> None:
    for place in places(SCHEMA, known):
        if place.coordinate not in {each.coordinate for each in BOUNDED}:
            continue
        assert said(place) in await told(client, place, too_much(place)), place.name
        assert said(place) not in await told(client, place, too_much(place, more=0)), place.name


async def told(client: Client, place: Place, value: Json) -> str:
    variables = place.variables_with(value)
    if place.operation == "subscription":
        async with client.socket() as socket:
            await start(socket, "1", place.text, **variables)
            return str(await received(socket))
    return (await place.send(client, variables)).text


async def test_an_address_of_combining_marks_is_not_counted_as_an_attempt(tmp_path: object) -> None:
    """It is refused before attempts are counted, since counting involves a lookup."""
    values = {"database_url": f"sqlite:///{tmp_path}/footnote.db", "auth_required": True}
    mutation = """mutation($e: String!) { signIn(input: { email: $e, password: "no" }) { __typename
      ... on ValidationError { issues { path code message } } } }"""
    with serve(Settings.model_validate(values)) as url:
        async with httpx.AsyncClient(timeout=120) as http:
            client = Client(http, url)
            for _ in range(40):
                refused = await client.run(mutation, e=MARKS * 4500)
                [issue] = refused["signIn"]["issues"]
                assert issue == {
                    "path": ["email"],
                    "code": "TOO_LONG",
                    "message": "`email` must have at most 320 characters.",
                }
            assert (await client.run(mutation, e="kim@example.org"))["signIn"]["__typename"] == "ValidationError"
