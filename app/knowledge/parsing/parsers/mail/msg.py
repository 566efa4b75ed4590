"""Parse messages that Outlook saves (.msg): fields, text and attachments."""

import datetime
import struct
from collections.abc import Iterator

from app.knowledge.parsed_documents import ParsedDocument
from app.knowledge.parsing import ole, refusals
from app.knowledge.parsing.formats import Format
from app.knowledge.parsing.limits import ParsingLimits
from app.knowledge.parsing.parsers.mail import code_pages
from app.knowledge.parsing.parsers.mail.attached import Attachment, MailBody, MailMessage, ParsePart, join_message

# Properties by their numbers in [MS-OXPROPS].
_SUBJECT, _BODY, _PAGE = "0037", "1000", "1013"
_SENDER_NAME, _SENDER_ADDRESS, _SENDER_SMTP = "0C1A", "0C1F", "5D01"
_TO, _CC = "0E04", "0E03"
_FILE_NAME, _SHORT_NAME, _DISPLAY_NAME, _MIME, _CONTENT = "3707", "3704", "3001", "370E", "3701"
_SENT, _DELIVERED = 0x0039, 0x0E06
_CODE_PAGE, _INTERNET_CODE_PAGE, _LOCALE = 0x3FFD, 0x3FDE, 0x3FF1
_INTEGER, _TIME = 0x0003, 0x0040  # types of properties
_EPOCH = datetime.datetime(1601, 1, 1, tzinfo=datetime.UTC)
_MAX_BYTES = 256 << 20
_FIXED = "__properties_version1.0"  # the stream of properties with a fixed length
_MAX_ATTACHMENTS = 1_000
_MAX_DEPTH = 3  # levels of nested messages


def parse_msg(data: bytes, limits: ParsingLimits, parse_part: ParsePart) -> ParsedDocument:
    """Parse a message, including attached messages and those attached to them."""
    try:
        message = _PropertyReader(ole.open_ole(data), _ByteBudget()).read_message()
    except (*ole.ERRORS, struct.error) as error:
        raise refusals.damaged_file(Format.MSG.noun) from error
    return join_message(message, Format.MSG.media_type, limits, parse_part)


class _ByteBudget:
    """Limits the total size of streams, which may share their bytes."""

    def __init__(self) -> None:
        self._left = _MAX_BYTES

    def spend(self, size: int) -> None:
        """Raises TOO_LARGE."""
        self._left -= size
        if self._left < 0:
            raise refusals.unpacks_too_large(Format.MSG.noun)


class _PropertyReader:
    """Reads the properties of one message in the folder `root`; `depth` is the number of messages that contain it."""

    def __init__(self, file: ole.OleFile, budget: _ByteBudget, root: str = "", depth: int = 0) -> None:
        self._file = file
        self._budget = budget
        self._root = root
        self._depth = depth
        self._fixed = dict(self._read_fixed())
        codes = (self._fixed.get((number, _INTEGER), 0) for number in (_CODE_PAGE, _INTERNET_CODE_PAGE, _LOCALE))
        self._encoding = code_pages.find_encoding(*(code & 0xFFFF_FFFF for code in codes))

    def read_message(self) -> MailMessage:
        """Read the message with its attachments."""
        page = self.read_bytes(f"__substg1.0_{_PAGE}0102") or self.read_text(_PAGE).encode()
        return MailMessage(
            [
                ("From", self.read_sender()),
                ("To", self.read_text(_TO)),
                ("Cc", self.read_text(_CC)),
                ("Date", self.read_date()),
            ],
            self.read_text(_SUBJECT),
            [MailBody(self.read_text(_BODY), [page] if page.strip() else [])],
            self.read_attachments(),
        )

    def read_text(self, number: str, folder: str = "") -> str:
        """A property's text; empty if there is none."""
        wide = self.read_bytes(f"{folder}__substg1.0_{number}001F")
        if wide:
            return wide.decode("utf-16-le", "replace").rstrip("\0")
        return self.read_bytes(f"{folder}__substg1.0_{number}001E").decode(self._encoding, "replace").rstrip("\0")

    def read_bytes(self, path: str) -> bytes:
        """A stream's bytes; empty if there is none."""
        path = self._root + path
        if not self._file.exists(path):
            return b""
        self._budget.spend(self._file.get_size(path))
        return self._file.openstream(path).read()

    def read_sender(self) -> str:
        """The sender's name and address."""
        name, address = self.read_text(_SENDER_NAME), self.read_text(_SENDER_SMTP) or self.read_text(_SENDER_ADDRESS)
        is_address = "@" in address and not address.startswith("/")  # Exchange's internal names
        return f"{name} <{address}>" if is_address and address != name else name or address

    def read_date(self) -> str:
        """When the message was sent, or else delivered; empty if neither is known."""
        found = self._fixed.get((_SENT, _TIME)) or self._fixed.get((_DELIVERED, _TIME))
        if found is None:
            return ""
        return (_EPOCH + datetime.timedelta(microseconds=found // 10)).strftime("%Y-%m-%d %H:%M UTC")

    def read_attachments(self) -> list[Attachment]:
        """Attached files, without pictures that are shown in the text."""
        found: list[Attachment] = []
        for number in range(_MAX_ATTACHMENTS):
            folder = f"__attach_version1.0_#{number:08X}"
            if not self._file.exists(self._root + folder):
                break
            names = (self.read_text(number, f"{folder}/") for number in (_FILE_NAME, _SHORT_NAME, _DISPLAY_NAME))
            name = next(filter(None, names), "")
            data = self.read_bytes(f"{folder}/__substg1.0_{_CONTENT}0102")
            inner = f"{self._root}{folder}/__substg1.0_{_CONTENT}000D/"
            message = None
            if self._depth < _MAX_DEPTH and self._file.exists(f"{inner}{_FIXED}"):
                message = _PropertyReader(self._file, self._budget, inner, self._depth + 1).read_message()
            found.append(Attachment(name, self.read_text(_MIME, f"{folder}/") or None, data, message))
        return found

    def _read_fixed(self) -> Iterator[tuple[tuple[int, int], int]]:
        """The values of properties with a fixed length, by number and type."""
        stream = self.read_bytes(_FIXED)[24 if self._depth else 32 :]
        for tag, _, value in struct.iter_unpack("<IIQ", stream[: len(stream) // 16 * 16]):
            yield (tag >> 16, tag & 0xFFFF), value
