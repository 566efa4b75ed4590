"""Choose the rows of a table whose cells meet a question's conditions. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.providers.embedded.extractive.tables import cells, conditions
from app.providers.embedded.extractive.tables.conditions import Condition, Quantity
from app.providers.embedded.extractive.units import QuotableUnit

Rows = Sequence[QuotableUnit]


@dataclass(frozen=True, slots=True)
class ComparedTable:
    """The rows of a table that a question may be about, and the columns that the question names.

    `complete`: all rows of the table are shown, so that an extreme among them is the extreme of the table.
    """

    rows: Rows
    named: frozenset[str]
    complete: bool

    def choose_rows(self, question: str) -> Rows | None:
        """The rows that meet all conditions of the question. None if it has no condition on this table or names a row.

        Empty if cells are not comparable, no row meets the conditions, or the extreme may be in a row not shown.
        """
        if len(self.rows) == 1:
            return None
        chosen = self._choose_by_yes(question)
        for condition in conditions.find_conditions(question):
            if columns := self._columns_of(condition):
                if condition.is_extreme and not self.complete:
                    return ()
                chosen = _meet(condition, self.rows if chosen is None else chosen, columns)
            elif condition.is_extreme and condition.quantities:
                return None if _say_extreme(self.rows) else ()
        return chosen

    def _choose_by_yes(self, question: str) -> Rows | None:
        """The rows with a yes in the column that the question names; with a no if the question is negated."""
        if not conditions.asks_rows(question):
            return None
        for column in sorted(self.named):
            having = [row for row in self.rows if _cell(row, column)]
            if said := cells.read_whether([_cell(row, column) for row in having]):
                wanted = not conditions.is_denied(question)
                return [row for row, yes in zip(having, said, strict=True) if yes is wanted]
        return None

    def _columns_of(self, condition: Condition) -> list[str]:
        """The columns with the compared amounts; if there are several, those that the question names."""
        amounts = [column for column in _columns(self.rows) if _amounts(self.rows, column)]
        found = _columns_with(self.rows, amounts, condition.quantities)
        named = [column for column in found or amounts if column in self.named]
        return named or found


def _columns_with(rows: Rows, columns: Sequence[str], quantities: Sequence[Quantity]) -> list[str]:
    """The columns whose headers name one of the quantities, or else its units."""
    by_header = [column for column in columns if any(each.headers.search(column) for each in quantities)]
    return by_header or [
        column
        for column in columns
        if any(each.units.search(f"{column} {_cells(rows, column)[0]}") for each in quantities)
    ]


def _meet(condition: Condition, rows: Rows, columns: Sequence[str]) -> Rows:
    """The rows that meet the condition in every column; none if the columns do not agree."""
    chosen = [_meet_in_column(condition, rows, column) for column in columns]
    return chosen[0] if all(each == chosen[0] for each in chosen) else ()


def _meet_in_column(condition: Condition, rows: Rows, column: str) -> Rows:
    having = [row for row in rows if _cell(row, column)]
    amounts = cells.read_amounts([_cell(row, column) for row in having])
    return [having[at] for at in sorted(condition.choose(amounts))] if amounts else ()


def _amounts(rows: Rows, column: str) -> list[float] | None:
    return cells.read_amounts(_cells(rows, column))


def _columns(rows: Rows) -> list[str]:
    return list(dict.fromkeys(column for row in rows for column, _ in row.cells if column))


def _cells(rows: Rows, column: str) -> list[str]:
    return [value for row in rows if (value := _cell(row, column))]


def _cell(row: QuotableUnit, column: str) -> str:
    return next((value for header, value in row.cells if header == column), "")


def _say_extreme(rows: Rows) -> bool:
    return any(conditions.is_extreme(row.text) for row in rows)
