"""Read the vectors of a space from the blocks in which sqlite-vec keeps them.

Through its virtual table, reading each vector is a look-up of its own: 20 times slower.
The layout is that of sqlite-vec 0.1: `_chunks` has for each block the row numbers and a bit for each that is in use,
`_vector_chunks00` the vectors, in the same order.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass

import numpy
from sqlalchemy import Connection, text

from app.knowledge.index.held_vectors import HeldVectors
from app.knowledge.index.protocol import SpaceKey
from app.knowledge.index.vector_rows import Ids
from app.providers.base import Vectors

# What a search reads into memory at most before it goes on with the database: up to 0.25 s. Comparing as many vectors
# in the database takes half as long, but then a further search has to read the rest.
_PAGE_BYTES = 128_000_000


@dataclass(frozen=True, slots=True)
class _Layout:
    """For each vector of a space its chunk, its block and its place there."""

    ids: Ids
    blocks: Ids
    places: Ids


def update_vectors(
    connection: Connection,
    table: str,
    space: SpaceKey,
    version: int,
    held: HeldVectors | None,
    *,
    id_mask: int,
    max_bytes: int,
) -> HeldVectors | None:
    """`held` as of this version of a space, or nearer to it by a page; None if it takes more than `max_bytes`.

    `id_mask` has the bits of a row number that are the chunk's id.
    """
    dimensions, layout = space.dimensions, _read_layout(connection, table, space.id, id_mask)
    if len(layout.ids) * dimensions * 4 > max_bytes:
        return None
    if held is None:
        held = HeldVectors.empty(dimensions, len(layout.ids))
        if held.bytes > max_bytes:
            return None
    missing = numpy.flatnonzero(~numpy.isin(layout.ids, held.ids))
    gone = held.ids[~numpy.isin(held.ids, layout.ids)]
    wanted = numpy.unique(layout.blocks[missing])
    page = wanted[: max(1, _PAGE_BYTES // (256 * dimensions * 4))]
    chosen = missing[numpy.isin(layout.blocks[missing], page)]
    chosen = chosen[numpy.argsort(layout.blocks[chosen], kind="stable")]
    vectors = _read_vectors(connection, table, page, layout, chosen, dimensions)
    return held.update(version, gone, layout.ids[chosen], vectors, is_complete=len(page) == len(wanted))


def _read_layout(connection: Connection, table: str, space_id: str, id_mask: int) -> _Layout:
    statement = text(f"SELECT chunk_id, validity, rowids FROM {table}_chunks WHERE partition00 = :space")
    rows = connection.execute(statement, {"space": space_id}).all()
    bits = numpy.unpackbits(numpy.frombuffer(b"".join(row.validity for row in rows), numpy.uint8), bitorder="little")
    row_numbers = numpy.frombuffer(b"".join(row.rowids for row in rows), numpy.int64)
    sizes = [len(row.rowids) // row_numbers.itemsize for row in rows]
    blocks = numpy.repeat(numpy.array([row.chunk_id for row in rows], numpy.int64), sizes)
    places = numpy.concatenate([numpy.empty(0, numpy.int64), *map(numpy.arange, sizes)])
    used = numpy.flatnonzero(bits)
    return _Layout(row_numbers[used] & id_mask, blocks[used], places[used])


def _read_vectors(
    connection: Connection, table: str, page: Ids, layout: _Layout, chosen: Ids, dimensions: int
) -> Iterator[Vectors]:
    """The vectors of `chosen`, which lie in the blocks of `page` and come in their order, block by block."""
    statement = text(
        f"SELECT vectors FROM {table}_vector_chunks00 WHERE rowid IN (SELECT value FROM json_each(:page)) "
        "ORDER BY rowid"
    )
    starts = numpy.searchsorted(layout.blocks[chosen], page)
    places = numpy.split(layout.places[chosen], starts)[1:]  # before the first block there is nothing
    found = connection.execute(statement, {"page": json.dumps(page.tolist())})
    for data, of_block in zip(found.scalars(), places, strict=True):
        yield numpy.frombuffer(data, numpy.float32).reshape(-1, dimensions)[of_block]
