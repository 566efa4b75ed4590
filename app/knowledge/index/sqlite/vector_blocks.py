"""Read the vectors of a space directly from sqlite-vec's blocks.

Through its virtual table, each vector needs a separate look-up, which is 20 times slower.
The layout is that of sqlite-vec 0.1: for each block, `_chunks` has the row numbers and a bit for each that is in use,
and `_vector_chunks00` has the vectors in the same order.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass

import numpy
from sqlalchemy import Connection, text

from app.knowledge.index.protocol import SpaceKey
from app.knowledge.index.vector_rows import Ids
from app.knowledge.index.vector_snapshot import VectorSnapshot
from app.providers.base import Vectors

# The most that a search loads into the cache before it continues in the database: up to 0.25 s. Comparing as many
# vectors in the database takes half as long, but then further searches must load the rest.
_PAGE_BYTES = 128_000_000


@dataclass(frozen=True, slots=True)
class _Layout:
    """For each vector of a space: its chunk, its block and its position in the block."""

    ids: Ids
    blocks: Ids
    places: Ids


def update_vectors(
    connection: Connection,
    table: str,
    space: SpaceKey,
    version: int,
    snapshot: VectorSnapshot | None,
    *,
    id_mask: int,
    max_bytes: int,
) -> VectorSnapshot | None:
    """Bring a snapshot of a space one page closer to this version; None if it would exceed `max_bytes`.

    `id_mask` selects the bits of a row number that are the chunk's id.
    """
    dimensions, layout = space.dimensions, _read_layout(connection, table, space.id, id_mask)
    if len(layout.ids) * dimensions * 4 > max_bytes:
        return None
    if snapshot is None:
        snapshot = VectorSnapshot.empty(dimensions, len(layout.ids))
        if snapshot.bytes > max_bytes:
            return None
    missing = numpy.flatnonzero(~numpy.isin(layout.ids, snapshot.ids))
    gone = snapshot.ids[~numpy.isin(snapshot.ids, layout.ids)]
    wanted = numpy.unique(layout.blocks[missing])
    page = wanted[: max(1, _PAGE_BYTES // (256 * dimensions * 4))]
    chosen = missing[numpy.isin(layout.blocks[missing], page)]
    chosen = chosen[numpy.argsort(layout.blocks[chosen], kind="stable")]
    vectors = _read_vectors(connection, table, page, layout, chosen, dimensions)
    return snapshot.update(version, gone, layout.ids[chosen], vectors, is_complete=len(page) == len(wanted))


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
    """The vectors of `chosen`, which is sorted by block; read block by block from the blocks of `page`."""
    statement = text(
        f"SELECT vectors FROM {table}_vector_chunks00 WHERE rowid IN (SELECT value FROM json_each(:page)) "
        "ORDER BY rowid"
    )
    starts = numpy.searchsorted(layout.blocks[chosen], page)
    places = numpy.split(layout.places[chosen], starts)[1:]  # nothing precedes the first block
    found = connection.execute(statement, {"page": json.dumps(page.tolist())})
    for data, of_block in zip(found.scalars(), places, strict=True):
        yield numpy.frombuffer(data, numpy.float32).reshape(-1, dimensions)[of_block]
