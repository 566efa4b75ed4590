"""Parse RTF: text with headings, lists, table rows and text boxes, and notes where they are referenced."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace

from app.knowledge.parsed_documents import ParsedDocument
from app.knowledge.parsing import refusals
from app.knowledge.parsing.formats import Format
from app.knowledge.parsing.limits import ParsingLimits
from app.knowledge.parsing.parsers import text as plain
from app.knowledge.parsing.parsers.office import rtf_codes
from app.knowledge.parsing.parsers.office.rtf_groups import RtfGroup, TextSink, change_text
from app.knowledge.parsing.parsers.office.rtf_tables import RtfTable
from app.knowledge.parsing.parsers.text_writer import TextWriter, join_pieces

_TOKEN = re.compile(
    r"\\(?P<word>[a-zA-Z]{1,32})(?P<number>-?[0-9]{1,10})?[ ]?|\\'(?P<byte>[0-9a-fA-F]{2})|\\(?P<symbol>[^a-zA-Z'])"
    r"|(?P<brace>[{}])|(?P<text>[^\\{}\r\n]++)",
    re.DOTALL,
)
_STYLE = re.compile(r"\{\\s(\d{1,5})(\\[^{};]{1,2000}+);")
_STYLE_LEVEL = re.compile(r"\\outlinelevel([0-8])(?!\d)|heading ([1-9])$", re.IGNORECASE)
_STYLES_REACH = 1_000_000  # how many characters at the beginning are searched for style definitions
_BREAKS = frozenset({"par", "sect", "page", "column"})
_SURROGATE = re.compile("[\ud800-\udfff]")


def parse_rtf(data: bytes, limits: ParsingLimits) -> ParsedDocument:
    """Parse RTF, which is ASCII with escapes. The title is a property, or else the first heading."""
    source = data.decode("latin-1")
    if source.count("\\") + source.count("{") > limits.elements * 4:
        raise refusals.too_many("control words", limits.elements * 4)
    reader = _RtfReader(limits, _read_style_levels(source))
    reader.read(source)
    first = next((heading.text for heading in reader.writer.headings if heading.level == 1), None)
    title = plain.clean_title(reader.title) or plain.clean_title(first)
    return reader.writer.to_document(Format.RTF.media_type, title)


def _read_style_levels(source: str) -> Mapping[int, int]:
    """The levels of heading styles, by style number. Style names are the same in every language."""
    levels: dict[int, int] = {}
    for style in _STYLE.finditer(source[:_STYLES_REACH]):
        if found := _STYLE_LEVEL.search(style[2]):
            levels[int(style[1])] = int(found[1]) + 1 if found[1] else int(found[2])
        elif style[2].casefold().endswith(" title"):
            levels[int(style[1])] = 1
    return levels


class _RtfReader:
    """Reads the tokens of a file in order, in linear time."""

    def __init__(self, limits: ParsingLimits, levels: Mapping[int, int]) -> None:
        self.writer = TextWriter(limits)
        self.title = ""
        self._levels = levels
        self._main = TextSink()
        self._group: RtfGroup = RtfGroup(self._main)
        self._open: list[RtfGroup] = []
        self._encoding = rtf_codes.CODE_PAGES["ansi"]
        self._fonts: dict[int, str] = {}
        self._bytes = bytearray()  # of the text that was read last, in the encoding of its font
        self._fallback = 0  # characters to skip
        self._is_optional = False  # the group is ignored unless its first word is known
        self._mark = ""  # the number or bullet of the paragraph
        self._table = RtfTable()
        self._lines: list[str] = []  # of the cell, before the current one
        self._below: list[str] = []  # notes and text boxes, to be written below the paragraph or table

    def read(self, source: str) -> None:
        """Read a file, up to the end of its outermost group."""
        position = 0
        while (token := _TOKEN.search(source, position)) is not None:
            position = token.end()
            if token["brace"]:
                self._fallback = 0
                self._flush()
                if token["brace"] == "{":
                    self._open.append(self._group)
                elif not self._close_group():
                    break
            elif token["word"]:
                number = int(token["number"]) if token["number"] else None
                if token["word"] == "bin":
                    position += max(0, number or 0)
                else:
                    self._read_word(token["word"], number)
            else:
                self._read_characters(token)
        self._flush()
        while self._open:  # in a file that was cut off
            self._close_group()
        self._end_paragraph()
        self._end_table()

    def _close_group(self) -> bool:
        """End a group; False if it was the outermost."""
        self._is_optional = False
        closed = self._group
        if self._open:
            self._group = self._open.pop()
        if closed.sink is not self._group.sink:
            text = _join(closed.sink.pieces)
            if closed.sink.kind == "title":
                self.title = self.title or text
            elif closed.sink.kind == "mark":
                self._read_mark(f"{text.strip()} " if plain.has_text(text) else "- ")
            else:
                self._below += filter(str.strip, text.split("\n"))
        return bool(self._open)

    def _read_mark(self, mark: str) -> None:
        if self._group.sink is self._main:
            self._mark = mark
        else:
            self._write(mark)

    def _read_characters(self, token: re.Match[str]) -> None:
        if token["symbol"] == "*":
            self._is_optional = True
        elif token["symbol"] in {"\n", "\r"}:
            self._read_word("par", None)
        elif token["symbol"] and self._fallback:
            self._fallback -= 1
        elif token["symbol"]:
            self._write(rtf_codes.SYMBOLS.get(token["symbol"], ""))
        else:
            written = bytes.fromhex(token["byte"]) if token["byte"] else token["text"].encode("latin-1")
            skipped = min(self._fallback, len(written))
            self._fallback -= skipped
            if not self._is_unread():
                self._bytes += written[skipped:]

    def _read_word(self, word: str, number: int | None) -> None:
        if self._fallback:
            self._fallback -= 1
            return
        self._flush()
        group = self._group
        is_optional, self._is_optional = self._is_optional, False
        if word in rtf_codes.SKIPPED or (is_optional and word not in rtf_codes.SHOWN):
            self._group = replace(group, is_skipped=True)
        elif word in rtf_codes.CHARACTERS:
            self._write(" " if word == "line" and group.in_cell else rtf_codes.CHARACTERS[word])
        elif word == "u":
            self._write(chr((number or 0) & 0xFFFF))
            self._fallback = group.fallback
        elif word in {"title", "footnote", "shptxt", "dptxbxtext", "listtext", "pntext"}:
            kind = {"title": "title", "listtext": "mark", "pntext": "mark"}.get(word, "below")
            self._group = replace(
                group, sink=TextSink(kind), is_skipped=group.is_skipped and word != "title", in_cell=False
            )
        elif not group.is_skipped and not self._read_break(word):
            self._read_property(word, number)

    def _read_break(self, word: str) -> bool:
        """Read the end of a paragraph, a cell or a row; False if it is something else."""
        group = self._group
        if word in {*_BREAKS, "cell", "row"} and group.sink is not self._main:
            self._write(" " if word == "cell" else "\n")
        elif word in _BREAKS and group.in_cell:
            self._lines.append(self._take_mark() + self._take_text())
        elif word in _BREAKS:
            self._end_paragraph()
        elif word == "cell":
            lines, self._lines = self._lines, []
            self._table.end_cell(" ".join([*lines, self._take_mark() + self._take_text()]), self._below)
            self._below = []
        elif word == "row":
            self._table.end_row()
            self._group = replace(group, in_cell=False)
        else:
            return False
        return True

    def _read_property(self, word: str, number: int | None) -> None:
        if changed := change_text(self._group, word, number) or self._change_paragraph(word, number):
            self._group = changed
        elif word == "fcharset":
            self._set_charset(number)
        elif word == "ansicpg":
            self._encoding = rtf_codes.find_code_page(number or 0)
        elif word in rtf_codes.CODE_PAGES:
            self._encoding = rtf_codes.CODE_PAGES[word]
        else:
            self._table.read_word(word)

    def _change_paragraph(self, word: str, number: int | None) -> RtfGroup | None:
        match word:
            case "pard":
                return replace(self._group, level=0, in_cell=False)
            case "s":
                return replace(self._group, level=self._levels.get(number or 0, 0))
            case "outlinelevel":
                return replace(self._group, level=number + 1 if number is not None and 0 <= number < 9 else 0)
            case "intbl":
                return replace(self._group, in_cell=True)
            case _:
                return None

    def _set_charset(self, number: int | None) -> None:
        charset = rtf_codes.find_charset(number or 0)
        if self._group.font is not None and charset:
            self._fonts[self._group.font] = charset

    def _is_unread(self) -> bool:
        group = self._group
        return group.is_skipped or group.in_fonts or group.is_hidden or group.is_deleted

    def _flush(self) -> None:
        if self._bytes:
            encoding = self._encoding if self._group.font is None else self._fonts.get(self._group.font, self._encoding)
            text = self._bytes.decode(encoding, "replace")
            self._bytes.clear()
            self._write(text)

    def _write(self, text: str) -> None:
        if text and not self._is_unread():
            self._flush()
            self._group.sink.pieces.append((text, self._group.is_raised))

    def _take_text(self) -> str:
        text = _join(self._main.pieces)
        self._main.pieces.clear()
        return text

    def _take_mark(self) -> str:
        mark, self._mark = self._mark, ""
        return mark

    def _end_paragraph(self) -> None:
        lines, self._lines = self._lines, []  # of a cell that did not end
        mark, text = self._take_mark(), " ".join([*lines, self._take_text()])
        if text.strip() or not self._table.has_open_row:
            self._end_table()
        if text.strip():
            self._write_paragraph(mark, text)
        self._write_below(self._below)
        self._below = []

    def _write_paragraph(self, mark: str, text: str) -> None:
        if self._group.level:
            self.writer.write_heading(
                f"{mark if plain.has_text(mark) else ''}{text}".replace("\n", " "), self._group.level
            )
        else:
            if mark:
                self.writer.begin_item(mark)
            self.writer.write_lines(text)
            if mark:
                self.writer.begin_line()
            else:
                self.writer.begin_paragraph()

    def _end_table(self) -> None:
        if self._table.is_open:
            self._table.write(self.writer)
            self._write_below(self._table.below)
            self._table = RtfTable()

    def _write_below(self, texts: list[str]) -> None:
        for text in texts:
            self.writer.write_paragraph(text)


def _join(pieces: Iterable[tuple[str, bool]]) -> str:
    """The pieces as one text. Characters beyond U+FFFF are written as two halves."""
    text = join_pieces(pieces)
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace") if _SURROGATE.search(text) else text
