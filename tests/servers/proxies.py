"""nginx and Caddy with the examples of deploy/, in front of a server on loopback."""

import os
import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Generator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from tests.servers.ports import closed_port

DEPLOY = Path(__file__).parent.parent.parent / "deploy"
HOST = "chat.example.org"

_START_SECONDS = 20.0


def require_program(name: str) -> str:
    """The program's path; without it the test is skipped, and in continuous integration fails."""
    found = shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin:/usr/local/sbin")
    if found is None and os.environ.get("CI") == "true" and not os.environ.get("PROXIES_UNAVAILABLE"):
        pytest.fail(f"{name} must be installed here")
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


@contextmanager
def nginx(folder: Path, upstream: str) -> Generator[str]:
    """Run nginx with deploy/nginx.conf; the address that it listens on, with TLS."""
    program, port = require_program("nginx"), closed_port()
    write_certificate(folder)
    example = (DEPLOY / "nginx.conf").read_text(encoding="utf-8")
    example = _exchanged(
        example,
        {
            "127.0.0.1:8000": urlsplit(upstream).netloc,
            "listen 443 ssl": f"listen 127.0.0.1:{port} ssl",
            f"/etc/ssl/{HOST}": str(folder / HOST),
        },
    )
    places = " ".join(
        f"{kind}_temp_path {folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    whole = (
        f"daemon off; pid {folder}/pid; error_log {folder}/errors.log; "
        f"events {{}} http {{ access_log off; {places}\n{example} }}"
    )
    (folder / "nginx.conf").write_text(whole, encoding="utf-8")
    command = [program, "-p", str(folder), "-e", str(folder / "errors.log"), "-c", str(folder / "nginx.conf")]
    with _running(command, port, {}):
        yield f"https://127.0.0.1:{port}"


@contextmanager
def caddy(folder: Path, upstream: str) -> Generator[str]:
    """Run Caddy with deploy/Caddyfile, but without TLS, for which it would ask an authority."""
    program, port = require_program("caddy"), closed_port()
    example = (DEPLOY / "Caddyfile").read_text(encoding="utf-8")
    address = {"127.0.0.1:8000": urlsplit(upstream).netloc, f"{HOST} {{": f"http://{HOST}:{port} {{\n\tbind 127.0.0.1"}
    (folder / "Caddyfile").write_text("{\n\tadmin off\n}\n" + _exchanged(example, address), encoding="utf-8")
    command = [program, "run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"]
    with _running(command, port, {"HOME": str(folder), "XDG_DATA_HOME": str(folder)}):
        yield f"http://127.0.0.1:{port}"


def client_context() -> ssl.SSLContext:
    """A client's TLS that takes the certificate of a test."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context


def _exchanged(example: str, values: dict[str, str]) -> str:
    for old, new in values.items():
        assert old in example, f"the example has no {old}"
        example = example.replace(old, new)
    return example


@contextmanager
def _running(command: list[str], port: int, environment: dict[str, str]) -> Generator[None]:
    process = subprocess.Popen(command, env={**os.environ, **environment}, stderr=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + _START_SECONDS
        while not _listens(port):
            assert process.poll() is None and time.monotonic() < deadline, f"{command[0]} did not start"
        yield
    finally:
        process.terminate()
        process.wait(_START_SECONDS)


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        probe.settimeout(0.2)
        return probe.connect_ex(("127.0.0.1", port)) == 0


def write_certificate(folder: Path) -> None:
    """Write a certificate for HOST, which no authority has signed, and its key into a folder."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, HOST)])
    today = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(today - timedelta(days=1))
        .not_valid_after(today + timedelta(days=1))
        .sign(key, hashes.SHA256())
    )
    (folder / f"{HOST}.pem").write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    (folder / f"{HOST}.key").write_bytes(private)
