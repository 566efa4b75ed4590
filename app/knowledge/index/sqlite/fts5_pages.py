"""Read the postings of a frequent term directly from FTS5's pages.

Through its virtual tables, each posting is a separate row, which is four times slower. The format is documented at the
top of SQLite's `fts5_index.c`; contentless tables whose rows can be deleted have version 4. The index consists of
segments. In each, the postings of a term are a list across one or more leaf pages. As a chunk has each term in only one
column, a posting is three numbers: its row, or the difference from the previous one; 2; and the column's number plus 2.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate

import numpy
from sqlalchemy import Connection, text

from app.knowledge.index.vector_rows import Ids

_FORMAT = 4
_VERSION = text("SELECT v FROM chunk_texts_config WHERE k = 'version'")
_STRUCTURE = text("SELECT block FROM chunk_texts_data WHERE id = 10")
_LEAVES = text(
    "SELECT value, (SELECT pgno >> 1 FROM chunk_texts_idx WHERE segid = value AND term <= :term "
    "ORDER BY term DESC LIMIT 1) FROM json_each(:segments)"
)
_PAGES = text("SELECT block FROM chunk_texts_data WHERE id BETWEEN :first AND :last ORDER BY id")
# A page number combines its segment's number (high bits) with its position in the segment.
_PAGE_BITS = 37
# The deletion pages of a segment are stored under its number plus this.
_DELETED_SEGMENTS = 1 << 16
# The structure record begins with a change counter; if these bytes follow, it has more fields for each segment.
_CHANGE_BYTES, _EXTENDED_MARK = 4, b"\xff\x00\x00\x01"
# The prefix of terms in the main index; others would be prefix indexes.
_WHOLE_TERMS = b"0"
_LEAF_HEAD, _DELETED_HEAD = 4, 8
_SIZE_OF_POSTING = _COLUMN_BASE = 2
_CONTINUED, _BITS, _MAX_NUMBER_BYTES = 0x80, 7, 8


class UnknownFormat(Exception):
    """The pages are not what this module expects."""


def read_term(connection: Connection, term: str) -> tuple[Ids, Ids]:
    """The rows that have a term, ascending, and the number of the column in which each has it.

    Raises UnknownFormat; then the virtual tables must be used.
    """
    if connection.execute(_VERSION).scalar() != _FORMAT:
        raise UnknownFormat
    segments = {segment.number: segment for segment in _read_segments(connection.execute(_STRUCTURE).scalar_one())}
    wanted = _WHOLE_TERMS + term.encode()
    found, ends = _Lists(), list[tuple[_Segment, int]]()
    for number, leaf in connection.execute(_LEAVES, {"segments": json.dumps(list(segments)), "term": wanted}).all():
        if leaf is not None:
            found.read_segment(connection, segments[number], leaf, wanted)
            ends.append((segments[number], found.length))
    rows, columns, starts = found.decode()
    kept = numpy.ones(len(rows), numpy.bool_)
    first = 0
    for segment, end in ends:
        last = int(numpy.searchsorted(starts, end))
        if segment.deletion_pages:
            kept[first:last] = ~numpy.isin(rows[first:last], _read_deleted(connection, segment))
        first = last
    rows, columns = rows[kept], columns[kept]
    order = numpy.argsort(rows, kind="stable")
    return rows[order], columns[order]


@dataclass(frozen=True, slots=True)
class _Segment:
    number: int
    last_page: int
    deletion_pages: int


class _Leaf:
    """A page: a head, then lists of postings, each after its term, then the offsets of the terms."""

    def __init__(self, block: bytes) -> None:
        self.block = block
        self.first_row, self.end = (int.from_bytes(block[place : place + 2], "big") for place in (0, 2))

    @property
    def first_term(self) -> int | None:
        """The offset of the first term, if there is one; what precedes it continues the previous page's list."""
        return _read_number(self.block, self.end)[0] if self.end < len(self.block) else None

    def find_list(self, term: bytes) -> slice | None:
        """The slice of this page with the postings of a term, which may continue on the next page."""
        places = list(accumulate(_read_numbers(self.block, self.end)))
        last = b""
        for start, end in zip(places, [*places[1:], self.end], strict=True):
            # A term omits the prefix that it shares with the previous one.
            shared, place = _read_number(self.block, start) if last else (0, start)
            length, place = _read_number(self.block, place)
            last = last[:shared] + self.block[place : place + length]
            if last == term:
                return slice(place + length, end)
        return None


class _Lists:
    """The concatenated lists of a term in several segments."""

    def __init__(self) -> None:
        self.length = 0
        self._parts: list[bytes] = []
        # The offsets of absolute row numbers: the first posting of each list and each page.
        self._whole_rows: list[int] = []

    def read_segment(self, connection: Connection, segment: _Segment, leaf: int, term: bytes) -> None:
        """Add a segment's list for the term; if the segment has the term, the list begins on the page `leaf`."""
        first = segment.number << _PAGE_BITS
        with connection.execute(_PAGES, {"first": first + leaf, "last": first + segment.last_page}) as pages:
            row = pages.fetchone()
            page = _Leaf(row[0]) if row is not None else None
            found = page.find_list(term) if page is not None else None
            if page is None or found is None:
                return
            self._add_part(page.block[found], 0)
            is_last = found.stop < page.end
            while not is_last and (row := pages.fetchone()) is not None:
                page = _Leaf(row[0])
                end = page.first_term or page.end
                self._add_part(page.block[_LEAF_HEAD:end], page.first_row - _LEAF_HEAD)
                is_last = end < page.end

    def _add_part(self, part: bytes, first_row: int) -> None:
        if 0 <= first_row < len(part):
            self._whole_rows.append(self.length + first_row)
        self._parts.append(part)
        self.length += len(part)

    def decode(self) -> tuple[Ids, Ids, Ids]:
        """The rows, columns and start offsets of all postings. Raises UnknownFormat."""
        data = numpy.frombuffer(b"".join(self._parts), numpy.uint8)
        numbers = numpy.flatnonzero(data < _CONTINUED)
        if len(numbers) % 3:
            raise UnknownFormat
        row_ends, size_ends, ends = numbers.reshape(-1, 3).T
        starts = numpy.concatenate([numpy.zeros(min(1, len(ends)), numpy.int64), ends[:-1] + 1])
        whole = numpy.searchsorted(starts, self._whole_rows)
        lengths = row_ends - starts + 1
        is_known = (
            (ends - row_ends == _SIZE_OF_POSTING).all()
            and (data[size_ends] == _SIZE_OF_POSTING).all()
            and (lengths <= _MAX_NUMBER_BYTES).all()
            and (starts.take(whole, mode="clip") == self._whole_rows).all()
        )
        if not is_known:
            raise UnknownFormat
        values = data[row_ends].astype(numpy.int64)
        for place in range(1, int(lengths.max(initial=1))):
            longer = numpy.flatnonzero(lengths > place)
            bits = data[row_ends[longer] - place] & (_CONTINUED - 1)
            values[longer] += bits.astype(numpy.int64) << _BITS * place
        sums = numpy.cumsum(values)
        rows = sums - numpy.repeat((sums - values)[whole], numpy.diff(whole, append=len(values)))
        return rows, data[ends].astype(numpy.int64) - _COLUMN_BASE, starts


def _read_segments(block: bytes) -> Iterator[_Segment]:
    """The segments of the index, from its structure record."""
    is_extended = block[_CHANGE_BYTES:].startswith(_EXTENDED_MARK)
    numbers = _read_numbers(block, _CHANGE_BYTES + (len(_EXTENDED_MARK) if is_extended else 0))
    levels, _, _ = (next(numbers) for _ in range(3))
    for _ in range(levels):
        _, count = next(numbers), next(numbers)
        for _ in range(count):
            number, _, last_page = (next(numbers) for _ in range(3))
            more = [next(numbers) for _ in range(5)] if is_extended else [0] * 5
            yield _Segment(number, last_page, more[2])


def _read_deleted(connection: Connection, segment: _Segment) -> Ids:
    """The rows deleted from a segment: each page is a hash table, with 0 in empty slots."""
    first = (segment.number + _DELETED_SEGMENTS) << _PAGE_BITS
    pages = connection.execute(_PAGES, {"first": first, "last": first + segment.deletion_pages - 1}).scalars()
    return numpy.concatenate(
        [numpy.frombuffer(page[_DELETED_HEAD:], f">u{page[0]}").astype(numpy.int64) for page in pages]
    )


def _read_numbers(block: bytes, place: int) -> Iterator[int]:
    """The numbers from this offset to the end of the block."""
    while place < len(block):
        number, place = _read_number(block, place)
        yield number


def _read_number(block: bytes, place: int) -> tuple[int, int]:
    """A varint, and the offset after it: seven bits per byte, most significant first."""
    number = 0
    while True:
        byte = block[place]
        place += 1
        number = number << _BITS | byte & (_CONTINUED - 1)
        if byte < _CONTINUED:
            return number, place
