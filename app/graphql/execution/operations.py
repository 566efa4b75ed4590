"""Parse and validate documents once, and cache them for requests that send them again."""

from collections import OrderedDict
from contextlib import suppress
from threading import Lock

from graphql import (
    DocumentNode,
    FieldNode,
    GraphQLError,
    GraphQLSchema,
    NoSchemaIntrospectionCustomRule,
    OperationDefinitionNode,
    OperationType,
    parse,
    specified_rules,
    validate,
)
from graphql.validation import MaxIntrospectionDepthRule

from app.graphql.limits import operation_cost
from app.graphql.limits.operation_limits import Limiter

# What the cache holds at most.
_MAX_DOCUMENTS, _MAX_NODES = 1000, 100_000
# Each error costs a search for similar names, and developers fix one after the other anyway.
_MAX_ERRORS = 10
# How much is shown of the name of an operation, which can be almost as long as its document.
_MAX_SHOWN_NAME = 200
_SEVERAL = "This document contains several operations: select one with `operationName`."
_PLACEHOLDER = parse("{ __typename }")
# Mutations that need no credential, and the longest document with them.
_OPEN_MUTATIONS = frozenset(["signIn", "redeemSetupToken"])
_MAX_OPEN_TOKENS = 500


class OperationCache:
    """A cache of valid documents, which saves 0.6 ms for a small operation.

    It is limited by the number of nodes, because they take several hundred times the memory of the text. Servers in
    several threads may share it.
    """

    def __init__(
        self,
        schema: GraphQLSchema,
        limiter: Limiter,
        *,
        introspection: bool,
        suggestions: bool,
    ) -> None:
        self.limiter = limiter
        self._schema = schema
        self._rules = [*specified_rules, MaxIntrospectionDepthRule]
        if not introspection:
            self._rules.append(NoSchemaIntrospectionCustomRule)
        self._suggestions = suggestions
        self._cached: OrderedDict[str, tuple[DocumentNode, int]] = OrderedDict()
        self._nodes = 0
        self._lock = Lock()

    def read_document(self, text: str, operation_name: str | None) -> tuple[DocumentNode, list[GraphQLError]]:
        """The parsed document, and its errors if it cannot run. Raises GraphQLSyntaxError."""
        document = self._recall_document(text)
        if document is None:
            try:
                document = parse(text, max_tokens=self.limiter.limits.tokens)
                problems = self.find_problems(document)
            except RecursionError as error:
                return _PLACEHOLDER, [GraphQLError("", original_error=error)]
            if problems:
                return document, problems
            self.remember_document(text, document)
        operations = sum(isinstance(part, OperationDefinitionNode) for part in document.definitions)
        if operation_name is None and operations > 1:
            # Strawberry would run the first; the specification makes that an error (no upstream issue).
            return document, [GraphQLError(_SEVERAL)]
        return document, []

    def only_signs_in(self, text: str, operation_name: str | None) -> bool:
        """Whether the operation contains only mutations that need no credential. Raises GraphQLError.

        No other document is validated: anybody may send one, and to validate it can take a quarter of a second.
        """
        operation = _named_operation(parse(text, max_tokens=_MAX_OPEN_TOKENS), operation_name)
        if operation is None or operation.operation is not OperationType.MUTATION:
            return False
        fields = operation.selection_set.selections
        is_open = all(isinstance(field, FieldNode) and field.name.value in _OPEN_MUTATIONS for field in fields)
        return is_open and self._find_operation(text, operation_name) is not None

    def find_type(self, text: str, operation_name: str | None) -> OperationType | None:
        """The type of the operation that would run; None if there is none. Raises GraphQLError."""
        operation = self._find_operation(text, operation_name)
        return None if operation is None else operation.operation

    def describe_operation(self, text: str, operation_name: str | None) -> tuple[str, str | None] | None:
        """The type and the name (its start) of the operation that would run; None if there is none."""
        with suppress(GraphQLError):
            operation = self._find_operation(text, operation_name)
            if operation is not None:
                return operation.operation.value, operation.name.value[:_MAX_SHOWN_NAME] if operation.name else None
        return None

    def _find_operation(self, text: str, operation_name: str | None) -> OperationDefinitionNode | None:
        """The operation that would run, or None."""
        document, problems = self.read_document(text, operation_name)
        return None if problems else _named_operation(document, operation_name)

    def find_problems(self, document: DocumentNode) -> list[GraphQLError]:
        """The errors of a document: limits it exceeds, or rules of the specification it breaks."""
        return self.limiter.find_problems(document) or validate(
            self._schema, document, self._rules, max_errors=_MAX_ERRORS, hide_suggestions=not self._suggestions
        )

    def remember_document(self, text: str, document: DocumentNode) -> None:
        """Cache a valid document, unless it is large: a document that contains a long text is not sent again."""
        nodes = operation_cost.survey_document(document).nodes + len(text) // 100
        if nodes * 10 > _MAX_NODES:
            return
        with self._lock:
            if text in self._cached:
                return
            self._cached[text] = document, nodes
            self._nodes += nodes
            while len(self._cached) > _MAX_DOCUMENTS or self._nodes > _MAX_NODES:
                _, (_, gone) = self._cached.popitem(last=False)
                self._nodes -= gone

    def _recall_document(self, text: str) -> DocumentNode | None:
        with self._lock:
            cached = self._cached.get(text)
            if cached is None:
                return None
            self._cached.move_to_end(text)
            return cached[0]


def _named_operation(document: DocumentNode, name: str | None) -> OperationDefinitionNode | None:
    """The operation of this name, or the only one without a name; None if there is none, or several."""
    operations = [part for part in document.definitions if isinstance(part, OperationDefinitionNode)]
    named = [one for one in operations if name in (None, one.name.value if one.name else None)]
    return named[0] if len(named) == 1 else None
