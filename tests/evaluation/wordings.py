"""Measure retrieval quality on public questions: alone, beside other projects, and with words put before them.

    python -m tests.evaluation.wordings --data FOLDER [--questions 60] [SET ...]

FOLDER holds a folder per set with `corpus.jsonl`, `queries.jsonl` and `qrels.tsv` (BEIR's form). For each set it prints
nDCG@10, the share of questions refused at the gate, and the share of other sets' questions let through. It exits with 1
when a score differs between a set alone and beside the others.
"""

import argparse
import asyncio
import json
import math
import random
import re
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import insert

from app.database import models
from app.knowledge import chunking, parsed_documents
from app.knowledge.index import terms
from app.knowledge.index.protocol import ChunkTerms, SpaceKey
from app.knowledge.ingestion import indexing
from app.knowledge.parsing.dispatch import parse_file
from app.knowledge.search.hybrid import SearchResult
from app.knowledge.search.queries import SearchQuery
from app.services import Backend, open_backend
from app.settings import Settings

_OTHERS = 10
_AT_ONCE = 200
_WORD = re.compile(r"[^\W\d_]{3,}")


@dataclass(frozen=True)
class Set:
    """A corpus, questions, and which documents answer each; or, of a set of long pages, which spans of them do."""

    name: str
    corpus: list[dict[str, Any]]
    questions: list[dict[str, Any]]
    relevant: dict[str, dict[str, int]]
    has_spans: bool = False


def read(folder: Path, most: int) -> Set:
    """Load a set with at most this many questions, the same ones every time."""
    if (folder / "pages.jsonl").exists():
        return _read_pages(folder, most)
    lines = {name: (folder / f"{name}.jsonl").read_text("utf-8").splitlines() for name in ("corpus", "queries")}
    relevant: dict[str, dict[str, int]] = {}
    for line in (folder / "qrels.tsv").read_text("utf-8").splitlines()[1:]:
        question, document, grade = line.split("\t")
        if int(grade) > 0:
            relevant.setdefault(question, {})[document] = int(grade)
    questions = [each for each in map(json.loads, lines["queries"]) if each["id"] in relevant]
    random.Random(0).shuffle(questions)  # noqa: S311
    corpus = [each for each in map(json.loads, lines["corpus"]) if each["text"].strip()]
    return Set(folder.name, corpus, questions[:most], relevant)


def _read_pages(folder: Path, most: int) -> Set:
    """A set of long pages: each question has the spans that answer it as its `gold`."""
    lines = {name: (folder / f"{name}.jsonl").read_text("utf-8").splitlines() for name in ("pages", "queries")}
    questions = [json.loads(line) for line in lines["queries"]]
    random.Random(0).shuffle(questions)  # noqa: S311
    pages = [{**json.loads(line), "title": ""} for line in lines["pages"]]
    return Set(folder.name, pages, questions[:most], {}, has_spans=True)


async def ingest(footnote: Backend, wanted: Set) -> str:
    """Write a set straight into the index, and return its project."""
    index = footnote.knowledge.index
    project = await footnote.knowledge.projects.create_project(wanted.name)
    space, model = await footnote.knowledge.spaces.ensure_space(project.id)
    for start in range(0, len(wanted.corpus), _AT_ONCE):
        documents, rows, texts = list[models.Document](), list[dict[str, Any]](), list[tuple[str, str]]()
        for each in wanted.corpus[start : start + _AT_ONCE]:
            document = models.Document(
                id=models.new_id(),
                project_id=project.id,
                title=each["title"] or each["id"],
                source=each["id"],
                media_type="text/plain",
                bytes=0,
                sha256="",
                version=1,
                status="READY",
            )
            documents.append(document)
            media_type = "text/markdown" if wanted.has_spans else "text/plain"
            for chunk in chunking.split_document(parse_file(each["text"].encode(), name=None, media_type=media_type)):
                rows.append(indexing.chunk_values(document, chunk))
                texts.append((parsed_documents.join_headings(each["title"], chunk.heading), chunk.text))
        vectors = await model.embed_texts([f"{title}\n{text}" for title, text in texts], "document")
        async with footnote.database.begin() as db:
            db.add_all(documents)
            await db.flush()
            statement = insert(models.Chunk).returning(models.Chunk.id, sort_by_parameter_order=True)
            ids = (await db.scalars(statement, rows)).all()
            entries = [ChunkTerms(id, terms.count_terms(*text)) for id, text in zip(ids, texts, strict=True)]
            await db.run_sync(index.texts.add_texts, project.id, entries)
            await db.run_sync(index.vectors.add_vectors, SpaceKey.from_row(space), ids, vectors)
    return project.id


def before(text: str, words: int, sets: list[Set], own: Set, chance: random.Random) -> str:
    """`text` preceded by this many words from another set's documents."""
    if not words:
        return text
    other = chance.choice([each for each in sets if each is not own])
    found: list[str] = []
    while len(found) < words:
        found += _WORD.findall(chance.choice(other.corpus)["text"])[: words - len(found)]
    return f"{' '.join(found).capitalize()}. {text}"


def ndcg(found: SearchResult, relevant: dict[str, int]) -> float:
    """nDCG of the first ten documents; a document ranks where its best chunk does."""
    ranked = list(dict.fromkeys(passage.source or "" for passage in found.passages))[:10]
    ideal = sorted(relevant.values(), reverse=True)[:10]
    gained = sum(relevant.get(source, 0) / math.log2(at + 2) for at, source in enumerate(ranked))
    return gained / sum(grade / math.log2(at + 2) for at, grade in enumerate(ideal))


def refused(found: SearchResult) -> bool:
    """Whether nothing reaches the threshold."""
    return not found.passages or found.passages[0].score < found.threshold


async def measure(footnote: Backend, project_id: str, own: Set, sets: list[Set]) -> tuple[list[str], list[Any]]:
    """A line per number of words put before, and all scores of the plain questions."""
    lines: list[str] = []
    kept: list[Any] = []
    off = [each["text"] for other in sets if other is not own for each in other.questions[:_OTHERS]]
    for words in (0, 10, 30):
        chance = random.Random(words)  # noqa: S311
        results = [
            await footnote.knowledge.search.search_project(
                project_id, SearchQuery(before(each["text"], words, sets, own, chance))
            )
            for each in own.questions
        ]
        let_through = [
            not refused(
                await footnote.knowledge.search.search_project(
                    project_id, SearchQuery(before(text, words, sets, own, chance))
                )
            )
            for text in off
        ]
        if not words:
            kept = [[(p.source, p.position, p.score, p.lexical_score) for p in found.passages] for found in results]
        mean = sum(ndcg(found, own.relevant[q["id"]]) for q, found in zip(own.questions, results, strict=True))
        lines.append(
            f"{own.name:15} {words:2} words before   nDCG@10 {mean / len(results):.4f}   "
            f"refused {sum(map(refused, results)) / len(results):6.1%}   "
            f"off topic let through {sum(let_through) / max(1, len(let_through)):6.1%}"
        )
    return lines, kept


async def main(folder: Path, names: list[str], questions: int) -> bool:
    """Whether every set scores the same beside the others as alone."""
    sets = [read(folder / name, questions) for name in names]
    same = True
    with tempfile.TemporaryDirectory() as place:
        shared = Settings.model_validate({"database_url": f"sqlite:///{place}/all.db"})
        async with open_backend(shared, "serve") as together:
            projects = [await ingest(together, each) for each in sets]
            for own, project_id in zip(sets, projects, strict=True):
                lines, scores = await measure(together, project_id, own, sets)
                print(*lines, sep="\n", flush=True)
                single = Settings.model_validate({"database_url": f"sqlite:///{place}/{own.name}.db"})
                async with open_backend(single, "serve") as alone:
                    _, scores_alone = await measure(alone, await ingest(alone, own), own, sets)
                same = same and scores == scores_alone
                print(f"{own.name:15} alone in its file: {'the same' if scores == scores_alone else 'OTHER scores'}")
    return same


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--data", type=Path, required=True, help="folder with a folder per set")
    parser.add_argument("--questions", type=int, default=60, help="how many of each set")
    parser.add_argument("sets", nargs="*", default=["codebase", "anthropic_docs", "xquad_en", "xquad_de", "xquad_zh"])
    arguments = parser.parse_args()
    sys.exit(not asyncio.run(main(arguments.data, arguments.sets, arguments.questions)))
