"""Log outages of repeated work without a line per attempt: the start, a new reason, a reminder, and the end."""

import logging
import time

# An unchanged reason is logged again after this time.
_REMIND_SECONDS = 600.0


class OutageLog:
    """The log of one kind of work that is tried again and again.

    `waiting` and `working` are the messages, such as “documents are waiting” and “documents are processed again”.
    """

    def __init__(self, log: logging.Logger, waiting: str, working: str) -> None:
        self._log = log
        self._waiting = waiting
        self._working = working
        self._logged_at: dict[str, float] = {}
        self._reason = ""
        self._since: float | None = None
        self._last = 0.0

    def report_failure(self, error: BaseException) -> None:
        """Log why the work waits, at DEBUG if this reason was already logged. Reasons may alternate."""
        reason, now = str(error) or type(error).__name__, time.monotonic()
        self._reason, self._last, self._since = reason, now, now if self._since is None else self._since
        recent = {each: at for each, at in self._logged_at.items() if now - at < _REMIND_SECONDS}
        if reason in recent:
            self._log.debug("%s: %s", self._waiting, reason)
            return
        self._logged_at = {**recent, reason: now}
        self._log.warning("%s: %s", self._waiting, reason)

    def report_success(self) -> None:
        """Log that the work continues, if it was waiting."""
        self._since = None
        if self._logged_at:
            self._logged_at.clear()
            self._log.info("%s", self._working)

    def find_lasting_reason(self, seconds: float) -> str | None:
        """A sentence that says why the work waits, if it still failed after this many seconds.

        A single failure does not count: it may have passed, although the work is not yet known to succeed.
        """
        if self._since is None or self._last - self._since < seconds:
            return None
        return self._reason
