"""Parse mail messages (.eml): fields, text and attachments."""

import email
from collections.abc import Iterator
from email.message import Message as Part
from email.policy import Compat32
from typing import cast

from app.knowledge.parsed_documents import ParsedDocument
from app.knowledge.parsing import refusals
from app.knowledge.parsing.formats import Format
from app.knowledge.parsing.limits import ParsingLimits
from app.knowledge.parsing.parsers import text as plain
from app.knowledge.parsing.parsers.mail.attached import Attachment, MailBody, MailMessage, ParsePart, join_message
from app.knowledge.parsing.parsers.mail.encoded_words import decode_bytes, decode_words

_FIELDS = ("From", "To", "Cc", "Date")
# The characters of a field's source that are kept; encoded words take up to six times as many as the text they show.
_MAX_FIELD = 20_000
_MAX_PARTS = 10_000
_MAX_BOUNDARIES = 100_000
_FORWARDED, _REPORT = "message/rfc822", "message/delivery-status"
_LEAVES = frozenset({_FORWARDED, _REPORT})
# Parts that are not meant to be read: signatures, keys and the like.
_UNREAD = frozenset({"application/pgp-signature", "application/pkcs7-signature", "application/x-pkcs7-signature"})


class _ShortFields(Compat32):
    """The oldest policy, because newer ones raise errors for odd fields. Long fields are cut.

    The library takes quadratic time for encoded words and parameters: half a minute for a field of 3 MB.
    """

    def header_source_parse(self, sourcelines: list[str]) -> tuple[str, str]:
        """The name and the value of a field."""
        name, value = super().header_source_parse(sourcelines)
        return name, value[:_MAX_FIELD]

    def header_fetch_parse(self, name: str, value: str) -> str:
        """The value of a field, which may hold bytes beyond ASCII: the library has surrogates for them."""
        return value if value.isascii() else decode_bytes(value.encode("utf-8", "surrogateescape"))


def parse_eml(data: bytes, limits: ParsingLimits, parse_part: ParsePart) -> ParsedDocument:
    """Parse a message; forwarded messages are attachments."""
    if data.lower().count(b"boundary=") > _MAX_BOUNDARIES:
        raise refusals.too_many("message parts", _MAX_BOUNDARIES)
    try:
        root = email.message_from_bytes(data.lstrip(b"\xef\xbb\xbf\r\n\t "), policy=_ShortFields())
        message = MailMessage([(name, _read_field(root, name)) for name in _FIELDS], _read_field(root, "Subject"))
        bodies: dict[int, MailBody] = {}
        for count, (part, alternatives) in enumerate(_walk(root)):
            if count > _MAX_PARTS:
                raise refusals.too_many("message parts", _MAX_PARTS)
            _add_part(message, part, bodies.setdefault(id(part if alternatives is None else alternatives), MailBody()))
        message.bodies = list(bodies.values())
    except (RecursionError, LookupError, ValueError, TypeError, AttributeError, AssertionError) as error:
        raise refusals.damaged_file(Format.EML.noun) from error
    return join_message(message, Format.EML.media_type, limits, parse_part)


def _walk(root: Part) -> Iterator[tuple[Part, Part | None]]:
    """The leaf parts, each with the alternatives that it belongs to. Forwarded messages and reports count as leaves."""
    waiting: list[tuple[Part, Part | None]] = [(root, None)]
    while waiting:
        part, alternatives = waiting.pop()
        inside, kind = _list_parts(part.get_payload()), part.get_content_type()
        if inside and (kind not in _LEAVES or part is root):
            within = part if alternatives is None and kind == "multipart/alternative" else alternatives
            waiting.extend((each, within) for each in inside[::-1])
        else:
            yield part, alternatives


def _list_parts(payload: object) -> list[Part]:
    return (
        [each for each in cast("list[object]", payload) if isinstance(each, Part)] if isinstance(payload, list) else []
    )


def _add_part(message: MailMessage, part: Part, body: MailBody) -> None:
    kind = part.get_content_type()
    name = decode_words(part.get_filename() or "")
    if kind in _UNREAD:
        return
    if kind == _FORWARDED:
        forwarded = _list_parts(part.get_payload())[:1]
        for each in forwarded:
            subject = _read_field(each, "Subject")
            message.attachments.append(Attachment(name or f"{subject or 'message'}.eml", kind, each.as_bytes()))
        return
    if kind == _REPORT:
        fields = (f"{field}: {value}" for each in _list_parts(part.get_payload()) for field, value in each.items())
        body.add_text("\n".join(fields))
        return
    payload = part.get_payload(decode=True)
    data = payload if isinstance(payload, bytes) else b""
    is_attached = bool(name) or part.get_content_disposition() == "attachment"
    if not is_attached and kind == "text/plain":
        body.add_text(plain.decode_text(data, part.get_content_charset()) if data.strip() else "")
    elif not is_attached and kind == "text/html":
        body.pages += [_declare_charset(data, part.get_content_charset())] if data.strip() else []
    elif data and (is_attached or not kind.startswith("image/")):
        message.attachments.append(Attachment(name, kind, data))


def _declare_charset(page: bytes, charset: str | None) -> bytes:
    """An HTML page in UTF-8: the charset that its message declares has priority over the page's own."""
    return plain.decode_text(page, charset).encode("utf-8", "replace")


def _read_field(part: Part, name: str) -> str:
    return decode_words(str(part.get(name) or ""))
