"""Parsed mail messages: their header fields, text and attachments, and how to join them into one document."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from app import language
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
_MOST = 0.5
_WORD = re.compile(rf"[{language.CJK}]|(?:(?![{language.CJK}])\w)++")


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file or another message attached to a message."""

    name: str
    media_type: str | None
    data: bytes
    message: "MailMessage | None" = None


@dataclass(slots=True)
class MailBody:
    """A part of a message's text: plain, in HTML, or both as alternatives."""

    text: str = ""
    pages: list[bytes] = field(default_factory=list[bytes])

    def add_text(self, text: str) -> None:
        """Add another part of the plain text."""
        self.text = "\n\n".join(filter(None, (self.text, text)))


@dataclass(slots=True)
class MailMessage:
    """A mail message. `fields` are its header fields, such as From."""

    fields: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    subject: str = ""
    bodies: list[MailBody] = field(default_factory=list[MailBody])
    attachments: list[Attachment] = field(default_factory=list[Attachment])


def join_message(message: MailMessage, media_type: str, limits: ParsingLimits, parse_part: ParsePart) -> ParsedDocument:
    """Join the message's fields and text, and each readable attachment under its name."""
    if len(message.attachments) > _MAX_ATTACHMENTS:
        raise refusals.too_many("attachments", _MAX_ATTACHMENTS)
    joiner = PartJoiner(limits)
    _add_text(joiner, message)
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


def _add_text(joiner: PartJoiner, message: MailMessage) -> None:
    head = _write_fields(message)
    if head:
        joiner.add_part(ParsedDocument(head, "text/plain"))
    for body in message.bodies:
        for part in _read_body(body, joiner.limits):
            joiner.add_part(part)


def _write_fields(message: MailMessage) -> str:
    lines = [*message.fields, ("Subject", message.subject)]
    return plain.clean_text("\n".join(f"{name}: {_shorten(value)}" for name, value in lines if value.strip()))


def _shorten(value: str) -> str:
    """The value of a field on one line, with an ellipsis instead of the words that are too many."""
    line = " ".join(value.split())
    return line if len(line) <= _LONGEST_FIELD else f"{line[:_LONGEST_FIELD].rpartition(' ')[0]} …"


def _read_body(body: MailBody, limits: ParsingLimits) -> Iterator[ParsedDocument]:
    """The plain text if there is one; and the HTML unless most of its words are in the plain text."""
    has_text = plain.has_text(body.text)
    if has_text:
        yield plain.read_prose(plain.normalize_text(body.text, limits).strip(), limits)
    known = _list_words(body.text)
    for page in body.pages:
        try:
            document = html.parse_html(page, None, limits, has_boilerplate=False)
        except DocumentError as error:
            if error.reason != "EMPTY" and not has_text:
                raise
            continue
        words = _list_words(document.text)
        if len(words & known) < _MOST * len(words):
            yield document


def _list_words(text: str) -> set[str]:
    return set(_WORD.findall(text.casefold()))
