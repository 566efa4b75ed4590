"""A shop whose answer options tests set, and what its users are shown."""

from dataclasses import dataclass

from app.answer_options import to_camel_case
from app.rag.reformulation import INSTRUCTIONS
from tests.graphql.client import Client, Json
from tests.servers.openai import OpenAIServer
from tests.servers.running import Body

QUESTION = "Until when can goods be returned?"
DOCUMENTS = 6
UPDATE = """mutation($input: UpdateProjectInput!) { updateProject(input: $input) { __typename
  ... on UpdateProjectPayload { project { id } } ... on ValidationError { issues { path code message } } } }"""
LEDGER = """requestedMaxTokens contextWindow candidates { decision documentTitle score vectorScore }
  segments { kind tokens itemsKept }"""
MESSAGE = f"query($id: ID!) {{ message(id: $id) {{ content searchQuery outcome budget {{ {LEDGER} }} }} }}"
PREVIEW = f"""query($input: PreviewAnswerInput!) {{ previewAnswer(input: $input) {{
  route routeReason searchQuery messages {{ role content }} budget {{ {LEDGER} }} }} }}"""


@dataclass(frozen=True)
class Seen:
    """The outcome of one question: the request to the model, and the stored message."""

    chats: list[Body]
    message: Json

    @property
    def system(self) -> str:
        """The system message the model received."""
        return next((m["content"] for m in self.chats[-1]["messages"] if m["role"] == "system"), "")

    @property
    def candidates(self) -> list[Json]:
        """The passages that made it into the prompt."""
        return [one for one in self.message["budget"]["candidates"] if one["decision"] == "INCLUDED"]


def answer(body: Body) -> list[str]:
    return ["goods returned"] if body["messages"][0]["content"] == INSTRUCTIONS else ["Within some days [1]."]


async def shop(client: Client) -> str:
    """The id of the project."""
    return (await client.run("{ projects(first: 1) { nodes { id } } }"))["projects"]["nodes"][0]["id"]


async def shown(client: Client, kind: str, id: str, name: str) -> Json:
    """The value shown by a session or a project."""
    field = to_camel_case(name) if kind == "ChatSession" else f"answerDefaults {{ {to_camel_case(name)} }}"
    node = (await client.run(f"query($id: ID!) {{ node(id: $id) {{ ... on {kind} {{ {field} }} }} }}", id=id))["node"]
    return node[to_camel_case(name)] if kind == "ChatSession" else node["answerDefaults"][to_camel_case(name)]


async def asked(client: Client, model: OpenAIServer, session: str, /, **overrides: Json) -> Seen:
    before = len(model.chats)
    message = (await client.run(MESSAGE, id=await client.answered(session, QUESTION, **overrides)))["message"]
    return Seen(model.chats[before:], message)


async def changed(client: Client, project: str, **defaults: Json) -> Json:
    return await client.mutate(UPDATE, id=project, answerDefaults=defaults)
