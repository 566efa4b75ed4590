"""Addresses: which mean this machine, which a request came from, a setting may name, or readers can follow."""

import re
from collections.abc import Iterable, Sequence
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from urllib.parse import SplitResult, urlsplit

_ORIGIN = re.compile(r"\*|https?://[^/\s?#@*]+")
_HOST = re.compile(r"(\*\.)?[\w-]+(\.[\w-]+)*\.?|\*|\[[0-9a-fA-F:.]+\]")


def is_loopback(name: str) -> bool:
    """Whether only this machine is reached by a name or address."""
    if name.lower() == "localhost":
        return True
    address = _address(name.strip("[]"))
    return address is not None and address.is_loopback


def plain(text: str) -> str | None:
    """An IP address as it is written most plainly, without port, brackets and zone; None for what is no address.

    An IPv4 address that is mapped into IPv6 is that IPv4 address: a socket that takes both shows it so.
    """
    text = text.strip()
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    address = _address(text)
    return None if address is None else str(address)


def network(address: str) -> str:
    """Whose address this is: itself, or the /64 of an IPv6 address, all of which one client has."""
    found = _address(address)
    if found is None:
        return address
    return str(IPv6Address(int(found) >> 64 << 64)) if isinstance(found, IPv6Address) else str(found)


def is_link(url: str) -> bool:
    """Whether readers can follow `url` safely: http(s) with a host, nothing hidden, no white space."""
    if any(character.isspace() or not character.isprintable() or character in "<>\\" for character in url):
        return False
    try:
        parts = urlsplit(url)
        return parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        return False


def link_or_none(url: str | None) -> str | None:
    """`url` where it is a web address; what was stored before others were refused is no link."""
    return url if url is not None and is_link(url) else None


class Proxies:
    """The proxies that are believed when they say where a request came from."""

    def __init__(self, networks: Iterable[str] = ()) -> None:
        """Addresses, or networks such as `10.0.0.0/8`. Raises ValueError for what is neither."""
        self._networks = tuple(ip_network(network) for network in networks)

    def trusts(self, address: str | None) -> bool:
        """Whether this is the address of a proxy that is believed."""
        found = _address(address) if address else None
        return found is not None and any(found in network for network in self._networks)

    def client(self, peer: str | None, forwarded: Sequence[str]) -> str | None:
        """Where a request came from, by its peer and the values of `X-Forwarded-For`.

        Each proxy writes at the end by whom it was asked. So the list is read from its end, for as long as who wrote
        an entry is believed; what stands before was sent by somebody who may write what they like.
        """
        found = (plain(peer) or peer) if peer else None
        for entry in reversed(",".join(forwarded).split(",")):
            address = plain(entry)
            if address is None or not self.trusts(found):
                break
            found = address
        return found


def _address(text: str) -> IPv4Address | IPv6Address | None:
    try:
        address = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


def origins(value: list[str]) -> list[str]:
    """Web origins as browsers write them. Raises ValueError, as all of these do for settings that are wrong."""
    found = [origin.rstrip("/").lower() for origin in value]
    for origin in found:
        if not _ORIGIN.fullmatch(origin):
            raise ValueError(
                f"{origin!r} is not an origin; an example is https://chat.example.org, with its port, no path"
            )
    return found


def hosts(value: list[str]) -> list[str]:
    """Names that requests may come by."""
    for host in value:
        if not _HOST.fullmatch(host):
            raise ValueError(f"{host!r} is not a host; an example is chat.example.org or *.example.org, without port")
    return value


def proxies(value: list[str]) -> list[str]:
    """Addresses and networks of proxies."""
    for proxy in value:
        try:
            Proxies([proxy])
        except ValueError:
            example = "examples are 10.0.0.2, 10.0.0.0/8 and fd00::/8"
            raise ValueError(f"{proxy!r} is not the address or network of a proxy; {example}") from None
    return value


def web_address(value: str | None) -> str | None:
    """The address of a server, if any."""
    if value is not None and not _is_address(value):
        raise ValueError("give an address with http:// or https://, such as http://127.0.0.1:8080/v1")
    return value


def public_url(value: str | None) -> str | None:
    """An address that a path can be put behind."""
    if value is not None and (not _is_address(value) or re.search(r"[?#@]", value)):
        raise ValueError("give the address that users type, such as https://chat.example.org")
    return value.rstrip("/") if value else None


def host_of(url: str | None) -> list[str]:
    """The name or address in a URL, as the header `Host` has it; none without one."""
    name = urlsplit(url or "").hostname
    return [] if name is None else [f"[{name}]" if ":" in name else name]


def ollama_host(value: str | None) -> str | None:
    """As the `ollama` client takes it: a URL, or a name with or without a port."""
    if value is not None and not _is_address(value if "://" in value else f"http://{value}"):
        raise ValueError("give an address like http://127.0.0.1:11434, or a host with or without its port")
    return value


def _is_address(value: str) -> bool:
    try:
        url: SplitResult = urlsplit(value)
        named = _HOST.fullmatch(f"[{url.hostname}]" if ":" in (url.hostname or "") else url.hostname or "localhost")
        port_fits = url.port is None or url.port > 0
    except ValueError:  # a port that is none, or half a bracket
        return False
    return url.scheme in ("http", "https") and bool(url.netloc and named) and port_fits and not re.search(r"\s", value)
