"""Limits of an operation. The error QUERY_TOO_EXPENSIVE names what exceeds its limit, the amount, and the limit.

They are checked before the validation rules of the specification, because some of those take quadratic time.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import cast

from graphql import DocumentNode, GraphQLError, GraphQLSchema, OperationDefinitionNode

from app.graphql.limits import operation_cost
from app.graphql.limits.operation_cost import Measure, Size, Survey

ADVICE = "Request smaller pages with `first`, or fewer fields below them."


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of one request; `cost` is the number of fields that may be resolved."""

    characters: int = 100_000
    tokens: int = 2000
    operations: int = 20
    fragments: int = 100
    fields: int = 1000
    depth: int = 14
    introspection_depth: int = 20
    aliases: int = 30
    root_fields: int = 20
    directives: int = 50
    directives_in_one_place: int = 4
    value_depth: int = 32
    values: int = 10_000
    digits: int = 300
    comparisons: int = 20_000
    cost: int = 20_000
    introspection_cost: int = 50_000


def too_expensive(message: str) -> GraphQLError:
    """An error with the code QUERY_TOO_EXPENSIVE."""
    return GraphQLError(message, extensions={"code": "QUERY_TOO_EXPENSIVE"})


def describe_large_result(excess: str, *, has_mutated: bool) -> str:
    """The message if a mutation's result is too large to be sent. A client that retries it would run it twice."""
    return f"The mutation was executed, but its result is not sent: {excess}" if has_mutated else f"{excess} {ADVICE}"


class Limiter:
    """Checks the limits for operations on one schema."""

    def __init__(self, schema: GraphQLSchema) -> None:
        self.limits = Limits()
        self._entries = operation_cost.entries_of_schema(schema)

    def check_request(self, text: str | None, variables: Mapping[str, object] | None) -> None:
        """Check the size of a request before it is parsed. Raises GraphQLError."""
        limits = self.limits
        if text is not None and len(text) > limits.characters:
            raise too_expensive(
                f"The document has {len(text):,} characters; {limits.characters:,} are allowed. "
                "Send long texts as variables."
            )
        for count, depth in _walk_values(variables):
            if depth > limits.value_depth:
                raise too_expensive(f"The variables have {depth} levels or more; {limits.value_depth} are allowed.")
            if count > limits.values:
                raise too_expensive(f"The variables have {count:,} values or more; {limits.values:,} are allowed.")

    def find_problems(self, document: DocumentNode) -> list[GraphQLError]:
        """The limits that a parsed document exceeds."""
        found = list(self._survey_problems(operation_cost.survey_document(document)))
        if found:
            return found
        measure = Measure(document, self._entries)
        try:
            for part in document.definitions:
                if isinstance(part, OperationDefinitionNode):
                    found += self._size_problems(measure.measure_operation(part))
        except operation_cost.TooDeep:
            found.append(
                too_expensive(
                    f"The operation has over {operation_cost.MAX_LEVELS} levels; {self.limits.depth} are allowed."
                )
            )
        return found

    def _survey_problems(self, survey: Survey) -> Iterator[GraphQLError]:
        limits = self.limits
        for what, count, maximum in (
            ("operations", survey.operations, limits.operations),
            ("fragments", survey.fragments, limits.fragments),
            ("fields", survey.fields, limits.fields),
            ("directives", survey.directives, limits.directives),
            ("directives in one place", survey.directives_in_one_place, limits.directives_in_one_place),
            ("levels of lists and objects in one value", survey.value_depth, limits.value_depth),
            ("digits in one number", survey.digits, limits.digits),
            (
                "pairs of fields with the same name, or of fragments, which must be compared",
                survey.comparisons,
                limits.comparisons,
            ),
        ):
            if count > maximum:
                yield self._too_many("The document", f"{count:,}", what, maximum)

    def _size_problems(self, size: Size) -> Iterator[GraphQLError]:
        limits = self.limits
        if size.fields > limits.root_fields:
            yield self._too_many("The operation", _format_count(size.fields), "root fields", limits.root_fields)
        for depth, maximum in ((size.depth, limits.depth), (size.introspection_depth, limits.introspection_depth)):
            if depth > maximum:
                yield too_expensive(f"The operation has {depth} levels; {maximum} are allowed.")
        if size.aliases > limits.aliases:
            yield self._too_many("The operation", _format_count(size.aliases), "aliases", limits.aliases)
        if size.cost > limits.cost:
            yield too_expensive(
                f"The operation may resolve {_format_count(size.cost)} fields; {limits.cost:,} are allowed. {ADVICE}"
            )
        if size.introspection > limits.introspection_cost:
            yield too_expensive(
                f"The operation may resolve about {_format_count(size.introspection)} fields of the schema; "
                f"{limits.introspection_cost:,} are allowed."
            )

    def _too_many(self, where: str, count: str, what: str, maximum: int) -> GraphQLError:
        return too_expensive(f"{where} has {count} {what}; {maximum:,} are allowed.")


def _format_count(count: float) -> str:
    """A count as text; very large ones are not written out."""
    return f"{round(count):,}" if count < 1e12 else "more than 1,000,000,000,000"


def _walk_values(variables: Mapping[str, object] | None) -> Iterator[tuple[int, int]]:
    """Yield the number of values so far and their depth, step by step, so that the caller can stop early."""
    count = 0
    waiting: list[tuple[object, int]] = [(variables or {}, 0)]
    while waiting:
        value, depth = waiting.pop()
        inside: Collection[object] = ()
        if isinstance(value, Mapping):
            inside = cast("Mapping[object, object]", value).values()
        elif isinstance(value, list):
            inside = cast("list[object]", value)
        count += len(inside)
        yield count, depth
        waiting += [(item, depth + 1) for item in inside]
