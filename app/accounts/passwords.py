"""Hash and verify passwords with argon2. All hashing happens in threads of its own.

Who has no password costs as much time as who has one: a hash that belongs to nobody is verified in its place.
"""

import asyncio
import secrets
import unicodedata
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

from argon2 import Parameters, PasswordHasher, extract_parameters
from argon2.exceptions import InvalidHashError, VerificationError
from argon2.low_level import Type
from argon2.profiles import RFC_9106_LOW_MEMORY as _RFC_9106_LOW_MEMORY

from app import errors

LEAST, MOST = 8, 1000

# OWASP Password Storage Cheat Sheet, the least it recommends: argon2id with 19 MiB and two passes on one lane. About
# 60 ms on a small server, whose memory a burst of sign-ins cannot take.
OWASP_LOW_MEMORY = Parameters(
    type=Type.ID,
    version=0x13,
    salt_len=16,
    hash_len=32,
    time_cost=2,
    memory_cost=19 * 1024,
    parallelism=1,
)
# RFC 9106, section 4, second recommended choice: argon2id with 64 MiB, three passes, four lanes. About 400 ms there.
RFC_9106_LOW_MEMORY = _RFC_9106_LOW_MEMORY

# Who waits behind so many others is sent away: an answer would come after the client has gone.
_MOST_WAITING = 64


def check(password: str, path: str = "password") -> None:
    """Raises Invalid for a password that is too short or too long; nothing else is asked of one (NIST SP 800-63B)."""
    if len(password) < LEAST:
        raise errors.Invalid.one(path, "OUT_OF_RANGE", f"A password must have at least {LEAST} characters.")
    if len(password) > MOST:
        raise errors.Invalid.one(path, "TOO_LONG", f"A password must have at most {MOST} characters.")


class Passwords:
    """Hashes and verifies, at most `at_once` at a time: each takes the memory that `parameters` say."""

    def __init__(self, parameters: Parameters = OWASP_LOW_MEMORY, at_once: int = 2) -> None:
        self._hasher = PasswordHasher.from_parameters(parameters)
        self._parameters = parameters
        self._threads = ThreadPoolExecutor(at_once, thread_name_prefix="passwords")
        self._waiting = 0
        self._nobodys = self._hasher.hash(secrets.token_urlsafe())

    async def hash(self, password: str) -> str:
        """The hash to keep. Raises Invalid for a password out of bounds, Unavailable when too many wait."""
        check(password)
        with self._place():
            return await asyncio.get_running_loop().run_in_executor(self._threads, self._hasher.hash, _bytes(password))

    async def verify(self, password_hash: str | None, password: str) -> bool:
        """Whether this password belongs to the hash; without a hash False, after as much time.

        Raises Unavailable when too many wait.
        """
        possible = password_hash if LEAST <= len(password) <= MOST else None
        typed = _bytes(password[:MOST])
        with self._place():
            right = await asyncio.get_running_loop().run_in_executor(
                self._threads, self._is_right, possible or self._nobodys, typed
            )
        return right and possible is not None

    def outdated(self, password_hash: str) -> bool:
        """Whether the hash was made with other parameters; hash the password anew when it is at hand."""
        try:
            return extract_parameters(password_hash) != self._parameters
        except InvalidHashError:
            return True

    def close(self) -> None:
        """End the threads."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    @contextmanager
    def _place(self) -> Generator[None]:
        """A place in the queue."""
        if self._waiting >= _MOST_WAITING:
            raise errors.Unavailable("Too many passwords are being checked; try again soon.", "passwords", 1000)
        self._waiting += 1
        try:
            yield
        finally:
            self._waiting -= 1

    def _is_right(self, password_hash: str, password: bytes) -> bool:
        try:
            return self._hasher.verify(password_hash, password)
        except (VerificationError, InvalidHashError):
            return False


def _bytes(password: str) -> bytes:
    """The same characters are the same password, however a keyboard composes them."""
    return unicodedata.normalize("NFKC", password).encode("utf-8", "surrogatepass")
