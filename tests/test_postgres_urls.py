"""What DATABASE_URL may say of a PostgreSQL server."""

from collections.abc import Generator

import pytest
from sqlalchemy import text

from app import errors
from app.database import opening
from tests import postgres
from tests.servers.lost_replies import LostReplies


@pytest.fixture
def url() -> Generator[str]:
    with postgres.empty_database() as empty:
        yield empty


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
        ("channel_binding=require", "channel_binding, which cannot be used"),
        ("connect_timeout=soon", "must be a number"),
    ],
)
def test_parameters_that_cannot_be_heeded_are_refused(parameter: str, problem: str) -> None:
    with pytest.raises(errors.StartError, match=problem):
        opening.open_database(f"postgresql://kim@127.0.0.1/footnote?{parameter}")


def test_several_hosts_before_the_database_are_no_url() -> None:
    with pytest.raises(errors.StartError, match="is not a database URL"):
        opening.open_database("postgresql://kim@one:5432,two:5432/footnote")


def test_a_url_without_a_database_says_so() -> None:
    with pytest.raises(errors.StartError, match="names no database"):
        opening.open_database("postgresql://kim@127.0.0.1")
