"""Find the proxy that the environment names for a model server, in the same way for every client library."""

import urllib.request
from urllib.parse import urlsplit

from app import errors

# A proxy without a scheme, which is common, speaks HTTP.
_PROXY_SCHEMES = "", "http", "https"
PORTS = {"http": 80, "https": 443}
"""The default ports."""


def find_proxy(address: str) -> str | None:
    """The URL of the proxy for a server, or None. Raises StartError for one that cannot be used, such as SOCKS."""
    url, proxies = urlsplit(address), urllib.request.getproxies()
    named = next((name for name in (url.scheme, "all") if proxies.get(name)), None)
    # NO_PROXY may name one port of a host.
    if named is None or urllib.request.proxy_bypass(f"{url.hostname}:{url.port or PORTS.get(url.scheme)}"):
        return None
    proxy = proxies[named]
    scheme, separator, _ = proxy.rpartition("://")
    if scheme not in _PROXY_SCHEMES:
        raise errors.StartError(
            f"{named.upper()}_PROXY names a proxy that speaks {scheme}; Footnote can use proxies that speak "
            "http or https, such as http://proxy.example.org:3128."
        )
    return proxy if separator else f"http://{proxy}"
