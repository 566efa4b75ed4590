"""A search and the rest of a turn by hand: plain statements on the raw driver, as a lone script would do them.

The full text is scored by one statement, the vectors are scanned by sqlite-vec; nothing is held in memory.
"""

import http.client
import json
import statistics
import time
from collections.abc import Generator, Sequence
from contextlib import closing, contextmanager
from typing import Any

import numpy

from app.database.sqlite import driver
from app.knowledge.index import bm25, terms
from app.providers.base import Vectors

_DEPTH = 100
_SHOWN = 50
_ROUNDS = 60
_TOTALS = "SELECT number, chunks, terms FROM keyword_totals WHERE project_id = ?"
_COUNTS = "SELECT term, doc FROM chunk_terms WHERE term IN (SELECT value FROM json_each(?))"
_WORDS = f"""
WITH wanted AS MATERIALIZED (SELECT key AS term, value AS share FROM json_each(?)),
  found AS (SELECT doc, share, CAST(substr(col, 2) AS REAL) AS count FROM wanted CROSS JOIN chunk_postings USING (term))
SELECT doc >> 12 AS chunk_id, sum(share * count / (count + ? + ? * (doc & 4095))) AS score FROM found GROUP BY doc
  ORDER BY score DESC LIMIT {_DEPTH}"""
_MEANING = f"SELECT rowid, distance FROM chunk_vectors_256 WHERE embedding MATCH ? AND k = {_DEPTH} AND space = ?"
_PASSAGES = """
SELECT chunks.id, text, heading, page, position, title FROM json_each(?) AS wanted JOIN chunks ON chunks.id = value
  JOIN documents ON documents.id = chunks.document_id"""


class RawSearch:
    """Searches of one project; of the only one in a database if none is named."""

    def __init__(self, connection: Any, project_id: str | None = None) -> None:
        self._connection = connection
        named = "SELECT project_id, id FROM embedding_spaces WHERE project_id = coalesce(?, project_id)"
        [(self._project, self._space)] = connection.execute(named, (project_id,)).fetchall()

    def search(self, question: str, vector: Vectors) -> float:
        """Milliseconds of a second search for the same: everything is in the page cache."""
        self._search(question, vector)
        began = time.perf_counter()
        assert self._search(question, vector)
        return (time.perf_counter() - began) * 1000

    def _search(self, question: str, vector: Vectors) -> Sequence[Any]:
        run = self._connection.execute
        [(number, chunks, length)] = run(_TOTALS, (self._project,)).fetchall()
        wanted = {f"{number}x{term}": term for term in terms.query_terms(question)}
        found = dict(run(_COUNTS, (json.dumps(list(wanted)),)).fetchall())
        counts = {term: found[key] for key, term in wanted.items() if key in found}
        totals = bm25.ProjectTotals(chunks, length)
        shares = bm25.term_shares(list(wanted.values()), counts, totals)
        flat, steep = bm25.K1 * (1 - bm25.B), bm25.K1 * bm25.B / totals.average_length
        keyed = json.dumps({f"{number}x{term}": share for term, share in shares.items()})
        words = run(_WORDS, (keyed, flat, steep)).fetchall()
        meaning = run(_MEANING, (vector.astype(numpy.float32).tobytes(), self._space)).fetchall()
        best = [row[0] for row in words[: _SHOWN // 2]] + [row[0] for row in meaning[: _SHOWN // 2]]
        return run(_PASSAGES, (json.dumps(best),)).fetchall()


def rest_of_turn(connection: Any, model: int) -> float:
    """Milliseconds of five reads, two commits of a few rows, and one request to the model."""
    body = json.dumps({"model": "chat", "stream": True, "messages": [{"role": "user", "content": "Hello"}]})
    with closing(http.client.HTTPConnection("127.0.0.1", model)) as asked:
        connection.execute("CREATE TABLE by_hand (id INTEGER PRIMARY KEY, text TEXT)")
        times: list[float] = []
        for _ in range(_ROUNDS):
            began = time.perf_counter()
            for _ in range(5):
                connection.execute("SELECT * FROM projects LIMIT 1").fetchall()
            for _ in range(2):
                connection.execute("BEGIN IMMEDIATE")
                for _ in range(4):
                    connection.execute("INSERT INTO by_hand (text) VALUES (?)", ("word " * 100,))
                connection.execute("COMMIT")
            asked.request("POST", "/v1/chat/completions", body, {"Content-Type": "application/json"})
            asked.getresponse().read()
            times.append((time.perf_counter() - began) * 1000)
        connection.execute("DROP TABLE by_hand")
    return statistics.median(times)


@contextmanager
def opened(path: str) -> Generator[Any]:
    """A connection of the raw driver, as durable as ours."""
    with closing(driver.choose_driver().module.connect(path, isolation_level=None)) as connection:
        driver.load_vector_extension(connection)
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute("PRAGMA cache_size=-16000")
        yield connection
