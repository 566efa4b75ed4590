"""A host's name or address in; whether it always means this machine, out."""

from ipaddress import ip_address


def is_loopback(name: str) -> bool:
    """Whether only this machine is reached by a name or address."""
    if name.lower() == "localhost":
        return True
    try:
        address = ip_address(name.strip("[]"))
    except ValueError:
        return False
    mapped = getattr(address, "ipv4_mapped", None)
    return (mapped or address).is_loopback
