"""Say what is wrong with the database."""

from app import errors


def not_writable(reason: str) -> errors.Unavailable:
    """The error of a write that failed for a `reason` that may pass."""
    return errors.Unavailable(f"The database cannot be written to right now: {reason}.", "database", 1000)
