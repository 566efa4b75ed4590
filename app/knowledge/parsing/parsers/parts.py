"""Join the documents contained in one file: members of an archive, attachments of a message, chapters of a book."""

import dataclasses
from itertools import pairwise

from app.knowledge.parsed_documents import Heading, ParsedDocument, Place
from app.knowledge.parsing import refusals
from app.knowledge.parsing.limits import ParsingLimits
from app.knowledge.parsing.parsers import text as plain

_LONGEST_LABEL = 300
_BETWEEN = "\n\n"


class PartJoiner:
    """Joins documents, each under a heading or as a continuation of the one before."""

    def __init__(self, limits: ParsingLimits) -> None:
        self._limits = limits
        self._texts: list[str] = []
        self._length = 0
        self._headings: list[Heading] = []
        self._spans: list[tuple[int, int]] = []
        self._places: list[Place] = []

    @property
    def limits(self) -> ParsingLimits:
        """The limits that the previous parts have left for the next part."""
        left = max(1, self._limits.characters - self._length)
        taken = self._limits.document_characters - left
        return dataclasses.replace(self._limits, characters=left, taken=taken)

    def add_part(
        self, document: ParsedDocument, label: str | None = None, place: tuple[str, int] | None = None
    ) -> None:
        """Add a document, with `label` as a heading above its own; `place` is its unit and number in the file."""
        if label is not None:
            shown = " ".join(plain.clean_text(label).split())[:_LONGEST_LABEL] or "Part"
            self._headings.append(Heading(self._append(shown), 1, shown, is_part=True))
        start = self._append(document.text)
        deeper = 1 if label is not None else 0
        for each in document.headings:
            self._headings.append(
                dataclasses.replace(each, offset=each.offset + start, level=min(9, each.level + deeper))
            )
        self._spans += [(begin + start, end + start) for begin, end in document.line_spans]
        places = document.places or _number_pages(document)
        self._places += [each._replace(start=each.start + start, end=each.end + start) for each in places]
        if place is not None and not places:
            self._places.append(Place(start, self._length, *place))
        if len(self._headings) > self._limits.headings:
            raise refusals.too_many("headings", self._limits.headings)

    def to_document(self, media_type: str, title: str | None) -> ParsedDocument:
        """All parts as one document. Raises EMPTY."""
        text = "".join(self._texts)
        if not plain.has_text(text):
            raise refusals.no_text()
        return ParsedDocument(
            text,
            media_type,
            title,
            tuple(self._headings),
            line_spans=tuple(self._spans),
            places=tuple(self._places),
        )

    def _append(self, text: str) -> int:
        if self._texts:
            self._texts.append(_BETWEEN)
            self._length += len(_BETWEEN)
        start = self._length
        self._texts.append(text)
        self._length += len(text)
        if self._length > self._limits.characters * self._limits.repetition:
            raise refusals.too_much_text(self._limits.document_characters)
        return start


def _number_pages(document: ParsedDocument) -> list[Place]:
    bounds = pairwise([*document.page_starts, len(document.text)])
    return [Place(start, end, "page", number) for number, (start, end) in enumerate(bounds, 1) if start < end]
