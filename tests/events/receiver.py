"""A receiver of webhooks: a real HTTP server that checks signatures as Standard Webhooks tells receivers to."""

import base64
import hashlib
import hmac
import json
import threading
import time
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"


@dataclass(frozen=True)
class Reply:
    """What the receiver answers. `endless`: a body without end."""

    status: int = 204
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    endless: bool = False


@dataclass
class Received:
    """A request."""

    path: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def event(self) -> dict[str, Any]:
        """The event in it."""
        return json.loads(self.body)

    def verify(self, secret: str = SECRET) -> bool:
        """Whether the signature is right, and fresh."""
        key = base64.b64decode(secret.removeprefix("whsec_"))
        id, sent = self.headers["webhook-id"], self.headers["webhook-timestamp"]
        expected = base64.b64encode(hmac.new(key, f"{id}.{sent}.".encode() + self.body, hashlib.sha256).digest())
        signatures = [part.partition(",") for part in self.headers["webhook-signature"].split()]
        is_signed = any(version == "v1" and given == expected.decode() for version, _, given in signatures)
        return is_signed and abs(time.time() - int(sent)) < 300


class Receiver:
    """Answers as `reply` decides from a request and how many came before."""

    def __init__(self, reply: Callable[[Received, int], Reply] = lambda _, __: Reply()) -> None:
        self.reply = reply
        self.requests: list[Received] = []
        self.url = ""
        self._changed = threading.Condition()

    def add(self, received: Received) -> Reply:
        """Take a request."""
        with self._changed:
            count = len(self.requests)
            self.requests.append(received)
            self._changed.notify_all()
        return self.reply(received, count)

    def wait_for(self, count: int) -> list[Received]:
        """The requests, once there are so many."""
        with self._changed:
            assert self._changed.wait_for(lambda: len(self.requests) >= count, 60), self.requests
            return list(self.requests)


@contextmanager
def receiving(receiver: Receiver) -> Generator[Receiver]:
    """Run it on a port of its own."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            headers = {name.lower(): value for name, value in self.headers.items()}
            reply = receiver.add(Received(self.path, headers, body))
            self.send_response(reply.status)
            for name, value in reply.headers.items():
                self.send_header(name, value)
            self.send_header("content-length", "1000000000" if reply.endless else "0")
            self.end_headers()
            try:
                while reply.endless:
                    self.wfile.write(b"x" * 10_000)
            except OSError:
                self.close_connection = True

        def log_message(self, format: str, *args: object) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    receiver.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield receiver
    finally:
        server.shutdown()
        server.server_close()
        thread.join(60)
