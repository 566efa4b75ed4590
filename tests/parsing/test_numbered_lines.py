"""Lines, rows and records that citations name have the numbers that other programs show, whatever is in them."""

import pytest

from app.knowledge.parsing.dispatch import parse_file

INNER = ["\x0b", "\x0c", "\x85", "\u2028", "\u2029"]


@pytest.mark.parametrize("inner", INNER)
def test_lines_of_code_end_where_editors_end_them(inner: str) -> None:
    found = parse_file(f"one = 1\n{inner}\ntwo = '{inner}'\r\nthree = 3\rfour = 4\n".encode(), name="a.py")
    numbers = {found.text[place.start : place.end].split(" ")[0]: place.number for place in found.places}
    assert {name: numbers[name] for name in ("one", "two", "three", "four")} == {
        "one": 1,
        "two": 3,
        "three": 4,
        "four": 5,
    }


@pytest.mark.parametrize("inner", INNER)
def test_cells_hold_characters_that_end_lines_elsewhere(inner: str) -> None:
    found = parse_file(f"Town,Note\nRome,old{inner}walls\nOslo,new\n".encode(), name="a.csv")
    assert found.text == "| Town: Rome; Note: old walls\n| Town: Oslo; Note: new"
    assert [(place.unit, place.number) for place in found.places] == [("row", 2), ("row", 3)]


@pytest.mark.parametrize("inner", ["\u2028", "\u2029", "\x85"])
def test_strings_of_json_hold_characters_that_end_lines_elsewhere(inner: str) -> None:
    record = f'{{"town": "Rome", "note": "old{inner}walls"}}'
    written = "| town: Rome; note: old walls"
    lines = parse_file(f"{record}\n{record}\n".encode(), name="a.jsonl")
    assert lines.text == f"{written}\n{written}"
    assert [(place.unit, place.number) for place in lines.places] == [("line", 1), ("line", 2)]
    records = parse_file(f"[{record}, {record}]".encode(), name="a.json")
    assert records.text == f"{written}\n{written}"
    assert [(place.unit, place.number) for place in records.places] == [("record", 1), ("record", 2)]


def test_a_name_that_is_repeated_in_json_keeps_all_of_its_values() -> None:
    found = parse_file(b'[{"to": "Ada", "to": "Eva", "paid": 3}, {"to": "Ivo", "paid": 5}]', name="a.json")
    assert found.text == "| to: Ada, Eva; paid: 3\n| to: Ivo; paid: 5"
