"""Follow redirects of model servers only on the same host, because requests contain text of documents."""

from typing import Protocol

from app.providers.resilience.response_sizes import ResponseRefused


class Address(Protocol):
    """A URL of a client's HTTP library."""

    @property
    def scheme(self) -> str:
        """`http` or `https`."""
        ...

    @property
    def host(self) -> str:
        """The name or address of the server."""
        ...


class RedirectedElsewhere(ResponseRefused):
    """A model server redirects to another host, or to one without TLS."""


def require_same_server(server: Address, requested: Address) -> None:
    """Raises RedirectedElsewhere if a request is for another server."""
    if requested.host != server.host or (server.scheme == "https" and requested.scheme != "https"):
        raise RedirectedElsewhere
