"""The circuit breakers of a provider: one for its server, and one for each of its models.

A server that cannot be reached is down for all models. One that answers 502 to 504, or not in time, may be a router
whose other models work: that counts for the model asked only.
"""

from app import errors
from app.providers.resilience.circuit_breaker import ANSWERS, CircuitBreaker, CircuitCall

# Clients may ask for any name. Names whose calls go through are forgotten first.
_MAX_MODELS = 1000


class ProviderCircuits:
    """Breakers by name of the model; those of models that nobody has asked yet are closed."""

    def __init__(self, provider: str) -> None:
        self._server = CircuitBreaker(provider)
        self._models: dict[str, CircuitBreaker] = {}

    def current_error(self, model: str) -> errors.ModelUnavailable | None:
        """The error of a call of this model that would be made now; None if calls go through."""
        found = self._models.get(model)
        return self._server.current_error() or (found.current_error() if found else None)

    def find_problem(self) -> errors.ModelUnavailable | None:
        """The error of the server's calls, or else of those of some model; None if all go through."""
        breakers = (self._server, *self._models.values())
        return next((error for each in breakers if (error := each.current_error())), None)

    def check_closed(self, model: str) -> None:
        """Raises ModelUnavailable while calls of this model do not go through."""
        self._server.check_closed()
        self._breaker_of(model).check_closed()

    def begin_call(self, model: str) -> "ProviderCall":
        """Start a call. Raises ModelUnavailable while calls of this model do not go through."""
        self.check_closed(model)
        return ProviderCall(self._server.begin_call(), self._breaker_of(model).begin_call())

    def _breaker_of(self, model: str) -> CircuitBreaker:
        if model not in self._models and len(self._models) >= _MAX_MODELS:
            failing = {name: breaker for name, breaker in self._models.items() if breaker.current_error()}
            self._models = failing if len(failing) < _MAX_MODELS else {}
        return self._models.setdefault(model, CircuitBreaker(model))


class ProviderCall:
    """One call, for the breaker of the server and that of the model."""

    def __init__(self, server: CircuitCall, model: CircuitCall) -> None:
        self._server = server
        self._model = model

    def record_answer(self) -> None:
        """The model has answered, and so the server has."""
        self._server.record_answer()
        self._model.record_answer()

    def record_error(self, error: errors.AnswerError) -> bool:
        """The call failed with this error; returns whether it is the first to find the server or the model down."""
        if isinstance(error, errors.ModelUnreachable):
            return self._server.record_error(error)
        if isinstance(error, ANSWERS):
            self._server.record_answer()
        return self._model.record_error(error)

    def end(self) -> None:
        """The call is over: cancelled, refused, or already recorded."""
        self._server.end()
        self._model.end()
