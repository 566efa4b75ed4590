"""Read documents: parse and split them in a worker process, several small ones in one trip."""

from collections.abc import Mapping, Sequence
from itertools import takewhile

from app import errors, language
from app.database import models
from app.knowledge import uploads
from app.knowledge.ingestion.embedding import ReadDocument
from app.knowledge.ingestion.reporting import Stopwatch
from app.knowledge.parsed_documents import SplitDocument
from app.knowledge.parsing import refusals
from app.knowledge.parsing.isolation import Splitter

# Suspects that are deleted or read by another process are never removed; the oldest are forgotten.
_MAX_SUSPECTS = 10_000


class DocumentReader:
    """Reads documents and takes over their own titles.

    What makes a worker slow or kills it is found by reading documents one by one: a group that fails is never read
    together again, not even after its documents were requeued, because each failure costs a worker and its time limit.
    """

    def __init__(self, splitter: Splitter) -> None:
        self._splitter = splitter
        self._suspects = dict[str, None]()  # in the order in which they were found

    async def read_document(self, document: models.Document, data: bytes) -> ReadDocument:
        """Raises DocumentError, and Unavailable if no worker can be started."""
        stopwatch = Stopwatch()
        # A document whose reading is cancelled or ends in an error stays a suspect.
        split = await self._splitter.split(data, _file_name(document), document.media_type)
        self._suspects.pop(document.id, None)
        return _to_read(document, split, stopwatch.take_ms())

    async def read_together(
        self, documents: Sequence[models.Document], originals: Mapping[str, bytes]
    ) -> list[ReadDocument | errors.DocumentError]:
        """The first few documents, read in one trip to a worker; nothing if the first has to be read by itself."""
        documents = list(takewhile(lambda document: document.id not in self._suspects, documents))
        if len(documents) < 2:
            return []
        stopwatch = Stopwatch()
        splits = await self._splitter.split_together(
            [(originals[document.id], _file_name(document), document.media_type) for document in documents]
        )
        if splits is None:
            self._suspect(documents)
            return []
        took_ms = stopwatch.take_ms() / max(1, len(splits))
        results: list[ReadDocument | errors.DocumentError] = []
        for document, split in zip(documents, splits, strict=False):
            try:
                results.append(_to_read(document, split, took_ms))
            except errors.DocumentError as error:
                results.append(error)
        return results

    def _suspect(self, documents: Sequence[models.Document]) -> None:
        self._suspects.update(dict.fromkeys(document.id for document in documents))
        while len(self._suspects) > _MAX_SUSPECTS:
            del self._suspects[next(iter(self._suspects))]


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
