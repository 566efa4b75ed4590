"""What DATABASE_URL may say of a PostgreSQL server."""

import asyncio

import pytest
from sqlalchemy import text

from app import errors
from app.database import opening, upgrade
from tests.servers.lost_replies import LostReplies
from tests.servers.transaction_pooler import transaction_pooler


async def test_a_url_may_have_the_parameters_that_other_programs_know(url: str) -> None:
    known = "application_name=kim&connect_timeout=7&options=-csearch_path%3Delsewhere&target_session_attrs=any"
    async with LostReplies(url).opened() as way:
        through = opening.open_database(f"{way.url}?sslmode=prefer&{known}".replace("postgresql://", "postgres://"))
        shown = text("SELECT current_setting('application_name') || ' ' || current_setting('search_path')")
        assert await through.run_read(lambda db: db.scalar(shown)) == "kim elsewhere"
        async with through.begin() as db:
            assert await db.scalar(shown) == "kim elsewhere"
        assert await through.hold_upkeep()
        await through.close()


async def test_hosts_that_are_not_what_is_demanded_are_told(url: str) -> None:
    async with LostReplies(url).opened() as way:
        database = opening.open_database(f"{way.url}?target_session_attrs=standby")
        with pytest.raises(errors.Unavailable, match="no host in its URL is what target_session_attrs requires"):
            await database.probe()
        await database.close()


async def test_tls_that_a_url_demands_is_demanded(url: str) -> None:
    """The server of the tests has none."""
    async with LostReplies(url).opened() as way:
        strict = opening.open_database(f"{way.url}?sslmode=require")
        with pytest.raises(errors.Unavailable, match="rejected SSL"):
            await strict.probe()
        with pytest.raises(errors.Unavailable, match="rejected SSL"):
            await strict.hold_upkeep()
        await strict.close()


@pytest.mark.parametrize(
    ("parameter", "problem"),
    [
        ("channel_binding=require", "channel_binding, which is not supported"),
        ("connect_timeout=soon", "must be a number"),
    ],
)
def test_parameters_that_cannot_be_heeded_are_refused(parameter: str, problem: str) -> None:
    with pytest.raises(errors.StartError, match=problem):
        opening.open_database(f"postgresql://kim@127.0.0.1/footnote?{parameter}")


@pytest.mark.parametrize(
    "place", ["pa@ss@host/db", "pa@ss/wd@host/db", "pa@ss:wd@host:5432/db", "pa@?ss@host", "pa@ss@", "p:pa@ss@host/db"]
)
def test_an_unescaped_password_is_not_shown(place: str) -> None:
    with pytest.raises(errors.StartError) as refused:
        opening.open_database(f"postgresql://kim:{place}")
    says = "DATABASE_URL has more than one @; in a user name or a password it must be written as %40."
    assert refused.value.message == says


@pytest.mark.parametrize("place", ["kim@corp:ss@host/db", "kim@corp@host:5432/db", "kim:s%40s@host/db", "host/d@b"])
def test_other_places_may_have_that_character(place: str) -> None:
    opened = opening.open_database(f"postgresql://{place}")
    assert opened.name.startswith("postgresql://host")


def test_several_hosts_before_the_database_are_no_url() -> None:
    with pytest.raises(errors.StartError, match="is not a database URL"):
        opening.open_database("postgresql://kim@one:5432,two:5432/footnote")


def test_a_url_without_a_database_says_so() -> None:
    with pytest.raises(errors.StartError, match="names no database"):
        opening.open_database("postgresql://kim@127.0.0.1")


@pytest.mark.parametrize(
    ("code", "words", "told"),
    [
        (
            b"08P01",
            b"unsupported startup parameter: lock_timeout",
            "refused: unsupported startup parameter: lock_timeout",
        ),
        (b"42P05", b'prepared statement "one" already exists', "a pooler assigns its connections per transaction"),
    ],
)
async def test_what_a_pooler_refuses_is_told(code: bytes, words: bytes, told: str) -> None:
    async def refuse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        size = int.from_bytes(await reader.readexactly(4))
        if size == 8:  # it asks for TLS
            await reader.readexactly(4)
            writer.write(b"N")
            size = int.from_bytes(await reader.readexactly(4))
        await reader.readexactly(size - 4)
        fields = b"SFATAL\0C" + code + b"\0M" + words + b"\0\0"
        writer.write(b"E" + (len(fields) + 4).to_bytes(4) + fields)
        writer.close()

    async with await asyncio.start_server(refuse, "127.0.0.1", 0) as pooler:
        port = pooler.sockets[0].getsockname()[1]
        database = opening.open_database(f"postgresql://kim@127.0.0.1:{port}/footnote")
        with pytest.raises(errors.Unavailable, match=told):
            await database.probe()
        await database.close()


async def test_a_pooler_that_keeps_no_connection_for_anybody_is_told_at_the_start(url: str) -> None:
    """Nothing would fail through it: notifications and the lock of upkeep would be lost without a word."""
    async with transaction_pooler(url) as through:
        database = opening.open_database(through)
        with pytest.raises(errors.StartError, match="per transaction, but Footnote needs them per session"):
            await upgrade.upgrade_database(database)
        assert await database.run_read(lambda db: db.scalar(text("SELECT 7"))) == 7
        await database.close()
