"""The execution of one operation, in pieces: other work of the event loop comes in between."""

# graphql-core's types are partly unknown.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportIncompatibleMethodOverride=false

import asyncio
from collections.abc import Awaitable
from typing import Any, Self, cast

from strawberry.schema.schema import StrawberryGraphQLCoreExecutionContext

# Fields that are told in one go: a few milliseconds of work.
_FIELDS_AT_A_TIME = 300


class Executor(StrawberryGraphQLCoreExecutionContext):
    """Executes an operation, pauses where it has a lot to tell, and forgets what it has learned of an event.

    What has to be waited for comes together, since loaders read for all of a list at once, and would then be told in
    one round of the event loop: six thousand fields of chunks took 0.3 s.

    graphql-core (3.3.2) keeps the fields of every event of a subscription until that ends, by a key that no later event
    has: 1.5 kB for each, which is 4 MB a second for two hundred answers.
    """

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._told = 0
        self._turn = asyncio.Lock()

    def build_per_event_executor(self, payload: Any) -> Self:
        """The executor of one event."""
        executor = cast("Self", super().build_per_event_executor(payload))
        executor._relevant_sub_fields = {}
        return executor

    def build_resolve_info(self, *given: Any) -> Any:
        """What a resolver is told; each field that is told has one."""
        self._told += 1
        return super().build_resolve_info(*given)

    async def complete_awaitable_value(
        self, return_type: Any, field_details_list: Any, info: Any, path: Any, result: Any, position_context: Any
    ) -> Any:
        """Tell what is below a value that had to be waited for, when it is its turn."""
        return await super().complete_awaitable_value(
            return_type, field_details_list, info, path, self._in_turn(result), position_context
        )

    async def _in_turn(self, result: Awaitable[Any]) -> Any:
        value = await result
        if self._told >= _FIELDS_AT_A_TIME:
            async with self._turn:  # who waits for it goes on in a later round
                if self._told >= _FIELDS_AT_A_TIME:
                    await asyncio.sleep(0)
                    self._told = 0
        return value
