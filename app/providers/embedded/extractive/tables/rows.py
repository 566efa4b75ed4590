"""Find the row and the column of a table that a question asks for. Pure.

Rows omit cells without a value; the rest of such a row must not be taken for the answer.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from app import language
from app.providers import base
from app.providers.embedded.extractive import identifiers, mismatches, scoring
from app.providers.embedded.extractive.kinds import QuestionTraits
from app.providers.embedded.extractive.tables import cells, conditions
from app.providers.embedded.extractive.tables.comparing import ComparedTable
from app.providers.embedded.extractive.units import QuotableUnit

# The least share of a header's words (in Chinese, pairs of characters) with which a question names its column.
_NAMED, _NAMED_CJK = 0.5, 0.3
_ENDING = 3  # the most letters by which forms of a word differ
# A number next to the header of the label column: line 4, Linie Nr. 4, 4号线路.
_LABELLED = r"(?<!\w){0}\w{{0,2}} ?(?:n[or]\. ?|number )?([a-z]?\d++[a-z]?)(?![\w.,]*\d)|(?<![a-z\d.-])(\d++) ?号?{0}"
# A name with a number in one cell: hall 2, Raum 12.
_NUMBERED = re.compile(r"(?<!\w)[^\W\d_]{3,} \d{1,4}(?![\w.,]*\d)")
_RANGE = re.compile(r"\d\s*[-\u2013\u2014,]\s*\d")
_CJK = re.compile(f"[{language.CJK}]")


@dataclass(frozen=True, slots=True)
class _AskedTable:
    """The rows of a table, the columns that the question asks for, and the question's words in each row, by `id`."""

    rows: Sequence[QuotableUnit] = ()
    asked_columns: frozenset[str] = frozenset()
    shared_terms: Mapping[int, frozenset[str]] = field(default_factory=dict[int, frozenset[str]])

    def named_rows(self, unit: QuotableUnit) -> list[QuotableUnit]:
        """The rows with most of the question's words, at least as many as `unit` has; none if that is ambiguous.

        Words that all rows have, and words in the requested column, do not count.
        """
        shared = self.shared_terms
        common = frozenset[str].intersection(*shared.values()) if shared else frozenset[str]()
        own = shared.get(id(unit), common)
        above = {terms for terms in shared.values() if terms >= own and terms > common}
        most = max(above, key=len, default=common)
        if not above or not all(terms <= most for terms in above):
            return []
        return [row for row in self.rows if shared[id(row)] == most]

    def lacks_cell(self, row: QuotableUnit) -> bool:
        """Whether this row lacks a cell in a requested column that other rows have."""
        return bool(self.asked_columns) and self.asked_columns.isdisjoint(column for column, _ in row.cells)


class Tables:
    """The tables among `found`: rows of one document with the same header of their first column.

    `texts` are the passages' texts with their titles and headings.
    """

    def __init__(
        self,
        question: str,
        traits: QuestionTraits,
        passages: Sequence[base.PromptPassage],
        texts: Sequence[str],
        all_units: Sequence[QuotableUnit],
        found: Iterable[QuotableUnit],
    ) -> None:
        self._question, self._traits, self._passages, self._texts = question, traits, passages, texts
        self._attribute = mismatches.find_attribute(question)
        self._edges = _find_open_edges(passages, all_units)
        self._terms = frozenset(map(scoring.rough_stem, scoring.question_terms(question)))
        self._words = [(scoring.rough_stem(word), len(word)) for word in traits.words]
        self._stems = frozenset(stem for stem, _ in self._words)
        self._numbered = [(found[0].lower(), _whole_name_pattern(found[0])) for found in _NUMBERED.finditer(question)]
        self._rows: dict[tuple[str, str], list[QuotableUnit]] = {}
        self._tables: dict[tuple[str, str], _AskedTable] = {}
        for unit in found:
            if (key := self._table_key(unit)) is not None:
                self._rows.setdefault(key, []).append(unit)

    def choose_rows(self, chosen: Sequence[QuotableUnit]) -> list[QuotableUnit] | None:
        """The chosen units, with rows that the question does not name dropped, or replaced by the one that it names.

        If the question has conditions on the cells of a table, the rows that meet them. None if the best unit's
        table has no row for what the question names, no value in the cell asked for, or no row that is known to meet
        the conditions.
        """
        if any(map(self._lacks_label, {key for unit in chosen if (key := self._table_key(unit))})):
            return None
        if len(joined := self._joined_rows(chosen[0])) > 1:
            return joined
        if (compared := self._compare_rows(chosen)) is not None:
            return compared or None
        table = self._table_of(chosen[0])  # without rows where those of the text have no headers
        if table.rows and chosen[0].kind == "ROW" and self._traits.list and conditions.asks_rows(self._question):
            return self._list_rows(table)
        kept: list[QuotableUnit] = []
        for unit in chosen:
            named = self._named_rows(unit)
            kept += [unit] if not named or unit in named else [row for row in named if row not in chosen]
        first = self._named_rows(chosen[0])
        if self._lacks_row(chosen[0]) if not first else all(map(table.lacks_cell, first)):
            return None
        return list({id(unit): unit for unit in kept}.values())

    def _joined_rows(self, unit: QuotableUnit) -> list[QuotableUnit]:
        """The rows of a unit's table that the question names together: A and B, A or B, cheaper than B.

        A name inside a longer name of the question does not count: Kestrel 40 in Kestrel 40 Pro.
        """
        if not conditions.joins_names(self._question):
            return []
        names = {id(row): self._row_name(row) for row in self._table_of(unit).rows if self._has_whole_name(row)}
        meant = [name for name in names.values() if not any(name < other for other in names.values())]
        return [row for row in self._table_of(unit).rows if names.get(id(row)) in meant]

    def _list_rows(self, table: _AskedTable) -> list[QuotableUnit] | None:
        """All rows if the question asks for a list, not only the few that are most similar to it.

        None if no row has a value in the requested column.
        """
        rows = self._rows_in_question(table)
        return None if all(map(table.lacks_cell, rows)) else list(rows)

    def _compare_rows(self, chosen: Sequence[QuotableUnit]) -> list[QuotableUnit] | None:
        """The rows of the best table that meet the conditions of the question; None if it has none for this table."""
        best = next((unit for unit in chosen if self._table_key(unit) is not None), None)
        if best is not chosen[0] and conditions.is_extreme(chosen[0].text):
            return None
        if self._compares_columns(chosen[0]):
            return [chosen[0]]
        table = self._table_of(best) if best is not None else self._only_table_in_question()
        if table is None:
            return None
        complete = not self._edges & {id(row) for row in table.rows} and len({row.heading for row in table.rows}) == 1
        compared = ComparedTable(self._rows_in_question(table), table.asked_columns, complete)
        rows = compared.choose_rows(self._question)
        return None if rows is None else list(rows)

    def _compares_columns(self, row: QuotableUnit) -> bool:
        """Whether the question asks for an extreme among the columns of a row."""
        if row.kind != "ROW" or not row.cells or not conditions.is_extreme(self._question):
            return False
        # The column of row names may have no header.
        has_header = row.text.startswith(f"{row.cells[0][0]}: ")
        name = row.cells[0][1] if has_header else row.text.partition(";")[0]
        values = [value for _, value in row.cells[has_header:]]
        return len(values) > 1 and self._named_share(name) > 0 and cells.read_amounts(values) is not None

    def _only_table_in_question(self) -> _AskedTable | None:
        """The only table with a column that a question for an extreme names; prose may repeat more of its words."""
        if not conditions.is_extreme(self._question) or not conditions.asks_rows(self._question):
            return None
        tables = [table for rows in self._rows.values() if (table := self._table_of(rows[0])).asked_columns]
        return tables[0] if len(tables) == 1 else None

    def _rows_in_question(self, table: _AskedTable) -> Sequence[QuotableUnit]:
        """The rows with most of the question's words, except the word for the rows themselves: rooms, boats."""
        kind = _stems([table.rows[0].cells[0][0]])
        shared = {
            id(row): (_stems(value for _, value in row.cells) & self._terms - kind) | self._numbered_names(row.text)
            for row in table.rows
        }
        most = max(shared.values(), key=len)
        return [row for row in table.rows if shared[id(row)] == most] if len(most) else table.rows

    def _lacks_label(self, key: tuple[str, str]) -> bool:
        """Whether the question has a number after the header of the first column that no row and no text has."""
        labels = "\n".join(row.cells[0][1] for row in self._rows[key])
        words = language.split_words(key[1])
        if not words or _RANGE.search(labels):
            return False
        header, said = re.escape(words[-1]), "\n".join(self._texts)
        labelled = re.compile(_LABELLED.format(header), re.IGNORECASE)
        return any(
            not _find_word(rf"(?<!\w){number}", labels) and not _find_word(rf"{header}\W+{number}", said)
            for number in map("".join, labelled.findall(self._question))
        )

    def _table_key(self, unit: QuotableUnit) -> tuple[str, str] | None:
        return (self._passages[unit.passage].title, unit.cells[0][0]) if unit.cells and unit.cells[0][0] else None

    def _table_of(self, unit: QuotableUnit) -> _AskedTable:
        """The table of a unit, read once; an empty table if the unit is in none."""
        key = self._table_key(unit)
        if key is None:
            return _AskedTable()
        if key not in self._tables:
            rows = self._rows[key]
            columns = self._requested_columns(rows)
            self._tables[key] = _AskedTable(rows, columns, {id(row): self._shared_terms(row, columns) for row in rows})
        return self._tables[key]

    def _named_rows(self, unit: QuotableUnit) -> list[QuotableUnit]:
        """The rows of a unit's table that the question names; only those named completely, if there are any.

        A row named like the requested attribute is meant itself: weight, for how heavy something is.
        """
        if self._attribute and unit.cells and self._attribute.search(unit.cells[0][1]):
            return [unit]
        best = self._table_of(unit).named_rows(unit)
        return [row for row in best if self._has_whole_name(row)] or best

    def _shared_terms(self, row: QuotableUnit, asked_columns: frozenset[str]) -> frozenset[str]:
        """The words and numbers of the question in a row, except in a requested column."""
        text = "\n".join(value for column, value in row.cells if column not in asked_columns)
        numbers = {number.pattern for number in self._traits.numbers if number.search(text)}
        return (self._terms & _stems([text])) | numbers | self._numbered_names(text)

    def _numbered_names(self, text: str) -> frozenset[str]:
        """The question's names with numbers that a text has: hall 2, but not hall in one cell and 2 in another."""
        return frozenset(name for name, pattern in self._numbered if pattern.search(text))

    def _has_whole_name(self, row: QuotableUnit) -> bool:
        """Whether the question has all words of the first cell: Kestrel 40, but not Kestrel 40 Pro."""
        return self._row_name(row) <= self._stems

    def _row_name(self, row: QuotableUnit) -> frozenset[str]:
        return _stems([row.cells[0][1]])

    def _lacks_row(self, row: QuotableUnit) -> bool:
        """Whether the question asks for a column about something that no passage names."""
        return (
            row.kind == "ROW"
            and not self._traits.list
            and bool(self._table_of(row).asked_columns)
            and identifiers.lacks_thing(self._question, self._texts)
        )

    def _requested_columns(self, rows: Sequence[QuotableUnit]) -> frozenset[str]:
        """The columns that the question names best, or else those of its attribute, or with amounts in its unit."""
        found = [(column, value) for row in rows for column, value in row.cells[1:] if column]
        shares = {column: self._named_share(column) for column in {column for column, _ in found}}
        best = max(shares.values(), default=0.0)
        if best:
            return frozenset(column for column, share in shares.items() if share == best)
        if self._attribute and (named := frozenset(filter(self._attribute.search, shares))):
            return named
        wanted = next(iter(self._traits.forms), self._traits.measure)
        return frozenset(column for column, value in found if wanted and wanted.search(value))

    def _named_share(self, column: str) -> float:
        """The share of a header's words that the question has; 0 if it is too small."""
        words = language.search_terms(column)
        share = sum(self._has_word(word) for word in words) / max(1, len(words))
        return share if share >= (_NAMED_CJK if _CJK.search(column) else _NAMED) else 0.0

    def _has_word(self, word: str) -> bool:
        """Whether the question has a word in some form; compounds do not count."""
        stem = scoring.rough_stem(word)
        return any(other == stem and abs(length - len(word)) <= _ENDING for other, length in self._words)


def _find_open_edges(passages: Sequence[base.PromptPassage], all_units: Sequence[QuotableUnit]) -> frozenset[int]:
    """The units, by `id`, at an edge of a passage where their document continues with text that is not shown."""
    edges: set[int] = set()
    for at, passage in enumerate(passages):
        units = [unit for unit in all_units if unit.passage == at]
        edges |= {id(unit) for unit in units[:1] if passage.cut_before} | {
            id(unit) for unit in units[-1:] if passage.cut_after
        }
    return frozenset(edges)


def _stems(texts: Iterable[str]) -> frozenset[str]:
    return frozenset(scoring.rough_stem(word) for text in texts for word in language.split_words(text))


def _whole_name_pattern(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(name)}(?![\w.,]*\d)", re.IGNORECASE)


def _find_word(pattern: str, text: str) -> bool:
    return re.compile(rf"{pattern}(?!\w)", re.IGNORECASE).search(text) is not None
