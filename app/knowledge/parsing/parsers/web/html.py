"""Parse HTML: the visible text of its main content, with headings, lists, table rows and code."""

import re
from collections import Counter
from dataclasses import dataclass

from selectolax.lexbor import LexborHTMLParser, LexborNode, SelectolaxError

from app.knowledge.parsed_documents import ParsedDocument
from app.knowledge.parsing import refusals
from app.knowledge.parsing.formats import Format
from app.knowledge.parsing.limits import ParsingLimits
from app.knowledge.parsing.parsers import text as plain
from app.knowledge.parsing.parsers.text_writer import TextWriter, write_list_number
from app.knowledge.parsing.parsers.web import html_limits, xhtml

_NEVER = frozenset(
    re.findall(
        r"\S+",
        """
        head script style noscript template svg canvas iframe object embed audio video map dialog button
        input select textarea option datalist annotation annotation-xml img picture source link meta
        """,
    )
)
_BOILERPLATE = frozenset({"nav", "header", "footer", "aside", "menu"})  # outside the main content
_ROLES = frozenset({"navigation", "banner", "contentinfo", "search", "complementary"})
_PERMALINKS = frozenset({"headerlink", "header-anchor", "anchor-link", "anchorjs-link", "hash-link"})
_LINE_NUMBERS = frozenset({"linenos", "lineno", "linenodiv"})
_PARAGRAPHS = frozenset(
    re.findall(
        r"\S+",
        """
        p blockquote figure figcaption details summary fieldset dl table ul ol pre address article section
        main hr h1 h2 h3 h4 h5 h6
        """,
    )
)
_LINES = frozenset(
    {"br", "div", "li", "tr", "dt", "dd", "caption", "form", "legend", "header", "footer", "aside", "nav", "body"}
)
# Elements that may be between a term and the text that defines it.
_DEFINITION_PARTS = frozenset({"dd", "p", "div"})
_COUNTED = frozenset({"form", "sup"})  # elements that change how others inside them are read
_TABLE_PARTS = frozenset({"table", "tr", "td", "th"})
_HEADING = re.compile(r"h[1-6]")
_WHOLE_NUMBER = re.compile(r"-?[0-9]{1,9}")
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_LAYOUT = "table, pre, h1, h2, h3, h4"  # a table with any of these is for layout, not data,
_BLOCKS = "ul, ol, p + p"  # and one with these, unless it has
_HEADERS = "th"
_ENOUGH = 0.3  # the main content has at least this share of the page's text


def parse_html(
    data: bytes, declared: str | None, limits: ParsingLimits, *, has_boilerplate: bool = True
) -> ParsedDocument:
    """Parse the `main` element or the only `article` if there is one, else the page without its boilerplate.

    Chapters of books and messages have none: what is boilerplate elsewhere, such as `header`, is their own text.
    """
    source = xhtml.close_empty_elements(plain.decode_text(data, declared))
    html_limits.check_nesting(source, limits)
    try:
        tree = LexborHTMLParser(source)
    except SelectolaxError as error:  # every text is valid HTML, so only a lack of memory can cause this
        raise MemoryError from error
    body = tree.body
    if body is None:
        raise refusals.no_text()
    main = _find_main_content(body) if has_boilerplate else body
    written = _HtmlReader(limits, keep_boilerplate=main is not None).read_tree(main or body)
    text = written.text
    if not plain.has_text(text):  # the page consists of boilerplate only
        written = _HtmlReader(limits, keep_boilerplate=True).read_tree(body)
        text = written.text
    return written.to_document(Format.HTML.media_type, _find_title(tree))


def _find_title(tree: LexborHTMLParser) -> str | None:
    for selector in ("head > title", "h1"):
        node = tree.css_first(selector)
        title = plain.clean_title(node.text()) if node else None
        if title:
            return title
    return None


def _find_main_content(body: LexborNode) -> LexborNode | None:
    for selector in ("main, [role=main]", "article"):
        found = body.css(selector)
        if len(found) == 1 and len(found[0].text()) >= _ENOUGH * len(body.text()):
            return found[0]
    return None


class _HtmlReader:
    """Walks a tree without recursion (nesting is unlimited in HTML) and writes its text."""

    def __init__(self, limits: ParsingLimits, *, keep_boilerplate: bool) -> None:
        self._writer = TextWriter(limits)
        self._keep_boilerplate = keep_boilerplate
        self._lists: list[_OpenList] = []
        self._tables: list[bool] = []  # whether each open table holds data, not layout
        self._open = Counter[str]()  # elements of `_COUNTED`

    def read_tree(self, root: LexborNode) -> TextWriter:
        """The text below `root`."""
        node: LexborNode | None = root
        open_nodes: list[tuple[LexborNode, str]] = []
        while node is not None:
            tag = node.tag or ""
            child = None
            if tag == "-text":
                write = self._writer.write_superscript if self._open["sup"] else self._writer.write_text
                write(node.text_content or "")
            elif not tag.startswith("-") and not self._is_skipped(node, tag):
                self._enter(node, tag)
                child = node.first_child
                if child is not None:
                    open_nodes.append((node, tag))
                else:
                    self._leave(node, tag)
            if child is not None:
                node = child
                continue
            if not open_nodes:
                break
            following = node.next
            while following is None and open_nodes:
                closed, tag = open_nodes.pop()
                self._leave(closed, tag)
                following = closed.next if open_nodes else None
            node = following
        return self._writer

    def _is_skipped(self, node: LexborNode, tag: str) -> bool:
        if tag in _NEVER or (tag == "label" and self._open["form"]):
            return True
        if tag in _BOILERPLATE and not (self._keep_boilerplate and tag != "nav"):
            return True
        attributes = node.attributes
        if not attributes:
            return False
        hidden = "hidden" in attributes or attributes.get("aria-hidden") == "true"
        if hidden or _HIDDEN.search(attributes.get("style") or ""):
            return True
        classes = set((attributes.get("class") or "").split())
        if classes & _PERMALINKS or classes & _LINE_NUMBERS:
            return True
        return not self._keep_boilerplate and attributes.get("role") in _ROLES

    def _enter(self, node: LexborNode, tag: str) -> None:
        writer = self._writer
        if (tag in _LINES or tag in _PARAGRAPHS) and tag not in _DEFINITION_PARTS:
            writer.begin_definition_block()
        self._break(tag)
        if tag in _TABLE_PARTS:
            self._enter_table_part(node, tag)
        elif tag == "li":
            self._begin_item(node)
        elif tag in {"ul", "ol"}:
            self._lists.append(_OpenList.open(node, tag))
        elif _HEADING.fullmatch(tag):
            writer.begin_heading(int(tag[1]))
        elif tag == "pre":
            writer.begin_code()
        elif tag in _COUNTED:
            self._open[tag] += 1

    def _enter_table_part(self, node: LexborNode, tag: str) -> None:
        if tag == "table":
            self._tables.append(_holds_data(node))
            if self._tables[-1]:
                self._writer.begin_table()
        elif self._is_layout():
            return
        elif tag == "tr":
            self._writer.begin_row()
        else:
            self._writer.begin_cell(
                is_header=tag == "th" or _is_emphasized(node),
                columns=_read_span(node, "colspan"),
                rows=_read_span(node, "rowspan"),
            )

    def _leave(self, node: LexborNode, tag: str) -> None:
        writer = self._writer
        if tag == "dt" and _is_defined(node):
            writer.end_term()
        elif tag == "dd":
            writer.begin_definition_block()
        if _HEADING.fullmatch(tag):
            writer.end_heading()
        elif tag == "pre":
            writer.end_code()
        elif tag in {"td", "th"} and not self._is_layout():
            writer.end_cell()
        elif tag == "tr" and not self._is_layout():
            writer.end_row()
        elif tag == "table" and self._tables.pop():
            writer.end_table()
        elif tag in {"ul", "ol"}:
            self._lists.pop()
        elif tag in _COUNTED:
            self._open[tag] -= 1
        self._break(tag)

    def _break(self, tag: str) -> None:
        if tag in _LINES or (tag in {"ul", "ol"} and self._lists) or (tag in {"td", "th"} and self._is_layout()):
            self._writer.begin_line()
        elif tag in _PARAGRAPHS:
            self._writer.begin_paragraph()

    def _is_layout(self) -> bool:
        return not (self._tables and self._tables[-1])

    def _begin_item(self, node: LexborNode) -> None:
        mark = self._lists[-1].number_item(node) if self._lists else "- "
        self._writer.begin_item("  " * min(8, max(0, len(self._lists) - 1)) + mark)


@dataclass(slots=True)
class _OpenList:
    """An open list: the number of its next item, or None for bullets, and the style of its numbers."""

    number: int | None
    style: str = ""
    step: int = 1

    @classmethod
    def open(cls, node: LexborNode, tag: str) -> "_OpenList":
        if tag == "ul":
            return cls(None)
        attributes = node.attributes
        if "reversed" not in attributes:
            return cls(_read_whole_number(attributes.get("start"), 1), attributes.get("type") or "")
        items = sum(1 for child in node.iter() if child.tag == "li")
        return cls(_read_whole_number(attributes.get("start"), items), attributes.get("type") or "", -1)

    def number_item(self, node: LexborNode) -> str:
        """The mark of the next item."""
        if self.number is None:
            return "- "
        number = _read_whole_number(node.attributes.get("value"), self.number)
        self.number = number + self.step
        return f"{write_list_number(number, self.style)}. "


def _read_whole_number(value: str | None, default: int) -> int:
    return int(value) if value and _WHOLE_NUMBER.fullmatch(value) else default


def _holds_data(table: LexborNode) -> bool:
    parts = list(table.iter())
    if any(part.css_first(_LAYOUT) is not None for part in parts):
        return False
    return table.css_first(_HEADERS) is not None or all(part.css_first(_BLOCKS) is None for part in parts)


def _is_defined(term: LexborNode) -> bool:
    """Whether a definition directly follows a term."""
    following = term.next
    while following is not None and following.tag == "-text" and not (following.text_content or "").strip():
        following = following.next
    return following is not None and following.tag == "dd"


def _read_span(node: LexborNode, name: str) -> int:
    value = node.attributes.get(name) or ""
    return int(value) if value.isdecimal() and len(value) < 6 else 1


def _is_emphasized(cell: LexborNode) -> bool:
    """Whether all text of a cell is bold, like headers on pages without header cells."""
    child = cell.first_child
    while child is not None and child.tag == "-text" and not (child.text_content or "").strip():
        child = child.next
    if child is None or child.tag not in {"b", "strong"}:
        return False
    return len(cell.text().strip()) == len(child.text().strip())
