"""Parsed mail messages: their header fields, text and attachments, and how to join them into one document."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from app.errors import DocumentError
from app.knowledge.parsed_documents import ParsedDocument
from app.knowledge.parsing import refusals
from app.knowledge.parsing.limits import ParsingLimits
from app.knowledge.parsing.parsers import text as plain
from app.knowledge.parsing.parsers.parts import PartJoiner
from app.knowledge.parsing.parsers.web import html

ParsePart = Callable[[bytes, str | None, str | None, ParsingLimits], ParsedDocument]
"""Parses the bytes of a part of a file, by their name and media type."""

_MAX_ATTACHMENTS = 1_000
_LONGEST_NAME = 200
_LONGEST_FIELD = 2_000


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file or another message attached to a message."""

    name: str
    media_type: str | None
    data: bytes
    message: "MailMessage | None" = None


@dataclass(slots=True)
class MailMessage:
    """A mail message. `fields` are its header fields, such as From; the text is plain or HTML."""

    fields: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    subject: str = ""
    text: str = ""
    page: bytes = b""
    attachments: list[Attachment] = field(default_factory=list[Attachment])


def join_message(message: MailMessage, media_type: str, limits: ParsingLimits, parse_part: ParsePart) -> ParsedDocument:
    """Join the message's fields and text, and each readable attachment under its name."""
    if len(message.attachments) > _MAX_ATTACHMENTS:
        raise refusals.too_many("attachments", _MAX_ATTACHMENTS)
    joiner = PartJoiner(limits)
    for part in _read_body(message, limits):
        joiner.add_part(part)
    unread: list[str] = []
    for attachment in message.attachments:
        name = " ".join(plain.clean_text(attachment.name).split())[:_LONGEST_NAME] or "without a name"
        try:
            if attachment.message:
                part = join_message(attachment.message, media_type, joiner.limits, parse_part)
            else:
                part = parse_part(attachment.data, attachment.name, attachment.media_type, joiner.limits)
        except DocumentError as error:
            if error.reason == "TOO_LARGE":
                raise
            unread.append(name)
        else:
            joiner.add_part(part, f"Attachment “{name}”")
    if unread:
        listed = "; ".join(unread)[:_LONGEST_FIELD]
        joiner.add_part(ParsedDocument(f"Attachments that were not read: {listed}", media_type), "Other attachments")
    return joiner.to_document(media_type, plain.clean_title(message.subject))


def _read_body(message: MailMessage, limits: ParsingLimits) -> Iterator[ParsedDocument]:
    lines = [*message.fields, ("Subject", message.subject)]
    head = "\n".join(f"{name}: {' '.join(value.split())[:_LONGEST_FIELD]}" for name, value in lines if value.strip())
    if head:
        yield ParsedDocument(plain.clean_text(head), "text/plain")
    if plain.has_text(message.text):
        yield plain.read_prose(plain.normalize_text(message.text, limits).strip(), limits)
    elif message.page.strip():
        try:
            yield html.parse_html(message.page, None, limits, has_boilerplate=False)
        except DocumentError as error:
            if error.reason != "EMPTY":
                raise
