"""How much PostgreSQL reads for a list does not depend on how much other projects have."""

from collections.abc import Generator

import pytest

from app.answer_options.document_filter import DocumentFilter
from app.database.pages import PageRequest
from app.knowledge.search.filters import LibraryOrder
from app.services import open_backend
from app.settings import Settings
from tests import postgres
from tests.looking import pause

ADD_PROJECT = (
    "INSERT INTO projects (id, name, local_providers_only, index_version, created_at, updated_at) "
    "VALUES ('{name}', '{name}', false, 0, now(), now())"
)
ADD_DOCUMENTS = (
    "INSERT INTO documents (id, project_id, title, title_given, media_type, bytes, sha256, version, metadata, status, "
    "progress, chunks_done, queued_at, created_at, updated_at) SELECT '{name}' || lpad(n::text, 6, '0'), '{name}', "
    "'Document', true, 'text/plain', 1, '', 1, '{{}}', 'READY', 0, 0, now(), now(), now() "
    "FROM generate_series(1, {n}) AS n"
)
ROWS_READ = "SELECT idx_tup_fetch + seq_tup_read FROM pg_stat_user_tables WHERE relname = '{}'"
OTHERS = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"


@pytest.fixture
def url() -> Generator[str]:
    with postgres.fresh_database() as fresh:
        yield fresh


async def test_the_newest_documents_of_a_project_are_not_looked_for_among_those_of_all(url: str) -> None:
    for name, documents in (("a", 300), ("b", 20_000)):
        add = ADD_PROJECT.format(name=name), ADD_DOCUMENTS.format(name=name, n=documents)
        postgres.run_statements(*add, url=url)
    postgres.run_statements("VACUUM ANALYZE documents", "SELECT pg_stat_reset()", url=url)
    settings = Settings.model_validate({"database_url": url})
    async with open_backend(settings, "ask") as footnote:
        [page] = await footnote.knowledge.library.list_documents(
            ["a"], DocumentFilter(), PageRequest(first=20), LibraryOrder(descending=True)
        )
    assert [row.id for row in page.rows] == [f"a{number:06}" for number in range(300, 280, -1)]
    while postgres.fetch_value(url, OTHERS):
        await pause()  # what a connection has read is counted when it ends
    assert postgres.fetch_value(url, ROWS_READ.format("documents")) < 50
