"""IP addresses, host names and URLs: which are loopback, where a request came from, what settings and links allow."""

import re
from collections.abc import Iterable, Sequence
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from urllib.parse import SplitResult, urlsplit

from app import safe_text

_ORIGIN = re.compile(r"\*|https?://[^/\s?#@*]+")
_DEFAULT_PORTS = {"http": ":80", "https": ":443"}
_HOST = re.compile(r"(\*\.)?[\w-]+(\.[\w-]+)*\.?|\*|\[[0-9a-fA-F:.]+\]")


def is_loopback(name: str) -> bool:
    """Whether a name or address only reaches this machine."""
    if name.lower() == "localhost":
        return True
    address = _parse_ip(name.strip("[]"))
    return address is not None and address.is_loopback


def normalize_ip(text: str) -> str | None:
    """An IP address in its normal form, without port, brackets and zone; None for anything else.

    An IPv4-mapped IPv6 address becomes the IPv4 address: dual-stack sockets report clients that way.
    """
    text = text.strip()
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    address = _parse_ip(text)
    return None if address is None else str(address)


def reachable_host(host: str) -> str:
    """Where a server on this machine is reached that listens on `host`, which may stand for all addresses."""
    return {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}.get(host, host)  # noqa: S104


def client_network(address: str) -> str:
    """The address itself, or the /64 network of an IPv6 address, which usually belongs to one client."""
    found = _parse_ip(address)
    if found is None:
        return address
    return str(IPv6Address(int(found) >> 64 << 64)) if isinstance(found, IPv6Address) else str(found)


def is_link(url: str) -> bool:
    """Whether `url` is safe to show as a link: http(s) with a host, no invisible characters, no white space."""
    if any(character.isspace() or not character.isprintable() or character in "<>\\" for character in url):
        return False
    try:
        parts = urlsplit(url)
        return parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        return False


def link_or_none(url: str | None) -> str | None:
    """`url` if it is a link; older rows may contain other values."""
    return url if url is not None and is_link(url) else None


class Proxies:
    """The trusted proxies, whose `X-Forwarded-…` headers are believed."""

    def __init__(self, networks: Iterable[str] = ()) -> None:
        """Takes addresses and networks such as `10.0.0.0/8`. Raises ValueError for anything else."""
        self._networks = tuple(ip_network(network) for network in networks)

    def trusts(self, address: str | None) -> bool:
        """Whether this is the address of a trusted proxy."""
        found = _parse_ip(address) if address else None
        return found is not None and any(found in network for network in self._networks)

    def find_client(self, peer: str | None, forwarded: Sequence[str]) -> str | None:
        """The client of a request, from its peer and the values of `X-Forwarded-For`.

        Each proxy appends the address it received the request from. So the list is read from the end, as long as the
        proxy that wrote an entry is trusted; earlier entries could have been sent by anyone.
        """
        found = (normalize_ip(peer) or peer) if peer else None
        for entry in reversed(",".join(forwarded).split(",")):
            address = normalize_ip(entry)
            if address is None or not self.trusts(found):
                break
            found = address
        return found


def _parse_ip(text: str) -> IPv4Address | IPv6Address | None:
    try:
        address = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


def check_origins(value: list[str]) -> list[str]:
    """Web origins in the form that browsers send. Like all checks below, raises ValueError for an invalid setting."""
    found = [origin.rstrip("/").lower() for origin in value]
    for origin in found:
        if not _ORIGIN.fullmatch(origin):
            raise ValueError(
                f"{safe_text.quote(origin)} is not an origin; use one such as https://chat.example.org, without a path"
            )
    return [_strip_default_port(origin) for origin in found]


def _strip_default_port(origin: str) -> str:
    """The origin as browsers send it."""
    return origin.removesuffix(_DEFAULT_PORTS.get(origin.partition("://")[0], ""))


def check_hosts(value: list[str]) -> list[str]:
    """Host names, which may start with a wildcard."""
    for host in value:
        if not _HOST.fullmatch(host):
            example = "use one such as chat.example.org or *.example.org, without port"
            raise ValueError(f"{safe_text.quote(host)} is not a host; {example}")
    return value


def check_proxies(value: list[str]) -> list[str]:
    """Addresses and networks of proxies."""
    for proxy in value:
        try:
            Proxies([proxy])
        except ValueError:
            example = "use one such as 10.0.0.2, 10.0.0.0/8 or fd00::/8"
            raise ValueError(f"{safe_text.quote(proxy)} is not the address or network of a proxy; {example}") from None
    return value


def check_web_address(value: str | None) -> str | None:
    """The URL of a server, or None."""
    if value is not None and not _is_server_url(value):
        raise ValueError("must be a URL with http:// or https://, such as http://127.0.0.1:8080/v1")
    return value


def check_public_url(value: str | None) -> str | None:
    """A URL that a path can be appended to."""
    if value is not None and (not _is_server_url(value) or re.search(r"[?#@]", value)):
        raise ValueError("must be the address that users open, such as https://chat.example.org")
    return value.rstrip("/") if value else None


def hosts_in_url(url: str | None) -> list[str]:
    """The host in a URL as a list, in the form of the `Host` header; empty without one."""
    name = urlsplit(url or "").hostname
    return [] if name is None else [f"[{name}]" if ":" in name else name]


def check_ollama_host(value: str | None) -> str | None:
    """A value that the `ollama` client accepts: a URL, or a host with or without a port."""
    if value is not None and not _is_server_url(value if "://" in value else f"http://{value}"):
        raise ValueError("must be a URL such as http://127.0.0.1:11434, or a host with or without a port")
    return value


def _is_server_url(value: str) -> bool:
    try:
        url: SplitResult = urlsplit(value)
        named = _HOST.fullmatch(f"[{url.hostname}]" if ":" in (url.hostname or "") else url.hostname or "localhost")
        port_fits = url.port is None or url.port > 0
    except ValueError:  # an invalid port, or an unbalanced bracket
        return False
    return url.scheme in ("http", "https") and bool(url.netloc and named) and port_fits and not re.search(r"\s", value)
