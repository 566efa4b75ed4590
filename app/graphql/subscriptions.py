"""Subscriptions to the events of an answer and to the processing of documents."""

from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, aclosing, nullcontext
from datetime import timedelta
from typing import Annotated

import strawberry

from app import errors
from app.database import models
from app.graphql import ids
from app.graphql.context import Context, Info
from app.graphql.types import ingestion
from app.graphql.types.chat import events
from app.graphql.types.projects import EmbeddingSpaceType
from app.statuses import RUNNING, EmbeddingSpaceState, MessageRole

_COMMIT_TIME = timedelta(seconds=10)

Answer = Annotated[strawberry.ID, strawberry.argument(description="Id of the answer, as returned by `sendMessage`.")]
After = Annotated[
    int,
    strawberry.argument(description="The `sequence` of the last event you received; 0 to start from the beginning."),
]
AfterIngestion = Annotated[
    int,
    strawberry.argument(
        description="Only with `documentId`: the last `sequence` you received. Intermediate states may be skipped."
    ),
]
DocumentId = Annotated[
    strawberry.ID | None,
    strawberry.argument(
        description="Id of one document to follow until it is ready or has failed. Ends with NOT_FOUND if the "
        "document is deleted."
    ),
]
ProjectId = Annotated[
    strawberry.ID | None,
    strawberry.argument(
        description="Id of a project. Its documents are followed, starting ten seconds ago, until the project is "
        "deleted."
    ),
]

SpaceId = Annotated[
    strawberry.ID, strawberry.argument(description="Id of the embedding space, as returned by `switchEmbeddingModel`.")
]


@strawberry.type(description="The root of all subscriptions.")
class Subscription:
    @strawberry.subscription(
        description="The events of an answer, starting after `after` and ending with its last event. Subscribing has "
        "no side effects: subscribe again at any time to resume."
    )
    async def answer_events(
        self, info: Info, message_id: Answer, after: After = 0
    ) -> AsyncGenerator[events.AnswerEventType]:
        slot = info.context.result_slot
        # A complete answer is read and sent within one slot, to keep few of them in memory if their clients are slow.
        async with AsyncExitStack() as stack:
            await stack.enter_async_context(slot)
            row = await _load_answer(info, message_id)
            _check_after(after)
            is_complete = row.status not in RUNNING
            if not is_complete:
                await stack.aclose()
            global_id = ids.encode("Message", row.id)
            id, chats, each_slot = row.id, info.context.access.chats, nullcontext() if is_complete else slot
            follow = chats.follow_answer(row, after, info.context.recheck_credential, each_slot)
            del row  # it contains the whole text, and the client may be slow
            async with aclosing(follow) as entries:
                async for entry in entries:
                    yield events.answer_event(id, global_id, entry)

    @strawberry.subscription(
        description="The progress of one document (starting after `after`), or of all documents in a project "
        "(starting ten seconds ago). Give either `documentId` or `projectId`."
    )
    async def ingestion_events(
        self, info: Info, document_id: DocumentId = None, project_id: ProjectId = None, after: AfterIngestion = 0
    ) -> AsyncGenerator[ingestion.IngestionEventType]:
        _check_after(after)
        context = info.context
        if document_id is not None and project_id is None:
            id = ids.read("Document", document_id)
            row = await _reload_document(context, id)
            if row is None:
                raise errors.NotFound("document", id)
            document_events = _watch_document(context, row, after)
            updates = context.access.documents.yield_while_visible(
                row.project_id, document_events, "document", id, context.recheck_credential, context.result_slot
            )
        elif project_id is not None and document_id is None:
            id = ids.read("Project", project_id)
            updates = context.access.documents.yield_while_visible(
                id, _watch_project(context, id), "project", id, context.recheck_credential, context.result_slot
            )
        else:
            raise errors.BadUserInput("documentId", "Give exactly one of `documentId` and `projectId`.")
        async with aclosing(updates):
            async for update in updates:
                yield update

    @strawberry.subscription(
        description="An embedding space while it is being built: as it is now, and after each change. Ends when it is "
        "ACTIVE, FAILED or RETIRED (cancelled). Subscribing has no side effects."
    )
    async def embedding_space_events(self, info: Info, space_id: SpaceId) -> AsyncGenerator[EmbeddingSpaceType]:
        context, id = info.context, ids.read("EmbeddingSpace", space_id)
        row = await _reload_space(context, id)
        if row is None:
            raise errors.NotFound("embedding space", id)
        updates = context.access.documents.yield_while_visible(
            row.project_id,
            _watch_space(context, row),
            "embedding space",
            id,
            context.recheck_credential,
            context.result_slot,
        )
        async with aclosing(updates):
            async for update in updates:
                yield update


def _check_after(after: int) -> None:
    if after < 0:
        raise errors.BadUserInput("after", "`after` must be the sequence of an event, or 0.")


async def _load_answer(info: Info, message_id: str) -> models.Message:
    """The answer's row. Raises NotFound, or BadUserInput for a question."""
    row_id = ids.read("Message", message_id)
    row = await info.context.access.chats.message_to_follow(row_id)
    if row is None:
        raise errors.NotFound("message", message_id)
    if row.role != MessageRole.ASSISTANT:
        raise errors.BadUserInput("messageId", "Only an answer has events; this is a question.")
    return row


async def _watch_document(
    context: Context, document: models.Document, after: int
) -> AsyncGenerator[list[ingestion.IngestionEventType]]:
    """Yield the document's state whenever it is newer than `after`, until it is ready or failed.

    Raises NotFound when it is deleted or hidden.
    """
    with context.access.documents.subscribe_to_document(document) as changes:
        while True:
            row = await _reload_document(context, document.id)
            if row is None:
                raise errors.NotFound("document", document.id)
            event = ingestion.ingestion_event(row)
            if event is not None and event.sequence > after:
                after = event.sequence
                yield [event]
            if event is not None and ingestion.ends_ingestion(event):
                return
            await changes.wait()


async def _reload_document(context: Context, id: str) -> models.Document | None:
    """The document, read again with the user's current role."""
    [row] = await context.for_operation().access.documents.by_ids([id])
    return row


async def _watch_space(context: Context, row: models.EmbeddingSpace) -> AsyncGenerator[list[EmbeddingSpaceType]]:
    """Yield the space whenever it has changed, until it is no longer being built or is hidden."""
    with context.access.documents.subscribe_to_space(row) as changes:
        while True:
            last, found = row, await _reload_space(context, row.id)
            if found is None:  # its vectors were removed, and then its row
                last.state = EmbeddingSpaceState.RETIRED
            row = found or last
            yield [EmbeddingSpaceType.from_model(row)]
            if row.state != EmbeddingSpaceState.BUILDING:
                return
            await changes.wait()


async def _reload_space(context: Context, id: str) -> models.EmbeddingSpace | None:
    """The embedding space, read again with the user's current role."""
    [row] = await context.for_operation().access.projects.spaces_by_ids([id])
    return row


async def _watch_project(context: Context, id: str) -> AsyncGenerator[list[ingestion.IngestionEventType]]:
    """Yield the state of each document that progresses, until the project is deleted or hidden."""
    documents = context.access.documents
    seen: dict[str, int] = {}
    # A client that has just read the documents in work also needs the changes since then.
    began = since = models.now() - _COMMIT_TIME
    with documents.subscribe_to_project(id) as changes:
        found, last_reading = await documents.changed_since(id, since), 0
        while True:
            progressed: list[ingestion.IngestionEventType] = []
            for row in found.changes_since(last_reading):
                if row.progress > seen.get(row.id, 0) and row.updated_at > began:
                    event = found.make_once(ingestion.ingestion_event, row)
                    if event is not None:
                        progressed.append(event)
                seen[row.id] = row.progress
                since = max(since, row.updated_at)
            # Times ahead of the clock are from before it was set back: later changes have earlier ones.
            since = min(since, models.now())
            # From now on, whatever is not `seen` is new, by whichever server's clock it is dated.
            began = min(began, models.now() - _COMMIT_TIME - documents.max_clock_difference)
            last_reading = found.reading
            yield progressed
            await changes.wait()
            try:
                # A change gets its timestamp before it is committed, so the last seconds are read again.
                found = await documents.changed_since(id, since - _COMMIT_TIME)
            except errors.NotFound:
                return
