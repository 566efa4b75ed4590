"""Measure a document: depth, aliases, root fields and cost of each operation, and the cost of validating it.

The time is linear in the length of the document: every fragment is measured once, however often it is spread. (Walking
it at each spread would take seconds for 800 bytes of fragments that spread one another.)
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from graphql import (
    DirectiveNode,
    DocumentNode,
    FieldNode,
    FloatValueNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLEnumType,
    GraphQLInputObjectType,
    GraphQLInterfaceType,
    GraphQLObjectType,
    GraphQLSchema,
    GraphQLUnionType,
    InlineFragmentNode,
    IntValueNode,
    ListValueNode,
    Node,
    ObjectValueNode,
    OperationDefinitionNode,
    SelectionNode,
    SelectionSetNode,
)

from app.database import pages

LISTS = frozenset({"projects", "documents", "chatSessions", "messages", "chunks", "search", "searchMessages", "nodes"})
"""Fields with `first`, `last` or ids, which multiply what is selected below them."""

OTHER_LISTS = {
    "accessTokens": 20,
    "alternatives": 5,
    "boxes": 4,
    "candidates": 50,
    "citations": 5,
    "components": 10,
    "documentFormats": 25,
    "documentIds": 10,
    "embeddingSpaces": 2,
    "extensions": 10,
    "heading": 3,
    "highlights": 40,
    "issues": 5,
    "members": 20,
    "memories": 100,
    "models": 50,
    "notices": 3,
    "passages": 20,
    "path": 3,
    "rectangles": 1,
    "results": 100,
    "segments": 8,
    "status": 4,
    "uploadMediaTypes": 2,
    "uses": 2,
}
"""Lists without paging → how many entries a long one has."""

WORK = {"search": 1000, "searchMessages": 200, "exportChatSession": 5000, "previewAnswer": 2000, "rectangles": 20}
"""Expensive fields → the number of simple fields that take the same time."""

MAX_LEVELS = 100
"""The deepest nesting of selections, fragments included, that is measured: measuring must not exhaust the stack."""
# Costs are capped to this, so that no product overflows.
_MAX_COST = 1e15


class TooDeep(Exception):
    """Selections are nested deeper than `MAX_LEVELS`."""


@dataclass(frozen=True, slots=True)
class Size:
    """The size of a selection set, with all fragments expanded. `introspection` is the cost of its schema fields."""

    depth: int = 0
    aliases: int = 0
    fields: int = 0
    cost: float = 0
    introspection_depth: int = 0
    introspection: float = 0

    def combined_with(self, other: "Size") -> "Size":
        """The size of two selections side by side."""
        return Size(
            max(self.depth, other.depth),
            self.aliases + other.aliases,
            self.fields + other.fields,
            min(_MAX_COST, self.cost + other.cost),
            max(self.introspection_depth, other.introspection_depth),
            min(_MAX_COST, self.introspection + other.introspection),
        )


@dataclass(frozen=True, slots=True)
class Survey:
    """Counts over a whole document."""

    nodes: int
    operations: int
    fragments: int
    fields: int
    directives: int
    directives_in_one_place: int
    value_depth: int
    digits: int
    """Digits of the longest number: Python does not parse numbers with several thousand."""
    comparisons: int
    """Pairs of fields with the same name, which a rule of the specification compares one by one."""


def entries_of_schema(schema: GraphQLSchema) -> dict[str, float]:
    """Lists of the introspection schema → their average number of entries."""
    kinds = list(schema.type_map.values())
    holders = [kind for kind in kinds if isinstance(kind, GraphQLObjectType | GraphQLInterfaceType)]
    inputs = [kind for kind in kinds if isinstance(kind, GraphQLInputObjectType)]
    enums = [kind for kind in kinds if isinstance(kind, GraphQLEnumType)]
    unions = [kind for kind in kinds if isinstance(kind, GraphQLUnionType)]
    fields = sum(len(kind.fields) for kind in holders)
    arguments = sum(len(field.args) for kind in holders for field in kind.fields.values())
    interfaces = sum(len(kind.interfaces) for kind in holders)
    possible = sum(len(kind.types) for kind in unions) + interfaces
    count = len(kinds)
    return {
        "types": count,
        "directives": len(schema.directives),
        "fields": fields / count,
        "args": arguments / max(1, fields),
        "inputFields": sum(len(kind.fields) for kind in inputs) / count,
        "enumValues": sum(len(kind.values) for kind in enums) / count,
        "interfaces": interfaces / count,
        "possibleTypes": possible / count,
    }


def survey_document(document: DocumentNode) -> Survey:
    """Count everything in the document in one pass, without recursion."""
    names: Counter[str] = Counter()
    nodes = operations = fragments = spreads = directives = max_directives = value_depth = digits = 0
    open_nodes: list[tuple[Node, int]] = [(node, 0) for node in document.definitions]
    while open_nodes:
        node, depth = open_nodes.pop()
        nodes += 1
        operations += isinstance(node, OperationDefinitionNode)
        fragments += isinstance(node, FragmentDefinitionNode)
        spreads += isinstance(node, FragmentSpreadNode)
        if isinstance(node, FieldNode):
            names[(node.alias or node.name).value] += 1
        if isinstance(node, ListValueNode | ObjectValueNode):
            depth += 1
            value_depth = max(value_depth, depth)
        if isinstance(node, IntValueNode | FloatValueNode):
            digits = max(digits, len(node.value))
        here: Sequence[DirectiveNode] = getattr(node, "directives", None) or ()
        directives += len(here)
        max_directives = max(max_directives, len(here))
        open_nodes += [(child, depth) for child in _child_nodes(node)]
    # Spreads are compared with each other, whatever is in their fragments.
    comparisons = sum(count * (count - 1) for count in [*names.values(), spreads])
    return Survey(
        nodes=nodes,
        operations=operations,
        fragments=fragments,
        fields=names.total(),
        directives=directives,
        directives_in_one_place=max_directives,
        value_depth=value_depth,
        digits=digits,
        comparisons=comparisons,
    )


def _child_nodes(node: Node) -> list[Node]:
    found: list[Node] = []
    for name in ("variable_definitions", "arguments", "directives", "values", "fields"):
        found += getattr(node, name, None) or ()
    for name in ("selection_set", "value", "default_value"):
        child = getattr(node, name, None)
        if isinstance(child, Node):
            found.append(child)
    if isinstance(node, SelectionSetNode):
        found += node.selections
    return found


class Measure:
    """Measures the operations of one document."""

    def __init__(self, document: DocumentNode, entries: dict[str, float]) -> None:
        definitions = document.definitions
        self._entries = entries
        self._fragments = {part.name.value: part for part in definitions if isinstance(part, FragmentDefinitionNode)}
        self._fragment_sizes: dict[str, Size] = {}

    def measure_operation(self, operation: OperationDefinitionNode) -> Size:
        """The size of one operation. Raises TooDeep."""
        return self._measure_selections(operation.selection_set, 0, is_introspection=False)

    def _measure_selections(self, selections: SelectionSetNode | None, level: int, *, is_introspection: bool) -> Size:
        if level > MAX_LEVELS:
            raise TooDeep
        size = Size()
        for selection in selections.selections if selections else ():
            size = size.combined_with(self._measure_selection(selection, level + 1, is_introspection=is_introspection))
        return size

    def _measure_selection(self, selection: SelectionNode, level: int, *, is_introspection: bool) -> Size:
        if isinstance(selection, FieldNode):
            return self._measure_field(selection, level, is_introspection=is_introspection)
        if isinstance(selection, InlineFragmentNode):
            return self._measure_selections(selection.selection_set, level, is_introspection=is_introspection)
        if isinstance(selection, FragmentSpreadNode):
            return self._measure_fragment(selection.name.value, level)
        return Size()

    def _measure_field(self, field: FieldNode, level: int, *, is_introspection: bool) -> Size:
        name = field.name.value
        is_introspection = is_introspection or name in ("__schema", "__type")
        below = self._measure_selections(field.selection_set, level, is_introspection=is_introspection)
        aliases = below.aliases + (field.alias is not None)
        if is_introspection:
            cost = 1 + self._entries.get(name, 1) * below.introspection
            return Size(0, aliases, 1, 0, below.introspection_depth + 1, cost)
        if name.startswith("__"):
            return Size(0, aliases, 1, 1)
        cost = WORK.get(name, 1) + _entry_count(field) * below.cost
        return Size(1 + below.depth, aliases, 1, cost, below.introspection_depth, below.introspection)

    def _measure_fragment(self, name: str, level: int) -> Size:
        if name not in self._fragment_sizes:
            self._fragment_sizes[name] = Size()  # for a fragment that spreads itself, which validation reports
            fragment = self._fragments.get(name)
            if fragment is not None:
                on_schema_type = fragment.type_condition.name.value.startswith("__")
                self._fragment_sizes[name] = self._measure_selections(
                    fragment.selection_set, level, is_introspection=on_schema_type
                )
        return self._fragment_sizes[name]


def _entry_count(field: FieldNode) -> int:
    """How many entries a field may return: as many as requested, or a full page if a variable says how many."""
    if field.name.value not in LISTS:
        return OTHER_LISTS.get(field.name.value, 1)
    sizes = [argument.value for argument in field.arguments or () if argument.name.value in ("first", "last", "ids")]
    if not sizes:
        return pages.DEFAULT_SIZE if field.name.value != "nodes" else 1  # `nodes` of a connection, already counted
    return max(_page_size(size) for size in sizes)


def _page_size(value: Node) -> int:
    if isinstance(value, IntValueNode):
        return max(0, min(int(value.value), pages.MAX_SIZE)) if len(value.value) < 10 else pages.MAX_SIZE
    if isinstance(value, ListValueNode):
        return len(value.values)
    return pages.MAX_SIZE
