"""Decode the fields of messages: encoded words such as `=?utf-8?q?caf=C3=A9?=`, and bytes that nothing declares.

Not with `email.header`, which drops the spaces where a field is folded, and gives up a whole field for one damaged
word.
"""

import base64
import binascii
import quopri
import re

from app.errors import DocumentError
from app.knowledge.parsing.parsers import text as plain

_WORD = re.compile(r"=\?([^?\s]{1,60})\?([bq])\?([^?]*+)\?=", re.IGNORECASE)


def decode_words(value: str) -> str:
    """A field with its encoded words decoded. Neighbors of one charset may share a character, so they are joined."""
    pieces: list[str] = []
    data, charset = b"", ""
    position = 0
    for word in _WORD.finditer(value):
        between = value[position : word.start()]
        named, found = word[1].partition("*")[0].lower(), _read_bytes(word)  # a language may follow the charset
        if data and (between.strip() or named != charset):
            pieces.append(decode_bytes(data, charset))
            data = b""
        if position == 0 or between.strip():  # white space between words belongs to neither
            pieces.append(between)
        data, charset = data + found, named
        position = word.end()
    if data:
        pieces.append(decode_bytes(data, charset))
    return "".join([*pieces, value[position:]])


def _read_bytes(word: re.Match[str]) -> bytes:
    written = word[3].encode("utf-8", "surrogateescape")
    if word[2] in "qQ":
        return quopri.decodestring(written, header=True)
    try:
        return base64.b64decode(written + b"===")
    except binascii.Error:
        return word[0].encode("utf-8", "surrogateescape")


def decode_bytes(data: bytes, charset: str | None = None) -> str:
    """The text of a field's bytes, by their charset or else by statistics. Never raises."""
    try:
        return plain.decode_text(data, charset)
    except DocumentError:
        return data.decode("utf-8", "replace")
