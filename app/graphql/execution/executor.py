"""Execute an operation in steps, so that other tasks of the event loop can run in between; plain events need none."""

# graphql-core's types are partly unknown.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportIncompatibleMethodOverride=false

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Generator
from dataclasses import dataclass
from functools import partial
from inspect import isawaitable
from typing import Any, Self, cast

from graphql import ExecutionResult, GraphQLError, OperationType
from strawberry.schema.schema import StrawberryGraphQLCoreExecutionContext

from app.graphql.context import Context
from app.graphql.execution.plain_events import PlainSelection, find_plain_selection
from app.graphql.limits.operation_limits import ADVICE, Limits, describe_large_result, too_expensive
from app.graphql.limits.written_text import written_length

# Fields resolved without a pause: a few milliseconds of work.
_FIELDS_AT_A_TIME = 300
# More before a list that is already loaded: what the entries of such lists need is loaded together, without a pause.
_FIELDS_BEFORE_A_LIST = 5_000
# Lists may be longer than the cost of an operation assumes, such as the uses of a citation: then this is the limit.
_MAX_FIELDS = 5 * Limits().cost
# Few fields can have long texts: a hundred questions in each of a hundred messages of a session are a billion.
_MAX_CHARACTERS = 30_000_000


@dataclass(frozen=True, slots=True)
class _KnownResult:
    """Stands in for the executor of an event whose result is known without one."""

    result: ExecutionResult

    def execute_operation(self, serially: bool | None = None) -> ExecutionResult:
        """The result."""
        return self.result


class Executor(StrawberryGraphQLCoreExecutionContext):
    """Executes an operation, pauses if it has many fields, and frees what is cached for an event.

    Loaders return all rows of a list at once, so all fields below them would be resolved in one iteration of the event
    loop: six thousand fields of chunks took 0.3 s.

    graphql-core (3.3.2) caches the fields of every event of a subscription until it ends, under a key that no later
    event uses: 1.5 kB per event, or 4 MB per second for two hundred answers (no upstream issue).
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._resolved_fields = 0
        self._all_fields = 0
        self._characters = 0
        self._pausing = asyncio.Lock()
        self._plain: dict[type, PlainSelection | None] = {}

    def build_per_event_executor(self, payload: Any) -> Self:
        """Build the executor of one event, or what stands in for it."""
        kind: type[Any] = type(payload)
        if kind not in self._plain:
            self._plain[kind] = find_plain_selection(self, kind)
        plain = self._plain[kind]
        result = plain.select(payload) if plain is not None else None
        if result is not None:
            return cast("Self", _KnownResult(result))
        executor = cast("Self", super().build_per_event_executor(payload))
        executor._relevant_sub_fields = {}
        return executor

    def build_resolve_info(self, field_def: Any, field_nodes: Any, parent_type: Any, path: Any) -> Any:
        """Called for each resolved field, so the fields are counted here.

        Each mutation of an operation reads again what those before it may have changed.
        """
        self._resolved_fields += 1
        self._all_fields += 1
        if parent_type is self.schema.mutation_type and isinstance(self.context_value, Context):
            self.context_value.forget_rows()
        return super().build_resolve_info(field_def, field_nodes, parent_type, path)

    def complete_awaitable_value(
        self, return_type: Any, field_details_list: Any, info: Any, path: Any, result: Any, position_context: Any
    ) -> Any:
        """Complete an awaited value, after a pause if need be."""
        pausing = _PausingResult(self, result)
        return super().complete_awaitable_value(return_type, field_details_list, info, path, pausing, position_context)

    def complete_leaf_value(self, return_type: Any, result: Any) -> Any:
        """Complete a scalar or enum. Once the result has too many characters, further texts are left out."""
        value = super().complete_leaf_value(return_type, result)
        kind: type[Any] = type(value)
        if kind in (str, dict):
            self._characters += len(value) if kind is str else written_length(value)
            if self._characters > _MAX_CHARACTERS:
                return kind()
        return value

    def execute_operation(self, serially: bool | None = None) -> Any:
        """Execute the operation. If the result has too many characters, it is replaced with an error.

        Raising the error where the characters are counted would leave hundreds of resolvers that are never awaited.
        """
        result: Any = super().execute_operation(serially)
        return self._bound_later(result) if isawaitable(result) else self._bound_result(result)

    async def _bound_later(self, result: Awaitable[ExecutionResult]) -> ExecutionResult:
        return self._bound_result(await result)

    def _bound_result(self, result: ExecutionResult) -> ExecutionResult:
        if self._characters <= _MAX_CHARACTERS or result.data is None:
            return result
        has_mutated = self.operation.operation is OperationType.MUTATION
        excess = f"The result has more than {_MAX_CHARACTERS:,} characters."
        error = too_expensive(describe_large_result(excess, has_mutated=has_mutated))
        if has_mutated:  # without a path, it would mean that nothing was executed
            path = [next(iter(result.data))]
            error = GraphQLError(error.message, self.operation, path=path, extensions=error.extensions)
        return ExecutionResult(None, [error])

    def complete_list_value(
        self, return_type: Any, field_details_list: Any, info: Any, path: Any, result: Any, position_context: Any
    ) -> Any:
        """Complete a list, after a pause if need be. Raises GraphQLError if too many fields were resolved before."""
        if self._all_fields > _MAX_FIELDS:
            raise GraphQLError(
                f"The operation resolves more than {_MAX_FIELDS:,} fields. {ADVICE}",
                nodes=[details.node for details in field_details_list],
                extensions={"code": "QUERY_TOO_EXPENSIVE"},
            )
        complete = partial(
            super().complete_list_value, return_type, field_details_list, info, path, result, position_context
        )
        return complete() if self._resolved_fields < _FIELDS_BEFORE_A_LIST else self._complete_later(complete)

    async def _complete_later(self, complete: Callable[[], Any]) -> Any:
        await self._pause()
        completed = complete()
        return await completed if isawaitable(completed) else completed

    async def await_with_pauses(self, result: Awaitable[Any]) -> Any:
        """The value of a field, in a later iteration if many fields were resolved in this one."""
        value = await result
        await self._pause()
        return value

    async def _pause(self) -> None:
        if self._resolved_fields >= _FIELDS_AT_A_TIME:
            async with self._pausing:  # tasks that wait here continue in a later iteration
                if self._resolved_fields >= _FIELDS_AT_A_TIME:
                    await asyncio.sleep(0)
                    self._resolved_fields = 0


class _PausingResult:
    """A field's value, for which the executor pauses when it has resolved many fields.

    Operations are cancelled when their client leaves, and graphql-core then drops resolvers that have not begun, of
    which Python warns (no upstream issue). These are closed.
    """

    __slots__ = ("_executor", "_result")

    def __init__(self, executor: Executor, result: Awaitable[Any]) -> None:
        self._executor = executor
        self._result = result

    def __await__(self) -> Generator[Any, Any, Any]:
        return self._executor.await_with_pauses(self._result).__await__()

    def __del__(self) -> None:
        if isinstance(self._result, Coroutine):
            self._result.close()
