"""Measure how well support scores tell an answer's true passages from similar ones.

    python -m tests.evaluation.supporting --data FOLDER

Each sentence of an answer cites its true passage, and then, swapped in, other passages of the same document. AUC is the
chance that the true one has more support; beside it plain word overlap. The limit is the support that five true pairs
in a hundred fall short of, found on one half of the questions; the other half counts.
"""

import argparse
import hashlib
import json
import random
import statistics
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app import language
from app.rag.citations import quotes

# Sets whose answers are sentences that somebody wrote, and sets where question and short answer stand for one.
WRITTEN = ("anthropic_docs", "codebase", "mtragun")
SHORT = ("xquad_en", "xquad_de", "xquad_zh")
SWAPPED = 4
FALSE_ALARMS = 0.05


@dataclass(frozen=True)
class Pair:
    """A sentence and a passage: its support, its word overlap, and whether it is the true source."""

    question: str
    true: bool
    support: float
    overlap: float


def records(path: Path) -> list[dict[str, Any]]:
    """The lines of a file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").rstrip("\n").split("\n")]


def document(passage: str) -> str:
    """The document that a passage belongs to, by its id: `URL#anchor`, `document/chunk`, `document-start-end`."""
    if "#" in passage:
        return passage.split("#")[0]
    if "/" in passage:
        return passage.rsplit("/", 1)[0]
    return passage.rsplit("-", 1 if passage.count("-") == 1 else 2)[0]


def overlap(sentence: str, passage: str) -> float:
    """The share of a sentence's words found in the passage."""
    words = set(language.split_words(sentence))
    return len(words & set(language.split_words(passage))) / len(words) if words else 0.0


def sentences(query: dict[str, Any], *, written: bool) -> list[str]:
    """The citing sentences: those of a written answer, or question and answer as one."""
    answer: str = (query.get("answers") or [""])[0]
    if not written:
        return [f"{query['text']} {answer}"]
    spans = language.sentence_spans(answer)
    return [answer[start:end] for start, end in spans if len(language.search_terms(answer[start:end])) > 3]


def pairs(folder: Path, *, written: bool) -> Iterator[Pair]:
    """All pairs of a set."""
    passages = {str(r["id"]): (str(r["text"]), str(r["title"])) for r in records(folder / "corpus.jsonl")}
    neighbors: dict[str, list[str]] = defaultdict(list)
    for passage in passages:
        neighbors[document(passage)].append(passage)
    true: dict[str, list[str]] = defaultdict(list)
    for line in (folder / "qrels.tsv").read_text(encoding="utf-8").splitlines()[1:]:
        query, passage, score = line.split("\t")
        if float(score) > 0 and passage in passages:
            true[query].append(passage)
    chance = random.Random(7)  # noqa: S311 - the same every time
    for query in records(folder / "queries.jsonl"):
        question, golden = str(query["id"]), true[str(query["id"])]
        others = [p for p in dict.fromkeys(n for g in golden for n in neighbors[document(g)]) if p not in golden]
        swapped = chance.sample(others, min(SWAPPED, len(others)))
        if not golden or not swapped:
            continue
        shown = [*golden, *swapped]
        finder = quotes.QuoteFinder({i: passages[passage] for i, passage in enumerate(shown)})
        for sentence in sentences(query, written=written):
            scored = [
                (finder.best_quote(i, sentence).support, overlap(sentence, passages[passage][0]))
                for i, passage in enumerate(shown)
            ]
            # Several passages may answer a question together: the sentence was written from the best of them.
            best = max(scored[: len(golden)])
            yield Pair(question, true=True, support=best[0], overlap=max(s[1] for s in scored[: len(golden)]))
            for score in scored[len(golden) :]:
                yield Pair(question, true=False, support=score[0], overlap=score[1])


def auc(true: Sequence[float], other: Sequence[float]) -> float:
    """The probability that one of `true` exceeds one of `other`; ties count half."""
    ranked = sorted([(value, 1) for value in true] + [(value, 0) for value in other])
    total, at = 0.0, 0
    while at < len(ranked):
        end = at
        while end < len(ranked) and ranked[end][0] == ranked[at][0]:
            end += 1
        total += sum(kind for _, kind in ranked[at:end]) * (at + end + 1) / 2
        at = end
    return (total - len(true) * (len(true) + 1) / 2) / (len(true) * len(other))


def calibrating(pair: Pair) -> bool:
    """Whether a pair belongs to the half used for calibration."""
    return hashlib.sha256(pair.question.encode()).digest()[0] % 2 == 0


def limit(sets: Iterable[Sequence[Pair]]) -> float:
    """The support that a share FALSE_ALARMS of the true pairs falls below, with every set weighted equally."""
    halves = [[p.support for p in found if p.true and calibrating(p)] for found in sets]
    ranked = sorted((value, 1 / len(half) / len(halves)) for half in halves for value in half)
    below = 0.0
    for value, weight in ranked:
        below += weight
        if below > FALSE_ALARMS:
            return value
    raise ValueError("no pairs")


def caught(found: Sequence[Pair], bound: float) -> tuple[float, float]:
    """The shares of true and of swapped pairs below a limit, in the evaluation half."""
    true = [pair.support < bound for pair in found if pair.true and not calibrating(pair)]
    other = [pair.support < bound for pair in found if not pair.true and not calibrating(pair)]
    return sum(true) / len(true), sum(other) / len(other)


def main() -> None:
    """A line per set, then the limit."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--data", type=Path, required=True, help="folder of sets with questions and passages")
    folder = parser.parse_args().data
    everything: dict[str, list[Pair]] = {}
    for name in (*WRITTEN, *SHORT):
        began = time.process_time()
        found = everything[name] = list(pairs(folder / name, written=name in WRITTEN))
        taken = (time.process_time() - began) * 1000 / len(found)
        columns = [
            auc([getattr(p, kind) for p in found if p.true], [getattr(p, kind) for p in found if not p.true])
            for kind in ("support", "overlap")
        ]
        print(f"  {name:15} {len(found):6} pairs   AUC support {columns[0]:.3f}   overlap {columns[1]:.3f}   "
              f"{taken:.2f} ms a pair")  # fmt: skip
    print(
        f"\n  limit on the first half: {limit(everything.values()):.3f}; ours: {quotes.WEAK_SUPPORT}. "
        "Under ours, second half:"
    )
    shares: dict[str, tuple[float, ...]] = {
        name: caught(found, quotes.WEAK_SUPPORT) for name, found in everything.items()
    }
    shares["mean"] = tuple(statistics.mean(column) for column in zip(*shares.values(), strict=True))
    for name, (true, swapped) in shares.items():
        print(f"  {name:15} true {true:6.1%}   swapped {swapped:6.1%}")


if __name__ == "__main__":
    main()
