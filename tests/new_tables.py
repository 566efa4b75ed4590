"""Write the tables with which a new database in SQLite begins, as `migrations/sqlite/REVISION.sql` has them.

After a new migration, `python -m tests.new_tables` prints them again; a test fails until then, because new databases
would run that migration, and the first start would take longer.
"""

import asyncio
import re
import tempfile
from pathlib import Path

from app.database.sqlite import driver
from tests import old_databases

# What a virtual table makes by itself is left out; indexes and triggers come after their tables.
_STATEMENTS = """
SELECT sql FROM sqlite_schema AS made
WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' AND name <> 'alembic_version' AND NOT EXISTS (
  SELECT 1 FROM sqlite_schema AS owner
  WHERE owner.sql LIKE 'CREATE VIRTUAL TABLE%' AND made.name LIKE owner.name || '\\_%' ESCAPE '\\'
  AND made.name IN (SELECT name FROM pragma_table_list WHERE type = 'shadow')
)
ORDER BY type = 'trigger', type = 'index', rowid
"""
_LINE_BREAK = re.compile(r"[ \t]*\n[ \t]*")


def read_statements(file: Path) -> list[str]:
    """The statements that make the tables of a database, with spaces as people write them."""
    connection = driver.choose_driver().module.connect(str(file))
    try:
        return [_LINE_BREAK.sub("\n  ", row[0]).replace("\n  )", "\n)") for row in connection.execute(_STATEMENTS)]
    finally:
        connection.close()


def main() -> None:
    """Print what all migrations make, one after the other."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "footnote.db"
        asyncio.run(old_databases.make(file, old_databases.NEWEST))
        print(f"-- The tables as of revision {old_databases.NEWEST}, for a new database in SQLite.\n")
        print("\n\n".join(f"{statement};" for statement in read_statements(file)))


if __name__ == "__main__":
    main()
