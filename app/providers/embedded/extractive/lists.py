"""Find the list, table or code block that each line introduces, and decide how much of it to quote."""

from collections.abc import Sequence

from app.providers.embedded.extractive.units import MAX_CODE, QuotableUnit

MAX_ITEMS = 8  # items of a list quoted after its introduction
MAX_LIST = 1_200  # characters of these items


class Blocks:
    """The blocks introduced by the lines in `all_units`, which must be in reading order."""

    def __init__(self, all_units: Sequence[QuotableUnit]) -> None:
        self._members: dict[int, list[QuotableUnit]] = {}
        for unit in all_units:
            if unit.introduction is not None:
                self._members.setdefault(id(unit.introduction), []).append(unit)
                self._add_to_sections(unit)

    def _add_to_sections(self, unit: QuotableUnit) -> None:
        """Count a list below a heading as part of all enclosing sections."""
        heading = unit.introduction
        while heading is not None and heading.kind == "HEADING" and (heading := heading.section) is not None:
            self._members.setdefault(id(heading), []).append(unit)

    def is_introduction(self, unit: QuotableUnit) -> bool:
        """Whether a unit introduces a list, table or code block."""
        return id(unit) in self._members

    def is_list(self, unit: QuotableUnit) -> bool:
        """Whether a unit introduces a list of at least two items."""
        return sum(each.kind == "ITEM" for each in self._members.get(id(unit), ())) > 1

    def code_below(self, unit: QuotableUnit) -> QuotableUnit | None:
        """The code block below a unit, if it is short enough to quote."""
        first = next(iter(self._members.get(id(unit), ())), None)
        return first if first is not None and first.kind == "CODE" and len(first.text) <= MAX_CODE else None

    def lines_below(self, unit: QuotableUnit) -> tuple[list[QuotableUnit], bool]:
        """The items or rows below a unit that are quoted with it, and whether they are complete."""
        lines: list[QuotableUnit] = []
        characters_left = MAX_LIST
        for each in self._members.get(id(unit), ()):
            if each.kind not in ("ITEM", "ROW"):
                continue
            characters_left -= len(each.text)
            if each.is_part or characters_left < 0 or len(lines) == MAX_ITEMS:
                return lines, False
            lines.append(each)
        return lines, True

    def text_with_lines(self, unit: QuotableUnit) -> str:
        """The text of a unit and of the lines that are quoted with it."""
        return "\n".join((unit.text, *(line.text for line in self.lines_below(unit)[0])))

    def text_with_code(self, unit: QuotableUnit) -> str:
        """Like `text_with_lines`, plus the code below the unit if it is quoted with it."""
        code = self.code_below(unit)
        return f"{self.text_with_lines(unit)}\n{code.text if code else ''}"
