"""A project of a signed-in user."""

from tests.answers import TEXT
from tests.graphql.client import CREATE_PROJECT
from tests.signed_in_server import SignedInServer


async def shop(server: SignedInServer) -> str:
    """The id of a project with a document."""
    project = (await server.client.mutate(CREATE_PROJECT, name="Shop"))["project"]["id"]
    await server.client.ready(project, "Returns", TEXT)
    return project
