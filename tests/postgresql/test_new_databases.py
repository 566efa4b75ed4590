"""A new database in PostgreSQL: what an administrator may have made of it before our first start."""

import asyncio
from contextlib import AsyncExitStack

import httpx
import pytest
from sqlalchemy import make_url

from app import errors
from app.database import opening, upgrade
from app.settings import Settings
from tests import postgres
from tests.graphql.client import Client
from tests.looking import pause
from tests.serving import serve

SEARCH = "query($input: SearchInput!) { search(input: $input) { edges { vectorScore node { text } } } }"
LIMIT = "mutation($input: UpdateProjectInput!) { updateProject(input: $input) { __typename } }"
# What may be set for all databases of a server, or for one.
SETTINGS = (
    "standard_conforming_strings = off",
    "default_transaction_isolation = 'serializable'",
    "timezone = 'Asia/Kolkata'",
    "datestyle = 'German'",
    "bytea_output = 'escape'",
)
VECTOR_ELSEWHERE = "CREATE SCHEMA extensions", "CREATE EXTENSION vector SCHEMA extensions"


async def migrate(url: str) -> None:
    database = opening.open_database(url)
    try:
        await upgrade.upgrade_database(database)
    finally:
        await database.close()


async def work(url: str) -> None:
    """Add a document and find it, on a new server."""
    async with httpx.AsyncClient(timeout=60) as http:
        with serve(Settings.model_validate({"database_url": url, "port": 0})) as address:
            client = Client(http, address)
            project = await client.project("Bees")
            for name in ("Bees", "Wasps"):
                await client.ready(project, name, f"{name} and honey.", metadata={"kind": name})
            wanted = {"projectId": project, "query": "honey", "metadata": {"kind": "Bees"}}
            [found] = (await client.run(SEARCH, input=wanted))["search"]["edges"]
            assert found["vectorScore"] > 0 and found["node"]["text"] == "Bees and honey."


@pytest.mark.parametrize("encoding", ["LATIN1", "SQL_ASCII"])
async def test_an_encoding_that_does_not_hold_all_texts_is_refused(url: str, encoding: str) -> None:
    name = f"{make_url(url).database}_other"
    postgres.run_statements(f"CREATE DATABASE {name} ENCODING '{encoding}' LOCALE 'C' TEMPLATE template0")
    with pytest.raises(errors.StartError, match=f"has the encoding {encoding}, which cannot store every text"):
        await migrate(postgres.database_url(name))
    postgres.run_statements(f"DROP DATABASE {name} WITH (FORCE)")


async def test_a_search_path_without_schemas_is_reported(url: str) -> None:
    nowhere = make_url(url).update_query_dict({"options": "-csearch_path=nowhere"})
    with pytest.raises(errors.StartError, match="no schema in the search_path exists"):
        await migrate(nowhere.render_as_string(hide_password=False))


async def test_the_extension_may_be_in_another_schema_that_the_search_path_names(url: str) -> None:
    postgres.run_statements(*VECTOR_ELSEWHERE, url=url)
    with pytest.raises(
        errors.StartError, match=r"pgvector is in the schema extensions.* SET search_path = public, ext"
    ):
        await migrate(url)
    name = make_url(url).database
    postgres.run_statements(f"ALTER DATABASE {name} SET search_path = public, extensions")
    await work(url)


async def test_other_programs_may_have_a_table_of_the_same_name(url: str) -> None:
    """The rows of a table are a type with its name."""
    postgres.run_statements("CREATE SCHEMA maps", "CREATE TABLE maps.vector (x int)", url=url)
    await work(url)


async def test_what_is_set_for_the_database_changes_nothing(url: str) -> None:
    name = make_url(url).database
    postgres.run_statements(*(f"ALTER DATABASE {name} SET {each}" for each in SETTINGS))
    await work(url)


async def test_installations_in_two_schemas_each_do_their_own_upkeep(url: str) -> None:
    """Such as deleting what is due."""
    postgres.run_statements("CREATE EXTENSION vector", "CREATE SCHEMA one", "CREATE SCHEMA two", url=url)
    async with AsyncExitStack() as stack:
        http = await stack.enter_async_context(httpx.AsyncClient(timeout=60))
        for schema in ("one", "two"):
            path = make_url(url).update_query_dict({"options": f"-csearch_path={schema},public"})
            settings = {"database_url": path.render_as_string(hide_password=False), "port": 0}
            client = Client(http, stack.enter_context(serve(Settings.model_validate(settings))))
            project = await client.project("Bees")
            session = await client.session(project)
            aged = f"UPDATE {schema}.chat_sessions SET last_activity_at = last_activity_at - interval '3 days'"
            postgres.run_statements(aged, url=url)
            limited = await client.mutate(LIMIT, id=project, retentionDays=1)
            assert limited["__typename"] == "UpdateProjectPayload"
            async with asyncio.timeout(60):
                while (await client.run("query($id: ID!) { chatSession(id: $id) { id } }", id=session))["chatSession"]:
                    await pause()
