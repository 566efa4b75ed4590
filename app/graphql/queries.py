"""All queries. An object that does not exist, or that the user has no access to, is null."""

import asyncio
from typing import Annotated

import strawberry

from app import errors
from app.chat.branches.placement import AT_THE_END
from app.database import pages
from app.graphql import ids, search_results
from app.graphql.context import Info
from app.graphql.inputs import input_values
from app.graphql.inputs.chat import PreviewAnswerInput
from app.graphql.inputs.chat_lists import ExportFormat, SearchMessagesInput
from app.graphql.inputs.search import SearchInput
from app.graphql.types import nodes
from app.graphql.types.chat.message_search import FoundMessageConnectionType
from app.graphql.types.chat.messages import MessageType
from app.graphql.types.chat.previews import AnswerPreviewType
from app.graphql.types.chat.sessions import ChatSessionType
from app.graphql.types.connections import After, Before, ConnectionType, First, Last, to_connection
from app.graphql.types.documents import DocumentFormatType, DocumentType
from app.graphql.types.nodes import NodeType
from app.graphql.types.projects import ProjectType
from app.graphql.types.search import SearchResultConnectionType
from app.graphql.types.server import HealthType, ModelType
from app.graphql.types.viewer import ViewerType
from app.knowledge.parsing import formats
from app.rag.pipeline import Preview

Id = Annotated[strawberry.ID, strawberry.argument(description="Global id of the object.")]
ProjectId = Annotated[strawberry.ID, strawberry.argument(description="Id of the project.")]
DocumentId = Annotated[strawberry.ID, strawberry.argument(description="Id of the document.")]
ChatSessionId = Annotated[strawberry.ID, strawberry.argument(description="Id of the chat session.")]
MessageId = Annotated[strawberry.ID, strawberry.argument(description="Id of the message.")]
Ids = Annotated[list[strawberry.ID], strawberry.argument(description="Global ids of the objects.")]
Search = Annotated[SearchInput, strawberry.argument(description="Where and what to search.")]
Format = Annotated[ExportFormat, strawberry.argument(description="Format of the text.")]
MessageQuery = Annotated[SearchMessagesInput, strawberry.argument(description="What to search, and where.")]
Previewed = Annotated[
    PreviewAnswerInput, strawberry.argument(description="The question and the options of its answer.")
]
Results = Annotated[int, strawberry.argument(description=f"Return at most this many results, 0 to {pages.MAX_SIZE}.")]


@strawberry.type(description="The root of all queries.")
class Query:
    @strawberry.field(
        description="The object with this global id. Null if it does not exist or you have no access to it."
    )
    async def node(self, info: Info, id: Id) -> NodeType | None:
        return await _load_node(info, id)

    @strawberry.field(
        description="The objects with these global ids, in the same order; null for each that does not exist or that "
        "you have no access to."
    )
    async def nodes(self, info: Info, ids: Ids) -> list[NodeType | None]:
        return await asyncio.gather(*(_load_node(info, id) for id in ids))

    @strawberry.field(description="The user who sends the request.")
    def viewer(self) -> ViewerType:
        return ViewerType()

    @strawberry.field(description="The project with this id. Null if it does not exist or you have no access to it.")
    async def project(self, info: Info, id: ProjectId) -> ProjectType | None:
        found = ids.find("Project", id)
        row = await info.context.loaders.projects.load(found) if found else None
        return ProjectType.from_model(row) if row else None

    @strawberry.field(description="The projects that you have access to, oldest first.")
    async def projects(
        self, info: Info, first: First = None, after: After = None, last: Last = None, before: Before = None
    ) -> ConnectionType[ProjectType]:
        projects = info.context.access.projects
        return to_connection(
            ProjectType,
            await projects.list_projects(pages.PageRequest(first, after, last, before)),
            projects.count_projects,
        )

    @strawberry.field(description="The document with this id. Null if it does not exist or you have no access to it.")
    async def document(self, info: Info, id: DocumentId) -> DocumentType | None:
        found = ids.find("Document", id)
        row = await info.context.loaders.documents.load(found) if found else None
        return DocumentType.from_model(row) if row else None

    @strawberry.field(
        description="The chat session with this id. Null if it does not exist or you have no access to it."
    )
    async def chat_session(self, info: Info, id: ChatSessionId) -> ChatSessionType | None:
        found = ids.find("ChatSession", id)
        row = await info.context.loaders.sessions.load(found) if found else None
        return ChatSessionType.from_model(row) if row else None

    @strawberry.field(
        description="A conversation as one text: the messages that the chat session shows, with sources, quotes, "
        "notices and your ratings; at most the first 1,000. Null if it does not exist or you have no access to it."
    )
    async def export_chat_session(self, info: Info, id: ChatSessionId, format: Format) -> str | None:
        found = ids.find("ChatSession", id)
        row = await info.context.loaders.sessions.load(found) if found else None
        return (await info.context.access.exports.export_session(row, format.name)).text if row else None

    @strawberry.field(description="The message with this id. Null if it does not exist or you have no access to it.")
    async def message(self, info: Info, id: MessageId) -> MessageType | None:
        found = ids.find("Message", id)
        row = await info.context.loaders.messages.load(found) if found else None
        return MessageType.from_model(row) if row else None

    @strawberry.field(description="The passages in a project that best match a query.")
    async def search(
        self, info: Info, input: Search, first: Results = 10, after: After = None
    ) -> SearchResultConnectionType:
        return await search_results.find_page(info.context, input, first, after)

    @strawberry.field(
        description="The questions and answers in your own chat sessions that have all words of a query, newest first."
    )
    async def search_messages(
        self, info: Info, input: MessageQuery, first: Results = 20, after: After = None
    ) -> FoundMessageConnectionType:
        if not input.query.strip():
            raise errors.BadUserInput("query", "`query` must not be empty.")
        project_id = None if input.project_id is None else ids.read("Project", input.project_id)
        request = pages.PageRequest(first, after)
        page = await info.context.access.chat_lists.search_messages(input.query, project_id, request)
        return FoundMessageConnectionType.from_model(page)

    @strawberry.field(
        description="A preview of what an answer would be based on. Nothing is stored, and no answer is generated."
    )
    async def preview_answer(self, info: Info, input: Previewed) -> AnswerPreviewType:
        return AnswerPreviewType.from_model(await _preview_answer(info, input))

    @strawberry.field(description="The models that this server can use. Selecting this field queries every provider.")
    async def models(self, info: Info) -> list[ModelType]:
        return [ModelType.from_model(listed) for listed in await info.context.access.models.list_models()]

    @strawberry.field(
        description="The file formats that documents can have, in the order in which to list them. Text files with "
        "any other extension can be added, too."
    )
    def document_formats(self) -> list[DocumentFormatType]:
        readable = formats.find_readable_formats()
        return [DocumentFormatType.from_model(each, available=each in readable) for each in formats.Format]

    @strawberry.field(description="The health of the server. Selecting this field checks every component.")
    async def health(self, info: Info) -> HealthType:
        return HealthType.from_model(await info.context.services.health())


async def _load_node(info: Info, global_id: str) -> NodeType | None:
    found = ids.decode(global_id)
    row = await info.context.loaders.load_row(*found) if found else None
    return nodes.node_of_row(row) if row is not None else None


_NOT_OPTIONS = ("session_id", "project_id", "content", "edited_message_id", "previous_message_id", "reformulate")
"""Fields of a previewed question that are not options of its answer."""


async def _preview_answer(info: Info, input: PreviewAnswerInput) -> Preview:
    chats, reformulate = info.context.access.chats, input.reformulate
    options, placement = input_values.provided_values(input, without=_NOT_OPTIONS), input.read_placement()
    match input.session_id, input.project_id:
        case str(session), None:
            session_id = ids.read("ChatSession", session)
            return await chats.preview(
                session_id, input.content, overrides=options, placement=placement, reformulate=reformulate
            )
        case None, str(project):
            if placement != AT_THE_END:
                raise errors.BadUserInput("projectId", "The first question of a chat session follows no message.")
            project_id = ids.read("Project", project)
            return await chats.preview_new_session(project_id, input.content, settings=options, reformulate=reformulate)
        case _:
            raise errors.BadUserInput("sessionId", "Give either `sessionId` or `projectId`.")
