"""Ports for servers of tests, which run beside each other."""

import socket
import sys
from collections import deque

# How many ports of ended and future servers one process of tests keeps.
_HELD_PORTS = 100

_held_ports: deque[socket.socket] = deque()


def closed_port() -> int:
    """A port that nothing listens on until the test itself does.

    It stays bound for some time, or a test that runs beside this one might get it for a server of its own.
    """
    holder = socket.socket()
    holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # so that a server of this test can listen on it
    holder.bind(("127.0.0.1", 0))
    port = holder.getsockname()[1]
    if sys.platform != "linux":  # others let nobody else listen on it
        holder.close()
        return port
    _held_ports.append(holder)
    if len(_held_ports) > _HELD_PORTS:
        _held_ports.popleft().close()
    return port
