"""Decode plain text and clean it: charset, line ends, control characters."""

import codecs
import re
import unicodedata

from charset_normalizer import from_bytes

from app.knowledge.parsed import ParsedDocument
from app.knowledge.parsing import refusals
from app.knowledge.parsing.limits import ParsingLimits

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_SAMPLE = 1 << 16
_DECLARED = re.compile(
    rb"""<(?:meta|\?xml)[^>]{0,200}?(?:charset|encoding)\s*+=\s*+["']?+\s*+([\w.:-]{2,30})""", re.IGNORECASE
)
# What the web calls Latin-1 and ASCII is Windows-1252 (the WHATWG's encoding labels).
_LABELS = {"iso-8859-1": "cp1252", "latin-1": "cp1252", "latin1": "cp1252", "us-ascii": "cp1252", "ascii": "cp1252"}
# The charsets of old files, the more common first: among all there are, short texts are often taken for a rare one.
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
_BREAKS = str.maketrans({"\r": "\n", "\x0b": "\n", "\x0c": "\n", "\x85": "\n", "\u2028": "\n", "\u2029": "\n\n"})
# Controls, lone surrogates, byte order marks, soft hyphens, and tag characters (an invisible alphabet, used to hide
# instructions from readers).
_INVISIBLE = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f\xad\ufeff\ufffe\uffff\ud800-\udfff\U000e0000-\U000e007f]")
_MARK = "".join(mark for mark in map(chr, range(0x300, 0x1F000)) if unicodedata.combining(mark))
_MARKS = re.compile(f"([{_MARK}]{{30}})[{_MARK}]+")
_JUNK_TITLE = re.compile(
    r"untitled.*|\(?(?:anonymous|unspecified|unknown|none|no title)\)?|document ?\d*|slide ?\d*|"
    r".*\.(?:indd|qxd|dvi|tmp|eps|ps)",
    re.IGNORECASE,
)
_PROGRAM = re.compile(r"^Microsoft (?:Word|PowerPoint) - |\.(?:docx?|pdf|odt|rtf|tex|html?|txt|md)$", re.IGNORECASE)


def parse_text(data: bytes, declared: str | None, limits: ParsingLimits, *, is_code: bool) -> ParsedDocument:
    """Plain text as it is; source code and tables of data as code, which is split at lines."""
    text = normalise_text(decode_text(data, declared), limits)
    return ParsedDocument(text, "text/plain", code=((0, len(text)),) if is_code and text else ())


def decode_text(data: bytes, declared: str | None = None) -> str:
    """Text of `data`: by byte order mark, as UTF-8, as what it or its sender declares, else by its statistics.

    Raises UNSUPPORTED where the bytes are no text.
    """
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return _refuse_binary(data[len(mark) :].decode(encoding, "replace"))
    wide = _utf16_without_mark(data[:_SAMPLE])
    if wide:
        return _refuse_binary(data.decode(wide, "replace"))
    try:
        if b"\x00" not in data:
            return _refuse_binary(data.decode("utf-8"))
    except UnicodeDecodeError:
        pass
    wide = _east_asian_utf16(data[:_SAMPLE])
    if wide:
        return _refuse_binary(data.decode(wide, "replace"))
    if b"\x00" in data:
        raise refusals.unsupported_format("A binary file")
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
    """UTF-16 of a text whose letters hold no zero byte, as in Chinese, Japanese and Korean.

    What is in another charset reads as such letters, too, but without the punctuation, kana, spaces and line ends that
    every text has.
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


def _decode_legacy(data: bytes, declared: str | None) -> str:
    mended = data.decode("utf-8", "replace")
    bad = mended.count("\ufffd")
    if sum(1 for character in mended[: _SAMPLE * 4] if character > "\x7f") > 20 * bad:
        return mended  # UTF-8 with a few wrong bytes
    found = _DECLARED.search(data[:2048])
    for label in (found[1].decode("ascii") if found else None, declared):
        if label:
            try:
                return data.decode(_LABELS.get(label.lower(), label))
            except (LookupError, ValueError):  # no such charset, or these bytes are not in it
                continue
    sample = data[:_SAMPLE]
    if len(data) > _SAMPLE:
        sample = sample[: sample.rfind(b"\n") + 1] or sample
    matches = sorted(
        from_bytes(sample, cp_isolation=_LEGACY),
        key=lambda match: (match.chaos, -match.coherence, _LEGACY.index(match.encoding)),
    )
    return data.decode(matches[0].encoding if matches else "cp1252", "replace")


def _refuse_binary(text: str) -> str:
    sample = text[:_SAMPLE]
    odd = sum(
        1 for character in sample if character == "\ufffd" or (character < " " and character not in "\t\n\r\f\x0b\x1b")
    )
    if "\x00" in text or odd * 20 > len(sample):
        raise refusals.unsupported_format("A binary file")
    return text


def normalise_text(text: str, limits: ParsingLimits) -> str:
    """`text` in NFC with one kind of line end, without control and invisible characters. All offsets count here.

    Raises EMPTY where nothing can be seen, and TOO_LARGE.
    """
    text = clean_text(text)
    if len(text) > limits.characters:
        raise refusals.too_much_text(limits.characters)
    if not has_text(text):
        raise refusals.no_text()
    return text


def clean_text(text: str) -> str:
    """`normalise` without the refusals, for parts of a document."""
    text = _without_long_runs(_INVISIBLE.sub("", text.replace("\r\n", "\n").translate(_BREAKS)))
    return text if unicodedata.is_normalized("NFC", text) else unicodedata.normalize("NFC", text)


def _without_long_runs(text: str) -> str:
    """`text` with at most thirty combining marks in a row, as Unicode's stream-safe text (UAX #15).

    No language has more than a few. To put n of them in order takes n² steps.
    """
    return text if text.isascii() else _MARKS.sub(r"\1", text)


def has_text(text: str) -> bool:
    """Whether there is a letter or a digit."""
    return any(character.isalnum() for character in text)


def clean_title(title: str | None) -> str | None:
    """`title` in one line, or None if a program made it up ("Untitled", "Microsoft Word - x.doc" is "x")."""
    if not title:
        return None
    line = " ".join(clean_text(title).split())
    line = _PROGRAM.sub("", _PROGRAM.sub("", line)).strip()[:300]
    return None if sum(map(str.isalpha, line)) < 2 or _JUNK_TITLE.fullmatch(line) else line
