"""Rows of tables: a list shows all of them or says that it goes on, and what is compared stands side by side."""

from tests.embedded.extractive.quoting import answer

BIKES = """| Bike | Per day (EUR) | Per week (EUR) |
|---|---|---|
| City bike | 14 | 70 |
| Mountain bike | 25 | 130 |
| E-bike | 38 | 199 |
| Cargo bike | 45 | 240 |
| Folding bike | 18 | 90 |
| Tandem | 40 | 210 |
"""
SERVICES = """| Service | Price (EUR) | Includes |
|---|---|---|
| Basic service | 49 | gears adjusted |
| Full service | 119 | all of the basic service, wheels trued |
| Puncture repair | 15 | new tube |
"""
STOCK = """| Item | Place | Pieces |
|---|---|---|
| Office chair | Hall 2 | 6 |
| Standing desk | Hall 2 | 3 |
| Whiteboard | Hall 1 | 2 |
"""


def names(question: str, text: str) -> list[str]:
    return [row.split(",")[0].split(": ")[-1] for row in answer(question, text)]


def test_a_list_of_a_table_has_all_rows() -> None:
    every = ["City bike", "Mountain bike", "E-bike", "Cargo bike", "Folding bike", "Tandem"]
    assert names("List all bikes that can be rented", BIKES) == every
    assert names("Which bikes cost less than 50 per day?", BIKES) == every


def test_a_list_of_a_long_table_says_that_it_goes_on() -> None:
    rows = "\n".join(f"| Bike {letter} | {number} |" for number, letter in enumerate("ABCDEFGHIJKLMNOPQRST", 10))
    said = answer("List all bikes that can be rented", f"| Bike | Per day (EUR) |\n|---|---|\n{rows}\n")
    assert len(said) == 13
    assert said[-1] == "…"


def test_rows_that_are_compared_are_all_shown() -> None:
    assert names("Compare the full service and the basic service", SERVICES) == ["Basic service", "Full service"]
    assert names("Is the city bike or the tandem cheaper?", BIKES) == ["City bike", "Tandem"]
    assert names("How much does the full service cost?", SERVICES) == ["Full service"]


def test_a_number_belongs_to_the_word_before_it() -> None:
    assert names("Which items are in Hall 2?", STOCK) == ["Office chair", "Standing desk"]
