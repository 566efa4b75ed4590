"""Measure the microseconds per token spent on checking citations, for answers of several shapes."""

import time

from app.rag.citations.citation_stream import CitationStream
from app.rag.citations.citation_types import CitableSource
from app.rag.context import injection
from tests.bench.measured import Row
from tests.bench.texts import documents

TOKEN = 4  # characters
SHORT, LONG = 10_000, 100_000
PASSAGES = 5
SHAPES = {
    "prose, a marker per sentence": "Integers have unlimited precision and are written without a point [1]. ",
    "prose without any paragraph": "integers have unlimited precision and so on and on, ",
    "markers alone": "[1][2][3] ",
    "invented markers": "so it is [9] ",
    "an open bracket": "[1, ",
    "an open backtick": "`[1] integers ",
    "code fences": "```\nx[1]\n```\n",
}


async def measure() -> list[Row]:
    """A row per shape: the time per token of an answer and of one ten times shorter; a ratio of 1 means linear."""
    texts = [text.decode()[:1300] for _, text in documents(1)]
    rows: list[Row] = []
    for name, shape in SHAPES.items():
        short, long = _per_token(shape, SHORT, texts), _per_token(shape, LONG, texts)
        rows.append(Row(name, f"{long:.1f} µs a token", f"an answer a tenth as long {short:.1f} µs", long / short))
    began = time.perf_counter()
    for text in texts:
        injection.contains_instructions(text)
    each = (time.perf_counter() - began) / len(texts) * 1e6
    return [*rows, Row("instructions in 1,300 characters", f"{each:.0f} µs")]


def _per_token(shape: str, length: int, texts: list[str]) -> float:
    """Microseconds per token of an answer of one shape, streamed token by token."""
    sources = [
        CitableSource(n, n, f"document-{n}", f"Title {n}", None, None, (), 0, texts[n]) for n in range(1, PASSAGES + 1)
    ]
    answer = (shape * (length // len(shape) + 1))[:length]
    checked = CitationStream(sources, "NUMBERED")
    began = time.perf_counter()
    for at in range(0, length, TOKEN):
        checked.feed(answer[at : at + TOKEN])
    checked.finish()
    return (time.perf_counter() - began) / (length / TOKEN) * 1e6
