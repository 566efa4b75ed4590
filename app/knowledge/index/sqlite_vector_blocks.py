"""Read the vectors of a space from the blocks in which sqlite-vec keeps them.

Through its virtual table, reading each vector is a look-up of its own: 20 times slower.
The layout is that of sqlite-vec 0.1: `_chunks` has for each block the row numbers and a bit for each that is in use,
`_vector_chunks00` the vectors, in the same order.
"""

import json
from dataclasses import dataclass
from itertools import starmap

import numpy
from numpy.typing import NDArray
from sqlalchemy import Connection, text

from app.knowledge.index.held_vectors import HeldVectors
from app.knowledge.index.protocol import SpaceKey
from app.knowledge.index.vector_rows import Ids
from app.providers.base import Vectors

# What a search reads at most before it goes on with the database; about 5 ms.
PAGE_BYTES = 16_000_000


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
    missing = numpy.flatnonzero(~numpy.isin(layout.ids, held.ids))
    gone = held.ids[~numpy.isin(held.ids, layout.ids)]
    wanted = numpy.unique(layout.blocks[missing])
    page = wanted[: max(1, PAGE_BYTES // (256 * dimensions * 4))]
    chosen = missing[numpy.isin(layout.blocks[missing], page)]
    vectors = _read_vectors(connection, table, page, layout, chosen, dimensions)
    return held.update(version, gone, layout.ids[chosen], vectors, is_complete=len(page) == len(wanted))


def _read_layout(connection: Connection, table: str, space_id: str, id_mask: int) -> _Layout:
    statement = text(f"SELECT chunk_id, validity, rowids FROM {table}_chunks WHERE partition00 = :space")
    rows = connection.execute(statement, {"space": space_id}).all()
    parts = list(starmap(_read_block, rows))
    blocks = numpy.repeat([row[0] for row in rows], [len(places) for places, _ in parts])
    nothing = numpy.empty(0, numpy.int64)
    ids = numpy.concatenate([nothing, *(ids for _, ids in parts)])
    places = numpy.concatenate([nothing, *(places for places, _ in parts)])
    return _Layout(ids & id_mask, blocks.astype(numpy.int64), places)


def _read_block(_: int, validity: bytes, row_numbers: bytes) -> tuple[Ids, Ids]:
    """The places in use of a block, and their row numbers."""
    bits: NDArray[numpy.uint8] = numpy.unpackbits(numpy.frombuffer(validity, numpy.uint8), bitorder="little")
    places = numpy.flatnonzero(bits)
    return places, numpy.frombuffer(row_numbers, numpy.int64)[places]


def _read_vectors(
    connection: Connection, table: str, page: Ids, layout: _Layout, chosen: Ids, dimensions: int
) -> Vectors:
    """The vectors of `chosen`, which all lie in the blocks of `page`."""
    statement = text(
        f"SELECT rowid, vectors FROM {table}_vector_chunks00 WHERE rowid IN (SELECT value FROM json_each(:page))"
    )
    found = numpy.empty((len(chosen), dimensions), numpy.float32)
    blocks = layout.blocks[chosen]
    for block, data in connection.execute(statement, {"page": json.dumps(page.tolist())}):
        rows = numpy.flatnonzero(blocks == block)
        found[rows] = numpy.frombuffer(data, numpy.float32).reshape(-1, dimensions)[layout.places[chosen[rows]]]
    return found
