"""Translate a database URL, with the parameters of PostgreSQL's own programs, into arguments of the driver.

https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-PARAMKEYWORDS.
"""

from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

from sqlalchemy import URL

from app import errors

CONNECT_SECONDS = 5.0

# The driver accepts these only in a URL.
_TLS_PARAMETERS = {
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
_SESSION_PARAMETERS = {"application_name", "options"}
_HOST_PARAMETERS = {"host", "port"}


def read_url(url: URL, server_settings: dict[str, str], named_by: str = "DATABASE_URL") -> tuple[URL, dict[str, Any]]:
    """Return the URL with only those parameters that name hosts, and driver arguments for the other parameters.

    `server_settings` are settings of the session; the URL may add to them. `named_by` says where the URL is from.
    Raises StartError for a parameter that the driver does not support.
    """
    parameters = {name: value if isinstance(value, str) else value[-1] for name, value in url.query.items()}
    arguments: dict[str, Any] = {"timeout": CONNECT_SECONDS}
    for name in parameters.keys() - _TLS_PARAMETERS - _SESSION_PARAMETERS - _HOST_PARAMETERS:
        if name not in _ARGUMENTS:
            allowed = ", ".join(sorted(_TLS_PARAMETERS | _SESSION_PARAMETERS | _HOST_PARAMETERS | _ARGUMENTS.keys()))
            raise errors.StartError(f"{named_by} has the parameter {name}, which is not supported; allowed: {allowed}.")
        argument, kind = _ARGUMENTS[name]
        try:
            arguments[argument] = kind(parameters[name])
        except ValueError as error:
            raise errors.StartError(f"{named_by}: {name} must be a number.") from error
    if tls := {name: value for name, value in parameters.items() if name in _TLS_PARAMETERS}:
        arguments["dsn"] = f"postgresql://?{urlencode(tls)}"
    session = {name: value for name, value in parameters.items() if name in _SESSION_PARAMETERS}
    arguments["server_settings"] = {**server_settings, **session}
    hosts = {name: value for name, value in url.query.items() if name in _HOST_PARAMETERS}
    return url.set(query=hosts), arguments
