"""What waits while its credential ends is not run."""

import asyncio
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from app import errors
from app.services import Caller
from tests.account_services import PASSWORD, AccountServices, open_account_services

# ------------------------------------------------------------------ transactions


@pytest.fixture
async def accounts(tmp_path: Path) -> AsyncGenerator[AccountServices]:
    async with open_account_services(tmp_path) as opened:
        yield opened


async def by_link(accounts: AccountServices) -> tuple[str, Caller]:
    """A user without a password who has signed in with a link: the token, and who is calling."""
    found = await accounts.users.by_email("kim@example.org") or await accounts.users.create("kim@example.org")
    link = await accounts.setup_tokens.create(found.id)
    signed_in = await accounts.signing_in.redeem_link(link)
    return signed_in.token, await accounts.authentication.authenticate(signed_in.token)


async def refuse_all(accounts: AccountServices, caller: Caller) -> None:
    """Whatever would outlive the caller's credential is refused."""
    with pytest.raises(errors.Unauthenticated):
        await accounts.access_tokens.create_for_caller(caller, "made")
    if not await accounts.users.has_password(caller.user.id):
        with pytest.raises(errors.FootnoteError):
            await accounts.signing_in.change_password(caller, None, PASSWORD)
        assert not await accounts.users.has_password(caller.user.id)


@pytest.mark.parametrize("how", ["signed out", "password changed", "user disabled", "user erased"])
async def test_a_sign_in_that_has_ended_makes_no_credential(accounts: AccountServices, how: str) -> None:
    token, caller = await by_link(accounts)
    await accounts.access_tokens.create_for_caller(caller, "before")
    match how:
        case "signed out":
            await accounts.signing_in.sign_out(token, caller.user.id)
        case "password changed":
            await accounts.users.set_password(caller.user.id, PASSWORD)
        case "user disabled":
            await accounts.users.disable(caller.user.id)
        case _:
            await accounts.personal.erase_user(caller.user.id)
    await refuse_all(accounts, caller)


@pytest.mark.parametrize("how", ["revoked", "disabled"])
async def test_a_token_that_has_ended_makes_no_credential(accounts: AccountServices, how: str) -> None:
    user = await accounts.users.create("kim@example.org")
    token, row = await accounts.access_tokens.create(user.id, "script")
    caller = await accounts.authentication.authenticate(token)
    if how == "revoked":
        await accounts.access_tokens.revoke(row.id, user.id)
    else:
        await accounts.users.disable(user.id)
    await refuse_all(accounts, caller)


async def test_a_user_who_was_disabled_for_a_while_keeps_no_sign_in(accounts: AccountServices) -> None:
    _, caller = await by_link(accounts)
    await accounts.users.disable(caller.user.id)
    await accounts.users.enable(caller.user.id)
    await refuse_all(accounts, caller)


async def test_of_simultaneous_first_passwords_one_is_set(accounts: AccountServices) -> None:
    callers = [(await by_link(accounts))[1] for _ in range(2)]
    done = await asyncio.gather(
        *(accounts.signing_in.change_password(caller, None, PASSWORD) for caller in callers), return_exceptions=True
    )
    assert [type(one) for one in done if one is not None] == [errors.Unauthenticated]


async def test_of_simultaneous_changes_of_a_password_one_is_made(accounts: AccountServices) -> None:
    """The password that the other shows is no longer the current one."""
    user = await accounts.kim()
    token, _ = await accounts.access_tokens.create(user.id, "script")
    caller = await accounts.authentication.authenticate(token)
    changes = [accounts.signing_in.change_password(caller, PASSWORD, f"{PASSWORD} {number}") for number in range(2)]
    done = await asyncio.gather(*changes, return_exceptions=True)
    [refused] = [one for one in done if one is not None]
    assert isinstance(refused, errors.Invalid)
    assert refused.issues[0].path == ("currentPassword",)
    await accounts.signing_in.sign_in(user.email, f"{PASSWORD} {done.index(None)}")


async def test_a_link_that_is_used_during_a_password_change_lets_nobody_in(accounts: AccountServices) -> None:
    user = await accounts.users.create("kim@example.org")
    redeemed = await accounts.setup_tokens.redeem(await accounts.setup_tokens.create(user.id))
    # As when the password is changed after the link is used up and before the sign-in is written.
    await accounts.users.set_password(user.id, PASSWORD)
    token, _ = await accounts.sign_ins.open(redeemed.id, redeemed.sign_in_generation)
    with pytest.raises(errors.Unauthenticated):
        await accounts.authentication.authenticate(token)
