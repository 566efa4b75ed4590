"""Hash and verify passwords with argon2, in separate threads.

A user without a password takes as long to verify as one with a password: a dummy hash is verified instead.
"""

import asyncio
import secrets
import unicodedata
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cached_property

from argon2 import Parameters, PasswordHasher, extract_parameters
from argon2.exceptions import InvalidHashError, VerificationError
from argon2.low_level import Type
from argon2.profiles import RFC_9106_LOW_MEMORY as _RFC_9106_LOW_MEMORY

from app import errors

MIN_LENGTH, MAX_LENGTH = 8, 1000

# The minimum of the OWASP Password Storage Cheat Sheet: argon2id with 19 MiB and two passes on one lane. About 60 ms on
# a small server, and a burst of sign-ins does not exhaust its memory.
OWASP_LOW_MEMORY = Parameters(
    type=Type.ID,
    version=0x13,
    salt_len=16,
    hash_len=32,
    time_cost=2,
    memory_cost=19 * 1024,
    parallelism=1,
)
# RFC 9106, section 4, second recommended option: argon2id with 64 MiB, three passes, four lanes. About 400 ms there.
RFC_9106_LOW_MEMORY = _RFC_9106_LOW_MEMORY

# Beyond this queue length requests are refused: their clients would give up before they are served.
_MAX_WAITING = 64


def check_length(password: str, path: str = "password") -> None:
    """Raises Invalid for a password that is too short or too long. There are no other rules (NIST SP 800-63B)."""
    if len(password) < MIN_LENGTH:
        raise errors.Invalid.at(path, "OUT_OF_RANGE", f"A password must have at least {MIN_LENGTH} characters.")
    if len(password) > MAX_LENGTH:
        raise errors.Invalid.at(path, "TOO_LONG", f"A password must have at most {MAX_LENGTH} characters.")


class Passwords:
    """Hashes and verifies at most `at_once` passwords at a time; each takes the memory that `parameters` define."""

    def __init__(
        self,
        parameters: Parameters = OWASP_LOW_MEMORY,
        at_once: int = 2,
        hasher: type[PasswordHasher] = PasswordHasher,
    ) -> None:
        self._hasher = hasher.from_parameters(parameters)
        self._parameters = parameters
        self._threads = ThreadPoolExecutor(at_once, thread_name_prefix="passwords")
        self._waiting = 0

    async def hash(self, password: str) -> str:
        """The hash to store. Raises Invalid for a password out of bounds, Unavailable if the queue is full."""
        check_length(password)
        with self._queue_place():
            return await asyncio.get_running_loop().run_in_executor(
                self._threads, self._hasher.hash, _to_bytes(password)
            )

    async def verify(self, password_hash: str | None, password: str) -> bool:
        """Whether this password matches the hash. Without a hash: False, after the same time.

        Raises Unavailable if the queue is full.
        """
        possible = password_hash if MIN_LENGTH <= len(password) <= MAX_LENGTH else None
        typed = _to_bytes(password[:MAX_LENGTH])
        with self._queue_place():
            right = await asyncio.get_running_loop().run_in_executor(self._threads, self._matches_hash, possible, typed)
        return right and possible is not None

    def is_outdated(self, password_hash: str) -> bool:
        """Whether the hash was made with other parameters, so that it should be renewed at the next sign-in."""
        try:
            return extract_parameters(password_hash) != self._parameters
        except InvalidHashError:
            return True

    def close(self) -> None:
        """End the threads."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    @contextmanager
    def _queue_place(self) -> Generator[None]:
        """Hold a place in the queue."""
        if self._waiting >= _MAX_WAITING:
            raise errors.Unavailable("Too many passwords are being checked; try again soon.", "passwords", 1000)
        self._waiting += 1
        try:
            yield
        finally:
            self._waiting -= 1

    @cached_property
    def _dummy_hash(self) -> str:
        """The hash of a password that nobody has."""
        return self._hasher.hash(secrets.token_urlsafe())

    def _matches_hash(self, password_hash: str | None, password: bytes) -> bool:
        dummy_hash = self._dummy_hash  # the first caller waits for it, with a password or without
        try:
            return self._hasher.verify(password_hash or dummy_hash, password)
        except (VerificationError, InvalidHashError):
            return False


def _to_bytes(password: str) -> bytes:
    """NFKC, so that a password is the same however a keyboard composes its characters."""
    return unicodedata.normalize("NFKC", password).encode("utf-8", "surrogatepass")
