"""Read the postings of a frequent term from the pages in which FTS5 keeps them.

Through its virtual tables, each posting is a row of its own: four times slower. The format is described at the head of
SQLite's `fts5_index.c`; that of a table without content whose rows can be deleted is version 4. The index consists of
segments. In each, the postings of a term are a list over one or more leaf pages. As a chunk has each term in one
column only, a posting is three numbers: its row, or by how much that is greater than the one before; 2; and the number
of the column, plus 2.
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
# The number of a page holds that of its segment above its place in the segment.
_PAGE_BITS = 37
# The pages with the rows that were deleted from a segment belong to one with a number that is so much greater.
_DELETED_SEGMENTS = 1 << 16
# The record of the structure has a number for each change, and perhaps these bytes: then it tells more of each segment.
_CHANGE_BYTES, _TELLS_MORE = 4, b"\xff\x00\x00\x01"
# The index of whole terms; there could be others, of prefixes.
_WHOLE_TERMS = b"0"
_LEAF_HEAD, _DELETED_HEAD = 4, 8
_SIZE_OF_POSTING = _COLUMN_BASE = 2
_CONTINUED, _BITS, _MAX_NUMBER_BYTES = 0x80, 7, 8


class UnknownFormat(Exception):
    """The pages are not what this module expects."""


def read_term(connection: Connection, term: str) -> tuple[Ids, Ids]:
    """The rows that have a term, ascending, and the number of the column where each has it.

    Raises UnknownFormat; then they are to be read in another way.
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
    """A page: a head, then lists of postings, each behind its term; at the end, where the terms are."""

    def __init__(self, block: bytes) -> None:
        self.block = block
        self.first_row, self.end = (int.from_bytes(block[place : place + 2], "big") for place in (0, 2))

    @property
    def first_term(self) -> int | None:
        """Where the first term is, if there is one; the list before it continues that of the page before."""
        return _read_number(self.block, self.end)[0] if self.end < len(self.block) else None

    def find_list(self, term: bytes) -> slice | None:
        """Where the postings of a term are, as far as they are on this page."""
        places = list(accumulate(_read_numbers(self.block, self.end)))
        last = b""
        for start, end in zip(places, [*places[1:], self.end], strict=True):
            # A term leaves out what it shares with the one before.
            shared, place = _read_number(self.block, start) if last else (0, start)
            length, place = _read_number(self.block, place)
            last = last[:shared] + self.block[place : place + length]
            if last == term:
                return slice(place + length, end)
        return None


class _Lists:
    """The lists of a term in several segments, one after another."""

    def __init__(self) -> None:
        self.length = 0
        self._parts: list[bytes] = []
        # Where a row is not a difference: in the first posting of a list and of a page.
        self._whole_rows: list[int] = []

    def read_segment(self, connection: Connection, segment: _Segment, leaf: int, term: bytes) -> None:
        """Add the list of a segment, which begins on this page if the segment has the term."""
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
        """Rows, columns, and where each posting starts. Raises UnknownFormat."""
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
    """The segments of the index, from the record of its structure."""
    tells_more = block[_CHANGE_BYTES:].startswith(_TELLS_MORE)
    numbers = _read_numbers(block, _CHANGE_BYTES + (len(_TELLS_MORE) if tells_more else 0))
    levels, _, _ = (next(numbers) for _ in range(3))
    for _ in range(levels):
        _, count = next(numbers), next(numbers)
        for _ in range(count):
            number, _, last_page = (next(numbers) for _ in range(3))
            more = [next(numbers) for _ in range(5)] if tells_more else [0] * 5
            yield _Segment(number, last_page, more[2])


def _read_deleted(connection: Connection, segment: _Segment) -> Ids:
    """The rows that were deleted from a segment: each page is a hash table, whose empty places are 0."""
    first = (segment.number + _DELETED_SEGMENTS) << _PAGE_BITS
    pages = connection.execute(_PAGES, {"first": first, "last": first + segment.deletion_pages - 1}).scalars()
    return numpy.concatenate(
        [numpy.frombuffer(page[_DELETED_HEAD:], f">u{page[0]}").astype(numpy.int64) for page in pages]
    )


def _read_numbers(block: bytes, place: int) -> Iterator[int]:
    """The numbers from this place to the end."""
    while place < len(block):
        number, place = _read_number(block, place)
        yield number


def _read_number(block: bytes, place: int) -> tuple[int, int]:
    """A number, and the place behind it: seven bits in each byte, the highest first."""
    number = 0
    while True:
        byte = block[place]
        place += 1
        number = number << _BITS | byte & (_CONTINUED - 1)
        if byte < _CONTINUED:
            return number, place
