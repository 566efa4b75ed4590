"""Projects and their embedding spaces."""

from datetime import datetime
from typing import Annotated

import strawberry

from app import errors
from app.answer_options import AnswerOptions
from app.chat.session_lists import SessionOrder
from app.database import models, pages
from app.graphql import ids
from app.graphql.context import Info
from app.graphql.enums import EmbeddingSpaceState
from app.graphql.inputs import documents as inputs
from app.graphql.inputs.chat_lists import session_criteria, session_order
from app.graphql.types.chat.memories import MemoryType
from app.graphql.types.chat.option_fields import with_option_values
from app.graphql.types.chat.sessions import ChatSessionType, SessionFilter, SessionOrderBy
from app.graphql.types.connections import After, Before, ConnectionType, First, Last, to_connection
from app.graphql.types.documents import DocumentType
from app.graphql.types.nodes import NodeType
from app.graphql.types.people import MemberType, ProjectRoleType
from app.graphql.types.project_stats import ProjectStatsType
from app.knowledge.relevance import Relevance
from app.knowledge.spaces import relevance_from_row
from app.rag.refusals import NO_SOURCES_TEXT, REJECTED_TEXT


@strawberry.type(
    name="AnswerDefaults",
    description="Default answer options for the chat sessions of a project: its own where it sets them, "
    "otherwise the server's.",
)
@with_option_values
class AnswerDefaultsType:
    project_id: strawberry.Private[str]
    options: strawberry.Private[AnswerOptions]

    async def load_options(self, info: Info) -> AnswerOptions:
        """The options in effect."""
        return self.options

    async def load_relevance(self, info: Info) -> Relevance:
        """The values measured on the project's documents."""
        return await info.context.loaders.relevance.load(self.project_id)


@strawberry.type(
    name="EmbeddingSpace",
    description="The vectors of a project's chunks, computed by one embedding model. At most one space "
    "per project is ACTIVE at a time.",
)
class EmbeddingSpaceType(NodeType):
    row_type = models.EmbeddingSpace

    row: strawberry.Private[models.EmbeddingSpace]
    model: str = strawberry.field(description="Embedding model, as `provider/model`.")
    dimensions: int = strawberry.field(description="Number of dimensions of a vector.")
    state: EmbeddingSpaceState = strawberry.field(description="State of the embedding space.")
    dense_weight: float = strawberry.field(
        description="Weight of meaning (vectors) in the `score` of a hybrid search; the rest is the weight of words. "
        "Measured on the project's documents, and measured again as they grow."
    )
    threshold: float = strawberry.field(
        description="Minimum `score` of a passage in answers, unless an option sets another. Measured like the weight."
    )
    measured_chunks: int = strawberry.field(
        description="Number of chunks that the project had when the weight and threshold were measured. 0 while the "
        "project is too small to measure them; the server's defaults apply until then."
    )
    created_at: datetime = strawberry.field(description="When the embedding space was created.")

    problem: str | None = strawberry.field(
        description="If the state is FAILED, why the space could not be built. If it is BUILDING, what the space is "
        "waiting for."
    )

    @strawberry.field(description="Number of chunks that have their vectors in this space.")
    async def chunks_done(self, info: Info) -> int:
        return (await self._count_chunks(info))[0]

    @strawberry.field(description="Number of chunks known so far. Grows while documents are processed.")
    async def chunks_total(self, info: Info) -> int:
        return (await self._count_chunks(info))[1]

    async def _count_chunks(self, info: Info) -> tuple[int, int]:
        if self.row.state == EmbeddingSpaceState.ACTIVE:
            totals = await info.context.loaders.document_totals.load(self.row.project_id)
            return totals.chunks, totals.all_chunks
        return await info.context.loaders.space_chunks.load(self.row.id)

    @classmethod
    def from_model(cls, row: models.EmbeddingSpace) -> "EmbeddingSpaceType":
        measured = relevance_from_row(row)
        return cls(
            id=ids.encode("EmbeddingSpace", row.id),
            row=row,
            model=row.model,
            dimensions=row.dimensions,
            state=row.state,
            dense_weight=measured.dense_weight,
            threshold=measured.threshold,
            measured_chunks=row.measured_chunks,
            problem=row.problem,
            created_at=row.created_at,
        )


DocumentFilterArgument = Annotated[
    inputs.DocumentFilterInput | None, strawberry.argument(description="Filters for the documents.")
]
DocumentOrderArgument = Annotated[
    inputs.DocumentOrder | None, strawberry.argument(description="How to sort the documents. Oldest first if omitted.")
]


@strawberry.type(name="Project", description="A project. Documents, chat sessions and members belong to one project.")
class ProjectType(NodeType):
    row_type = models.Project

    row: strawberry.Private[models.Project]
    name: str = strawberry.field(description="Name of the project. Projects of different users can have the same name.")
    description: str | None = strawberry.field(description="What the project is about.")
    created_at: datetime = strawberry.field(description="When the project was created.")
    updated_at: datetime = strawberry.field(description="When the settings of the project last changed.")
    local_providers_only: bool = strawberry.field(
        description="Whether only models that run on this machine are used, so that documents and questions never "
        "leave it."
    )
    no_sources_text: str = strawberry.field(
        description="Answer given in GROUNDED mode when nothing relevant is found. If the project does not set its "
        "own text, the answer is in the language of the question, if there is a translation; this field then shows "
        "the English text."
    )
    rejected_text: str = strawberry.field(
        description="Answer given in GROUNDED mode instead of one that cites nothing. If the project does not set its "
        "own text, the answer is in the language of the question, if there is a translation; this field then shows "
        "the English text."
    )
    retention_days: int | None = strawberry.field(
        description="Number of days without a new question after which chat sessions are deleted. Null: never."
    )

    @strawberry.field(description="Default answer options for the chat sessions of the project.")
    async def answer_defaults(self, info: Info) -> AnswerDefaultsType:
        options = info.context.access.chats.resolve_options(self.row, None)
        return AnswerDefaultsType(project_id=self.row.id, options=options)

    @strawberry.field(description="Your role in the project.")
    async def viewer_role(self, info: Info) -> ProjectRoleType:
        return ProjectRoleType((await info.context.loaders.viewer_roles.load(self.row.id)).value)

    @strawberry.field(description="The project's members: owners first, then longest-standing first.")
    async def members(self, info: Info) -> list[MemberType]:
        return [MemberType.from_model(member) for member in await info.context.loaders.members.load(self.row.id)]

    @strawberry.field(description="The documents.")
    async def documents(
        self,
        info: Info,
        filter: DocumentFilterArgument = None,
        order_by: DocumentOrderArgument = None,
        first: First = None,
        after: After = None,
        last: Last = None,
        before: Before = None,
    ) -> ConnectionType[DocumentType]:
        library, request = info.context.access.documents, pages.PageRequest(first, after, last, before)
        which, order = inputs.library_filter(filter), inputs.library_order(order_by)
        of_parent, id = info.context.loaders.load_for_parent, self.row.id
        page = await of_parent(library.list_documents, id, which, request, order)
        return to_connection(DocumentType, page, lambda: of_parent(library.count_documents, id, which))

    @strawberry.field(description="The chat sessions that you can see. Oldest first unless sorted otherwise.")
    async def chat_sessions(
        self,
        info: Info,
        filter: SessionFilter = None,
        order_by: SessionOrderBy = None,
        first: First = None,
        after: After = None,
        last: Last = None,
        before: Before = None,
    ) -> ConnectionType[ChatSessionType]:
        lists, request = info.context.access.chat_lists, pages.PageRequest(first, after, last, before)
        which, order = session_criteria(filter), session_order(order_by, SessionOrder())
        of_parent, id = info.context.loaders.load_for_parent, self.row.id
        page = await of_parent(lists.list_by_project, id, which, order, request)
        return to_connection(ChatSessionType, page, lambda: of_parent(lists.count_by_project, id, which))

    @strawberry.field(
        description="Facts about you that are stored in this project, most important first. Visible only to you."
    )
    async def memories(self, info: Info) -> list[MemoryType]:
        return [MemoryType.from_model(row) for row in await info.context.loaders.project_memories.load(self.row.id)]

    @strawberry.field(
        description="Statistics about the project: its documents, questions, ratings and repeated searches."
    )
    async def stats(self, info: Info) -> ProjectStatsType:
        loaders, id = info.context.loaders, self.row.id
        return ProjectStatsType.from_model(
            await loaders.document_totals.load(id),
            self.row.stored_bytes,
            await loaders.question_totals.load(id),
            await loaders.helpful_rates.load(id),
            *await info.context.access.projects.cache_uses(id),
        )

    @strawberry.field(description="The embedding space that is searched.")
    async def embedding_space(self, info: Info) -> EmbeddingSpaceType:
        spaces = await info.context.loaders.all_spaces.load(self.row.id)
        active = next((space for space in spaces if space.state == EmbeddingSpaceState.ACTIVE), None)
        if active is None:
            raise errors.NotFound("project", self.row.id)
        return EmbeddingSpaceType.from_model(active)

    @strawberry.field(description="All embedding spaces, including those being built and retired ones, oldest first.")
    async def embedding_spaces(self, info: Info) -> list[EmbeddingSpaceType]:
        return [EmbeddingSpaceType.from_model(row) for row in await info.context.loaders.all_spaces.load(self.row.id)]

    @classmethod
    def from_model(cls, row: models.Project) -> "ProjectType":
        return cls(
            id=ids.encode("Project", row.id),
            row=row,
            name=row.name,
            description=row.description,
            created_at=row.created_at,
            updated_at=row.updated_at,
            local_providers_only=row.local_providers_only,
            no_sources_text=row.no_sources_text or NO_SOURCES_TEXT,
            rejected_text=row.rejected_text or REJECTED_TEXT,
            retention_days=row.retention_days,
        )
