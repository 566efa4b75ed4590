"""What became of the calls to one provider in; whether the next may be made, out. Pure but for the clock it is given.

CLOSED: calls go through. After FAILURES in a row that mean "the server is down" it is OPEN: calls fail at once, so that
nobody waits for what is known and a server that starts again is not met by all who waited. When its time is over, ONE
call is let through as a probe (HALF OPEN): if the server answers it the circuit closes, else it opens for longer.
"""

import math
import random
import time
from collections.abc import Callable

from app import errors

# Each call has been tried three times before it counts, so five are fifteen requests: no hiccup, and yet only seconds.
FAILURES_TO_OPEN = 5
# As long as a server takes that only restarts; doubled at each failed probe, because one that is gone stays so longer.
FIRST_PAUSE = 2.0
# A server that is back should not be left alone for longer than somebody waits who tries again.
LONGEST_PAUSE = 30.0
# Give or take a quarter: processes that lost a server together should not come back to it together.
SPREAD = (0.75, 1.25)
# When to ask again while a probe is out; it may be over at any moment.
_WHILE_PROBED = 1.0


class CircuitBreaker:
    """The circuit breaker of one provider, for all its models."""

    def __init__(
        self,
        provider: str,
        clock: Callable[[], float] = time.monotonic,
        spread: Callable[[float, float], float] = random.uniform,
    ) -> None:
        self._provider = provider
        self._clock = clock
        self._spread = spread
        self._failures = 0
        self._openings = 0
        self._open_until: float | None = None
        self._probe: CircuitCall | None = None

    def current_error(self) -> errors.ModelUnavailable | None:
        """Why no call may be made now, and when one may; None if one may."""
        if self._open_until is None:
            return None
        failed = f"{self._provider} has failed {self._failures} times in a row and is"
        if self._probe is not None:
            return errors.ModelUnavailable(f"{failed} being tried again now.", _WHILE_PROBED)
        left = self._open_until - self._clock()
        if left <= 0:
            return None
        return errors.ModelUnavailable(f"{failed} tried again in {math.ceil(left)} s.", left)

    def check_closed(self) -> None:
        """Raises ModelUnavailable while no call may be made."""
        if problem := self.current_error():
            raise problem

    def begin_call(self) -> "CircuitCall":
        """A call that is made now; the first after a pause is the probe. Raises ModelUnavailable while none may be."""
        self.check_closed()
        call = CircuitCall(self)
        if self._open_until is not None:
            self._probe = call
        return call

    def record_answer(self) -> None:
        """The server has answered somebody: whatever was before, it is up."""
        self._failures = self._openings = 0
        self._open_until = self._probe = None

    def record_failure(self, call: "CircuitCall") -> bool:
        """A call found the server down; whether it is the first since the server last answered.

        While the circuit is open only the probe says something new.
        """
        if self._open_until is not None and call is not self._probe:
            return False
        self._failures += 1
        self._probe = None
        if self._failures >= FAILURES_TO_OPEN:
            pause = min(LONGEST_PAUSE, FIRST_PAUSE * 2**self._openings)
            self._openings += 1
            self._open_until = self._clock() + pause * self._spread(*SPREAD)
        return self._failures == 1

    def end_call(self, call: "CircuitCall") -> None:
        """A call ended without saying anything of its server; if it was the probe, the next call is."""
        if call is self._probe:
            self._probe = None


class CircuitCall:
    """One call. What is told of it first counts: a stream that breaks off later had a server that answered."""

    def __init__(self, circuit: CircuitBreaker) -> None:
        self._circuit = circuit
        self._over = False

    def record_answer(self) -> None:
        """The server has answered."""
        if not self._over:
            self._over = True
            self._circuit.record_answer()

    def record_error(self, error: errors.AnswerError) -> bool:
        """The call has ended with this error; whether it is the first that says that the server is down."""
        if isinstance(error, errors.ModelUnauthorized | errors.ModelNotFound | errors.ModelRateLimited):
            # These are answers. A context that is too long, or a refusal, may be our own judgement.
            self.record_answer()
        elif isinstance(error, errors.ModelUnavailable | errors.ModelTimeout) and not self._over:
            self._over = True
            return self._circuit.record_failure(self)
        return False

    def end(self) -> None:
        """The call is over, whatever it was: cancelled, refused, or told of already."""
        if not self._over:
            self._over = True
            self._circuit.end_call(self)
