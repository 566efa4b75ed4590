"""The text of an operation in; its document, parsed and found valid once, out."""

from collections import OrderedDict
from collections.abc import Iterator

from graphql import (
    DocumentNode,
    GraphQLError,
    GraphQLSchema,
    NoSchemaIntrospectionCustomRule,
    specified_rules,
    validate,
)
from graphql.validation import MaxIntrospectionDepthRule
from strawberry.extensions import SchemaExtension

from app.graphql import measuring
from app.graphql.limits import Limiter
from app.graphql.persisted import PersistedDocuments

# A reader mends one error after the other; each costs a search for names that look alike.
_MOST_ERRORS = 10


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

    def get(self, text: str) -> DocumentNode | None:
        """The document, if it is known to be valid."""
        known = self._known.get(text)
        if known is None:
            return None
        self._known.move_to_end(text)
        return known[0]

    def check(self, document: DocumentNode) -> list[GraphQLError]:
        """What is wrong with a document: too much of something, or against a rule of the specification."""
        return self.limiter.problems(document) or validate(
            self._schema, document, self._rules, max_errors=_MOST_ERRORS, hide_suggestions=not self._suggestions
        )

    def keep(self, text: str, document: DocumentNode) -> None:
        """Remember a valid document, unless it is large: what holds a whole text in it does not come again."""
        nodes = measuring.survey(document).nodes + len(text) // 100
        if text in self._known or nodes * 10 > self._most_nodes:
            return
        self._known[text] = document, nodes
        self._nodes += nodes
        while len(self._known) > self._count or self._nodes > self._most_nodes:
            _, (_, gone) = self._known.popitem(last=False)
            self._nodes -= gone


class DocumentCache(SchemaExtension):
    """Parses and validates each document once. Its hooks never raise: on a stream that would end it silently."""

    def __init__(self, documents: Documents, persisted: PersistedDocuments) -> None:
        self._documents = documents
        self._persisted = persisted
        self._known = False

    def on_operation(self) -> Iterator[None]:
        """Bound what the parser may read."""
        self.execution_context.parse_options["max_tokens"] = self._documents.limiter.limits.tokens
        yield

    def on_parse(self) -> Iterator[None]:
        """Take the document from the cache, or let it be parsed."""
        known = self._documents.get(self.execution_context.query or "")
        if known is not None:
            self.execution_context.graphql_document = known
            self._known = True
        yield

    def on_validate(self) -> Iterator[None]:
        """Check a new document, the cheap way first, and keep it when it is valid."""
        context = self.execution_context
        document = context.graphql_document
        # A list, though an empty one, tells Strawberry that this was done.
        context.pre_execution_errors = [] if self._known or document is None else self._documents.check(document)
        yield
        if document is not None and not context.pre_execution_errors and context.query:
            if not self._known:
                self._documents.keep(context.query, document)
            self._persisted.learn(context.query, context.operation_extensions)
