"""Decode and clean plain text: charset, line ends, control characters."""

import codecs
import re
import unicodedata
from functools import cache

from app.knowledge.parsed_documents import ParsedDocument, Place
from app.knowledge.parsing import refusals
from app.knowledge.parsing.formats import Format
from app.knowledge.parsing.limits import ParsingLimits
from app.knowledge.parsing.parsers.markup import rewriting, spaced_tables

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_SAMPLE = 1 << 16
_BEYOND_ASCII = re.compile(rb"[\x80-\xff]")
_BEFORE = 100  # bytes of a long line that a sample includes before the line's first non-ASCII byte
# The most bytes of a UTF-8 character, and the continuation bytes.
_LONGEST_CHARACTER = 4
_INNER_BYTES = bytes(range(0x80, 0xC0))
_DECLARED = re.compile(
    rb"""<(?:meta|\?xml)[^>]{0,200}?(?:charset|encoding)\s*+=\s*+["']?+\s*+([\w.:-]{2,30})""", re.IGNORECASE
)
# Labels that stand for a larger charset (WHATWG encoding labels): Latin-1 and ASCII mean Windows-1252.
_LABELS = {
    **dict.fromkeys(("iso-8859-1", "latin-1", "latin1", "us-ascii", "ascii"), "cp1252"),
    **dict.fromkeys(("gb2312", "gbk", "x-gbk", "gb_2312-80"), "gb18030"),
    **dict.fromkeys(("euc-kr", "ks_c_5601-1987", "ksc5601"), "cp949"),
    **dict.fromkeys(("shift_jis", "shift-jis", "x-sjis", "sjis"), "cp932"),
    "iso-8859-9": "cp1254",
    "iso-8859-11": "cp874",
    "tis-620": "cp874",
}
# Escape sequences that switch to Japanese or Korean letters in seven-bit charsets.
_SWITCHED = re.compile(rb"\x1b\$(?:(?P<iso2022_jp_2>[@B]|\([A-D])|(?P<iso2022_kr>\)C))")
# Legacy charsets, most common first. No others are tried: short texts are often mistaken for a rare one.
_LEGACY = [
    "cp1252",
    "cp1250",
    "cp1251",
    "cp932",
    "gb18030",
    "euc_jp",
    "cp949",
    "big5",
    "koi8_r",
    "cp1253",
    "cp1254",
    "cp1255",
    "cp1256",
    "cp1257",
]

_EAST_ASIAN = re.compile("[\t\n\r -~\u3000-\u30ff\u3400-\u9fff\uac00-\ud7af\uff01-\uffee]")
_EAST_ASIAN_MARK = re.compile("[\t\n\r -~\u3000-\u30ff\uff01-\uff5e]")
_MOSTLY, _SOME = 0.95, 0.04
# Searching with a pattern takes a tenth of the time of `str.translate` or a loop.
_BREAK = re.compile("[\r\x0b\x0c\x85\u2028\u2029]")
_BREAKS = str.maketrans({"\r": "\n", "\x0b": "\n", "\x0c": "\n", "\x85": "\n", "\u2028": "\n", "\u2029": "\n\n"})
# Those of them that do not end a line where lines have numbers.
_INNER_BREAK = re.compile("[\x0b\x0c\x85\u2028\u2029]")
# Controls, lone surrogates, byte order marks, soft hyphens, and tag characters (an invisible alphabet, used to hide
# instructions from readers).
_INVISIBLE = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f\xad\ufeff\ufffe\uffff\ud800-\udfff\U000e0000-\U000e007f]")
# What programs write to a terminal to color text or to link it.
_TERMINAL = re.compile(r"\x1b(?:\[[0-?]*+[ -/]*+[@-~]|\][^\x07\x1b\n]*+(?:\x07|\x1b\\)|[ -/]++[0-~]|[@-Z\\^_])")
# Characters that texts hardly contain.
_ODD = re.compile("[\x00-\x08\x0e-\x1a\x1c-\x1f\ufffd]")
# All combining marks are in this range, which is rare in Latin text. Searching for the range takes a tenth of the time
# of searching for the marks.
_MAY_HAVE_MARKS = re.compile("[\u0300-\U0001efff]{31}")
_JUNK_TITLE = re.compile(
    r"untitled.*|\(?(?:anonymous|unspecified|unknown|none|no title)\)?|document ?\d*|slide ?\d*|"
    r".*\.(?:indd|qxd|dvi|tmp|eps|ps)",
    re.IGNORECASE,
)
_PROGRAM = re.compile(r"^Microsoft (?:Word|PowerPoint) - |\.(?:docx?|pdf|odt|rtf|tex|html?|txt|md)$", re.IGNORECASE)


def parse_text(data: bytes, declared: str | None, limits: ParsingLimits, *, is_code: bool) -> ParsedDocument:
    """Parse plain text with its tables; source code and data (`is_code`) are split at lines, which are numbered."""
    text = decode_text(data, declared)
    if is_code:
        return read_lines(normalize_data(text, limits), Format.TEXT.media_type)
    return read_prose(normalize_text(text, limits), limits)


def read_prose(text: str, limits: ParsingLimits) -> ParsedDocument:
    """A document of normalized text, in which tables made of spaces are written as rows."""
    document = ParsedDocument(text, Format.TEXT.media_type)
    return rewriting.rewrite(document, spaced_tables.find_tables(text), (), limits)


def read_lines(text: str, media_type: str) -> ParsedDocument:
    """A document of numbered lines."""
    places: list[Place] = []
    start = 0
    for number, line in enumerate(text.split("\n"), 1):
        end = start + len(line)
        if line:
            places.append(Place(start, end, "line", number))
        start = end + 1
    return ParsedDocument(text, media_type, line_spans=((0, len(text)),), places=tuple(places))


def decode_text(data: bytes, declared: str | None = None) -> str:
    """Decode `data` by its byte order mark, as UTF-8, by the declared charset, or else by statistics.

    Raises UNSUPPORTED if the bytes are not text.
    """
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return _refuse_binary(data[len(mark) :].decode(encoding, "replace"))
    wide = _utf16_without_mark(data[:_SAMPLE])
    if wide:
        return _refuse_binary(data.decode(wide, "replace"))
    if b"\x00" not in data and (text := _decode_utf8(data)) is not None:
        return _refuse_binary(text)
    wide = _east_asian_utf16(data[:_SAMPLE])
    if wide:
        return _refuse_binary(data.decode(wide, "replace"))
    if b"\x00" in data:
        raise refusals.unsupported_format("Binary files of an unknown kind")
    return _refuse_binary(_decode_legacy(data, declared))


def _utf16_without_mark(sample: bytes) -> str | None:
    if len(sample) < 4 or b"\x00" not in sample:
        return None
    even, odd = sample[0::2].count(0), sample[1::2].count(0)
    many, few = len(sample) // 2 * 0.4, len(sample) // 2 * 0.05
    if odd > many and even < few:
        return "utf-16-le"
    return "utf-16-be" if even > many and odd < few else None


def _east_asian_utf16(sample: bytes) -> str | None:
    """The UTF-16 variant of a text without zero bytes, such as a Chinese, Japanese or Korean text.

    Bytes of other charsets may also decode to such letters, but without the punctuation, kana, spaces and line ends of
    real text.
    """
    for encoding in ("utf-16-le", "utf-16-be"):
        try:
            text = sample[: len(sample) // 2 * 2].decode(encoding)
        except UnicodeDecodeError:
            continue
        usual = len(_EAST_ASIAN.findall(text))
        marks = len(_EAST_ASIAN_MARK.findall(text))
        if text and usual >= _MOSTLY * len(text) and marks >= _SOME * len(text):
            return encoding
    return None


def _decode_utf8(data: bytes) -> str | None:
    """Decode UTF-8 or a seven-bit charset; None if it is neither.

    A text whose first or last character is cut still counts as UTF-8 if it has other non-ASCII characters.
    """
    try:
        return _decode_switched(data) or data.decode("utf-8")
    except UnicodeDecodeError:
        pass
    rest = data[:_LONGEST_CHARACTER].lstrip(_INNER_BYTES) + data[_LONGEST_CHARACTER:]
    try:
        text, _ = codecs.utf_8_decode(rest, "strict", False)
    except UnicodeDecodeError:
        return None
    return None if text.isascii() else text


def _decode_switched(data: bytes) -> str | None:
    """Decode a seven-bit charset that switches between alphabets, as in old Japanese and Korean texts."""
    found = _SWITCHED.search(data)
    if found is None or found.lastgroup is None or not data.isascii():
        return None
    try:
        return data.decode(found.lastgroup)
    except UnicodeDecodeError:
        return None


def _decode_legacy(data: bytes, declared: str | None) -> str:
    repaired = data.decode("utf-8", "replace")
    bad = repaired.count("\ufffd")
    if sum(1 for character in repaired[: _SAMPLE * 4] if character > "\x7f") > 20 * bad:
        return repaired  # UTF-8 with a few wrong bytes
    found = _DECLARED.search(data[:2048])
    for label in (found[1].decode("ascii") if found else None, declared):
        if label:
            try:
                return data.decode(_LABELS.get(label.lower(), label))
            except (LookupError, ValueError):  # unknown charset, or invalid bytes
                continue
    from charset_normalizer import from_bytes

    matches = sorted(
        from_bytes(_choose_sample(data), cp_isolation=_LEGACY),
        key=lambda match: (match.chaos, -match.coherence, _LEGACY.index(match.encoding)),
    )
    return data.decode(matches[0].encoding if matches else "cp1252", "replace")


def _choose_sample(data: bytes) -> bytes:
    """The first non-ASCII lines, because ASCII is the same in all charsets; a short text as a whole."""
    if len(data) <= _SAMPLE:
        return data
    lines: list[bytes] = []
    size = 0
    for line in data.split(b"\n"):
        if line.isascii():
            continue
        if size and size + len(line) > _SAMPLE:
            break
        lines.append(line)
        size += len(line)
    sample = b"\n".join(lines)
    first = _BEYOND_ASCII.search(sample)
    start = max(0, first.start() - _BEFORE) if first else 0
    return sample[start : start + _SAMPLE]


def _refuse_binary(text: str) -> str:
    sample = text[:_SAMPLE]
    if "\x00" in text or len(_ODD.findall(sample)) * 20 > len(sample):
        raise refusals.unsupported_format("Binary files of an unknown kind")
    return text


def normalize_text(text: str, limits: ParsingLimits) -> str:
    """`text` as it is stored: in NFC, with uniform line ends, without control and invisible characters.

    Raises EMPTY if nothing visible is left, and TOO_LARGE.
    """
    text = clean_text(text)
    if len(text) > limits.characters:
        raise refusals.too_much_text(limits.document_characters)
    if not has_text(text):
        raise refusals.no_text()
    return text


def normalize_data(text: str, limits: ParsingLimits) -> str:
    """Like `normalize_text`, for text with numbered lines: form feeds and line separators do not end a line."""
    return normalize_text(_INNER_BREAK.sub(" ", text), limits)


def clean_text(text: str) -> str:
    """`text` in NFC, without control and invisible characters, for parts of a document. Never raises."""
    if _BREAK.search(text):
        text = text.replace("\r\n", "\n").translate(_BREAKS)
    if "\x1b" in text:
        text = _TERMINAL.sub("", text)
    text = _without_long_runs(_INVISIBLE.sub("", text))
    return text if unicodedata.is_normalized("NFC", text) else unicodedata.normalize("NFC", text)


def _without_long_runs(text: str) -> str:
    """`text` with at most thirty combining marks in a row, like Unicode's stream-safe text format (UAX #15).

    No language needs more than a few, and sorting n of them takes n² steps.
    """
    return text if text.isascii() or not _MAY_HAVE_MARKS.search(text) else _long_runs().sub(r"\1", text)


@cache
def _long_runs() -> re.Pattern[str]:
    """Compiled on first use, because that takes long and is rarely needed."""
    marks = "".join(mark for mark in map(chr, range(0x300, 0x1F000)) if unicodedata.combining(mark))
    return re.compile(f"([{marks}]{{30}})[{marks}]+")


def has_text(text: str) -> bool:
    """Whether `text` contains a letter or a digit."""
    return any(character.isalnum() for character in text)


def clean_title(title: str | None) -> str | None:
    """`title` on one line without additions by programs ("Microsoft Word - x.doc" becomes "x"); None for "Untitled"."""
    if not title:
        return None
    line = " ".join(clean_text(title).split())
    line = _PROGRAM.sub("", _PROGRAM.sub("", line)).strip()[:300]
    return None if sum(map(str.isalpha, line)) < 2 or _JUNK_TITLE.fullmatch(line) else line
