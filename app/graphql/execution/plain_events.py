"""Select plain fields of a subscription's events without executing the operation again for each event.

Most events are small and many: their fields are attributes, and executing a selection for every one of them takes ten
times as long as reading it. What is selected from one type of event is found once per operation. Fields with arguments,
lists of objects or resolvers that need more than the event, and values that are not valid, are left to the executor.
"""

# graphql-core's types are partly unknown.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from operator import attrgetter
from types import FunctionType
from typing import Any

from graphql import (
    ExecutionResult,
    Executor,
    GraphQLObjectType,
    Undefined,
    is_leaf_type,
    is_non_null_type,
)
from graphql.execution.collect_fields import FieldDetailsList, collect_fields
from strawberry.schema.schema_converter import GraphQLCoreConverter
from strawberry.types.base import get_object_definition
from strawberry.types.field import StrawberryField

_TYPENAME = "__typename"


@dataclass(frozen=True, slots=True)
class PlainField:
    """One selected field: how to read its value from an event, and how to make it a value of JSON."""

    name: str
    read: Callable[[Any], Any]
    to_json: Callable[[Any], Any]
    is_nullable: bool


@dataclass(frozen=True, slots=True)
class PlainSelection:
    """What an operation selects from one type of event; all of it is plain."""

    root: str
    fields: tuple[PlainField, ...]

    def select(self, event: Any) -> ExecutionResult | None:
        """The result for an event, or None if a value is not valid."""
        try:
            return ExecutionResult({self.root: _select_values(self.fields, event)}, None)
        except Exception:  # of any scalar: the executor raises it again, and reports where
            return None


class _InvalidValueError(Exception):
    """A selected value is not valid; the executor says why."""


def _select_values(fields: Sequence[PlainField], source: Any) -> dict[str, Any]:
    """The selected values of an event, or of an object in it. Raises an error of any kind if one is not valid."""
    values: dict[str, Any] = {}
    for field in fields:
        value = field.read(source)
        if value is not None:
            value = field.to_json(value)
        if value is Undefined or (value is None and not field.is_nullable):
            raise _InvalidValueError
        values[field.name] = value
    return values


def find_plain_selection(executor: Executor[Any], kind: type) -> PlainSelection | None:
    """Find what the operation selects from events of a class; None if any of it needs the executor."""
    definition = get_object_definition(kind)
    runtime_type = executor.schema.get_type(definition.name) if definition else None
    root_type = executor.schema.subscription_type
    if _has_middleware(executor) or root_type is None or not isinstance(runtime_type, GraphQLObjectType):
        return None
    grouped = collect_fields(
        executor.schema, executor.fragments, executor.variable_values, root_type, executor.operation
    ).grouped_field_set
    if len(grouped) != 1:
        return None
    [(root, selected)] = grouped.items()
    fields = _find_plain_fields(executor, runtime_type, selected)
    return None if fields is None else PlainSelection(root, fields)


def _has_middleware(executor: Executor[Any]) -> bool:
    """Whether anything is called around resolvers. Strawberry always gives a manager, even for no middleware."""
    manager = executor.middleware_manager
    return manager is not None and bool(manager.middlewares)


def _find_plain_fields(
    executor: Executor[Any], parent: GraphQLObjectType, selected: FieldDetailsList
) -> tuple[PlainField, ...] | None:
    """Find what is selected from a type; None if any of it needs the executor."""
    fields: list[PlainField] = []
    for name, details in executor.collect_subfields(parent, selected).grouped_field_set.items():
        field = _find_plain_field(executor, name, parent, details)
        if field is None:
            return None
        fields.append(field)
    return tuple(fields)


def _find_plain_field(
    executor: Executor[Any], name: str, parent: GraphQLObjectType, details: FieldDetailsList
) -> PlainField | None:
    field_name = details[0].node.name.value
    if field_name == _TYPENAME:
        return PlainField(name, lambda _: parent.name, str, is_nullable=False)
    field = parent.fields[field_name]
    declared = field.extensions.get(GraphQLCoreConverter.DEFINITION_BACKREF)
    read = _find_reader(declared) if isinstance(declared, StrawberryField) and not field.args else None
    if read is None:
        return None
    nullable = not is_non_null_type(field.type)
    kind = field.type if nullable else field.type.of_type
    if is_leaf_type(kind):
        return PlainField(name, read, kind.coerce_output_value, nullable)
    inner = _find_plain_fields(executor, kind, details) if isinstance(kind, GraphQLObjectType) else None
    return None if inner is None else PlainField(name, read, partial(_select_values, inner), nullable)


def _find_reader(declared: StrawberryField) -> Callable[[Any], Any] | None:
    """Reads a field of an event: its attribute, or a resolver that needs nothing else; None if it needs more."""
    resolver = declared.base_resolver
    if resolver is None:
        return attrgetter(declared.python_name) if declared.is_basic_field and declared.python_name else None
    needs_more = resolver.is_async or resolver.info_parameter or declared.permission_classes or declared.extensions
    function = resolver.wrapped_func
    return function if isinstance(function, FunctionType) and resolver.self_parameter and not needs_more else None
