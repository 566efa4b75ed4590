"""Tests of the database: transactions, migrations, upkeep, and what happens to its file."""
