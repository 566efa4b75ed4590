"""Documents, parsed and validated once and kept for the requests that send them again."""

from collections import OrderedDict

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

# A reader mends one error after the other; each costs a search for names that look alike.
_MOST_ERRORS = 10
_SEVERAL = "There are several operations in this document: name one with `operationName`."
_PLACEHOLDER = parse("{ __typename }")
# What somebody may ask for before it is known who they are.
_OPEN = frozenset(["signIn", "redeemSetupToken"])


class Documents:
    """Documents that were parsed and found valid, the latest ones: 0.6 ms of a small operation are spared.

    They are bounded by their nodes, for these take several hundred times the memory of the text.
    """

    def __init__(
        self,
        schema: GraphQLSchema,
        limiter: Limiter,
        *,
        introspection: bool = True,
        suggestions: bool = True,
        count: int = 1000,
        nodes: int = 100_000,
    ) -> None:
        self.limiter = limiter
        self._schema = schema
        self._rules = [*specified_rules, MaxIntrospectionDepthRule]
        if not introspection:
            self._rules.append(NoSchemaIntrospectionCustomRule)
        self._suggestions = suggestions
        self._count = count
        self._most_nodes = nodes
        self._known: OrderedDict[str, tuple[DocumentNode, int]] = OrderedDict()
        self._nodes = 0

    def read(self, text: str, operation_name: str | None) -> tuple[DocumentNode, list[GraphQLError]]:
        """The document, and why it may not run. Raises GraphQLSyntaxError when it is none."""
        known = self._known.get(text)
        if known is not None:
            self._known.move_to_end(text)
            document = known[0]
        else:
            try:
                document = parse(text, max_tokens=self.limiter.limits.tokens)
                problems = self.check(document)
            except RecursionError as error:
                return _PLACEHOLDER, [GraphQLError("", original_error=error)]
            if problems:
                return document, problems
            self.keep(text, document)
        operations = sum(isinstance(part, OperationDefinitionNode) for part in document.definitions)
        if operation_name is None and operations > 1:
            # Strawberry would run the first; the specification makes that an error.
            return document, [GraphQLError(_SEVERAL)]
        return document, []

    def only_signs_in(self, text: str, operation_name: str | None) -> bool:
        """Whether the operation does nothing but what one need not be signed in for. Raises GraphQLError."""
        operation = self._operation(text, operation_name)
        if operation is None or operation.operation is not OperationType.MUTATION:
            return False
        fields = operation.selection_set.selections
        return all(isinstance(field, FieldNode) and field.name.value in _OPEN for field in fields)

    def subscribes(self, text: str, operation_name: str | None) -> bool:
        """Whether the operation is a subscription. Raises GraphQLError."""
        operation = self._operation(text, operation_name)
        return operation is not None and operation.operation is OperationType.SUBSCRIPTION

    def _operation(self, text: str, operation_name: str | None) -> OperationDefinitionNode | None:
        """The operation that runs; None when none does."""
        document, problems = self.read(text, operation_name)
        operations = [part for part in document.definitions if isinstance(part, OperationDefinitionNode)]
        named = [one for one in operations if operation_name in (None, one.name.value if one.name else None)]
        return named[0] if not problems and len(named) == 1 else None

    def check(self, document: DocumentNode) -> list[GraphQLError]:
        """What is wrong with a document: too much of something, or against a rule of the specification."""
        return self.limiter.problems(document) or validate(
            self._schema, document, self._rules, max_errors=_MOST_ERRORS, hide_suggestions=not self._suggestions
        )

    def keep(self, text: str, document: DocumentNode) -> None:
        """Remember a valid document, unless it is large: what holds a whole text in it does not come again."""
        nodes = operation_cost.survey(document).nodes + len(text) // 100
        if text in self._known or nodes * 10 > self._most_nodes:
            return
        self._known[text] = document, nodes
        self._nodes += nodes
        while len(self._known) > self._count or self._nodes > self._most_nodes:
            _, (_, gone) = self._known.popitem(last=False)
            self._nodes -= gone
