"""Authentication: sign-ins, tokens, links and users, over a real database file."""

import asyncio
from collections.abc import AsyncGenerator
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import text, update

from app import errors
from app.accounts import tokens
from app.accounts.authentication import bearer_credential
from app.accounts.tokens import MAX_TOKENS, SetupTokens
from app.database import models
from tests.accounts.account_services import PASSWORD, AccountServices, open_account_services


@pytest.fixture
async def accounts(tmp_path: Path) -> AsyncGenerator[AccountServices]:
    async with open_account_services(tmp_path) as opened:
        yield opened


async def refused(accounts: AccountServices, credential: str) -> None:
    with pytest.raises(errors.Unauthenticated):
        await accounts.authentication.authenticate(credential)


def contents(folder: Path) -> dict[str, bytes]:
    """All files of the database, including its write-ahead log."""
    return {file.name: file.read_bytes() for file in folder.glob("footnote.db*")}


# ------------------------------------------------------------------ signing in and out


async def test_a_sign_in_token_works_until_sign_out(accounts: AccountServices) -> None:
    user = await accounts.kim()
    signed_in = await accounts.signing_in.sign_in("  KIM@Example.org ", PASSWORD, "192.0.2.7")
    assert tokens.kind_of(signed_in.token) == "signin"
    assert signed_in.user.id == user.id
    caller = await accounts.authentication.authenticate(signed_in.token)
    assert (caller.user.id, caller.via) == (user.id, "SIGN_IN")
    assert [(sign_in.id, sign_in.address) for sign_in in await accounts.sign_ins.sign_ins_of_user(user.id)] == [
        (caller.credential_id, "192.0.2.7")
    ]
    other = await accounts.signing_in.sign_in(user.email, PASSWORD)
    await accounts.signing_in.sign_out(signed_in.token, user.id)
    await refused(accounts, signed_in.token)
    assert (await accounts.authentication.authenticate(other.token)).user.id == user.id


async def test_a_failed_sign_in_does_not_reveal_whether_the_address_exists(accounts: AccountServices) -> None:
    user = await accounts.kim()
    without = await accounts.users.create("pat@example.org")
    disabled = await accounts.kim("sam@example.org")
    await accounts.users.disable(disabled.id)
    said: set[tuple[str, tuple[errors.Issue, ...]]] = set()
    for email, password in [
        (user.email, "wrong password"),
        (user.email, ""),
        (user.email, "x" * 5000),
        (without.email, PASSWORD),
        (disabled.email, PASSWORD),
        ("nobody@example.org", PASSWORD),
        ("no address", PASSWORD),
        ("half\ud800@example.org", PASSWORD),
    ]:
        with pytest.raises(errors.Invalid) as raised:
            await accounts.signing_in.sign_in(email, password)
        said.add((raised.value.message, raised.value.issues))
    assert len(said) == 1
    assert await accounts.count("sign_ins") == 0


async def test_the_audit_trail_records_sign_ins_and_failures_but_no_input(accounts: AccountServices) -> None:
    user = await accounts.kim()
    with pytest.raises(errors.Invalid):
        await accounts.signing_in.sign_in(user.email, "my-other-password", "192.0.2.7")
    with pytest.raises(errors.Invalid):
        await accounts.signing_in.sign_in("my-password@as-an-address", PASSWORD, "192.0.2.8")
    signed_in = await accounts.signing_in.sign_in(user.email, PASSWORD, "192.0.2.9")
    ended = [await accounts.signing_in.sign_out(signed_in.token, user.id, "192.0.2.9") for _ in range(2)]
    assert ended == [True, False], "what has ended does not end, and is not recorded, again"
    async with accounts.database.read() as db:
        found = (
            await db.execute(text("SELECT kind, actor_id, subject_id, address FROM audit_events ORDER BY id"))
        ).all()
        dump = str((await db.execute(text("SELECT * FROM audit_events"))).all())
    assert [tuple(row) for row in found] == [
        ("USER_CREATED", None, user.id, None),
        ("SIGN_IN_FAILED", None, user.id, "192.0.2.7"),
        ("SIGN_IN_FAILED", None, None, "192.0.2.8"),
        ("SIGNED_IN", user.id, user.id, "192.0.2.9"),
        ("SIGNED_OUT", user.id, user.id, "192.0.2.9"),
    ]
    assert "password" not in dump


async def test_a_new_password_ends_all_sign_ins_but_no_tokens(accounts: AccountServices) -> None:
    user = await accounts.kim()
    signed_in = [await accounts.signing_in.sign_in(user.email, PASSWORD) for _ in range(2)]
    token, _ = await accounts.access_tokens.create(user.id, "script")
    for credential in (token, signed_in[0].token, signed_in[1].token):
        caller = await accounts.authentication.authenticate(credential)
    with pytest.raises(errors.Invalid) as raised:
        await accounts.signing_in.change_password(caller, "not the current", "another password")
    assert raised.value.issues[0].path == ("currentPassword",)
    with pytest.raises(errors.Invalid) as raised:
        await accounts.signing_in.change_password(caller, PASSWORD, "short")
    assert raised.value.issues[0].path == ("newPassword",)
    assert (await accounts.authentication.authenticate(signed_in[0].token)).user.id == user.id
    await accounts.signing_in.change_password(caller, PASSWORD, "another password")
    for one in signed_in:
        await refused(accounts, one.token)
    assert (await accounts.authentication.authenticate(token)).user.id == user.id
    with pytest.raises(errors.Invalid):
        await accounts.signing_in.sign_in(user.email, PASSWORD)
    await accounts.signing_in.sign_in(user.email, "another password")


async def test_a_sign_in_during_a_password_change_is_void(accounts: AccountServices) -> None:
    user = await accounts.kim()
    # As when the password was looked at before the change and the sign-in is written after it.
    await accounts.users.set_password(user.id, "another password")
    token, _ = await accounts.sign_ins.open(user.id, user.sign_in_generation)
    await refused(accounts, token)


async def test_a_first_password_needs_no_old_one_and_later_ones_do(accounts: AccountServices) -> None:
    user = await accounts.users.create("kim@example.org")
    link = await accounts.signing_in.redeem_link(await accounts.setup_tokens.create(user.id))
    caller = await accounts.authentication.authenticate(link.token)
    await accounts.signing_in.change_password(caller, None, PASSWORD)
    signed_in = await accounts.signing_in.sign_in(user.email, PASSWORD)
    again = await accounts.authentication.authenticate(signed_in.token)
    with pytest.raises(errors.Invalid):
        await accounts.signing_in.change_password(again, None, "another password")


async def test_a_disabled_user_is_refused_at_once_with_any_credential(accounts: AccountServices) -> None:
    user = await accounts.kim()
    token, _ = await accounts.access_tokens.create(user.id, "script")
    signed_in = await accounts.signing_in.sign_in(user.email, PASSWORD)
    for credential in (token, signed_in.token):
        await accounts.authentication.authenticate(credential)
    await accounts.users.disable(user.id)
    for credential in (token, signed_in.token):
        await refused(accounts, credential)
    async with accounts.database.read() as db:
        used = (
            await db.get_one(models.AccessToken, (await accounts.access_tokens.tokens_of_user(user.id))[0].id)
        ).last_used_at
    await accounts.users.enable(user.id)
    assert (await accounts.authentication.authenticate(token)).user.id == user.id
    assert used is not None
    await refused(accounts, signed_in.token)
    assert (await accounts.kinds(user.id))[-2:] == ["USER_DISABLED", "USER_ENABLED"]


async def test_a_credential_revoked_during_lookup_is_not_cached(accounts: AccountServices) -> None:
    user = await accounts.kim()
    token, row = await accounts.access_tokens.create(user.id, "script")
    version = accounts.credential_cache.version
    caller = await accounts.authentication.authenticate(token)
    await accounts.access_tokens.revoke(row.id, user.id)
    accounts.credential_cache.remember(tokens.hash_token(token), caller, version)
    await refused(accounts, token)


async def test_another_process_accepts_a_revoked_token_only_briefly(tmp_path: Path) -> None:
    async with open_account_services(tmp_path) as here, open_account_services(tmp_path, cache_seconds=0) as there:
        user = await here.kim()
        token, row = await here.access_tokens.create(user.id, "script")
        assert (await there.authentication.authenticate(token)).user.id == user.id
        await here.access_tokens.revoke(row.id, user.id)
        await refused(there, token)


# ------------------------------------------------------------------ tokens


async def test_an_access_token_works_until_its_user_revokes_it(accounts: AccountServices) -> None:
    user, other = await accounts.kim(), await accounts.kim("pat@example.org")
    token, row = await accounts.access_tokens.create(user.id, " nightly import ", None, "192.0.2.7")
    assert tokens.kind_of(token) == "access"
    caller = await accounts.authentication.authenticate(token)
    assert (caller.user.id, caller.via, caller.credential_id) == (user.id, "ACCESS_TOKEN", row.id)
    assert [kept.label for kept in await accounts.access_tokens.tokens_of_user(user.id)] == ["nightly import"]
    with pytest.raises(errors.NotFound):
        await accounts.access_tokens.revoke(row.id, other.id)
    assert await accounts.access_tokens.by_ids([row.id, "none"], other.id) == [None, None]
    await accounts.access_tokens.revoke(row.id, user.id)
    await refused(accounts, token)
    assert await accounts.access_tokens.tokens_of_user(user.id) == []
    assert await accounts.access_tokens.by_ids([row.id], user.id) == [None]
    with pytest.raises(errors.NotFound):
        await accounts.access_tokens.revoke(row.id, user.id)
    assert (await accounts.kinds(user.id))[1:] == ["TOKEN_CREATED", "TOKEN_REVOKED"]


async def test_an_access_token_expires(accounts: AccountServices) -> None:
    user = await accounts.kim()
    with pytest.raises(errors.Invalid) as raised:
        await accounts.access_tokens.create(user.id, "late", models.now())
    assert raised.value.issues[0].path == ("expiresAt",)
    token, row = await accounts.access_tokens.create(user.id, "soon", models.now() + timedelta(hours=1))
    await accounts.authentication.authenticate(token)
    async with accounts.database.begin() as db:
        past = models.now() - timedelta(seconds=1)
        await db.execute(update(models.AccessToken).where(models.AccessToken.id == row.id).values(expires_at=past))
    accounts.credential_cache.forget_user(user.id)
    await refused(accounts, token)
    assert [kept.id for kept in await accounts.access_tokens.tokens_of_user(user.id)] == [row.id]


async def test_the_last_use_is_written_at_most_once_a_minute(tmp_path: Path) -> None:
    async with open_account_services(tmp_path, cache_seconds=0) as accounts:
        user = await accounts.kim()
        token, _ = await accounts.access_tokens.create(user.id, "script")

        async def used() -> object:
            await accounts.authentication.authenticate(token)
            return (await accounts.access_tokens.tokens_of_user(user.id))[0].last_used_at

        first = await used()
        assert first is not None
        assert await used() == first
        async with accounts.database.begin() as db:
            await db.execute(
                update(models.AccessToken).values(last_used_at=models.now() - timedelta(minutes=1, seconds=1))
            )
        assert await used() != first


async def test_labels_and_their_number_are_limited(accounts: AccountServices) -> None:
    user = await accounts.kim()
    for label in ("", "   ", "x" * 201, "\u202eevil", "half \ud800"):
        with pytest.raises(errors.Invalid):
            await accounts.access_tokens.create(user.id, label)
    async with accounts.database.begin() as db:
        db.add_all(models.AccessToken(user_id=user.id, label="x", token_hash=f"{n:064}") for n in range(MAX_TOKENS - 1))
    _, last = await accounts.access_tokens.create(user.id, "the last")
    with pytest.raises(errors.Invalid, match="revoke one first"):
        await accounts.access_tokens.create(user.id, "one more")
    await accounts.access_tokens.revoke(last.id, user.id)
    await accounts.access_tokens.create(user.id, "again")


async def test_the_first_start_link_works_once(accounts: AccountServices) -> None:
    user = await accounts.users.create("owner@localhost")
    before = await accounts.setup_tokens.create(user.id)
    token = await accounts.setup_tokens.create(user.id)
    for wrong in (before, token[:-1], "fn_setup_", tokens.new_token("setup"), tokens.new_token("access")):
        with pytest.raises(errors.Unauthenticated):
            await accounts.signing_in.redeem_link(wrong)
    await refused(accounts, token)
    signed_in = await accounts.signing_in.redeem_link(token, "127.0.0.1")
    assert (await accounts.authentication.authenticate(signed_in.token)).user.id == user.id
    with pytest.raises(errors.Unauthenticated):
        await accounts.signing_in.redeem_link(token)
    late = await SetupTokens(accounts.database, timedelta(0)).create(user.id)
    with pytest.raises(errors.Unauthenticated):
        await accounts.signing_in.redeem_link(late)
    assert await accounts.count("setup_tokens") == 0


async def test_a_new_password_ends_the_link_too(accounts: AccountServices) -> None:
    user = await accounts.users.create("owner@localhost")
    token = await accounts.setup_tokens.create(user.id)
    await accounts.users.set_password(user.id, "another horse battery")
    with pytest.raises(errors.Unauthenticated):
        await accounts.signing_in.redeem_link(token)


async def test_simultaneous_uses_of_a_link_let_one_in(accounts: AccountServices) -> None:
    user = await accounts.users.create("owner@localhost")
    token = await accounts.setup_tokens.create(user.id)
    done = await asyncio.gather(*(accounts.signing_in.redeem_link(token) for _ in range(8)), return_exceptions=True)
    assert sum(not isinstance(one, BaseException) for one in done) == 1
    assert all(isinstance(one, errors.Unauthenticated) for one in done if isinstance(one, BaseException))


@pytest.mark.parametrize(
    "credential",
    ["", "fn_", "x" * 100_000, "a.b.c", "fn_access_" + "x" * 43, "fn_access_" + "ä" * 43, "\ud800", "fn_signin_\x00"],
)
async def test_malformed_credentials_are_refused(accounts: AccountServices, credential: str) -> None:
    await refused(accounts, credential)


def test_the_credential_in_a_header() -> None:
    assert bearer_credential("Bearer abc") == bearer_credential("bearer   abc ") == "abc"
    for header in (None, "", "Bearer", "Bearer  ", "Basic abc", "abc"):
        with pytest.raises(errors.Unauthenticated):
            bearer_credential(header)


async def test_the_database_file_contains_no_secret(accounts: AccountServices, tmp_path: Path) -> None:
    user = await accounts.kim()
    access, _ = await accounts.access_tokens.create(user.id, "a label to find")
    used, left = await accounts.setup_tokens.create(user.id), ""
    await accounts.signing_in.redeem_link(used)
    left = await accounts.setup_tokens.create(user.id)
    signed_in = await accounts.signing_in.sign_in(user.email, PASSWORD)
    with pytest.raises(errors.Invalid):
        await accounts.signing_in.sign_in(user.email, "a mistyped password")
    with pytest.raises(errors.Invalid):
        await accounts.signing_in.sign_in("typed-in-the-wrong-field", "a mistyped password")
    for credential in (access, signed_in.token):
        await accounts.authentication.authenticate(credential)
    files = await asyncio.to_thread(contents, tmp_path)
    assert {"footnote.db", "footnote.db-wal"} <= files.keys()
    kept = b"".join(files.values())
    assert b"a label to find" in kept
    secrets = [PASSWORD, "a mistyped password", "typed-in-the-wrong-field"]
    for token in (access, used, left, signed_in.token):
        secrets += [token, token.split("_", 2)[2], token[-20:]]
    assert [secret for secret in secrets if secret.encode() in kept] == []


# ------------------------------------------------------------------ users


async def test_a_user_is_found_by_any_spelling_of_their_address(accounts: AccountServices) -> None:
    user = await accounts.users.create(" Kim@EXAMPLE.org", " Kim ")
    assert (user.email, user.name) == ("kim@example.org", "Kim")
    for email in ("kim@example.org", "KIM@example.ORG "):
        found = await accounts.users.by_email(email)
        assert found is not None
        assert found.id == user.id
    assert await accounts.users.by_ids([user.id, "none"]) != [None, None]
    with pytest.raises(errors.Conflict):
        await accounts.users.create("KIM@example.org")
    for email in ("", "kim", "@", "a@b@c", "a b@c", f"{'x' * 320}@example.org", "half\ud800@example.org"):
        with pytest.raises(errors.Invalid):
            await accounts.users.create(email)
        assert await accounts.users.by_email(email) is None
    assert await accounts.count("users") == 1


async def test_a_lookalike_address_is_a_different_one(accounts: AccountServices) -> None:
    user = await accounts.kim()
    # Made small, made compatible, or made large, each of them is Kim's.
    for alike in ("\u212aim@example.org", "\uff4bim@example.org", "k\u0131m@example.org"):
        assert await accounts.users.by_email(alike) is None
        assert (await accounts.users.create(alike)).id != user.id


async def test_a_password_out_of_bounds_creates_no_user(accounts: AccountServices) -> None:
    with pytest.raises(errors.Invalid):
        await accounts.users.create("kim@example.org", "Kim", "short")
    assert await accounts.count("users") == 0


async def test_an_unknown_user_cannot_be_changed(accounts: AccountServices) -> None:
    for change in (
        accounts.users.disable("none"),
        accounts.users.enable("none"),
        accounts.users.set_password("none", PASSWORD),
        accounts.setup_tokens.create("none"),
        accounts.personal.export_user("none"),
        accounts.personal.erase_user("none"),
        accounts.access_tokens.create("none", "label"),
    ):
        with pytest.raises(errors.NotFound):
            await change
