"""The file formats of documents."""

import strawberry

from app.knowledge.parsing import refusals
from app.knowledge.parsing.formats import Format


@strawberry.type(name="DocumentFormat", description="A file format that documents can have.")
class DocumentFormatType:
    name: str = strawberry.field(description="Name of the format for people. Related formats share one.")
    media_type: str = strawberry.field(description="Media type of documents of this format.")
    upload_media_types: list[str] = strawberry.field(
        description="Media types that files of this format are uploaded as, for example by browsers."
    )
    extensions: list[str] = strawberry.field(
        description="Extensions of file names, in lower case and with their dot. The content of a file counts more."
    )
    needs_tesseract: bool = strawberry.field(description="Whether Tesseract must be installed to read the format.")
    available: bool = strawberry.field(description="Whether this server can read the format.")
    unavailable_reason: str | None = strawberry.field(
        description="Why this server cannot read the format, to be shown before a file is uploaded. Null if it can."
    )

    @classmethod
    def from_model(cls, format: Format, *, available: bool) -> "DocumentFormatType":
        """Make the type from a declared format."""
        return cls(
            name=format.label,
            media_type=format.media_type,
            upload_media_types=sorted({format.media_type, *format.declared_as}),
            extensions=sorted(format.suffixes),
            needs_tesseract=format.needs_tesseract,
            available=available,
            unavailable_reason=None if available else refusals.picture_of_text().message,
        )
