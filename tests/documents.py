"""Shared by tests of documents: add a text and wait for it to be processed."""

import io
from typing import Any

from app.database import models
from app.knowledge.uploads import NewDocument
from app.notifier import topics
from app.services import Backend


async def add(footnote: Backend, project_id: str, data: str | bytes, **values: Any) -> models.Document:
    """Add a document and wait until it is READY or FAILED."""
    content = data.encode() if isinstance(data, str) else data
    new = NewDocument(values.pop("media_type", "text/markdown"), **values)
    document, _ = await footnote.knowledge.library.add_document(project_id, new, io.BytesIO(content))
    return await processed(footnote, document.id)


async def processed(footnote: Backend, document_id: str) -> models.Document:
    """The document's row, READY or FAILED."""
    with footnote.notifier.subscribe(topics.document(document_id)) as changes:
        while True:
            document = (await footnote.knowledge.library.documents_by_ids([document_id]))[0]
            assert document is not None
            if document.status in ("READY", "FAILED"):
                return document
            await changes.wait()
