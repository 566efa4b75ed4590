"""Tables are found in markup and plain text, however they are drawn."""

import random

import pytest

from app.knowledge.chunking import split_document
from app.knowledge.parsing.dispatch import parse_file


def test_tables_in_code_stay_as_they_are() -> None:
    source = "```\n| a | b |\n|---|---|\n| 1 | 2 |\n```\n\ntext\n\n| x\n"
    assert parse_file(source.encode(), name="a.md").text == source


@pytest.mark.parametrize(
    "source",
    [
        '[%header,format=csv]\n|===\nCity,Name\n"Rome, Italy",Ada\n|===',
        '[%header,format=csv]\n.People\n|===\nCity,Name\n"Rome, Italy",Ada\n|===',
        ',===\nCity,Name\n\n"Rome, Italy",Ada\n,===',
        '[format="csv",separator=";",options="header"]\n|===\nCity;Name\nRome, Italy;Ada\n|===',
        "[%header,format=tsv]\n|===\nCity\tName\nRome, Italy\tAda\n|===",
        "[options=header]\n:===\nCity:Name\nRome, Italy:Ada\n:===",
    ],
)
def test_tables_of_asciidoc_may_have_a_line_for_each_row(source: str) -> None:
    document = parse_file(f"= Words\n\n{source}\n\nMore.".encode(), name="a.adoc")
    assert "| City: Rome, Italy; Name: Ada\n" in document.text


def test_odd_markup_is_read() -> None:
    pieces = [
        "| a ",
        "|",
        "---",
        "\n",
        "+--+",
        "| - ",
        "===",
        "* - x",
        ".. csv-table::\n  :header: a\n",
        "  ",
        "x",
        "::\n",
        ",===\n",
        "[format=csv]\n",
    ]
    choose = random.Random(5)  # noqa: S311
    for _ in range(3_000):
        text = "".join(choose.choice(pieces) for _ in range(choose.randint(1, 30))) + "word"
        for name in ("a.md", "a.rst", "a.adoc", "a.csv", "a.txt"):
            document = parse_file(text.encode(), name=name)
            assert "word" in document.text
            assert all("\n" not in heading.text for heading in document.headings)
            list(split_document(document))


@pytest.mark.parametrize(
    ("source", "text"),
    [
        (
            "<table>\n<tr><th>Berth</th>\n<th>Fee &amp; tax</th></tr>\n<tr><td>**North**<td>120</td></tr>\n</table>",
            "| Berth: North; Fee & tax: 120",
        ),
        ("<table><tr><td>Berth<td>Fee<tr><td>North<td>120<tr><td>South<td>195</table>", "| Berth: North; Fee: 120\n"),
        ("<table><tr><th>Berth<th>Fee<tr><td><table><tr><td>North</table>", "<th>Berth<th>Fee"),
        ("<table><tr><td>\n\n# Berths\n\n</td></tr>\n</table>", "<table><tr><td>\n\n# Berths"),
        ("```\n<table><tr><td>North</td></tr></table>\n```", "<table><tr><td>North"),
        ("<table><tr><td><img src=a.png></td></tr></table>", "<img src=a.png>"),
        ("Berth  Fee\n-----  ---\nNorth  120\nSouth  195", "| Berth: North; Fee: 120\n| Berth: South; Fee: 195"),
        ("A paragraph ends\n-----  ---\nand another begins", "A paragraph ends\n-----  ---\nand another begins"),
    ],
)
def test_tables_of_markdown_may_be_html_or_dashes(source: str, text: str) -> None:
    document = parse_file(f"# Words\n\n{source}\n\nMore.".encode(), name="a.md")
    assert text in document.text
    assert document.text.endswith("More.")


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("Berth       Fee\nNorth       120.00\nSouth       95.00", "| Berth: North; Fee: 120.00\n| Berth: South"),
        (
            "Berth       Fee      Deposit\nNorth       120.00      50.00\nSouth       95.00       40.00\n",
            "| Berth: North; Fee: 120.00; Deposit: 50.00\n| Berth: South; Fee: 95.00; Deposit: 40.00",
        ),
        # An empty cell, a line of dashes, and numbers that end below each other.
        (
            "Berth    Fee   Owner\n-------------------\nNorth  120.0   Lee\nSouth          Kim\nEast    95.0   Roe",
            "| Berth: South; Owner: Kim\n| Berth: East; Fee: 95.0; Owner: Roe",
        ),
        (
            "             2024    2025\nBoats         31      40\nMembers      210     198",
            "| Boats; 2024: 31; 2025: 40",
        ),
        ("Liegeplatz      Nord\nLänge           12 m\nBaujahr         1987", "| Liegeplatz: Nord\n| Länge: 12 m\n"),
        (
            "泊位        费用      押金\n北一号      120元     50元\n南二十号    95元      40元",
            "| 泊位: 南二十号; 费用: 95元; 押金: 40元",
        ),
        ("Berth\tFee\tOwner\nNorth\t120\tLee\nSouth\t95\tKim", "| Berth: North; Fee: 120; Owner: Lee"),
        # Two spaces behind full stops, code, columns of a page, and a run that no header stands above are no tables.
        ("It rains.  We stay.\nThe sun is out.  We sail.\nAll is well.  We sleep.", "It rains.  We stay.\nThe sun"),
        ("a = 1      # first\nbb = 2     # second\nccc = 3    # third", "a = 1      # first\nbb = 2"),
        ("12:00    INFO    begun\n12:01    INFO    done\n12:02    INFO    gone", "12:00    INFO    begun\n12:01"),
        ("North    120\nSouth    95", "North    120\nSouth    95"),
    ],
)
def test_tables_of_plain_text_are_made_of_spaces(source: str, text: str) -> None:
    document = parse_file(f"Words.\n\n{source}\n\nMore.".encode(), name="a.txt")
    assert text in document.text
    assert document.text.startswith("Words.\n\n")
    assert document.text.endswith("More.")
