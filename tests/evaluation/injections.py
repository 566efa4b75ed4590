"""Measure the injection detector: how many hostile and how many ordinary texts it flags.

    python -m tests.evaluation.injections --injections FOLDER --data FOLDER [--show]

`--injections` holds files `*.jsonl` of `{"text": …, "group": …}`: README.md says where they come from. They are split
in two halves by a hash of the group (or text): the phrases were written from the first, and the second counts.
`--data` holds sets of `corpus.jsonl` or `pages.jsonl` of ordinary texts, which are cut into passages as in the product.
"""

import argparse
import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from app.knowledge.chunking import split_document
from app.knowledge.parsing.dispatch import parse_file
from app.rag.context import injection


@dataclass
class Count:
    """How many of how many texts were flagged."""

    flagged: int = 0
    all: int = 0

    def add(self, flagged: bool) -> None:
        """One more."""
        self.flagged += flagged
        self.all += 1

    def __str__(self) -> str:
        share = self.flagged / self.all if self.all else 0.0
        return f"{self.flagged:5} of {self.all:6}  {share:6.1%}"


def records(path: Path) -> Iterator[dict[str, str]]:
    """The lines of a file."""
    for line in path.read_text(encoding="utf-8").rstrip("\n").split("\n"):  # splitlines() also cuts at U+2028
        yield json.loads(line)


def unseen(record: dict[str, str]) -> bool:
    """Whether a text belongs to the held-out half, unseen when the phrases were written."""
    return hashlib.sha256((record.get("group") or record["text"]).encode()).digest()[0] % 2 == 1


def recall(folder: Path, *, show: bool) -> None:
    """A line per corpus with both halves. Only texts of the first half are ever shown."""
    totals = Count(), Count()
    for path in sorted(folder.glob("*.jsonl")):
        halves = Count(), Count()
        for record in records(path):
            half, flagged = unseen(record), injection.contains_instructions(record["text"])
            halves[half].add(flagged)
            totals[half].add(flagged)
            if show and not half and not flagged:
                print(f"      missed: {' '.join(record['text'].split())[:200]}")
        print(f"  {path.stem:22} looked at {halves[0]}     not looked at {halves[1]}")
    print(f"  {'all':22} looked at {totals[0]}     not looked at {totals[1]}")


def false_alarms(folder: Path, *, show: bool) -> None:
    """A line per set of ordinary documents: flagged passages and flagged documents."""
    all_passages, all_documents = Count(), Count()
    for path in sorted([*folder.glob("*/corpus.jsonl"), *folder.glob("*/pages.jsonl")]):
        passages, documents = Count(), Count()
        for record in records(path):
            found = False
            text = record["text"].strip()
            for chunk in split_document(parse_file(text.encode(), name="document.md")) if text else ():
                flagged = injection.contains_instructions(chunk.text)
                found = found or flagged
                passages.add(flagged)
                all_passages.add(flagged)
                if show and flagged:
                    print(f"      {path.parent.name} {record['id']}: {injection.find_instructions(chunk.text)!r}")
            documents.add(found)
            all_documents.add(found)
        print(f"  {path.parent.name:22} passages {passages}     documents {documents}")
    print(f"  {'all':22} passages {all_passages}     documents {all_documents}")


def main() -> None:
    """Both halves of the question."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--injections", type=Path, help="folder of *.jsonl with injections")
    parser.add_argument("--data", type=Path, help="folder of sets with ordinary documents")
    parser.add_argument("--show", action="store_true", help="show what was missed and what was flagged wrongly")
    arguments = parser.parse_args()
    if arguments.injections:
        print("Injections flagged")
        recall(arguments.injections, show=arguments.show)
    if arguments.data:
        print("Ordinary texts flagged")
        false_alarms(arguments.data, show=arguments.show)


if __name__ == "__main__":
    main()
