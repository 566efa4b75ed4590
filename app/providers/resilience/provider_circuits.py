"""The circuit breakers of a provider: one for its server, one for each of its models, and one for each user of a model.

A server that cannot be reached is down for all models. One that answers 502 to 504, or not in time, may be a router
whose other models work: that counts for the model asked only. If it does so for one user alone, it may be what this
user asks for that takes too long: that counts for the user only.
"""

from typing import TypeVar

from app import errors
from app.providers.resilience.circuit_breaker import ANSWERS, CircuitBreaker, CircuitCall

# Clients may ask for any name. Names whose calls go through are forgotten first.
_MAX_NAMES = 1000


class ProviderCircuits:
    """Breakers by name of the model; those of models that nobody has asked yet are closed."""

    def __init__(self, provider: str) -> None:
        self._server = CircuitBreaker(provider)
        self._models: dict[str, _ModelCircuits] = {}

    def current_error(self, model: str) -> errors.ModelUnavailable | None:
        """The error of a call of this model that some user would make now; None if calls go through."""
        found = self._models.get(model)
        return self._server.current_error() or (found.current_error() if found else None)

    def find_problem(self) -> errors.ModelUnavailable | None:
        """The error of the server's calls, or else of everybody's calls of some model; None if all go through."""
        circuits = (self._server, *(each.for_all for each in self._models.values()))
        return next((error for each in circuits if (error := each.current_error())), None)

    def find_user_problem(self) -> errors.ModelUnavailable | None:
        """The error of some user's calls of some model; None if all go through."""
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
    """The breaker of a model for all, and those of its users."""

    def __init__(self, model: str) -> None:
        self._model = model
        self.for_all = CircuitBreaker(model)
        self._users: dict[str, CircuitBreaker] = {}

    def current_error(self) -> errors.ModelUnavailable | None:
        """The error for all, or else for some user."""
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
        """Start a call, for all and for this user."""
        if user not in self._users:
            self._users = _forget_names(self._users)
        own = self._users.setdefault(user, CircuitBreaker(self._model))
        return self.for_all.begin_call(user), own.begin_call()


_C = TypeVar("_C", CircuitBreaker, _ModelCircuits)


def _forget_names(circuits: dict[str, _C]) -> dict[str, _C]:
    """The circuits without those whose calls go through, if there are too many."""
    if len(circuits) < _MAX_NAMES:
        return circuits
    failing = {name: each for name, each in circuits.items() if each.current_error()}
    return failing if len(failing) < _MAX_NAMES else {}


class ProviderCall:
    """One call, for the breakers of the server, of the model, and of its user."""

    def __init__(self, server: CircuitCall, model: CircuitCall, user: CircuitCall) -> None:
        self._server = server
        self._model = model
        self._user = user

    def record_answer(self) -> None:
        """The model has answered, and so the server has."""
        self._server.record_answer()
        self._model.record_answer()
        self._user.record_answer()

    def record_error(self, error: errors.AnswerError) -> bool:
        """The call failed with this error; returns whether it is the first to find the server or the model down."""
        if isinstance(error, errors.ModelUnreachable):
            return self._server.record_error(error)
        if isinstance(error, ANSWERS):
            self._server.record_answer()
        self._user.record_error(error)
        return self._model.record_error(error)

    def end(self) -> None:
        """The call is over: cancelled, refused, or already recorded."""
        self._server.end()
        self._model.end()
        self._user.end()
