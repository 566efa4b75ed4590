"""Three files of each format of text and data."""

import json

from tests.files.sample import HARD, RANGE, Sample


def csv_samples() -> list[Sample]:
    return [
        Sample(
            "comma.csv",
            b'Region,Price\nNorth,"1,664"\nSouth,"1,200"\nQuarrington,"3,115"\n',
            "price Quarrington",
            (RANGE,),
            "Region: Quarrington; Price: 3,115",
        ),
        Sample(
            "semicolon.csv",
            'Ort;Größe;Notiz\nQuarrington;12,5;"zwei\nZeilen"\n'.encode("cp1252"),
            "Quarrington Größe",
            ("row 2",),
            "Ort: Quarrington; Größe: 12,5; Notiz: zwei Zeilen",
        ),
        Sample(
            "tabs.tsv",
            b"Prices of 2024\n\nRegion\tPrice\nQuarrington\t3,115\n",
            "price Quarrington",
            ("row 4",),
            "Region: Quarrington; Price: 3,115",
        ),
    ]


def json_samples() -> list[Sample]:
    shops = [
        {"shop": "Northway", "size": {"rooms": 3}},
        {"shop": "Quarrington", "size": {"rooms": 41}, "tags": ["old", "big"]},
    ]
    return [
        Sample(
            "list.json",
            json.dumps(shops).encode(),
            "Quarrington rooms",
            ("records 1\u20132",),
            "shop: Quarrington; size.rooms: 41; tags: old, big",
        ),
        Sample(
            "object.json",
            json.dumps({"name": "Shops", "shops": shops}).encode(),
            "Quarrington rooms",
            ("shops", "records 1\u20132"),
            "shop: Quarrington; size.rooms: 41",
            cited=("shops", "records 1\u20132"),  # the passage has a row before these
        ),
        Sample(
            "lines.jsonl",
            "\n".join(map(json.dumps, shops)).encode(),
            "Quarrington rooms",
            ("lines 1\u20132",),
            "shop: Quarrington; size.rooms: 41",
            cited=("line 2",),
        ),
    ]


def ipynb_samples() -> list[Sample]:
    def notebook(*cells: dict[str, object]) -> bytes:
        return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells}).encode()

    text: dict[str, object] = {"cell_type": "markdown", "source": ["# Returns\n", "\n", HARD]}
    code: dict[str, object] = {
        "cell_type": "code",
        "source": "count_quarrington(3)",
        "outputs": [{"output_type": "stream", "text": ["3115 visits\n"]}],
    }
    old = {"nbformat": 3, "worksheets": [{"cells": [text, {"cell_type": "code", "input": ["x = 1"], "outputs": []}]}]}
    return [
        Sample("text.ipynb", notebook(text), "opened software", ("cell 1",), HARD),
        Sample(
            "code.ipynb",
            notebook(code, {"cell_type": "markdown", "source": ""}),
            "count_quarrington",
            ("cell 1",),
            "count_quarrington(3)\n\n3115 visits",
        ),
        Sample("old.ipynb", json.dumps(old).encode(), "opened software", ("cells 1\u20132",), HARD),
    ]


def rst_samples() -> list[Sample]:
    rule = "+-------------+-------+\n"
    grid = f"{rule}| Region      | Price |\n+=============+=======+\n| Quarrington | 3,115 |\n{rule}"
    simple = "===========  =====\nRegion       Price\n===========  =====\nQuarrington  3,115\n===========  =====\n"
    more = "Some words that fill the section up. " * 60
    return [
        Sample(
            "text.rst",
            f"====\nShop\n====\n\n{more}\n\nReturns\n-------\n\n{HARD} {more}".encode(),
            "opened software",
            ("Returns",),
            HARD,
        ),
        Sample(
            "grid.rst",
            f"Prices\n======\n\n{grid}".encode(),
            "price Quarrington",
            (),
            "| Region: Quarrington; Price: 3,115",
        ),
        Sample(
            "simple.rst",
            f"Prices\n======\n\n{simple}\nMore.\n".encode(),
            "price Quarrington",
            (),
            "| Region: Quarrington; Price: 3,115",
        ),
    ]


def asciidoc_samples() -> list[Sample]:
    more = "Some words that fill the section up. " * 60
    return [
        Sample(
            "text.adoc",
            f"= Shop\n\n{more}\n\n== Returns\n\n{HARD} {more}".encode(),
            "opened software",
            ("Returns",),
            HARD,
        ),
        Sample(
            "table.adoc",
            b"= Prices\n\n|===\n|Region |Price\n\n|Quarrington\n|3,115\n|===\n",
            "price Quarrington",
            (),
            "| Region: Quarrington; Price: 3,115",
        ),
        Sample("code.adoc", f"= Shop\n\n----\n== no heading\n----\n\n{HARD}\n".encode(), "opened software", (), HARD),
    ]


def code_samples() -> list[Sample]:
    return [
        Sample(
            "a.py",
            b'"""Shops."""\n\n\ndef count_quarrington() -> int:\n    return 3115\n',
            "count_quarrington",
            ("lines 1\u20135",),
            "return 3115",
        ),
        Sample(
            "a.sql",
            b"select price from shops where town = 'Quarrington';\n",
            "Quarrington",
            ("line 1",),
            "select price",
        ),
        Sample(
            "a.yaml",
            b"shops:\n  - town: Quarrington\n    price: 3115\n",
            "Quarrington",
            ("lines 1\u20133",),
            "price: 3115",
        ),
    ]
