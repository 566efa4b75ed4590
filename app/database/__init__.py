"""The database: models, connections and transactions, keyset pages, migrations and backups."""
