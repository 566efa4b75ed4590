"""The users that the JWTs of an identity provider identify."""

import asyncio
import time
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
from sqlalchemy import select

from app import errors
from app.accounts.identity_provider.claims import Claims
from app.accounts.identity_provider.jwks import IdentityProvider
from app.accounts.identity_provider.users import Identities
from app.database import models
from tests.accounts.account_services import AccountServices, open_account_services
from tests.identity_provider.provider import FIRST, ISSUER, SECOND
from tests.looking import until
from tests.servers.jwks import token


@pytest.fixture
async def accounts(tmp_path: Path, provider: IdentityProvider) -> AsyncGenerator[AccountServices]:
    async with open_account_services(tmp_path, provider=provider) as opened:
        yield opened


async def test_a_first_visit_creates_a_user_who_is_recognized_later(accounts: AccountServices) -> None:
    first = await accounts.authentication.authenticate(
        token(FIRST, name="Kim", email="kim@example.org", email_verified=True)
    )
    assert (first.via, first.user.email, first.user.name) == ("IDENTITY", "kim@example.org", "Kim")
    again = await accounts.authentication.authenticate(token(SECOND, email="new@example.org", email_verified=True))
    assert again.user.id == first.user.id
    assert await accounts.kinds(first.user.id) == ["USER_CREATED", "IDENTITY_LINKED"]
    other = await accounts.authentication.authenticate(token(FIRST, sub="pat-2"))
    assert other.user.id != first.user.id
    assert other.user.email.endswith("@identity.invalid")
    assert await accounts.count("users") == 2


async def test_simultaneous_first_requests_create_one_user(accounts: AccountServices) -> None:
    callers = await asyncio.gather(*(accounts.authentication.authenticate(token(FIRST, jti=str(n))) for n in range(10)))
    assert len({caller.user.id for caller in callers}) == 1
    assert await accounts.count("users") == 1


async def test_only_a_verified_address_links_to_an_existing_user(accounts: AccountServices) -> None:
    user = await accounts.kim()
    stranger = await accounts.authentication.authenticate(token(FIRST, sub="stranger", email=user.email))
    assert stranger.user.id != user.id
    caller = await accounts.authentication.authenticate(
        token(FIRST, sub="kim", email="Kim@example.org", email_verified=True)
    )
    assert caller.user.id == user.id
    # The address was given to somebody new there: they are not Kim.
    newcomer = await accounts.authentication.authenticate(
        token(FIRST, sub="newcomer", email=user.email, email_verified=True)
    )
    assert newcomer.user.id not in (user.id, stranger.user.id)
    async with accounts.database.read() as db:
        linked = await db.scalars(select(models.Identity.subject).where(models.Identity.user_id == user.id))
        assert list(linked) == ["kim"]


async def test_a_subject_of_another_issuer_is_another_user(accounts: AccountServices) -> None:
    identities = Identities(accounts.database)
    found = await identities.find_or_create_user(Claims(ISSUER, "kim", None, None, 0))
    other_issuer = await identities.find_or_create_user(Claims("https://other.example.org", "kim", None, None, 0))
    assert other_issuer.id != found.id


async def test_a_disabled_user_is_refused_at_once_despite_a_valid_token(accounts: AccountServices) -> None:
    kept = token(FIRST)
    caller = await accounts.authentication.authenticate(kept)
    await accounts.users.disable(caller.user.id)
    for credential in (kept, token(SECOND)):
        with pytest.raises(errors.Unauthenticated):
            await accounts.authentication.authenticate(credential)


async def test_a_token_is_not_cached_beyond_its_expiry(accounts: AccountServices) -> None:
    # With the leeway it is good for one second more.
    kept = token(FIRST, exp=int(time.time()) - 28)
    await accounts.authentication.authenticate(kept)

    async def ended() -> bool:
        try:
            await accounts.authentication.authenticate(kept)
        except errors.Unauthenticated:
            return True
        return False

    await until(ended)


async def test_without_a_provider_no_jwt_is_accepted(tmp_path: Path) -> None:
    async with open_account_services(tmp_path) as accounts:
        with pytest.raises(errors.Unauthenticated):
            await accounts.authentication.authenticate(token(FIRST))
