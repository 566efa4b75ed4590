"""The circuit breakers of a provider: one for its server, one per model, and one per user of a model.

A server that cannot be reached is down for all models. One that answers 502 to 504, or not in time, may be a router
whose other models work, so that counts only for the requested model. If it affects only one user, that user's requests
may take too long, so it counts only for the user.
"""

from typing import TypeVar

from app import errors
from app.providers.resilience.circuit_breaker import ANSWERS, CircuitBreaker, CircuitCall

# Clients may request any name. Names whose calls go through are forgotten first.
_MAX_NAMES = 1000


class ProviderCircuits:
    """Circuit breakers by model name; those of unused models are closed."""

    def __init__(self, provider: str) -> None:
        self._server = CircuitBreaker(provider)
        self._models: dict[str, _ModelCircuits] = {}

    def current_error(self, model: str) -> errors.ModelUnavailable | None:
        """The error that a call of this model would raise now for some user; None if calls go through."""
        found = self._models.get(model)
        return self._server.current_error() or (found.current_error() if found else None)

    def find_problem(self) -> errors.ModelUnavailable | None:
        """The error that affects all calls to the server, or else all calls of some model; None if there is none."""
        circuits = (self._server, *(each.for_all for each in self._models.values()))
        return next((error for each in circuits if (error := each.current_error())), None)

    def find_user_problem(self) -> errors.ModelUnavailable | None:
        """The error that affects some user's calls of some model; None if there is none."""
        return next((error for each in self._models.values() if (error := each.find_user_problem())), None)

    def check_closed(self, model: str, user: str) -> None:
        """Raises ModelUnavailable while calls of this model do not go through for this user."""
        self._server.check_closed()
        if model in self._models:
            self._models[model].check_closed(user)

    def begin_call(self, model: str, user: str) -> "ProviderCall":
        """Start a call; `user` is empty if it is for nobody. Raises ModelUnavailable while calls do not go through."""
        self.check_closed(model, user)
        if model not in self._models:
            self._models = _forget_names(self._models)
        circuits = self._models.setdefault(model, _ModelCircuits(model))
        return ProviderCall(self._server.begin_call(), *circuits.begin_call(user))


class _ModelCircuits:
    """The circuit breaker of a model for all users, and those of single users."""

    def __init__(self, model: str) -> None:
        self._model = model
        self.for_all = CircuitBreaker(model)
        self._users: dict[str, CircuitBreaker] = {}

    def current_error(self) -> errors.ModelUnavailable | None:
        """The error for all users, or else for some user."""
        return self.for_all.current_error() or self.find_user_problem()

    def find_user_problem(self) -> errors.ModelUnavailable | None:
        """The error for some user."""
        return next((error for each in self._users.values() if (error := each.current_error())), None)

    def check_closed(self, user: str) -> None:
        """Raises ModelUnavailable while calls do not go through for this user."""
        self.for_all.check_closed()
        if user in self._users:
            self._users[user].check_closed()

    def begin_call(self, user: str) -> tuple[CircuitCall, CircuitCall]:
        """Start a call in the breakers of all users and of this user."""
        if user not in self._users:
            self._users = _forget_names(self._users)
        own = self._users.setdefault(user, CircuitBreaker(self._model))
        return self.for_all.begin_call(user), own.begin_call()


_C = TypeVar("_C", CircuitBreaker, _ModelCircuits)


def _forget_names(circuits: dict[str, _C]) -> dict[str, _C]:
    """If there are too many circuits, drop those whose calls go through."""
    if len(circuits) < _MAX_NAMES:
        return circuits
    failing = {name: each for name, each in circuits.items() if each.current_error()}
    return failing if len(failing) < _MAX_NAMES else {}


class ProviderCall:
    """One call, in the breakers of the server, the model and the user."""

    def __init__(self, server: CircuitCall, model: CircuitCall, user: CircuitCall) -> None:
        self._server = server
        self._model = model
        self._user = user

    def record_answer(self) -> None:
        """Record that the model, and so the server, has answered."""
        self._server.record_answer()
        self._model.record_answer()
        self._user.record_answer()

    def record_error(self, error: errors.AnswerError) -> bool:
        """Record that the call failed; returns whether it is the first to find the server or the model down."""
        if isinstance(error, errors.ModelUnreachable):
            return self._server.record_error(error)
        if isinstance(error, ANSWERS):
            self._server.record_answer()
        self._user.record_error(error)
        return self._model.record_error(error)

    def end(self) -> None:
        """End the call, which was cancelled, rejected, or already recorded."""
        self._server.end()
        self._model.end()
        self._user.end()
