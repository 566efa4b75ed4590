"""Log outages of repeated work without a line per attempt: the start, a new reason, a reminder, and the end."""

import logging
import time

# A reason that stays the same is logged again after this.
_REMIND_SECONDS = 600.0


class OutageLog:
    """The log of one kind of work that is tried again and again.

    `waiting` and `working` are the messages, such as “documents are waiting” and “documents are processed again”.
    """

    def __init__(self, log: logging.Logger, waiting: str, working: str) -> None:
        self._log = log
        self._waiting = waiting
        self._working = working
        self._reason: str | None = None
        self._logged_at = 0.0

    def report_failure(self, error: BaseException) -> None:
        """Log why the work waits; at DEBUG if that was logged before."""
        reason, now = str(error) or type(error).__name__, time.monotonic()
        if reason == self._reason and now - self._logged_at < _REMIND_SECONDS:
            self._log.debug("%s: %s", self._waiting, reason)
            return
        self._reason, self._logged_at = reason, now
        self._log.warning("%s: %s", self._waiting, reason)

    def report_success(self) -> None:
        """Log that the work goes on, if it waited."""
        if self._reason is not None:
            self._reason = None
            self._log.info("%s", self._working)
