"""The circuit breaker under a test clock: when it opens, whom it lets through, and when it closes."""

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    MultipleResults,
    RuleBasedStateMachine,
    consumes,
    invariant,
    multiple,
    precondition,
    rule,
)

from app import errors
from app.providers.resilience.circuit_breaker import (
    FAILURES_TO_OPEN,
    FIRST_PAUSE,
    LONGEST_PAUSE,
    SPREAD,
    CircuitBreaker,
    CircuitCall,
)
from app.providers.resilience.error_mapping import QuotaExhausted

DOWN = [errors.ModelUnavailable("down"), errors.ModelTimeout("slow")]
UP = [
    errors.ModelUnauthorized("key"),
    errors.ModelNotFound("?"),
    errors.ModelRateLimited("429"),
    errors.ModelFailed("500"),
    QuotaExhausted("402"),
]
SILENT = [errors.ModelRefused("no"), errors.ContextTooLong("long"), errors.ModelIncomplete("broke off")]


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def fail(call: CircuitCall, error: errors.AnswerError) -> None:
    call.record_error(error)
    call.end()


def opened() -> tuple[CircuitBreaker, Clock]:
    """A circuit breaker that has just opened, with a pause of exactly FIRST_PAUSE."""
    clock = Clock()
    circuit = CircuitBreaker("stand-in", clock, lambda low, high: 1.0)
    for _ in range(FAILURES_TO_OPEN):
        fail(circuit.begin_call(), DOWN[0])
    return circuit, clock


class Calls(RuleBasedStateMachine):
    """Any sequence of calls and outcomes, compared with a model that only counts consecutive failures."""

    running = Bundle("running")

    def __init__(self) -> None:
        super().__init__()
        self.clock = Clock()
        self.circuit = CircuitBreaker("stand-in", self.clock, lambda low, high: (low + high) / 2)
        self.in_a_row = 0
        self.open = False
        self.probe: CircuitCall | None = None
        self.pauses: list[float] = []

    @rule(target=running)
    def begin(self) -> CircuitCall | MultipleResults[CircuitCall]:
        if self.circuit.current_error() is not None:
            with pytest.raises(errors.ModelUnavailable, match=f"failed {self.in_a_row} times in a row") as caught:
                self.circuit.begin_call()
            assert (caught.value.retry_after or 0) > 0
            return multiple()
        call = self.circuit.begin_call()
        if self.open:
            assert self.probe is None, "one probe at a time"
            self.probe = call
        return call

    @rule(call=consumes(running), error=st.sampled_from(DOWN))
    def failed(self, call: CircuitCall, error: errors.AnswerError) -> None:
        counts = not self.open or call is self.probe
        fail(call, error)
        if counts:
            self.in_a_row += 1
            self.probe = None
            if self.in_a_row >= FAILURES_TO_OPEN:
                self.open = True
                problem = self.circuit.current_error()
                assert problem is not None and problem.retry_after is not None
                self.pauses.append(problem.retry_after)

    @rule(call=consumes(running), error=st.sampled_from([None, *UP]), then=st.sampled_from([None, *DOWN]))
    def answered(self, call: CircuitCall, error: errors.AnswerError | None, then: errors.AnswerError | None) -> None:
        if error is None:
            call.record_answer()
        else:
            call.record_error(error)
        if then is not None:
            call.record_error(then)  # what happens after the first piece says nothing
        call.end()
        self.in_a_row, self.open, self.probe, self.pauses = 0, False, None, []

    @rule(call=consumes(running), error=st.sampled_from([None, *SILENT]))
    def said_nothing(self, call: CircuitCall, error: errors.AnswerError | None) -> None:
        if error is not None:
            call.record_error(error)
        call.end()
        if call is self.probe:
            self.probe = None

    @rule(seconds=st.floats(0.01, 2 * LONGEST_PAUSE))
    def later(self, seconds: float) -> None:
        self.clock.now += seconds

    @precondition(lambda self: self.open and self.probe is None)
    @rule(target=running)
    def probe_when_it_is_time(self) -> CircuitCall | MultipleResults[CircuitCall]:
        problem = self.circuit.current_error()
        if problem is not None and problem.retry_after is not None:
            self.clock.now += problem.retry_after + 0.001
        assert self.circuit.current_error() is None
        return self.begin()

    @invariant()
    def opens_exactly_after_so_many(self) -> None:
        assert self.open == (self.in_a_row >= FAILURES_TO_OPEN)
        if not self.open:
            assert self.circuit.current_error() is None
        if self.probe is not None:
            assert self.circuit.current_error() is not None

    @invariant()
    def pauses_grow_up_to_a_bound(self) -> None:
        assert self.pauses == sorted(self.pauses)
        assert all(FIRST_PAUSE * 0.99 <= pause <= LONGEST_PAUSE * 1.01 for pause in self.pauses)


TestCalls = Calls.TestCase
TestCalls.settings = settings(max_examples=50, stateful_step_count=40, deadline=None)


def test_the_pause_doubles_up_to_its_bound() -> None:
    circuit, clock = opened()
    pauses: list[float] = []
    for _ in range(7):
        problem = circuit.current_error()
        assert problem is not None and problem.retry_after is not None
        pauses.append(problem.retry_after)
        clock.now += problem.retry_after
        fail(circuit.begin_call(), DOWN[1])
    assert pauses == [2, 4, 8, 16, 30, 30, 30]
    circuit.record_answer()
    for _ in range(FAILURES_TO_OPEN):
        fail(circuit.begin_call(), DOWN[0])
    again = circuit.current_error()
    assert again is not None and again.retry_after == FIRST_PAUSE


def test_an_open_circuit_explains_itself() -> None:
    circuit, clock = opened()
    with pytest.raises(errors.ModelUnavailable) as caught:
        circuit.check_closed()
    assert caught.value.message == "stand-in has failed 5 times in a row and is tried again in 2 s."
    clock.now += 0.75
    problem = circuit.current_error()
    assert problem is not None and problem.retry_after == 1.25
    clock.now += 1.25
    assert circuit.current_error() is None
    circuit.begin_call()
    with pytest.raises(errors.ModelUnavailable, match="is being tried again now"):
        circuit.begin_call()


def test_a_late_failure_of_an_older_call_does_not_end_the_probe() -> None:
    clock = Clock()
    circuit = CircuitBreaker("stand-in", clock, lambda low, high: 1.0)
    older = [circuit.begin_call() for _ in range(FAILURES_TO_OPEN + 1)]
    for call in older[:-1]:
        fail(call, DOWN[0])
    clock.now += FIRST_PAUSE
    probe = circuit.begin_call()
    fail(older[-1], DOWN[0])
    assert circuit.current_error() is not None
    probe.record_answer()
    assert circuit.current_error() is None


def test_two_processes_do_not_probe_at_the_same_time() -> None:
    drawn: list[tuple[float, float]] = []

    def spread(low: float, high: float) -> float:
        drawn.append((low, high))
        return high

    circuit = CircuitBreaker("stand-in", Clock(), spread)
    for _ in range(FAILURES_TO_OPEN):
        fail(circuit.begin_call(), DOWN[0])
    problem = circuit.current_error()
    assert drawn == [SPREAD]
    assert problem is not None and problem.retry_after == FIRST_PAUSE * SPREAD[1]
    assert SPREAD[0] < 1 < SPREAD[1]
