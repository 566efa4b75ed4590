"""Read the text of an OpenDocument file's paragraphs and cells, with its notes and drawings."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from app.knowledge.parsing.parsers.office.package import Element
from app.knowledge.parsing.parsers.text_writer import join_pieces

NAMES = "{urn:oasis:names:tc:opendocument:xmlns:"
OFFICE = f"{NAMES}office:1.0}}"
TEXT = f"{NAMES}text:1.0}}"
TABLE = f"{NAMES}table:1.0}}"
DRAW = f"{NAMES}drawing:1.0}}"
STYLE = f"{NAMES}style:1.0}}"
SHOW = f"{NAMES}presentation:1.0}}"
# Elements that readers do not see: tracked changes, field definitions, reviewers' annotations.
UNSEEN = frozenset(
    {
        f"{TEXT}tracked-changes",
        f"{TEXT}sequence-decls",
        f"{TEXT}ruby-text",
        f"{OFFICE}forms",
        f"{OFFICE}annotation",
        f"{TEXT}note",
    }
)
_BLOCKS = frozenset({f"{TEXT}p", f"{TEXT}h", f"{TABLE}table-cell"})
_SPACES = {f"{TEXT}s": " ", f"{TEXT}tab": "\t", f"{TEXT}line-break": "\n"}


@dataclass(frozen=True, slots=True)
class OpenDocumentStyles:
    """The names of styles with a meaning."""

    titles: set[str]
    raised: set[str]
    """Of superscript text."""
    hidden: set[str]
    """Of text and slides that are not shown."""

    @classmethod
    def read(cls, content: Element) -> "OpenDocumentStyles":
        """The styles of a document that its content defines."""
        found = cls({"Title"}, set(), set())
        for style in content.iter(f"{STYLE}style"):
            name = style.get(f"{STYLE}name") or ""
            if style.get(f"{STYLE}parent-style-name") == "Title":
                found.titles.add(name)
            for properties in style:
                position = (properties.get(f"{STYLE}text-position") or "").partition(" ")[0]
                if position == "super" or (position.endswith("%") and position.strip("%0").isdecimal()):
                    found.raised.add(name)
                if properties.get(f"{TEXT}display") == "none" or properties.get(f"{SHOW}visibility") == "hidden":
                    found.hidden.add(name)
        return found


@dataclass(slots=True)
class OpenDocumentContent:
    """The text of a paragraph or cell, its notes, and what is drawn in it."""

    text: str = ""
    notes: list[Element] = field(default_factory=list[Element])
    drawn: list[Element] = field(default_factory=list[Element])


def read_content(parent: Element, styles: OpenDocumentStyles) -> OpenDocumentContent:
    """The content of a paragraph, or of a cell or note with several."""
    content = OpenDocumentContent()
    content.text = join_pieces(_read_pieces(parent, styles, content))
    return content


def _read_pieces(
    parent: Element, styles: OpenDocumentStyles, content: OpenDocumentContent
) -> Iterator[tuple[str, bool]]:
    """The pieces of the text below `parent`, and whether they are superscript; adds notes and drawings to `content`."""
    yield parent.text or "", False
    waiting: list[tuple[Element, bool, bool]] = [(child, False, False) for child in list(parent)[::-1]]
    while waiting:
        element, is_raised, is_end = waiting.pop()
        if is_end:
            yield element.tail or "", is_raised
            continue
        waiting.append((element, is_raised, True))
        tag, style = element.tag, element.get(f"{TEXT}style-name") or ""
        if tag == f"{TEXT}note":
            content.notes += element.findall(f"{TEXT}note-body")
        elif tag in _SPACES:
            yield _SPACES[str(tag)], False
        elif isinstance(tag, str) and tag.startswith(DRAW):
            content.drawn.append(element)
        elif isinstance(tag, str) and tag not in UNSEEN and style not in styles.hidden:
            if tag in _BLOCKS:
                yield " ", False
            raised = is_raised or style in styles.raised
            yield element.text or "", raised
            waiting.extend((child, raised, False) for child in list(element)[::-1])
