"""The groups of an RTF file, and the properties that their words give to the text in them."""

from dataclasses import dataclass, field, replace


@dataclass(slots=True)
class TextSink:
    """Where the pieces of a group's text go, each with whether it is superscript.

    `kind` is empty for the document's text.
    """

    kind: str = ""
    pieces: list[tuple[str, bool]] = field(default_factory=list[tuple[str, bool]])


@dataclass(frozen=True, slots=True)
class RtfGroup:
    """The properties of the text in a group; they apply until it ends.

    `fallback` is the number of characters after each Unicode character that old programs read instead. `level` is that
    of a heading, or 0.
    """

    sink: TextSink
    is_skipped: bool = False
    in_fonts: bool = False
    font: int | None = None
    fallback: int = 1
    is_hidden: bool = False
    is_deleted: bool = False
    is_raised: bool = False
    level: int = 0
    in_cell: bool = False


def change_text(group: RtfGroup, word: str, number: int | None) -> RtfGroup | None:
    """The properties of the text after a word; None if the word does not change them."""
    match word:
        case "plain":
            return replace(group, font=None, is_hidden=False, is_deleted=False, is_raised=False)
        case "v":
            return replace(group, is_hidden=number != 0)
        case "deleted":
            return replace(group, is_deleted=number != 0)
        case "super":
            return replace(group, is_raised=number != 0)
        case "nosupersub" | "sub":
            return replace(group, is_raised=False)
        case "uc":
            return replace(group, fallback=max(0, number or 0))
        case "f":
            return replace(group, font=number)
        case "fonttbl":
            return replace(group, in_fonts=True)
        case _:
            return None
