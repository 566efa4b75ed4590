"""Retry calls while a model server is unavailable, and limit the time for each piece of its answer."""

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

# A stream with many waiting pieces would hog the event loop; after this many pieces, other tasks run.
_AT_ONCE = 4


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How often to retry: after `first_pause` seconds, doubled each time, plus or minus half.

    A server's Retry-After takes precedence, up to `longest_pause`; beyond that, the caller decides.
    """

    max_retries: int = 2
    first_pause: float = 0.5
    longest_pause: float = 10.0

    def next_pause(self, attempt: int, error: errors.ModelUnavailable) -> float | None:
        """Seconds before the next attempt after `attempt` failed ones; None: give up."""
        if attempt > self.max_retries or not error.retryable:
            return None
        if error.retry_after is not None:
            return error.retry_after if error.retry_after <= self.longest_pause else None
        spread = random.uniform(0.5, 1.5)  # noqa: S311 - keeps clients apart, protects nothing
        return self.first_pause * 2 ** (attempt - 1) * spread


async def retry_call(call: Callable[[], Awaitable[T]], retries: RetryPolicy) -> T:
    """Await `call` and return its result; retry while the server is unavailable or limits requests."""
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
    """Stream from the first attempt that yields a piece; after that, nothing is retried.

    An attempt that yields None limits its own wait for the next piece.
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
