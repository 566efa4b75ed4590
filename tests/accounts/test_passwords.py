"""Passwords: how they are hashed and verified, how long they may be, and how many are hashed at once."""

import asyncio
import threading
import unicodedata
from pathlib import Path
from typing import Literal

import pytest
from argon2 import Parameters, PasswordHasher, extract_parameters

from app import errors
from app.accounts.passwords import OWASP_LOW_MEMORY, RFC_9106_LOW_MEMORY, Passwords
from app.database import models
from tests.accounts.account_services import LIGHT, PASSWORD, open_account_services


async def test_a_password_is_stored_as_a_hash_that_only_it_matches() -> None:
    passwords = Passwords(OWASP_LOW_MEMORY)
    kept = await passwords.hash(PASSWORD)
    assert kept.startswith("$argon2id$v=19$m=19456,t=2,p=1$")
    assert await passwords.verify(kept, PASSWORD)
    assert not await passwords.verify(kept, PASSWORD + "!")
    assert not await passwords.verify(None, PASSWORD)
    assert not await passwords.verify("no hash at all", PASSWORD)
    passwords.close()


async def test_hashing_does_not_block_the_event_loop() -> None:
    passwords = Passwords(OWASP_LOW_MEMORY)
    ticks = 0
    hashing = asyncio.create_task(passwords.hash(PASSWORD))
    while not hashing.done():
        await asyncio.sleep(0)
        ticks += 1
    # On the loop itself there would be two or three.
    assert ticks > 20
    assert any(thread.name.startswith("passwords") for thread in threading.enumerate())
    passwords.close()


async def test_an_unknown_user_costs_as_much_hashing_as_a_known_one() -> None:
    verified: list[Parameters] = []

    class RecordingHasher(PasswordHasher):
        """Records the cost of each verification."""

        def verify(self, hash: str | bytes, password: str | bytes) -> Literal[True]:
            verified.append(extract_parameters(str(hash)))
            return super().verify(hash, password)

    passwords = Passwords(OWASP_LOW_MEMORY, hasher=RecordingHasher)
    kept = await passwords.hash(PASSWORD)
    for password_hash, password in ((kept, "wrong password"), (None, PASSWORD), (kept, "short"), (kept, "x" * 1001)):
        verified.clear()
        assert not await passwords.verify(password_hash, password)
        assert verified == [OWASP_LOW_MEMORY]
    passwords.close()


@pytest.mark.parametrize(
    ("password", "right"), [("x" * 7, False), ("x" * 8, True), ("x" * 1000, True), ("x" * 1001, False)]
)
async def test_password_length_limits(password: str, right: bool) -> None:
    passwords = Passwords(LIGHT)
    if right:
        assert await passwords.verify(await passwords.hash(password), password)
    else:
        with pytest.raises(errors.Invalid) as raised:
            await passwords.hash(password)
        assert raised.value.issues[0].path == ("password",)
        assert not await passwords.verify(await passwords.hash("x" * 1000), password)
    passwords.close()


async def test_a_password_may_hold_any_character_and_is_the_same_however_it_is_composed() -> None:
    passwords = Passwords(LIGHT)
    composed, apart = (unicodedata.normalize(form, "Müller-Straße") for form in ("NFC", "NFD"))
    assert composed != apart
    assert await passwords.verify(await passwords.hash(composed), apart)
    half = "a half pair: \ud800"
    assert await passwords.verify(await passwords.hash(half), half)
    passwords.close()


async def test_a_full_hashing_queue_refuses_requests() -> None:
    passwords = Passwords(OWASP_LOW_MEMORY, at_once=1)
    waiting = [asyncio.create_task(passwords.verify(None, PASSWORD)) for _ in range(64)]
    await asyncio.sleep(0)
    with pytest.raises(errors.Unavailable, match="try again") as raised:
        await passwords.verify(None, PASSWORD)
    assert raised.value.retry_after_ms == 1000
    passwords.close()
    await asyncio.gather(*waiting, return_exceptions=True)


async def test_hashing_parameters_are_the_recommended_ones() -> None:
    assert (OWASP_LOW_MEMORY.memory_cost, OWASP_LOW_MEMORY.time_cost, OWASP_LOW_MEMORY.parallelism) == (19456, 2, 1)
    rfc = RFC_9106_LOW_MEMORY
    assert (rfc.memory_cost, rfc.time_cost, rfc.parallelism, rfc.salt_len, rfc.hash_len) == (65536, 3, 4, 16, 32)


async def test_a_hash_of_other_parameters_is_renewed_when_its_user_signs_in(tmp_path: Path) -> None:
    async with open_account_services(tmp_path) as accounts:
        user = await accounts.kim()
    async with open_account_services(tmp_path, parameters=OWASP_LOW_MEMORY) as accounts:

        async def kept() -> str:
            async with accounts.database.read() as db:
                found = await db.get_one(models.Password, user.id)
                return found.password_hash

        assert "m=8," in await kept()
        with pytest.raises(errors.Invalid):
            await accounts.signing_in.sign_in(user.email, "something else")
        assert "m=8," in await kept()
        await accounts.signing_in.sign_in(user.email, PASSWORD)
        renewed = await kept()
        assert "m=19456," in renewed
        await accounts.signing_in.sign_in(user.email, PASSWORD)
        assert await kept() == renewed
