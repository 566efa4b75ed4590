"""Read documents: parse and split them in a worker process, several small ones in one trip."""

from collections.abc import Mapping, Sequence

from app import errors, language
from app.database import models
from app.knowledge import uploads
from app.knowledge.ingestion.embedding import ReadDocument
from app.knowledge.ingestion.reporting import Stopwatch
from app.knowledge.parsed_documents import SplitDocument
from app.knowledge.parsing import refusals
from app.knowledge.parsing.isolation import Splitter


class DocumentReader:
    """Reads documents and takes over their own titles."""

    def __init__(self, splitter: Splitter) -> None:
        self._splitter = splitter

    async def read_document(self, document: models.Document, data: bytes) -> ReadDocument:
        """Raises DocumentError, and Unavailable if no worker can be started."""
        stopwatch = Stopwatch()
        split = await self._splitter.split(data, _file_name(document), document.media_type)
        return _to_read(document, split, stopwatch.take_ms())

    async def read_together(
        self, documents: Sequence[models.Document], originals: Mapping[str, bytes]
    ) -> list[ReadDocument | errors.DocumentError]:
        """The first few documents, read in one trip to a worker; nothing if the first has to be read by itself.

        What makes a worker slow or kills it is found by reading documents one by one.
        """
        if len(documents) < 2:
            return []
        stopwatch = Stopwatch()
        splits = await self._splitter.split_together(
            [(originals[document.id], _file_name(document), document.media_type) for document in documents]
        )
        took_ms = stopwatch.take_ms() / max(1, len(splits))
        results: list[ReadDocument | errors.DocumentError] = []
        for document, split in zip(documents, splits, strict=False):
            try:
                results.append(_to_read(document, split, took_ms))
            except errors.DocumentError as error:
                results.append(error)
        return results


def _file_name(document: models.Document) -> str | None:
    return document.name or document.source


def _to_read(document: models.Document, split: SplitDocument | errors.DocumentError, took_ms: float) -> ReadDocument:
    """Raises DocumentError."""
    if isinstance(split, errors.DocumentError):
        raise split
    if not split.chunks:
        raise refusals.no_text()
    if not document.title_given and split.title:
        document.title = language.to_one_line(split.title, uploads.MAX_TITLE_LENGTH) or document.title
    return ReadDocument(document, split, took_ms)
