"""Crash testing: a server is killed again and again, and everything it had promised must still be true.

`points` and `places` say where, `killer` kills there, `load` asks for things and notes in a `ledger` what was promised,
`checks` compares, `chain` kills and starts. `migrating` does so while an old database is migrated, `compacting` while
logs are made short (by `short_logs`), `pausing` while an embedding model is away. `guards` takes guards away and
demands that this is noticed. `python -m tests.torture --help` runs it.
"""
