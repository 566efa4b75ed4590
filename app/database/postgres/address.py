"""How to reach a PostgreSQL server, as its URL says it in the words of PostgreSQL's own programs.

https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-PARAMKEYWORDS.
"""

from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

from sqlalchemy import URL

from app import errors

CONNECT_SECONDS = 5.0

# The driver reads these in a URL alone.
_TLS = {
    "sslmode",
    "sslrootcert",
    "sslcert",
    "sslkey",
    "sslpassword",
    "sslcrl",
    "sslnegotiation",
    "ssl_min_protocol_version",
    "ssl_max_protocol_version",
}
_ARGUMENTS: dict[str, tuple[str, Callable[[str], object]]] = {
    "connect_timeout": ("timeout", float),
    "passfile": ("passfile", str),
    "ssl": ("ssl", str),
    "target_session_attrs": ("target_session_attrs", str),
}
_OF_SESSION = {"application_name", "options"}
_PLACES = {"host", "port"}


def read_url(url: URL, server_settings: dict[str, str], named_by: str = "DATABASE_URL") -> tuple[URL, dict[str, Any]]:
    """The URL without its parameters, but for those that name hosts, and the arguments of the driver that they stand
    for. `server_settings` are the session's; `named_by` is where the URL is from.

    Raises StartError for a parameter that the driver cannot heed.
    """
    given = {name: value if isinstance(value, str) else value[-1] for name, value in url.query.items()}
    arguments: dict[str, Any] = {"timeout": CONNECT_SECONDS}
    for name in given.keys() - _TLS - _OF_SESSION - _PLACES:
        if name not in _ARGUMENTS:
            known = ", ".join(sorted(_TLS | _OF_SESSION | _PLACES | _ARGUMENTS.keys()))
            raise errors.StartError(f"{named_by} has the parameter {name}, which cannot be used; allowed: {known}.")
        argument, kind = _ARGUMENTS[name]
        try:
            arguments[argument] = kind(given[name])
        except ValueError as error:
            raise errors.StartError(f"{named_by}: {name} must be a number.") from error
    if tls := {name: value for name, value in given.items() if name in _TLS}:
        arguments["dsn"] = f"postgresql://?{urlencode(tls)}"
    of_session = {name: value for name, value in given.items() if name in _OF_SESSION}
    arguments["server_settings"] = {**server_settings, **of_session}
    return url.set(query={name: value for name, value in url.query.items() if name in _PLACES}), arguments
