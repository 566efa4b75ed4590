"""The index in SQLite: FTS5 for words, where the project is one; sqlite-vec for vectors, where the space is a part."""

import json
import math
from collections.abc import Sequence

import numpy
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from app import language
from app.database import driver, models
from app.knowledge.index import Entry, Scope, Strays
from app.providers.base import Vectors

# bm25's k1 is 1.2 in FTS5, so a term weighs at most idf · (k1 + 1).
_MOST_PER_IDF = 2.2
# A heading counts twice (0 to +1.5 nDCG@10 over ten sets); the project's word finds but does not score.
_WEIGHTS = "0.0, 2.0, 1.0"
_MAX_TERMS = 64
# What FTS5 gives a word that half of the rows or more have.
_LEAST_IDF = 1e-6


class SQLiteIndex:
    """FTS5 and vec0 tables beside the `chunks` table."""

    def __init__(self) -> None:
        self._tokenizer = _Tokenizer()

    def close(self) -> None:
        """Close the tokenizer's own database."""
        self._tokenizer.close()

    async def prepare(self, db: AsyncSession, dimensions: int) -> None:
        """Make the vector table of this length, if there is none."""
        # Vectors have norm 1, so Euclidean distance ranks as the cosine does and is cheaper: cos = 1 - d²/2.
        # Small chunks, for each project has its own: 256 vectors are 256 KB at 256 dimensions.
        await db.execute(
            text(
                f"CREATE VIRTUAL TABLE IF NOT EXISTS {_vectors(dimensions)} USING vec0("
                f"space text partition key, embedding float[{int(dimensions)}] distance_metric=l2, chunk_size=256)"
            )
        )

    async def add(
        self, db: AsyncSession, space: models.EmbeddingSpace, entries: Sequence[Entry], vectors: Vectors
    ) -> None:
        """Insert rows into both tables."""
        await db.execute(
            text("INSERT INTO chunk_texts(rowid, project, heading, text) VALUES (:id, :project, :heading, :text)"),
            [
                {
                    "id": entry.chunk_id,
                    "project": space.project_id,
                    "heading": language.with_bigrams(entry.heading),
                    "text": language.with_bigrams(entry.text),
                }
                for entry in entries
            ],
        )
        await db.execute(
            text(f"INSERT INTO {_vectors(space.dimensions)}(rowid, space, embedding) VALUES (:id, :space, :vector)"),
            [
                {"id": entry.chunk_id, "space": space.id, "vector": vector.tobytes()}
                for entry, vector in zip(entries, numpy.ascontiguousarray(vectors, numpy.float32), strict=True)
            ],
        )

    async def remove(self, db: AsyncSession, spaces: Sequence[models.EmbeddingSpace], chunk_ids: Sequence[int]) -> None:
        """Delete rows from both tables."""
        rows = [{"id": chunk_id} for chunk_id in chunk_ids]
        if not rows:
            return
        await db.execute(text("DELETE FROM chunk_texts WHERE rowid = :id"), rows)
        for dimensions in {space.dimensions for space in spaces}:
            await db.execute(text(f"DELETE FROM {_vectors(dimensions)} WHERE rowid = :id"), rows)

    async def lexical(self, db: AsyncSession, scope: Scope, query: str, limit: int) -> dict[int, float]:
        """bm25 over FTS5, as a share of what it could be at most."""
        words = language.terms(query)[:_MAX_TERMS]
        if not words:
            return {}
        idfs = await self._idfs(db, words)
        bound = _MOST_PER_IDF * sum(idfs.values())
        # A word that most rows have scores next to nothing and is the dearest to look up.
        telling = [word for word in words if idfs[word] > _LEAST_IDF] or words
        any_of = " OR ".join(_quoted(word) for word in telling)
        inside, parameters = _only(scope, "JOIN chunks ON chunks.id = chunk_texts.rowid AND chunks.document_id IN")
        found = await db.execute(
            text(
                f"SELECT chunk_texts.rowid, -bm25(chunk_texts, {_WEIGHTS}) AS score FROM chunk_texts {inside} "
                "WHERE chunk_texts MATCH :match ORDER BY score DESC LIMIT :limit"
            ),
            {
                "match": f"project:{_quoted(scope.project_id)} AND {{heading text}}:({any_of})",
                "limit": limit,
                **parameters,
            },
        )
        return {row.rowid: min(1.0, max(0.0, row.score / bound)) for row in found}

    async def nearest(self, db: AsyncSession, scope: Scope, vector: Vectors, limit: int) -> dict[int, float]:
        """Exact nearest neighbours within the space."""
        inside, parameters = _only(scope, "AND rowid IN (SELECT id FROM chunks WHERE document_id IN", ")")
        found = await db.execute(
            text(
                f"SELECT rowid, distance FROM {_vectors(scope.space.dimensions)} "
                f"WHERE embedding MATCH :vector AND k = :limit AND space = :space {inside}"
            ),
            {"vector": _bytes(vector), "limit": limit, "space": scope.space.id, **parameters},
        )
        return {row.rowid: _cosine(row.distance) for row in found}

    async def cosines(
        self, db: AsyncSession, scope: Scope, vector: Vectors, chunk_ids: Sequence[int]
    ) -> dict[int, float]:
        """One look-up per chunk: the join order is fixed, for sqlite-vec takes `rowid IN` for a scan of everything."""
        found = await db.execute(
            text(
                "SELECT vectors.rowid AS id, vec_distance_l2(vectors.embedding, :vector) AS distance "
                f"FROM json_each(:ids) AS wanted CROSS JOIN {_vectors(scope.space.dimensions)} AS vectors "
                "WHERE vectors.rowid = wanted.value AND +vectors.space = :space"
            ),
            {"vector": _bytes(vector), "ids": json.dumps(list(chunk_ids)), "space": scope.space.id},
        )
        return {row.id: _cosine(row.distance) for row in found}

    async def strays(self, db: AsyncSession) -> Strays:
        """By the ids that both kinds of table keep beside their content."""
        found = await db.execute(text("SELECT DISTINCT dimensions FROM embedding_spaces"))
        dimensions = sorted(found.scalars())
        chunks, vectors = set[int](), list[tuple[int, int]]()
        for length in dimensions:
            chunks.update(
                await _ids(
                    db,
                    "SELECT chunks.id FROM chunks JOIN embedding_spaces AS spaces ON spaces.project_id = "
                    "chunks.project_id AND spaces.state = 'ACTIVE' AND spaces.dimensions = :length "
                    f"WHERE chunks.id NOT IN (SELECT rowid FROM {_vectors(length)}_rowids)",
                    length=length,
                )
            )
            lost = await _ids(db, f"SELECT rowid FROM {_vectors(length)}_rowids EXCEPT SELECT id FROM chunks")
            vectors.extend((length, chunk_id) for chunk_id in lost)
        return Strays(
            await _ids(db, "SELECT id FROM chunks EXCEPT SELECT id FROM chunk_texts_docsize"),
            tuple(sorted(chunks)),
            # Rows under zero are the background (see the first migration).
            await _ids(db, "SELECT id FROM chunk_texts_docsize WHERE id > 0 EXCEPT SELECT id FROM chunks"),
            tuple(vectors),
        )

    async def forget(self, db: AsyncSession, strays: Strays) -> None:
        """Delete by id."""
        for chunk_id in strays.texts:
            await db.execute(text("DELETE FROM chunk_texts WHERE rowid = :id"), {"id": chunk_id})
        for length, chunk_id in strays.vectors:
            await db.execute(text(f"DELETE FROM {_vectors(length)} WHERE rowid = :id"), {"id": chunk_id})

    async def _idfs(self, db: AsyncSession, words: Sequence[str]) -> dict[str, float]:
        """Inverse document frequency of each word, as FTS5's bm25 has it; a word nobody uses counts the most."""
        tokens = self._tokenizer.tokens(words)
        counts = {
            row.term: row.doc
            for row in await db.execute(
                text("SELECT term, doc FROM chunk_terms WHERE term IN (SELECT value FROM json_each(:tokens))"),
                {"tokens": json.dumps(sorted({token for of_word in tokens for token in of_word}))},
            )
        }
        rows = (await db.execute(text("SELECT count(*) FROM chunk_texts_docsize"))).scalar_one()

        def idf(of_word: list[str]) -> float:
            # A word of several tokens (snake_case) is a phrase: as rare as the rarest of them, at least.
            count = min((counts.get(token, 0) for token in of_word), default=0)
            return max(_LEAST_IDF, math.log((rows - count + 0.5) / (count + 0.5)))

        return {word: idf(of_word) for word, of_word in zip(words, tokens, strict=True)}


class _Tokenizer:
    """FTS5's own tokenizer, asked on a table in memory: no second stemmer that might disagree with it."""

    def __init__(self) -> None:
        self._connection = driver.choose_driver().module.connect(":memory:")
        self._connection.execute(
            "CREATE VIRTUAL TABLE words USING fts5(text, content='', contentless_delete=1, "
            "tokenize='porter unicode61 remove_diacritics 2')"
        )
        self._connection.execute("CREATE VIRTUAL TABLE tokens USING fts5vocab(words, instance)")

    def tokens(self, words: Sequence[str]) -> list[list[str]]:
        """For each word, the tokens that the index would store."""
        self._connection.executemany("INSERT INTO words(rowid, text) VALUES (?, ?)", enumerate(words))
        found: list[list[str]] = [[] for _ in words]
        for term, row in self._connection.execute("SELECT term, doc FROM tokens"):
            found[int(row)].append(term)
        self._connection.execute("DELETE FROM words")
        return found

    def close(self) -> None:
        self._connection.close()


async def _ids(db: AsyncSession, statement: str, **parameters: int) -> tuple[int, ...]:
    return tuple((await db.execute(text(statement), parameters)).scalars())


def _bytes(vector: Vectors) -> bytes:
    return vector.astype(numpy.float32).tobytes()


def _cosine(distance: float) -> float:
    return 1.0 - distance**2 / 2.0


def _vectors(dimensions: int) -> str:
    return f"chunk_vectors_{int(dimensions)}"


def _quoted(word: str) -> str:
    return '"' + word.replace('"', '""') + '"'


def _only(scope: Scope, clause: str, close: str = "") -> tuple[str, dict[str, str]]:
    """`clause` with the scope's documents, or nothing when all are meant."""
    if scope.document_ids is None:
        return "", {}
    return f"{clause} (SELECT value FROM json_each(:documents)){close}", {"documents": json.dumps(scope.document_ids)}
