"""Who is asking: passwords, tokens, sign-ins, users and what is kept about them, over a real database file."""

import asyncio
import threading
import time
import unicodedata
from collections.abc import AsyncGenerator
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import text, update

from app import errors
from app.accounts import tokens
from app.accounts.authentication import bearer
from app.accounts.credential_cache import Asker
from app.accounts.passwords import OWASP_LOW_MEMORY, RFC_9106_LOW_MEMORY, Passwords
from app.accounts.tokens import MAX_TOKENS, SetupTokens
from app.database import models
from tests.accounts_room import LIGHT, PASSWORD, Room, open_room


@pytest.fixture
async def room(tmp_path: Path) -> AsyncGenerator[Room]:
    async with open_room(tmp_path) as opened:
        yield opened


async def refused(room: Room, credential: str) -> None:
    with pytest.raises(errors.Unauthenticated):
        await room.authentication.authenticate(credential)


def contents(folder: Path) -> dict[str, bytes]:
    """All files of the database, those of its write-ahead log too."""
    return {file.name: file.read_bytes() for file in folder.glob("footnote.db*")}


# ------------------------------------------------------------------ passwords


async def test_a_password_is_kept_as_a_hash_that_only_it_belongs_to() -> None:
    passwords = Passwords(OWASP_LOW_MEMORY)
    kept = await passwords.hash(PASSWORD)
    assert kept.startswith("$argon2id$v=19$m=19456,t=2,p=1$")
    assert await passwords.verify(kept, PASSWORD)
    assert not await passwords.verify(kept, PASSWORD + "!")
    assert not await passwords.verify(None, PASSWORD)
    assert not await passwords.verify("no hash at all", PASSWORD)
    passwords.close()


async def test_hashing_leaves_the_event_loop_alone() -> None:
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


async def test_without_a_hash_as_much_work_is_done_as_with_one() -> None:
    passwords = Passwords(OWASP_LOW_MEMORY)
    kept = await passwords.hash(PASSWORD)

    async def work(password_hash: str | None, password: str) -> float:
        """The least processor time of three: what else the machine does does not count."""
        times: list[float] = []
        for _ in range(3):
            began = time.process_time()
            assert not await passwords.verify(password_hash, password)
            times.append(time.process_time() - began)
        return min(times)

    wrong = await work(kept, "wrong password")
    assert await work(None, PASSWORD) == pytest.approx(wrong, rel=0.5)
    assert await work(kept, "short") == pytest.approx(wrong, rel=0.5)
    passwords.close()


@pytest.mark.parametrize(
    ("password", "right"), [("x" * 7, False), ("x" * 8, True), ("x" * 1000, True), ("x" * 1001, False)]
)
async def test_the_bounds_of_a_password(password: str, right: bool) -> None:
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


async def test_who_comes_when_too_many_wait_is_sent_away() -> None:
    passwords = Passwords(OWASP_LOW_MEMORY, at_once=1)
    waiting = [asyncio.create_task(passwords.verify(None, PASSWORD)) for _ in range(64)]
    await asyncio.sleep(0)
    with pytest.raises(errors.Unavailable, match="try again") as raised:
        await passwords.verify(None, PASSWORD)
    assert raised.value.retry_after_ms == 1000
    passwords.close()
    await asyncio.gather(*waiting, return_exceptions=True)


async def test_the_parameters_are_those_that_their_sources_recommend() -> None:
    assert (OWASP_LOW_MEMORY.memory_cost, OWASP_LOW_MEMORY.time_cost, OWASP_LOW_MEMORY.parallelism) == (19456, 2, 1)
    rfc = RFC_9106_LOW_MEMORY
    assert (rfc.memory_cost, rfc.time_cost, rfc.parallelism, rfc.salt_len, rfc.hash_len) == (65536, 3, 4, 16, 32)


async def test_a_hash_of_other_parameters_is_renewed_when_its_user_signs_in(tmp_path: Path) -> None:
    async with open_room(tmp_path) as room:
        user = await room.kim()
    async with open_room(tmp_path, parameters=OWASP_LOW_MEMORY) as room:

        async def kept() -> str:
            async with room.database.read() as db:
                found = await db.get_one(models.Password, user.id)
                return found.password_hash

        assert "m=8," in await kept()
        with pytest.raises(errors.Invalid):
            await room.signing_in.sign_in(user.email, "something else")
        assert "m=8," in await kept()
        await room.signing_in.sign_in(user.email, PASSWORD)
        renewed = await kept()
        assert "m=19456," in renewed
        await room.signing_in.sign_in(user.email, PASSWORD)
        assert await kept() == renewed


# ------------------------------------------------------------------ signing in and out


async def test_signing_in_gives_a_token_that_lets_in_until_it_is_signed_out(room: Room) -> None:
    user = await room.kim()
    signed_in = await room.signing_in.sign_in("  KIM@Example.org ", PASSWORD, "192.0.2.7")
    assert tokens.kind_of(signed_in.token) == "signin"
    assert signed_in.user.id == user.id
    asker = await room.authentication.authenticate(signed_in.token)
    assert (asker.user.id, asker.via) == (user.id, "SIGN_IN")
    assert [(sign_in.id, sign_in.address) for sign_in in await room.sign_ins.sign_ins_of_user(user.id)] == [
        (asker.credential_id, "192.0.2.7")
    ]
    other = await room.signing_in.sign_in(user.email, PASSWORD)
    await room.signing_in.sign_out(signed_in.token, user.id)
    await refused(room, signed_in.token)
    assert (await room.authentication.authenticate(other.token)).user.id == user.id


async def test_what_is_wrong_about_address_and_password_is_not_said(room: Room) -> None:
    user = await room.kim()
    without = await room.users.create("pat@example.org")
    disabled = await room.kim("sam@example.org")
    await room.users.disable(disabled.id)
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
            await room.signing_in.sign_in(email, password)
        said.add((raised.value.message, raised.value.issues))
    assert len(said) == 1
    assert await room.count("sign_ins") == 0


async def test_the_audit_trail_tells_of_sign_ins_and_failures_and_holds_nothing_that_was_typed(room: Room) -> None:
    user = await room.kim()
    with pytest.raises(errors.Invalid):
        await room.signing_in.sign_in(user.email, "my-other-password", "192.0.2.7")
    with pytest.raises(errors.Invalid):
        await room.signing_in.sign_in("my-password@as-an-address", PASSWORD, "192.0.2.8")
    signed_in = await room.signing_in.sign_in(user.email, PASSWORD, "192.0.2.9")
    await room.signing_in.sign_out(signed_in.token, user.id, "192.0.2.9")
    async with room.database.read() as db:
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


async def test_another_password_ends_all_sign_ins_and_leaves_tokens(room: Room) -> None:
    user = await room.kim()
    signed_in = [await room.signing_in.sign_in(user.email, PASSWORD) for _ in range(2)]
    token, _ = await room.access_tokens.create(user.id, "script")
    for credential in (signed_in[0].token, signed_in[1].token, token):
        await room.authentication.authenticate(credential)
    with pytest.raises(errors.Invalid) as raised:
        await room.signing_in.change_password(Asker(user, "SIGN_IN"), "not the current", "another password")
    assert raised.value.issues[0].path == ("currentPassword",)
    with pytest.raises(errors.Invalid) as raised:
        await room.signing_in.change_password(Asker(user, "SIGN_IN"), PASSWORD, "short")
    assert raised.value.issues[0].path == ("newPassword",)
    assert (await room.authentication.authenticate(signed_in[0].token)).user.id == user.id
    await room.signing_in.change_password(Asker(user, "SIGN_IN"), PASSWORD, "another password")
    for one in signed_in:
        await refused(room, one.token)
    assert (await room.authentication.authenticate(token)).user.id == user.id
    with pytest.raises(errors.Invalid):
        await room.signing_in.sign_in(user.email, PASSWORD)
    await room.signing_in.sign_in(user.email, "another password")


async def test_a_sign_in_with_the_old_password_while_it_changes_is_void(room: Room) -> None:
    user = await room.kim()
    # As when the password was looked at before the change and the sign-in is written after it.
    await room.users.set_password(user.id, "another password")
    token, _ = await room.sign_ins.open(user.id, user.sign_in_generation)
    await refused(room, token)


async def test_who_has_no_password_sets_one_and_the_next_needs_it(room: Room) -> None:
    user = await room.users.create("kim@example.org")
    await room.signing_in.change_password(Asker(user, "SIGN_IN"), None, PASSWORD)
    await room.signing_in.sign_in(user.email, PASSWORD)
    with pytest.raises(errors.Invalid):
        await room.signing_in.change_password(Asker(user, "SIGN_IN"), None, "another password")


async def test_a_disabled_user_is_refused_at_once_by_whatever_they_have(room: Room) -> None:
    user = await room.kim()
    token, _ = await room.access_tokens.create(user.id, "script")
    signed_in = await room.signing_in.sign_in(user.email, PASSWORD)
    for credential in (token, signed_in.token):
        await room.authentication.authenticate(credential)
    await room.users.disable(user.id)
    for credential in (token, signed_in.token):
        await refused(room, credential)
    async with room.database.read() as db:
        used = (
            await db.get_one(models.AccessToken, (await room.access_tokens.tokens_of_user(user.id))[0].id)
        ).last_used_at
    await room.users.enable(user.id)
    assert (await room.authentication.authenticate(token)).user.id == user.id
    assert used is not None
    await refused(room, signed_in.token)
    assert (await room.kinds(user.id))[-2:] == ["USER_DISABLED", "USER_ENABLED"]


async def test_a_credential_that_was_looked_up_before_its_end_is_not_remembered_after(room: Room) -> None:
    user = await room.kim()
    token, row = await room.access_tokens.create(user.id, "script")
    version = room.recent.version
    asker = await room.authentication.authenticate(token)
    await room.access_tokens.revoke(row.id, user.id)
    room.recent.remember(tokens.digest(token), asker, version)
    await refused(room, token)


async def test_another_process_believes_a_revoked_token_for_a_moment_only(tmp_path: Path) -> None:
    async with open_room(tmp_path) as here, open_room(tmp_path, recent_seconds=0) as there:
        user = await here.kim()
        token, row = await here.access_tokens.create(user.id, "script")
        assert (await there.authentication.authenticate(token)).user.id == user.id
        await here.access_tokens.revoke(row.id, user.id)
        await refused(there, token)


# ------------------------------------------------------------------ tokens


async def test_an_access_token_lets_in_until_it_is_revoked_by_its_user(room: Room) -> None:
    user, other = await room.kim(), await room.kim("pat@example.org")
    token, row = await room.access_tokens.create(user.id, " nightly import ", None, "192.0.2.7")
    assert tokens.kind_of(token) == "access"
    asker = await room.authentication.authenticate(token)
    assert (asker.user.id, asker.via, asker.credential_id) == (user.id, "ACCESS_TOKEN", row.id)
    assert [kept.label for kept in await room.access_tokens.tokens_of_user(user.id)] == ["nightly import"]
    with pytest.raises(errors.NotFound):
        await room.access_tokens.revoke(row.id, other.id)
    assert await room.access_tokens.by_ids([row.id, "none"], other.id) == [None, None]
    await room.access_tokens.revoke(row.id, user.id)
    await refused(room, token)
    assert await room.access_tokens.tokens_of_user(user.id) == []
    assert await room.access_tokens.by_ids([row.id], user.id) == [None]
    with pytest.raises(errors.NotFound):
        await room.access_tokens.revoke(row.id, user.id)
    assert (await room.kinds(user.id))[1:] == ["TOKEN_CREATED", "TOKEN_REVOKED"]


async def test_an_access_token_expires(room: Room) -> None:
    user = await room.kim()
    with pytest.raises(errors.Invalid) as raised:
        await room.access_tokens.create(user.id, "late", models.now())
    assert raised.value.issues[0].path == ("expiresAt",)
    token, row = await room.access_tokens.create(user.id, "soon", models.now() + timedelta(hours=1))
    await room.authentication.authenticate(token)
    async with room.database.begin() as db:
        past = models.now() - timedelta(seconds=1)
        await db.execute(update(models.AccessToken).where(models.AccessToken.id == row.id).values(expires_at=past))
    room.recent.forget(user.id)
    await refused(room, token)
    assert [kept.id for kept in await room.access_tokens.tokens_of_user(user.id)] == [row.id]


async def test_the_last_use_is_written_at_most_once_a_minute(tmp_path: Path) -> None:
    async with open_room(tmp_path, recent_seconds=0) as room:
        user = await room.kim()
        token, _ = await room.access_tokens.create(user.id, "script")

        async def used() -> object:
            await room.authentication.authenticate(token)
            return (await room.access_tokens.tokens_of_user(user.id))[0].last_used_at

        first = await used()
        assert first is not None
        assert await used() == first
        async with room.database.begin() as db:
            await db.execute(
                update(models.AccessToken).values(last_used_at=models.now() - timedelta(minutes=1, seconds=1))
            )
        assert await used() != first


async def test_labels_and_their_number_have_bounds(room: Room) -> None:
    user = await room.kim()
    for label in ("", "   ", "x" * 201, "\u202eevil", "half \ud800"):
        with pytest.raises(errors.Invalid):
            await room.access_tokens.create(user.id, label)
    async with room.database.begin() as db:
        db.add_all(models.AccessToken(user_id=user.id, label="x", token_hash=f"{n:064}") for n in range(MAX_TOKENS - 1))
    _, last = await room.access_tokens.create(user.id, "the last")
    with pytest.raises(errors.Invalid, match="revoke one first"):
        await room.access_tokens.create(user.id, "one more")
    await room.access_tokens.revoke(last.id, user.id)
    await room.access_tokens.create(user.id, "again")


async def test_the_link_of_the_first_start_lets_in_once(room: Room) -> None:
    user = await room.users.create("owner@localhost")
    before = await room.setup_tokens.create(user.id)
    token = await room.setup_tokens.create(user.id)
    for wrong in (before, token[:-1], "fn_setup_", tokens.new("setup"), tokens.new("access")):
        with pytest.raises(errors.Unauthenticated):
            await room.signing_in.redeem(wrong)
    await refused(room, token)
    signed_in = await room.signing_in.redeem(token, "127.0.0.1")
    assert (await room.authentication.authenticate(signed_in.token)).user.id == user.id
    with pytest.raises(errors.Unauthenticated):
        await room.signing_in.redeem(token)
    late = await SetupTokens(room.database, timedelta(0)).create(user.id)
    with pytest.raises(errors.Unauthenticated):
        await room.signing_in.redeem(late)
    assert await room.count("setup_tokens") == 0


async def test_a_new_password_ends_the_link_too(room: Room) -> None:
    user = await room.users.create("owner@localhost")
    token = await room.setup_tokens.create(user.id)
    await room.users.set_password(user.id, "another horse battery")
    with pytest.raises(errors.Unauthenticated):
        await room.signing_in.redeem(token)


async def test_many_who_redeem_one_link_at_once_are_one(room: Room) -> None:
    user = await room.users.create("owner@localhost")
    token = await room.setup_tokens.create(user.id)
    done = await asyncio.gather(*(room.signing_in.redeem(token) for _ in range(8)), return_exceptions=True)
    assert sum(not isinstance(one, BaseException) for one in done) == 1
    assert all(isinstance(one, errors.Unauthenticated) for one in done if isinstance(one, BaseException))


@pytest.mark.parametrize(
    "credential",
    ["", "fn_", "x" * 100_000, "a.b.c", "fn_access_" + "x" * 43, "fn_access_" + "ä" * 43, "\ud800", "fn_signin_\x00"],
)
async def test_what_is_no_credential_is_refused(room: Room, credential: str) -> None:
    await refused(room, credential)


def test_the_credential_in_a_header() -> None:
    assert bearer("Bearer abc") == bearer("bearer   abc ") == "abc"
    for header in (None, "", "Bearer", "Bearer  ", "Basic abc", "abc"):
        with pytest.raises(errors.Unauthenticated):
            bearer(header)


async def test_the_file_of_the_database_holds_no_secret(room: Room, tmp_path: Path) -> None:
    user = await room.kim()
    access, _ = await room.access_tokens.create(user.id, "a label to find")
    used, left = await room.setup_tokens.create(user.id), ""
    await room.signing_in.redeem(used)
    left = await room.setup_tokens.create(user.id)
    signed_in = await room.signing_in.sign_in(user.email, PASSWORD)
    with pytest.raises(errors.Invalid):
        await room.signing_in.sign_in(user.email, "a mistyped password")
    with pytest.raises(errors.Invalid):
        await room.signing_in.sign_in("typed-in-the-wrong-field", "a mistyped password")
    for credential in (access, signed_in.token):
        await room.authentication.authenticate(credential)
    files = await asyncio.to_thread(contents, tmp_path)
    assert {"footnote.db", "footnote.db-wal"} <= files.keys()
    kept = b"".join(files.values())
    assert b"a label to find" in kept
    secrets = [PASSWORD, "a mistyped password", "typed-in-the-wrong-field"]
    for token in (access, used, left, signed_in.token):
        secrets += [token, token.split("_", 2)[2], token[-20:]]
    assert [secret for secret in secrets if secret.encode() in kept] == []


# ------------------------------------------------------------------ users


async def test_a_user_is_found_by_their_address_however_it_is_written(room: Room) -> None:
    user = await room.users.create(" Kim@EXAMPLE.org", " Kim ")
    assert (user.email, user.name) == ("kim@example.org", "Kim")
    for email in ("kim@example.org", "KIM@example.ORG "):
        found = await room.users.by_email(email)
        assert found is not None
        assert found.id == user.id
    assert await room.users.by_ids([user.id, "none"]) != [None, None]
    with pytest.raises(errors.Conflict):
        await room.users.create("KIM@example.org")
    for email in ("", "kim", "@", "a@b@c", "a b@c", f"{'x' * 320}@example.org", "half\ud800@example.org"):
        with pytest.raises(errors.Invalid):
            await room.users.create(email)
        assert await room.users.by_email(email) is None
    assert await room.count("users") == 1


async def test_an_address_that_only_looks_the_same_is_another(room: Room) -> None:
    user = await room.kim()
    # Made small, made compatible, or made large, each of them is Kim's.
    for alike in ("\u212aim@example.org", "\uff4bim@example.org", "k\u0131m@example.org"):
        assert await room.users.by_email(alike) is None
        assert (await room.users.create(alike)).id != user.id


async def test_a_password_out_of_bounds_makes_no_user(room: Room) -> None:
    with pytest.raises(errors.Invalid):
        await room.users.create("kim@example.org", "Kim", "short")
    assert await room.count("users") == 0


async def test_who_is_not_there_cannot_be_changed(room: Room) -> None:
    for change in (
        room.users.disable("none"),
        room.users.enable("none"),
        room.users.set_password("none", PASSWORD),
        room.setup_tokens.create("none"),
        room.personal.export("none"),
        room.personal.erase("none"),
        room.access_tokens.create("none", "label"),
    ):
        with pytest.raises(errors.NotFound):
            await change
