"""Select the documents that match a filter, and sort them."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Select, or_, select
from sqlalchemy.orm import InstrumentedAttribute

from app.answer_options.document_filter import DocumentFilter
from app.database import models
from app.database.tables.metadata import has_metadata
from app.database.texts import contains_text
from app.knowledge.index.chunk_filter import ChunkFilter


@dataclass(frozen=True, slots=True)
class LibraryOrder:
    """The field to sort documents by: CREATED_AT, UPDATED_AT or TITLE. Ties are broken by the order of addition."""

    field: str = "CREATED_AT"
    descending: bool = False

    @property
    def keys(self) -> list[InstrumentedAttribute[Any]]:
        """The columns to sort by. Ids grow with time."""
        document = models.Document
        columns = {"CREATED_AT": [], "UPDATED_AT": [document.updated_at], "TITLE": [document.title]}
        return [*columns[self.field], document.id]


OLDEST_FIRST = LibraryOrder()


def select_documents(which: DocumentFilter) -> Select[models.Document]:
    """The documents of all projects that match."""
    return select(models.Document).where(*document_conditions(which))


def filter_chunks(project_id: str, which: DocumentFilter) -> ChunkFilter:
    """The chunks of a project's documents that match."""
    of_project = models.Document.project_id == project_id
    return ChunkFilter(select(models.Document.id).where(of_project, *document_conditions(which)))


def document_conditions(which: DocumentFilter) -> Iterator[ColumnElement[bool]]:
    """The conditions of a filter."""
    document = models.Document
    if which.ids is not None:
        yield document.id.in_(which.ids)
    if which.status is not None:
        yield document.status.in_(which.status)
    if which.title_contains is not None:
        yield contains_text(document.title, which.title_contains)
    if which.named is not None:
        yield or_(*(column == which.named for column in (document.title, document.source, document.name)))
    if which.metadata:
        yield has_metadata(which.metadata)
