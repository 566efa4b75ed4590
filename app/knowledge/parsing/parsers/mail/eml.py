"""Parse mail messages (.eml): fields, text and attachments."""

import email
from collections.abc import Iterator
from email.errors import HeaderParseError
from email.header import decode_header, make_header
from email.message import Message as Part
from email.policy import Compat32
from typing import cast

from app.knowledge.parsed_documents import ParsedDocument
from app.knowledge.parsing import refusals
from app.knowledge.parsing.formats import Format
from app.knowledge.parsing.limits import ParsingLimits
from app.knowledge.parsing.parsers import text as plain
from app.knowledge.parsing.parsers.mail.attached import Attachment, MailMessage, ParsePart, join_message

_FIELDS = ("From", "To", "Cc", "Date")
# The characters of a field's source that are kept; encoded words take up to six times as many as the text they show.
_MAX_FIELD = 20_000
_MAX_PARTS = 10_000
_MAX_BOUNDARIES = 100_000
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


def parse_eml(data: bytes, limits: ParsingLimits, parse_part: ParsePart) -> ParsedDocument:
    """Parse a message. Its plain text is preferred to its HTML; forwarded messages are attachments."""
    if data.lower().count(b"boundary=") > _MAX_BOUNDARIES:
        raise refusals.too_many("message parts", _MAX_BOUNDARIES)
    try:
        root = email.message_from_bytes(data.lstrip(b"\xef\xbb\xbf\r\n\t "), policy=_ShortFields())
        message = MailMessage([(name, _read_field(root, name)) for name in _FIELDS], _read_field(root, "Subject"))
        for count, part in enumerate(_walk(root)):
            if count > _MAX_PARTS:
                raise refusals.too_many("message parts", _MAX_PARTS)
            _add_part(message, part)
    except (RecursionError, LookupError, ValueError, TypeError, AttributeError, AssertionError) as error:
        raise refusals.damaged_file(Format.EML.noun) from error
    return join_message(message, Format.EML.media_type, limits, parse_part)


def _walk(root: Part) -> Iterator[Part]:
    """The leaf parts; forwarded messages count as leaves."""
    waiting = [root]
    while waiting:
        part = waiting.pop()
        inside = _list_parts(part.get_payload())
        is_forwarded = part.get_content_type() == "message/rfc822" and part is not root
        if inside and not is_forwarded:
            waiting.extend(inside[::-1])
        else:
            yield part


def _list_parts(payload: object) -> list[Part]:
    return (
        [each for each in cast("list[object]", payload) if isinstance(each, Part)] if isinstance(payload, list) else []
    )


def _add_part(message: MailMessage, part: Part) -> None:
    kind = part.get_content_type()
    name = _decode(part.get_filename() or "")
    if kind in _UNREAD:
        return
    if kind == "message/rfc822":
        forwarded = _list_parts(part.get_payload())[:1]
        for each in forwarded:
            subject = _read_field(each, "Subject")
            message.attachments.append(Attachment(name or f"{subject or 'message'}.eml", kind, each.as_bytes()))
        return
    payload = part.get_payload(decode=True)
    data = payload if isinstance(payload, bytes) else b""
    is_attached = bool(name) or part.get_content_disposition() == "attachment"
    if not is_attached and kind == "text/plain":
        text = plain.decode_text(data, part.get_content_charset()) if data.strip() else ""
        message.text = "\n\n".join(filter(None, (message.text, text)))
    elif not is_attached and kind == "text/html":
        message.page = message.page or _declare_charset(data, part.get_content_charset())
    elif data and (is_attached or not kind.startswith("image/")):
        message.attachments.append(Attachment(name, kind, data))


def _declare_charset(page: bytes, charset: str | None) -> bytes:
    """An HTML page in UTF-8: the charset that its message declares has priority over the page's own."""
    return plain.decode_text(page, charset).encode("utf-8", "replace") if page.strip() else b""


def _read_field(part: Part, name: str) -> str:
    return _decode(str(part.get(name) or ""))


def _decode(value: str) -> str:
    try:
        return str(make_header(decode_header(value)))
    except (HeaderParseError, LookupError, ValueError):
        return value
