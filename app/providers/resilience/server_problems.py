"""Problems of model servers with their addresses, which only the operator may see: in the log, or from a command."""

import logging

log = logging.getLogger(__name__)


class ServerProblems:
    """The last problem of each server that did not answer."""

    def __init__(self) -> None:
        self._messages: dict[str, str] = {}

    def report(self, location: str, message: str) -> None:
        """Log a problem that has just begun. `location`: the server's address and the setting that names it."""
        self._messages[location] = message
        log.warning("no answer from %s: %s", location, message)

    def explain(self, message: str) -> str:
        """The message of an error, once with the server's address if it is about one."""
        for location, known in self._messages.items():
            if known == message:
                del self._messages[location]
                return f"{message} Its address is {location}."
        return message

    def explain_rest(self) -> list[str]:
        """The messages that were not explained yet, with addresses."""
        return [self.explain(message) for message in list(self._messages.values())]
