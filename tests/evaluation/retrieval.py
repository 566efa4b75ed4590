"""Measure retrieval on public questions: by words, by meaning and by both, beside BM25 as `bm25s` computes it.

    python -m tests.evaluation.retrieval [FOLDER] [--questions 60] [--sets SET ...] [--embedder MODEL] [--asked-in SET]
        [--database postgresql]

FOLDER holds a folder per set: `corpus.jsonl`, `queries.jsonl` and `qrels.tsv` (BEIR's form; documents are ranked, each
where its best chunk is), or `pages.jsonl` and `queries.jsonl` with gold spans (chunks are ranked; right is one that
overlaps a span). All rank the same chunks. Prints nDCG@10, the share of what is relevant that is among the first five
(R@5), and the mean of 1 / rank of the first relevant one (MRR). bm25s has no stemmer here, and splits words at white
space: in Chinese it finds little.

`--sets xquad_en --asked-in xquad_de` asks the German questions of the English texts: both sets have the same ids.
"""

import argparse
import asyncio
import math
import sys
import tempfile
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import bm25s
from sqlalchemy import select

from app.answer_options import SearchMode
from app.database import models
from app.knowledge.ingestion.relevance_meter import RelevanceMeter
from app.knowledge.search.queries import SearchQuery
from app.services import Backend, open_backend
from app.settings import Settings
from tests import postgres
from tests.evaluation.wordings import Set, ingest, read

_DEPTH = 100
_MODES: dict[str, SearchMode] = {"words": "LEXICAL", "meaning": "VECTOR", "both": "HYBRID"}
Relevant = Mapping[str, int]


@dataclass(frozen=True)
class Scores:
    """The means over the questions of a set."""

    ndcg: float
    recall: float
    reciprocal_rank: float


@dataclass(frozen=True)
class Chunks:
    """The chunks of a set. `keys`: what a chunk counts as, its document or itself."""

    rows: list[Any]
    keys: dict[int, str]


def score(rankings: Sequence[Sequence[str]], relevant: Sequence[Relevant]) -> Scores:
    """Score the rankings of all questions, each without repetitions, best first."""
    pairs = [(ranked, grades) for ranked, grades in zip(rankings, relevant, strict=True) if grades]
    gains = [_discounted([grades.get(key, 0) for key in ranked[:10]]) for ranked, grades in pairs]
    ideals = [_discounted(sorted(grades.values(), reverse=True)[:10]) for _, grades in pairs]
    recalls = [len(grades.keys() & set(ranked[:5])) / len(grades) for ranked, grades in pairs]
    firsts = [next((rank for rank, key in enumerate(ranked, 1) if key in grades), None) for ranked, grades in pairs]
    return Scores(
        sum(gain / ideal for gain, ideal in zip(gains, ideals, strict=True)) / len(pairs),
        sum(recalls) / len(pairs),
        sum(1 / rank for rank in firsts if rank) / len(pairs),
    )


def _discounted(grades: Sequence[int]) -> float:
    return sum(grade / math.log2(at + 2) for at, grade in enumerate(grades))


async def load_chunks(footnote: Backend, project_id: str, own: Set) -> Chunks:
    """All chunks of a project, with the sources of their documents."""
    statement = (
        select(models.Chunk, models.Document.source)
        .join(models.Document, models.Document.id == models.Chunk.document_id)
        .where(models.Chunk.project_id == project_id)
        .order_by(models.Chunk.id)
    )
    rows = await footnote.database.run_read(lambda db: list(db.execute(statement).all()), slow=True)
    return Chunks(rows, {chunk.id: str(chunk.id) if own.has_spans else source or "" for chunk, source in rows})


def find_relevant(own: Set, chunks: Chunks) -> list[Relevant]:
    """What is relevant to each question."""
    if not own.has_spans:
        return [own.relevant[question["id"]] for question in own.questions]
    of_page: dict[str, list[models.Chunk]] = {}
    for chunk, source in chunks.rows:
        of_page.setdefault(source, []).append(chunk)
    return [
        {
            str(chunk.id): 1
            for span in question["gold"]
            for chunk in of_page.get(span["page"], ())
            if chunk.start_offset < span["end"] and span["start"] < chunk.end_offset
        }
        for question in own.questions
    ]


async def rank_with_footnote(footnote: Backend, project_id: str, own: Set, chunks: Chunks, mode: str) -> list[Any]:
    """What Footnote finds for each question, best first."""
    found = [
        await footnote.knowledge.search.search_project(
            project_id, SearchQuery(question["text"], mode=_MODES[mode], limit=_DEPTH)
        )
        for question in own.questions
    ]
    return [
        list(dict.fromkeys(chunks.keys[passage.chunk_id] for passage in result.passages if passage.score > 0))
        for result in found
    ]


def rank_with_bm25s(own: Set, chunks: Chunks) -> list[Any]:
    """What bm25s finds for each question in the same chunks, best first."""
    texts = [" ".join([*chunk.heading, chunk.text]) for chunk, _ in chunks.rows]
    titles = {each["id"]: each["title"] for each in own.corpus}
    texts = [f"{titles[source]} {text}" for text, (_, source) in zip(texts, chunks.rows, strict=True)]
    library: Any = bm25s  # its functions have no complete types
    index = library.BM25()
    index.index(library.tokenize(texts, stopwords="en", show_progress=False), show_progress=False)
    asked = library.tokenize([question["text"] for question in own.questions], stopwords="en", show_progress=False)
    found, scores = index.retrieve(asked, k=min(_DEPTH, len(texts)), show_progress=False)
    keys = list(chunks.keys.values())
    rows: list[tuple[list[int], list[float]]] = list(zip(found.tolist(), scores.tolist(), strict=True))
    return [list(dict.fromkeys(keys[at] for at, points in zip(*row, strict=True) if points > 0)) for row in rows]


@contextmanager
def fresh_database(dialect: str) -> Generator[str]:
    """The URL of a new database; on PostgreSQL as the tests have it."""
    if dialect == "postgresql":
        with postgres.fresh_database() as url:
            yield url
    else:
        with tempfile.TemporaryDirectory() as place:
            yield f"sqlite:///{place}/set.db"


async def measure(own: Set, embedder: str, dialect: str) -> dict[str, Scores]:
    """The scores of a set in a database of its own: of each leg, of both, and of bm25s."""
    with fresh_database(dialect) as url:
        values = {"database_url": url, "sample_project": False, "embedding_model": embedder}
        settings = Settings.model_validate(values)
        async with open_backend(settings, "ask") as footnote:
            project_id = await ingest(footnote, own)
            knowledge = footnote.knowledge
            await RelevanceMeter(footnote.database, knowledge.index, knowledge.spaces).measure_all()
            chunks = await load_chunks(footnote, project_id, own)
            relevant = find_relevant(own, chunks)
            found = {
                mode: score(await rank_with_footnote(footnote, project_id, own, chunks, mode), relevant)
                for mode in _MODES
            }
            return {**found, "bm25s": score(rank_with_bm25s(own, chunks), relevant)}


def show(name: str, scores: Mapping[str, Scores]) -> None:
    """Print a line of nDCG@10, R@5 and MRR for each way of searching."""
    cells = (f"{each.ndcg:6.3f} {each.recall:6.3f} {each.reciprocal_rank:6.3f}" for each in scores.values())
    print(f"{name:15} " + "   ".join(cells), flush=True)


def find_sets(folder: Path, names: Sequence[str]) -> list[Path]:
    """The folders of the sets. Exits with a sentence if there are none."""
    if not folder.is_dir():
        sys.exit(f"There is no folder {folder}. Name one that holds a folder per set (see tests/evaluation/README.md).")
    known = sorted(path.parent for path in folder.glob("*/queries.jsonl"))
    if missing := set(names) - {path.name for path in known}:
        sys.exit(f"{folder} has no set {', '.join(sorted(missing))}; it has {', '.join(path.name for path in known)}.")
    chosen = [path for path in known if not names or path.name in names]
    return chosen or sys.exit(f"{folder} has no set: none of its folders has a file queries.jsonl.")


def ask_in(own: Set, other: Set) -> Set:
    """The same set with the wording that the questions have in another one. Exits with a sentence if they differ."""
    wordings = {question["id"]: question["text"] for question in other.questions}
    if missing := {question["id"] for question in own.questions} - wordings.keys():
        sys.exit(f"{other.name} does not have all questions of {own.name}: {min(missing)} is missing.")
    return replace(own, questions=[{**question, "text": wordings[question["id"]]} for question in own.questions])


async def main(arguments: argparse.Namespace) -> None:
    """Print a line per set, and the means."""
    folder, asked_in = arguments.folder, arguments.asked_in
    paths = find_sets(folder, arguments.sets)
    other = read(find_sets(folder, [asked_in])[0], 10**6) if asked_in else None
    print(f"{'':15} " + "   ".join(f"{name:20}" for name in (*_MODES, "bm25s")).rstrip())
    print(f"{'':15} " + "   ".join(["nDCG10    R@5    MRR"] * 4))
    everything: list[dict[str, Scores]] = []
    for path in paths:
        own = read(path, arguments.questions)
        asked = ask_in(own, other) if other else own
        everything.append(await measure(asked, arguments.embedder, arguments.database))
        show(path.name, everything[-1])
    means = {
        way: Scores(
            *(sum(values) / len(values) for values in zip(*(_numbers(each[way]) for each in everything), strict=True))
        )
        for way in everything[0]
    }
    show("mean", means)


def _numbers(scores: Scores) -> tuple[float, float, float]:
    return scores.ndcg, scores.recall, scores.reciprocal_rank


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("folder", type=Path, nargs="?", default=Path("../shared/data"), help="folder with the sets")
    parser.add_argument("--questions", type=int, default=10**6, help="how many of each set [default: all]")
    parser.add_argument("--sets", nargs="+", default=[], metavar="SET", help="only these sets [default: all]")
    embedder: str = Settings.model_fields["embedding_model"].default
    parser.add_argument("--embedder", default=embedder, metavar="MODEL", help=f"embedding model [default: {embedder}]")
    parser.add_argument("--asked-in", metavar="SET", help="ask the questions as this set words them")
    parser.add_argument("--database", choices=["sqlite", "postgresql"], default="sqlite", help="[default: sqlite]")
    asyncio.run(main(parser.parse_args()))
