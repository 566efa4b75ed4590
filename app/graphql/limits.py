"""An operation in; whether it may run out: depth, aliases, root fields, directives and cost, each measured once.

Measuring is linear in the document's length: every fragment is measured once, however often it is spread. (Walking
it anew at each spread takes seconds for 800 bytes of fragments that spread one another.)
"""

from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from graphql import (
    ASTValidationRule,
    DirectiveNode,
    DocumentNode,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLError,
    InlineFragmentNode,
    IntValueNode,
    Node,
    OperationDefinitionNode,
    SelectionSetNode,
    ValidationContext,
    ValidationRule,
)
from graphql.validation import MaxIntrospectionDepthRule
from strawberry.extensions import SchemaExtension

from app.database import pages

MAX_TOKENS = 2000

LISTS = frozenset({"projects", "documents", "chatSessions", "messages", "chunks", "search", "nodes"})
"""Fields that take `first`, `last` or ids, and so give many of what is selected below them."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What one operation may ask for; `cost` counts the fields that may be resolved."""

    depth: int = 14
    aliases: int = 30
    root_fields: int = 20
    directives: int = 50
    directives_in_one_place: int = 4
    cost: int = 20_000


@dataclass(frozen=True, slots=True)
class Size:
    """What a selection set asks for, with every fragment spread in."""

    depth: int = 0
    aliases: int = 0
    cost: int = 0

    def beside(self, other: "Size") -> "Size":
        """Of two selections next to each other."""
        return Size(max(self.depth, other.depth), self.aliases + other.aliases, self.cost + other.cost)


class BudgetRule(ValidationRule):
    """Refuses operations that ask for too much; introspection has a rule of its own."""

    limits: ClassVar[Limits] = Limits()

    def __init__(self, context: ValidationContext) -> None:
        super().__init__(context)
        self._measure = _Measure(context.document)
        self._directives = 0
        for definition in context.document.definitions:
            if isinstance(definition, OperationDefinitionNode):
                self._check(definition)

    def enter_directive(self, node: DirectiveNode, *_args: Any) -> None:
        """Count directives: each is looked at again by several rules."""
        self._directives += 1
        if self._directives == self.limits.directives + 1:
            self._refuse(f"The document has more than {self.limits.directives} directives.", node)

    def enter_field(self, node: FieldNode, *_args: Any) -> None:
        """Count the directives of one field."""
        if len(node.directives or ()) > self.limits.directives_in_one_place:
            self._refuse(f"A field has more than {self.limits.directives_in_one_place} directives.", node)

    def _check(self, operation: OperationDefinitionNode) -> None:
        limits, size = self.limits, self._measure.of(operation.selection_set)
        if len(operation.selection_set.selections) > limits.root_fields:
            self._refuse(f"The operation has more than {limits.root_fields} root fields.", operation)
        if size.depth > limits.depth:
            self._refuse(f"The operation is {size.depth} levels deep; {limits.depth} are allowed.", operation)
        if size.aliases > limits.aliases:
            self._refuse(f"The operation has more than {limits.aliases} aliases.", operation)
        if size.cost > limits.cost:
            advice = "Ask for shorter pages with `first`, or for less below them."
            message = f"The operation may resolve more than the {limits.cost:,} fields that are allowed. {advice}"
            self._refuse(message, operation)

    def _refuse(self, message: str, node: Node) -> None:
        self.report_error(GraphQLError(message, node, extensions={"code": "QUERY_TOO_EXPENSIVE"}))


class _Measure:
    """Sizes of the selection sets of one document."""

    def __init__(self, document: DocumentNode) -> None:
        definitions = document.definitions
        self._fragments = {part.name.value: part for part in definitions if isinstance(part, FragmentDefinitionNode)}
        self._known: dict[str, Size] = {}

    def of(self, selections: SelectionSetNode | None) -> Size:
        size = Size()
        for selection in selections.selections if selections else ():
            if isinstance(selection, FieldNode):
                size = size.beside(self._field(selection))
            elif isinstance(selection, InlineFragmentNode):
                size = size.beside(self.of(selection.selection_set))
            elif isinstance(selection, FragmentSpreadNode):
                size = size.beside(self._fragment(selection.name.value))
        return size

    def _field(self, field: FieldNode) -> Size:
        below = self.of(field.selection_set)
        aliases = below.aliases + (field.alias is not None)
        if field.name.value.startswith("__"):
            return Size(aliases=aliases)
        return Size(1 + below.depth, aliases, 1 + _entries(field) * below.cost)

    def _fragment(self, name: str) -> Size:
        if name not in self._known:
            self._known[name] = Size()  # a fragment that spreads itself; another rule reports that
            if name in self._fragments:
                self._known[name] = self.of(self._fragments[name].selection_set)
        return self._known[name]


def _entries(field: FieldNode) -> int:
    """How many entries a field may have: as many as it asks for, a full page if a variable says how many."""
    if field.name.value not in LISTS:
        return 1
    sizes = [argument.value for argument in field.arguments or () if argument.name.value in ("first", "last", "ids")]
    if not sizes:
        return pages.DEFAULT_SIZE if field.name.value != "nodes" else 1
    return max(
        min(int(size.value), pages.MAX_SIZE) if isinstance(size, IntValueNode) else pages.MAX_SIZE for size in sizes
    )


def rules() -> list[type[ASTValidationRule]]:
    """What is checked beside the rules of the specification."""
    return [BudgetRule, MaxIntrospectionDepthRule]


class Documents:
    """Documents that were parsed and found valid, the latest ones: 0.6 ms of a small operation are spared."""

    def __init__(self, size: int = 500, longest: int = 20_000) -> None:
        self._size = size
        self._longest = longest
        self._known: OrderedDict[str, DocumentNode] = OrderedDict()

    def get(self, query: str) -> DocumentNode | None:
        """The document, if it is known to be valid."""
        document = self._known.get(query)
        if document is not None:
            self._known.move_to_end(query)
        return document

    def keep(self, query: str, document: DocumentNode) -> None:
        """Remember a valid document, unless it is long: what holds a whole text in it does not come again."""
        if len(query) <= self._longest:
            self._known[query] = document
            if len(self._known) > self._size:
                self._known.popitem(last=False)


class DocumentCache(SchemaExtension):
    """Parses and validates each document once. Its hooks never raise: on a stream that would end it silently."""

    def __init__(self, documents: Documents) -> None:
        self._documents = documents
        self._known = False

    def on_operation(self) -> Iterator[None]:
        """Bound what the parser may read."""
        self.execution_context.parse_options["max_tokens"] = MAX_TOKENS
        yield

    def on_parse(self) -> Iterator[None]:
        """Take the document from the cache, or let it be parsed."""
        known = self._documents.get(self.execution_context.query or "")
        if known is not None:
            self.execution_context.graphql_document = known
            self._known = True
        yield

    def on_validate(self) -> Iterator[None]:
        """Skip validation of a known document, or keep a new one that is valid."""
        context = self.execution_context
        if self._known:
            context.pre_execution_errors = []
        yield
        if not self._known and not context.pre_execution_errors and context.query and context.graphql_document:
            self._documents.keep(context.query, context.graphql_document)
