"""Recognize files with passwords or private keys, which nobody means to add with the rest of a folder or archive."""

import re
from pathlib import PurePosixPath

# The page has the same patterns, for folders that are dropped on it; a test compares them.
_NAME = re.compile(
    r"^(.*\.env|[._]?netrc|id_(rsa|dsa|ecdsa|ed25519)|(credentials?|secrets?)(\.(json|ya?ml|toml|ini|cfg|conf))?)$",
    re.IGNORECASE,
)
_PRIVATE_KEY = re.compile(r"^\s*(-----BEGIN [A-Z0-9 ]*PRIVATE KEY|PuTTY-User-Key-File-)")
_HEAD_BYTES = 200


def is_secret_name(name: str) -> bool:
    """Whether programs give this name to files with secrets. A name may have folders before it."""
    return _NAME.match(PurePosixPath(name).name) is not None


def begins_as_key(head: bytes) -> bool:
    """Whether a file begins as a private key."""
    return _PRIVATE_KEY.match(head[:_HEAD_BYTES].decode("ascii", "replace")) is not None
