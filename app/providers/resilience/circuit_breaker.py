"""Circuit breaker: stop calling a provider or model that is down, and find out when it is back.

CLOSED: calls go through. After FAILURES_TO_OPEN consecutive failures that mean "the server is down", it is OPEN: calls
fail at once, so that nobody waits in vain and a restarting server is not flooded. After a pause, ONE call goes through
as a probe (HALF OPEN): if the server answers, the circuit closes; otherwise it opens for longer. The failures must not
be mostly one user's: perhaps only that user's requests are too slow. Pure except for its clock.
"""

import math
import random
import time
from collections import Counter
from collections.abc import Callable

from app import errors

# Each call is tried three times before it counts, so these are fifteen requests: no hiccup, yet only seconds.
FAILURES_TO_OPEN = 5
# How many of them may be one user's.
MOST_OF_ONE_USER = 3
# About as long as a restart takes; doubled after each failed probe, because a server that is still down may stay down.
FIRST_PAUSE = 2.0
# A server that is back should not be avoided for longer than a person would wait before retrying.
LONGEST_PAUSE = 30.0
# Processes that lost a server at the same time should not all return at the same time.
SPREAD = (0.75, 1.25)
# These errors are responses, so the server is up. A failure of one request must not open the circuit for others.
# (ContextTooLong and ModelRefused may be raised without calling the server.)
ANSWERS = errors.ModelUnauthorized, errors.ModelNotFound, errors.ModelRateLimited, errors.ModelFailed
# When to retry while a probe is running, which may end at any moment.
_PROBE_RETRY_SECONDS = 1.0


class CircuitBreaker:
    """The circuit breaker of one provider or model; `name` is its name in error messages."""

    def __init__(
        self,
        name: str,
        clock: Callable[[], float] = time.monotonic,
        spread: Callable[[float, float], float] = random.uniform,
    ) -> None:
        self._name = name
        self._clock = clock
        self._spread = spread
        self._failures = 0
        self._failures_by_user = Counter[str]()
        self._openings = 0
        self._open_until: float | None = None
        self._probe: CircuitCall | None = None

    def current_error(self) -> errors.ModelUnavailable | None:
        """The error that a call would raise now; None if calls go through."""
        if self._open_until is None:
            return None
        failed = f"{self._name} has failed {self._failures} times in a row and is"
        if self._probe is not None:
            return errors.ModelUnavailable(f"{failed} being tried again now.", _PROBE_RETRY_SECONDS)
        left = self._open_until - self._clock()
        if left <= 0:
            return None
        return errors.ModelUnavailable(f"{failed} tried again in {math.ceil(left)} s.", left)

    def check_closed(self) -> None:
        """Raises ModelUnavailable while calls do not go through."""
        if problem := self.current_error():
            try:
                raise problem
            finally:
                del problem  # no cycle, see app/errors

    def begin_call(self, user: str = "") -> "CircuitCall":
        """Start a call; the first after a pause is the probe. Raises ModelUnavailable while calls do not go through.

        `user` is empty if failures count whichever user they affect.
        """
        self.check_closed()
        call = CircuitCall(self, user)
        if self._open_until is not None:
            self._probe = call
        return call

    def record_answer(self) -> None:
        """Record that the server has answered a call, so it is up."""
        self._failures = self._openings = 0
        self._failures_by_user.clear()
        self._open_until = self._probe = None

    def record_failure(self, call: "CircuitCall") -> bool:
        """Record that a call found the server down; returns whether it is the first since the last answer.

        While the circuit is open only the probe counts.
        """
        if self._open_until is not None and call is not self._probe:
            return False
        self._failures += 1
        self._failures_by_user[call.user] += 1
        self._probe = None
        if self._counted_failures >= FAILURES_TO_OPEN:
            pause = min(LONGEST_PAUSE, FIRST_PAUSE * 2**self._openings)
            self._openings += 1
            self._open_until = self._clock() + pause * self._spread(*SPREAD)
        return self._failures == 1

    @property
    def _counted_failures(self) -> int:
        return sum(min(MOST_OF_ONE_USER, count) if user else count for user, count in self._failures_by_user.items())

    def end_call(self, call: "CircuitCall") -> None:
        """End a call without a verdict on the server; if it was the probe, the next call will be."""
        if call is self._probe:
            self._probe = None


class CircuitCall:
    """One call. Only its first verdict counts: if a stream breaks off later, the server had answered."""

    def __init__(self, circuit: CircuitBreaker, user: str) -> None:
        self.user = user
        self._circuit = circuit
        self._over = False

    def record_answer(self) -> None:
        """Record that the server has answered."""
        if not self._over:
            self._over = True
            self._circuit.record_answer()

    def record_error(self, error: errors.AnswerError) -> bool:
        """Record that the call failed; returns whether it is the first to find the server down."""
        if isinstance(error, ANSWERS):
            self.record_answer()
        elif isinstance(error, errors.ModelUnavailable | errors.ModelTimeout) and not self._over:
            self._over = True
            return self._circuit.record_failure(self)
        return False

    def end(self) -> None:
        """End the call, which was cancelled, rejected, or already recorded."""
        if not self._over:
            self._over = True
            self._circuit.end_call(self)
