"""Open the database that a URL names."""

import importlib.util

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from app import errors
from app.database.protocol import Database
from app.database.sqlite import database as sqlite
from app.database.sqlite import driver

_DEFAULT_URL = "sqlite:///footnote.db"
DRIVER_LOGGER_NAME = driver.LOGGER_NAME
"""The logger of the database's driver."""

# Many PostgreSQL hosts spell it `postgres`.
_POSTGRES_DRIVERS = ("postgresql", "postgres", "postgresql+asyncpg")
_POSTGRES_PACKAGES = ("asyncpg", "pgvector")


def open_database(url: str | None, named_by: str = "DATABASE_URL") -> Database:
    """The database at `url`, by default the file `footnote.db` in the current folder. It connects on first use.

    `named_by` is the setting or option that contains the URL. Raises StartError for a URL that is not supported.
    """
    parsed = _parse_url(url, named_by)
    if parsed.get_backend_name() == "sqlite":
        return sqlite.open_database(parsed, named_by)
    _require_packages()
    from app.database.postgres import database as postgres

    return postgres.open_database(parsed, named_by)


def require_database(url: str | None) -> None:
    """Raises StartError if the database does not exist: a command that reads should not create an empty one."""
    parsed = _parse_url(url, "DATABASE_URL")
    if parsed.get_backend_name() == "sqlite":
        sqlite.require_file(parsed)


def _parse_url(url: str | None, named_by: str) -> URL:
    """Parse a database URL. Raises StartError, whose message never contains a part of a password."""
    url = _DEFAULT_URL if url is None else url
    if not url.strip():  # for example an unset shell variable
        raise errors.StartError(f"{named_by} is empty. Example: {_DEFAULT_URL}.")
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError) as error:  # ValueError: the port is not a number
        if "://" in url and url.count("@") > 1:
            raise _unescaped(named_by) from error
        raise errors.StartError(f"{named_by} is not a database URL. Example: {_DEFAULT_URL}.") from error
    if parsed.password is not None:
        rest = url.partition("://")[2].partition(":")[2]
        if "@" in rest.replace("@", "", 1):
            raise _unescaped(named_by)
    if parsed.get_backend_name() != "sqlite" and parsed.drivername not in _POSTGRES_DRIVERS:
        raise errors.StartError(
            f"{named_by} starts with {parsed.drivername}://, which this version does not support; allowed: "
            "sqlite:///FILE and postgresql://USER:PASSWORD@HOST/DATABASE."
        )
    return parsed


def _unescaped(named_by: str) -> errors.StartError:
    return errors.StartError(f"{named_by} has more than one @; in a user name or a password it must be written as %40.")


def _require_packages() -> None:
    missing = [name for name in _POSTGRES_PACKAGES if importlib.util.find_spec(name) is None]
    if missing:
        raise errors.StartError(
            f"A PostgreSQL database needs {' and '.join(missing)}. Run `make run SERVER=1` in a checkout, or install "
            "Footnote with the extra `postgres`."
        )
