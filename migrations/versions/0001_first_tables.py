"""The first tables: users, projects, documents, chunks and chat."""

import sqlalchemy as sa
from alembic import context, op

from migrations import losses

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "projects",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("description", sa.Text(), nullable=True),
        sa.Column("local_providers_only", sa.Boolean(), nullable=False),
        sa.Column("no_sources_text", sa.Text(), nullable=True),
        sa.Column("rejected_text", sa.Text(), nullable=True),
        sa.Column("index_version", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_projects")),
        sa.UniqueConstraint("name", name=op.f("uq_projects_name")),
    )
    op.create_table(
        "users",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("email", sa.String(length=320), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=True),
        sa.Column("preferred_model", sa.String(length=200), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_users")),
        sa.UniqueConstraint("email", name=op.f("uq_users_email")),
    )
    op.create_table(
        "chat_sessions",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("project_id", sa.String(length=32), nullable=False),
        sa.Column("created_by", sa.String(length=32), nullable=False),
        sa.Column("shared", sa.Boolean(), nullable=False),
        sa.Column("title", sa.String(length=500), nullable=False),
        sa.Column("system_prompt", sa.Text(), nullable=True),
        sa.Column("model", sa.String(length=200), nullable=True),
        sa.Column("document_ids", sa.JSON(), nullable=True),
        sa.Column("enable_rag", sa.Boolean(), nullable=True),
        sa.Column("rag_top_k", sa.Integer(), nullable=True),
        sa.Column("rag_threshold", sa.Double(), nullable=True),
        sa.Column("include_citations", sa.Boolean(), nullable=True),
        sa.Column("grounding", sa.String(length=16), nullable=True),
        sa.Column("context_token_ratio", sa.Double(), nullable=True),
        sa.Column("max_tokens", sa.Integer(), nullable=True),
        sa.Column("temperature", sa.Double(), nullable=True),
        sa.Column("reformulate", sa.Boolean(), nullable=True),
        sa.Column("search_mode", sa.String(length=16), nullable=True),
        sa.Column("citation_style", sa.String(length=16), nullable=True),
        sa.Column("context_placement", sa.String(length=16), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["created_by"], ["users.id"], name=op.f("fk_chat_sessions_created_by"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f("fk_chat_sessions_project_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_chat_sessions")),
    )
    with op.batch_alter_table("chat_sessions", schema=None) as batch_op:
        batch_op.create_index("ix_chat_sessions_project_id_id", ["project_id", "id"], unique=False)

    op.create_table(
        "documents",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("project_id", sa.String(length=32), nullable=False),
        sa.Column("title", sa.String(length=500), nullable=False),
        sa.Column("title_given", sa.Boolean(), nullable=False),
        sa.Column("source", sa.String(length=2000), nullable=True),
        sa.Column("url", sa.String(length=2000), nullable=True),
        sa.Column("name", sa.String(length=500), nullable=True),
        sa.Column("media_type", sa.String(length=200), nullable=False),
        sa.Column("bytes", sa.BigInteger(), nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("metadata", sa.JSON(), nullable=False),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column("owner", sa.String(length=200), nullable=True),
        sa.Column("lease_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("stage", sa.String(length=16), nullable=True),
        sa.Column("progress", sa.Integer(), nullable=False),
        sa.Column("chunks_done", sa.Integer(), nullable=False),
        sa.Column("chunks_total", sa.Integer(), nullable=True),
        sa.Column("failure_code", sa.String(length=40), nullable=True),
        sa.Column("failure_message", sa.Text(), nullable=True),
        sa.Column("queued_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f("fk_documents_project_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_documents")),
        sa.UniqueConstraint("project_id", "source", name=op.f("uq_documents_project_id_source")),
    )
    with op.batch_alter_table("documents", schema=None) as batch_op:
        batch_op.create_index("ix_documents_status_queued_at", ["status", "queued_at"], unique=False)

    op.create_table(
        "embedding_spaces",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("project_id", sa.String(length=32), nullable=False),
        sa.Column("model", sa.String(length=200), nullable=False),
        sa.Column("dimensions", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f("fk_embedding_spaces_project_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_embedding_spaces")),
    )
    with op.batch_alter_table("embedding_spaces", schema=None) as batch_op:
        batch_op.create_index("ix_embedding_spaces_project_id_state", ["project_id", "state"], unique=False)

    op.create_table(
        "chunks",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("project_id", sa.String(length=32), nullable=False),
        sa.Column("document_id", sa.String(length=32), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("heading", sa.JSON(), nullable=False),
        sa.Column("page", sa.Integer(), nullable=True),
        sa.Column("start_offset", sa.Integer(), nullable=False),
        sa.Column("end_offset", sa.Integer(), nullable=False),
        sa.Column("token_count", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["document_id"], ["documents.id"], name=op.f("fk_chunks_document_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["project_id"], ["projects.id"], name=op.f("fk_chunks_project_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_chunks")),
        sa.UniqueConstraint("document_id", "position", name=op.f("uq_chunks_document_id_position")),
        sqlite_autoincrement=True,
    )
    with op.batch_alter_table("chunks", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_chunks_project_id"), ["project_id"], unique=False)

    op.create_table(
        "messages",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("project_id", sa.String(length=32), nullable=False),
        sa.Column("session_id", sa.String(length=32), nullable=False),
        sa.Column("role", sa.String(length=16), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column("reply_to", sa.String(length=32), nullable=True),
        sa.Column("owner", sa.String(length=200), nullable=True),
        sa.Column("lease_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("idempotency_key", sa.String(length=200), nullable=True),
        sa.Column("overrides", sa.JSON(), nullable=True),
        sa.Column("outcome", sa.String(length=16), nullable=True),
        sa.Column("finish_reason", sa.String(length=16), nullable=True),
        sa.Column("reasoning", sa.Text(), nullable=True),
        sa.Column("search_query", sa.Text(), nullable=True),
        sa.Column("citations", sa.JSON(), nullable=True),
        sa.Column("notices", sa.JSON(), nullable=True),
        sa.Column("budget", sa.JSON(), nullable=True),
        sa.Column("usage", sa.JSON(), nullable=True),
        sa.Column("failure", sa.JSON(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("completed_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f("fk_messages_project_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["reply_to"], ["messages.id"], name=op.f("fk_messages_reply_to"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(
            ["session_id"], ["chat_sessions.id"], name=op.f("fk_messages_session_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_messages")),
        sa.UniqueConstraint("session_id", "idempotency_key", name=op.f("uq_messages_session_id_idempotency_key")),
    )
    with op.batch_alter_table("messages", schema=None) as batch_op:
        batch_op.create_index("ix_messages_session_id_id", ["session_id", "id"], unique=False)
        batch_op.create_index("ix_messages_status", ["status"], unique=False)

    op.create_table(
        "document_keys",
        sa.Column("project_id", sa.String(length=32), nullable=False),
        sa.Column("key", sa.String(length=200), nullable=False),
        sa.Column("document_id", sa.String(length=32), nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.ForeignKeyConstraint(
            ["document_id"], ["documents.id"], name=op.f("fk_document_keys_document_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f("fk_document_keys_project_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("project_id", "key", name=op.f("pk_document_keys")),
    )
    op.create_table(
        "originals",
        sa.Column("document_id", sa.String(length=32), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["document_id"], ["documents.id"], name=op.f("fk_originals_document_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("document_id", "version", "position", name=op.f("pk_originals")),
    )
    op.create_table(
        "answer_events",
        sa.Column("message_id", sa.String(length=32), nullable=False),
        sa.Column("sequence", sa.Integer(), nullable=False),
        sa.Column("payload", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(
            ["message_id"], ["messages.id"], name=op.f("fk_answer_events_message_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("message_id", "sequence", name=op.f("pk_answer_events")),
    )

    # Full text of chunks, by the chunk's id. Contentless: the text itself stands in `chunks`.
    # `project` holds the project's id as one word, so that a search never leaves its project.
    op.execute(
        "CREATE VIRTUAL TABLE chunk_texts USING fts5(project, heading, text, content='', contentless_delete=1, "
        "tokenize='porter unicode61 remove_diacritics 2')"
    )
    op.execute("CREATE VIRTUAL TABLE chunk_terms USING fts5vocab(chunk_texts, row)")
    # A background of 1,000 rows with 200 words each on average: bm25 takes how rare a word is from the share of rows
    # that have it, which says nothing while there are only a few. All the words stand in one row.
    op.execute(
        "WITH RECURSIVE row(id) AS (SELECT -1 UNION ALL SELECT id - 1 FROM row WHERE id > -1000) "
        "INSERT INTO chunk_texts(rowid, project, heading, text) "
        "SELECT id, '', '', CASE id WHEN -1 THEN replace(hex(zeroblob(100000)), '00', 'x x ') ELSE '' END FROM row"
    )


def downgrade() -> None:
    losses.refuse({"everything": "SELECT id FROM projects UNION SELECT id FROM users"})
    tables = ["chunk_terms", "chunk_texts"]
    if not context.is_offline_mode():
        # Of each number of dimensions there is one; the server makes them when they are needed.
        vectors = "SELECT name FROM sqlite_master WHERE name LIKE 'chunk_vectors_%' AND sql LIKE 'CREATE VIRTUAL%'"
        tables += op.get_bind().execute(sa.text(vectors)).scalars().all()
    for table in (
        *tables,
        *("answer_events", "originals", "document_keys", "messages", "chunks", "embedding_spaces"),
        *("documents", "chat_sessions", "users", "projects"),
    ):
        op.drop_table(table)
