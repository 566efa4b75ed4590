CREATE TABLE alembic_version (
    version_num VARCHAR(32) NOT NULL,
    CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);

CREATE TABLE projects (
    id VARCHAR(32) NOT NULL,
    name VARCHAR(200) NOT NULL,
    description TEXT,
    local_providers_only BOOLEAN NOT NULL,
    no_sources_text TEXT,
    rejected_text TEXT,
    index_version INTEGER NOT NULL,
    created_at DATETIME NOT NULL,
    updated_at DATETIME NOT NULL,
    CONSTRAINT pk_projects PRIMARY KEY (id),
    CONSTRAINT uq_projects_name UNIQUE (name)
);

CREATE TABLE users (
    id VARCHAR(32) NOT NULL,
    email VARCHAR(320) NOT NULL,
    name VARCHAR(200),
    preferred_model VARCHAR(200),
    created_at DATETIME NOT NULL,
    CONSTRAINT pk_users PRIMARY KEY (id),
    CONSTRAINT uq_users_email UNIQUE (email)
);

CREATE TABLE chat_sessions (
    id VARCHAR(32) NOT NULL,
    project_id VARCHAR(32) NOT NULL,
    created_by VARCHAR(32) NOT NULL,
    shared BOOLEAN NOT NULL,
    title VARCHAR(500) NOT NULL,
    system_prompt TEXT,
    model VARCHAR(200),
    document_ids JSON,
    enable_rag BOOLEAN,
    rag_top_k INTEGER,
    rag_threshold DOUBLE,
    include_citations BOOLEAN,
    grounding VARCHAR(16),
    context_token_ratio DOUBLE,
    max_tokens INTEGER,
    temperature DOUBLE,
    reformulate BOOLEAN,
    search_mode VARCHAR(16),
    citation_style VARCHAR(16),
    context_placement VARCHAR(16),
    created_at DATETIME NOT NULL,
    updated_at DATETIME NOT NULL,
    CONSTRAINT pk_chat_sessions PRIMARY KEY (id),
    CONSTRAINT fk_chat_sessions_created_by FOREIGN KEY(created_by) REFERENCES users (id) ON DELETE CASCADE,
    CONSTRAINT fk_chat_sessions_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
);

CREATE INDEX ix_chat_sessions_project_id_id ON chat_sessions (project_id, id);

CREATE TABLE documents (
    id VARCHAR(32) NOT NULL,
    project_id VARCHAR(32) NOT NULL,
    title VARCHAR(500) NOT NULL,
    title_given BOOLEAN NOT NULL,
    source VARCHAR(2000),
    url VARCHAR(2000),
    name VARCHAR(500),
    media_type VARCHAR(200) NOT NULL,
    bytes BIGINT NOT NULL,
    sha256 VARCHAR(64) NOT NULL,
    version INTEGER NOT NULL,
    metadata JSON NOT NULL,
    idempotency_key VARCHAR(200),
    status VARCHAR(16) NOT NULL,
    stage VARCHAR(16),
    progress INTEGER NOT NULL,
    chunks_done INTEGER NOT NULL,
    chunks_total INTEGER,
    failure_code VARCHAR(40),
    failure_message TEXT,
    queued_at DATETIME NOT NULL,
    created_at DATETIME NOT NULL,
    updated_at DATETIME NOT NULL,
    CONSTRAINT pk_documents PRIMARY KEY (id),
    CONSTRAINT fk_documents_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE,
    CONSTRAINT uq_documents_project_id_idempotency_key UNIQUE (project_id, idempotency_key),
    CONSTRAINT uq_documents_project_id_source UNIQUE (project_id, source)
);

CREATE INDEX ix_documents_status_queued_at ON documents (status, queued_at);

CREATE TABLE embedding_spaces (
    id VARCHAR(32) NOT NULL,
    project_id VARCHAR(32) NOT NULL,
    model VARCHAR(200) NOT NULL,
    dimensions INTEGER NOT NULL,
    state VARCHAR(16) NOT NULL,
    created_at DATETIME NOT NULL,
    CONSTRAINT pk_embedding_spaces PRIMARY KEY (id),
    CONSTRAINT fk_embedding_spaces_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
);

CREATE INDEX ix_embedding_spaces_project_id_state ON embedding_spaces (project_id, state);

CREATE TABLE chunks (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    project_id VARCHAR(32) NOT NULL,
    document_id VARCHAR(32) NOT NULL,
    version INTEGER NOT NULL,
    position INTEGER NOT NULL,
    text TEXT NOT NULL,
    heading JSON NOT NULL,
    page INTEGER,
    start_offset INTEGER NOT NULL,
    end_offset INTEGER NOT NULL,
    token_count INTEGER NOT NULL,
    CONSTRAINT fk_chunks_document_id FOREIGN KEY(document_id) REFERENCES documents (id) ON DELETE CASCADE,
    CONSTRAINT fk_chunks_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE,
    CONSTRAINT uq_chunks_document_id_position UNIQUE (document_id, position)
);

CREATE INDEX ix_chunks_project_id ON chunks (project_id);

CREATE TABLE messages (
    id VARCHAR(32) NOT NULL,
    project_id VARCHAR(32) NOT NULL,
    session_id VARCHAR(32) NOT NULL,
    role VARCHAR(16) NOT NULL,
    content TEXT NOT NULL,
    status VARCHAR(16) NOT NULL,
    reply_to VARCHAR(32),
    idempotency_key VARCHAR(200),
    overrides JSON,
    outcome VARCHAR(16),
    finish_reason VARCHAR(16),
    reasoning TEXT,
    search_query TEXT,
    citations JSON,
    notices JSON,
    budget JSON,
    usage JSON,
    failure JSON,
    created_at DATETIME NOT NULL,
    completed_at DATETIME,
    CONSTRAINT pk_messages PRIMARY KEY (id),
    CONSTRAINT fk_messages_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE,
    CONSTRAINT fk_messages_reply_to FOREIGN KEY(reply_to) REFERENCES messages (id) ON DELETE CASCADE,
    CONSTRAINT fk_messages_session_id FOREIGN KEY(session_id) REFERENCES chat_sessions (id) ON DELETE CASCADE,
    CONSTRAINT uq_messages_session_id_idempotency_key UNIQUE (session_id, idempotency_key)
);

CREATE INDEX ix_messages_session_id_id ON messages (session_id, id);

CREATE INDEX ix_messages_status ON messages (status);

CREATE TABLE originals (
    document_id VARCHAR(32) NOT NULL,
    version INTEGER NOT NULL,
    position INTEGER NOT NULL,
    data BLOB NOT NULL,
    CONSTRAINT pk_originals PRIMARY KEY (document_id, version, position),
    CONSTRAINT fk_originals_document_id FOREIGN KEY(document_id) REFERENCES documents (id) ON DELETE CASCADE
);

CREATE TABLE answer_events (
    message_id VARCHAR(32) NOT NULL,
    sequence INTEGER NOT NULL,
    payload JSON NOT NULL,
    CONSTRAINT pk_answer_events PRIMARY KEY (message_id, sequence),
    CONSTRAINT fk_answer_events_message_id FOREIGN KEY(message_id) REFERENCES messages (id) ON DELETE CASCADE
);

CREATE VIRTUAL TABLE chunk_texts USING fts5(project, heading, text, content='', contentless_delete=1, tokenize='porter unicode61 remove_diacritics 2');

CREATE VIRTUAL TABLE chunk_terms USING fts5vocab(chunk_texts, row);

WITH RECURSIVE row(id) AS (SELECT -1 UNION ALL SELECT id - 1 FROM row WHERE id > -1000) INSERT INTO chunk_texts(rowid, project, heading, text) SELECT id, '', '', CASE id WHEN -1 THEN replace(hex(zeroblob(100000)), '00', 'x x ') ELSE '' END FROM row;

INSERT INTO alembic_version (version_num) VALUES ('0001');
