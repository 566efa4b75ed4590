"""Open the database that a URL names."""

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from app import errors
from app.database.protocol import Database
from app.database.sqlite import database as sqlite
from app.database.sqlite import driver

DEFAULT_URL = "sqlite:///footnote.db"
DRIVER_LOGGER_NAME = driver.LOGGER_NAME
"""The logger of the database's driver."""


def open_database(url: str) -> Database:
    """The database of `url`; it connects when it is first used. Raises StartError for a URL that is not supported."""
    return sqlite.open_database(_parse_url(url))


def require_database(url: str) -> None:
    """Raises StartError when the database does not exist: a command that reads one should not get an empty one."""
    sqlite.require_file(_parse_url(url))


def _parse_url(url: str) -> URL:
    try:
        parsed = make_url(url)
    except ArgumentError as error:
        raise errors.StartError(f"DATABASE_URL is not a database URL; an example: {DEFAULT_URL}.") from error
    if parsed.get_backend_name() != "sqlite":
        raise errors.StartError(
            f"DATABASE_URL starts with {parsed.drivername}://, which this version does not support; allowed: sqlite:///FILE."
        )
    return parsed
