"""The same words stand in a prompt once: overlaps of neighboring chunks, and near-duplicates of a passage."""

import contextlib
import json
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from app.cli.commands import cli

Footnote = Callable[..., Any]

BIRDS = ["lark", "wren", "crow", "kite", "swan", "ibis", "rook", "teal", "dove", "gull", "hawk", "tern", "coot", "knot"]
SENTENCES = [
    f"Station {number} of the mill survey counted {number * 7} pairs of the {bird} near the old water wheel in spring."
    for number, bird in enumerate(BIRDS * 3, 1)
]
QUESTION = "What did the mill survey count near the old water wheel in spring?"
TERMS = (
    "The rental contract of the orchard runs for seven years and ends in autumn. The tenant prunes all apple trees in "
    "winter, repairs the fences, and pays {rent} euros a month to {owner}. The contract can be ended with a notice of "
    "six months, which both parties must sign. Tools in the barn may be used and are returned clean. "
    "Water is taken from the brook behind the mill, at most forty buckets a day, and never while fish spawn. Beehives "
    "stay where they are; their keeper may pass at any time, and leaves a jar of honey on the sill each August."
)
ASKED = "What does the tenant of the orchard pay a month?"


@pytest.fixture(scope="module")
def footnote(tmp_path_factory: pytest.TempPathFactory) -> Generator[Footnote]:
    """Run `footnote` with `--json` in a folder with the projects “survey” and “orchard”."""
    folder = tmp_path_factory.mktemp("repeated")
    (folder / "survey.txt").write_text(" ".join(SENTENCES))
    first = TERMS.format(rent=400, owner="Anna Maler")
    texts = {
        "a.txt": first,
        "same.txt": first.upper().replace(".", " ."),
        "shorter.txt": first.replace(", which both parties must sign", ""),
        "dearer.txt": TERMS.format(rent=450, owner="Anna Maler"),
        "other.txt": TERMS.format(rent=400, owner="Bruno Maler"),
    }
    (folder / "orchard").mkdir()
    for name, text in texts.items():
        (folder / "orchard" / name).write_text(text)

    def run(*arguments: str) -> Any:
        result = CliRunner().invoke(cli, list(arguments))
        assert result.exit_code == 0, (result.output, result.exception)
        return json.loads(result.stdout) if "--json" in arguments else result.stdout

    with contextlib.chdir(folder):
        run("ingest", "survey.txt", "-p", "survey")
        run("ingest", "orchard", "-p", "orchard")
        yield run


def test_neighboring_chunks_repeat_nothing_in_the_prompt(footnote: Footnote) -> None:
    asked = (QUESTION, "-p", "survey", "--json")
    chunks = [result["text"] for result in footnote("search", *asked, "-n", "50")["results"]]
    assert len(chunks) > 2
    overlapping = [sentence for sentence in SENTENCES if sum(sentence in chunk for chunk in chunks) == 2]
    assert len(overlapping) >= len(chunks) - 1, "chunks overlap by at least a sentence"
    seen = footnote("preview", *asked, "--messages", "--set", "ragTopK=50")
    assert [candidate["decision"] for candidate in seen["budget"]["candidates"]] == ["INCLUDED"] * len(chunks)
    prompt = seen["messages"][0]["content"]
    assert [sentence for sentence in SENTENCES if prompt.count(sentence) != 1] == []
    context = next(segment for segment in seen["budget"]["segments"] if segment["kind"] == "CONTEXT")
    assert context["tokens"] < sum(candidate["tokens"] for candidate in seen["budget"]["candidates"])


def test_a_lone_chunk_is_shown_whole(footnote: Footnote) -> None:
    asked = (QUESTION, "-p", "survey", "--json")
    [best] = footnote("search", *asked, "-n", "1")["results"]
    seen = footnote("preview", *asked, "--messages", "--set", "ragTopK=1")
    assert best["text"] in seen["messages"][0]["content"]


def test_quotes_of_trimmed_passages_are_in_their_chunks(footnote: Footnote) -> None:
    chunks = footnote("search", QUESTION, "-p", "survey", "--json", "-n", "50")["results"]
    for number in (1, 12, 20, 30, 42):
        question = f"How many pairs of birds did station {number} of the mill survey count?"
        answer = footnote("ask", question, "-p", "survey", "--json", "--set", "ragTopK=50")
        assert SENTENCES[number - 1] in {citation["quote"] for citation in answer["citations"]}
        assert all(any(citation["quote"] in chunk["text"] for chunk in chunks) for citation in answer["citations"])


def test_near_duplicates_count_once_unless_they_say_something_new(footnote: Footnote) -> None:
    candidates = footnote("preview", ASKED, "-p", "orchard", "--json")["budget"]["candidates"]
    decisions = {candidate["documentTitle"]: candidate["decision"] for candidate in candidates}
    alike = sorted(decisions.pop(name) for name in ("a.txt", "same.txt", "shorter.txt"))
    assert decisions == {"dearer.txt": "INCLUDED", "other.txt": "INCLUDED"}
    assert alike in (["DUPLICATE", "DUPLICATE", "INCLUDED"], ["DUPLICATE", "INCLUDED", "INCLUDED"])
    assert len(footnote("search", ASKED, "-p", "orchard", "--json")["results"]) == 2 + alike.count("INCLUDED")


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("تُدفع الأجرة الشهرية للبستان إلى أحمد في أول كل شهر، وإيجار البستان ٤٠٠ دينار.", "كم إيجار البستان؟"),
        ("हिन्दी पुस्तकालय पञ्जाब में है। हिन्दी पुस्तकालय का सम्बन्ध विश्वविद्यालय से है।", "हिन्दी पुस्तकालय कहाँ है?"),
    ],
)
def test_near_duplicates_are_known_by_their_words_as_compared(footnote: Footnote, text: str, question: str) -> None:
    """Of some scripts, words are compared without points, and in one of several spellings."""
    name = text.split()[0]
    Path(f"{name}-first.txt").write_text(text)
    Path(f"{name}-second.txt").write_text(text + " …")
    footnote("ingest", f"{name}-first.txt", f"{name}-second.txt", "-p", name)
    candidates = footnote("preview", question, "-p", name, "--json")["budget"]["candidates"]
    assert sorted(candidate["decision"] for candidate in candidates) == ["DUPLICATE", "INCLUDED"]
