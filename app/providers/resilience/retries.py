"""Ask a model server again while it is unavailable, and limit how long each piece of its answer may take."""

import asyncio
import random
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from dataclasses import dataclass
from typing import TypeVar

from app import errors
from app.providers.base import TimeLimits
from app.providers.resilience.error_mapping import ErrorMapper
from app.providers.resilience.stream_timeouts import WaitTimer

T = TypeVar("T")

# A stream that is behind has many pieces at hand and would keep the event loop to itself; after so many others run.
_AT_ONCE = 4


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How often to try again: after `first_pause` seconds, doubled each time, give or take a half of it.

    What a server asks for in Retry-After counts instead, up to `longest_pause`; beyond that, the caller decides.
    """

    max_retries: int = 2
    first_pause: float = 0.5
    longest_pause: float = 10.0

    def next_pause(self, attempt: int, error: errors.ModelUnavailable) -> float | None:
        """Seconds before the next try after `attempt` failed ones; None: give up."""
        if attempt > self.max_retries or not error.retryable:
            return None
        if error.retry_after is not None:
            return error.retry_after if error.retry_after <= self.longest_pause else None
        spread = random.uniform(0.5, 1.5)  # noqa: S311 - keeps clients apart, protects nothing
        return self.first_pause * 2 ** (attempt - 1) * spread


async def retry_call(call: Callable[[], Awaitable[T]], retries: RetryPolicy) -> T:
    """The result of `call`, tried again while its server is unavailable or asks for patience."""
    attempt = 0
    while True:
        try:
            return await call()
        except errors.ModelUnavailable as error:
            attempt += 1
            wait = retries.next_pause(attempt, error)
            if wait is None:
                raise
        await asyncio.sleep(wait)


async def stream_with_retries(
    attempt: Callable[[], AsyncGenerator[T | None]], error_mapper: ErrorMapper, limits: TimeLimits, retries: RetryPolicy
) -> AsyncGenerator[T]:
    """One stream from as many attempts as it needs to begin; once a piece has left, nothing is tried again.

    An attempt that yields None limits its wait for the next piece itself.
    Raises ModelTimeout, and closes the attempt, if a piece takes longer than `limits` allow.
    """
    timer = WaitTimer()
    count = failed = 0
    try:
        while True:
            timer.begin_wait(limits.first_token)
            try:
                async with aclosing(attempt()) as source:
                    async for piece in source:
                        timer.end_wait()
                        if piece is None:
                            continue
                        yield piece
                        count += 1
                        if count % _AT_ONCE == 0:
                            await asyncio.sleep(0)
                        timer.begin_wait(limits.between_tokens)
                return
            except asyncio.CancelledError as error:
                if not timer.timed_out():
                    raise
                raise _timeout(error_mapper.label, limits, begun=count > 0) from error
            except errors.ModelUnavailable as error:
                failed += 1
                pause = None if count else retries.next_pause(failed, error)
                if pause is None:
                    raise
            finally:
                timer.end_wait()
            await asyncio.sleep(pause)
    finally:
        timer.close()


def _timeout(label: str, limits: TimeLimits, *, begun: bool) -> errors.ModelTimeout:
    if begun:
        return errors.ModelTimeout(f"{label} has not continued its answer within {limits.between_tokens:g} seconds.")
    return errors.ModelTimeout(f"{label} has not begun to answer within {limits.first_token:g} seconds.")
