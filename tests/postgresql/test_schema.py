"""The schema on PostgreSQL: what migrations build, and that they leave alone what is not theirs."""

import asyncio

import pytest
from sqlalchemy import make_url, text

from app import errors
from app.database import opening, upgrade
from app.database.postgres.database import PostgresDatabase
from tests import postgres, schema_differences
from tests.old_databases import NEWEST

# Text that is not compared by its bytes would be sorted otherwise than in SQLite.
OTHER_COLLATIONS = (
    "SELECT string_agg(table_name || '.' || column_name, ', ') FROM information_schema.columns "
    "WHERE table_schema = 'public' AND data_type IN ('text', 'character varying') "
    "AND collation_name IS DISTINCT FROM 'C' AND table_name <> 'alembic_version'"
)


async def test_migrations_build_what_the_models_say(url: str) -> None:
    database = opening.open_database(url)
    assert await upgrade.upgrade_database(database) == upgrade.UpgradeResult(None, NEWEST, None)
    assert await upgrade.upgrade_database(database) == upgrade.UpgradeResult(NEWEST, NEWEST, None)

    assert await database.inspect_schema(schema_differences.find_differences) == []
    assert postgres.fetch_value(url, OTHER_COLLATIONS) is None
    await database.close()


async def test_tables_and_views_of_others_are_left_alone(url: str) -> None:
    """Such as those of pg_stat_statements, which nobody but its owner could change."""
    others = 'CREATE TABLE notes (note text COLLATE "POSIX"); CREATE VIEW noted AS SELECT note FROM notes'
    postgres.run_statements(others, url=url)
    database = opening.open_database(url)
    await upgrade.upgrade_database(database)
    await database.close()
    noted = "SELECT string_agg(collation_name, ', ') FROM information_schema.columns WHERE table_name LIKE 'note%'"
    assert postgres.fetch_value(url, noted) == "POSIX, POSIX"


async def test_processes_that_start_at_once_migrate_once(url: str) -> None:
    opened = [opening.open_database(url) for _ in range(4)]
    await asyncio.gather(*map(upgrade.upgrade_database, opened))
    for database in opened:
        await database.close()
    assert postgres.fetch_value(url, "SELECT version_num FROM alembic_version") == NEWEST


async def test_a_migration_may_take_longer_than_anything_else(url: str) -> None:
    sleep = text("SELECT pg_sleep(2)")
    database = PostgresDatabase(make_url(url).set(drivername="postgresql+asyncpg"), command_seconds=0.5)
    with pytest.raises(errors.Unavailable, match="does not respond"):
        await database.run_write(lambda db: db.execute(sleep))
    async with database.open_schema() as connection:
        await connection.execute(sleep)
        await connection.execute(text("CREATE TABLE made (id int)"))
    await database.close()
    assert postgres.fetch_value(url, "SELECT count(*) FROM made") == 0
