-- The tables as of revision 0036, for a new database in SQLite.

CREATE TABLE users (
  id VARCHAR(32) NOT NULL,
  email VARCHAR(320) NOT NULL,
  name VARCHAR(200),
  preferred_model VARCHAR(200),
  created_at DATETIME NOT NULL, disabled_at DATETIME, sign_in_generation INTEGER DEFAULT '0' NOT NULL,
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
  updated_at DATETIME NOT NULL, rag_dense_weight DOUBLE, prompt_profile VARCHAR(16), pinned BOOLEAN DEFAULT 0 NOT NULL, archived BOOLEAN DEFAULT 0 NOT NULL, last_activity_at DATETIME DEFAULT '1970-01-01 00:00:00.000000' NOT NULL, document_filter JSON,
  CONSTRAINT pk_chat_sessions PRIMARY KEY (id),
  CONSTRAINT fk_chat_sessions_created_by FOREIGN KEY(created_by) REFERENCES users (id) ON DELETE CASCADE,
  CONSTRAINT fk_chat_sessions_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
);

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
  status VARCHAR(16) NOT NULL,
  owner VARCHAR(200),
  lease_until DATETIME,
  stage VARCHAR(16),
  progress INTEGER NOT NULL,
  chunks_done INTEGER NOT NULL,
  chunks_total INTEGER,
  failure_code VARCHAR(40),
  failure_message TEXT,
  queued_at DATETIME NOT NULL,
  created_at DATETIME NOT NULL,
  updated_at DATETIME NOT NULL, reader_version INTEGER DEFAULT '0' NOT NULL,
  CONSTRAINT pk_documents PRIMARY KEY (id),
  CONSTRAINT fk_documents_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE,
  CONSTRAINT uq_documents_project_id_source UNIQUE (project_id, source)
);

CREATE TABLE embedding_spaces (
  id VARCHAR(32) NOT NULL,
  project_id VARCHAR(32) NOT NULL,
  model VARCHAR(200) NOT NULL,
  dimensions INTEGER NOT NULL,
  state VARCHAR(16) NOT NULL,
  created_at DATETIME NOT NULL, number INTEGER DEFAULT '0' NOT NULL, dense_weight DOUBLE, threshold DOUBLE, measured_chunks INTEGER DEFAULT '0' NOT NULL, owner VARCHAR(200), lease_until DATETIME, built_to BIGINT DEFAULT '0' NOT NULL, problem TEXT,
  CONSTRAINT pk_embedding_spaces PRIMARY KEY (id),
  CONSTRAINT fk_embedding_spaces_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
);

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
  token_count INTEGER NOT NULL, page_breaks JSON,
  CONSTRAINT fk_chunks_document_id FOREIGN KEY(document_id) REFERENCES documents (id) ON DELETE CASCADE,
  CONSTRAINT fk_chunks_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE,
  CONSTRAINT uq_chunks_document_id_position UNIQUE (document_id, position)
);

CREATE TABLE document_keys (
  project_id VARCHAR(32) NOT NULL,
  "key" VARCHAR(200) NOT NULL,
  document_id VARCHAR(32) NOT NULL,
  sha256 VARCHAR(64) NOT NULL, number INTEGER DEFAULT '0' NOT NULL,
  CONSTRAINT pk_document_keys PRIMARY KEY (project_id, "key"),
  CONSTRAINT fk_document_keys_document_id FOREIGN KEY(document_id) REFERENCES documents (id) ON DELETE CASCADE,
  CONSTRAINT fk_document_keys_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
);

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

CREATE TABLE memories (
  id VARCHAR(32) NOT NULL,
  project_id VARCHAR(32) NOT NULL,
  user_id VARCHAR(32) NOT NULL,
  content TEXT NOT NULL,
  importance DOUBLE NOT NULL,
  created_at DATETIME NOT NULL,
  CONSTRAINT pk_memories PRIMARY KEY (id),
  CONSTRAINT fk_memories_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE,
  CONSTRAINT fk_memories_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
);

CREATE TABLE compact_logs (
  message_id VARCHAR(32) NOT NULL,
  entries JSON NOT NULL,
  CONSTRAINT pk_compact_logs PRIMARY KEY (message_id),
  CONSTRAINT fk_compact_logs_message_id FOREIGN KEY(message_id) REFERENCES messages (id) ON DELETE CASCADE
);

CREATE TABLE paused_vectors (
  document_id VARCHAR(32) NOT NULL,
  position INTEGER NOT NULL,
  fingerprint VARCHAR(64) NOT NULL,
  data BLOB NOT NULL,
  CONSTRAINT pk_paused_vectors PRIMARY KEY (document_id, position),
  CONSTRAINT fk_paused_vectors_document_id FOREIGN KEY(document_id) REFERENCES documents (id) ON DELETE CASCADE
);

CREATE TABLE "projects" (
  id VARCHAR(32) NOT NULL,
  name VARCHAR(200) NOT NULL,
  description TEXT,
  local_providers_only BOOLEAN NOT NULL,
  no_sources_text TEXT,
  rejected_text TEXT,
  index_version INTEGER NOT NULL,
  created_at DATETIME NOT NULL,
  updated_at DATETIME NOT NULL, answer_options JSON, retention_days INTEGER, deleted_at DATETIME, stored_bytes BIGINT DEFAULT '0' NOT NULL,
  CONSTRAINT pk_projects PRIMARY KEY (id)
);

CREATE TABLE passwords (
  user_id VARCHAR(32) NOT NULL,
  password_hash VARCHAR(500) NOT NULL,
  changed_at DATETIME NOT NULL,
  CONSTRAINT pk_passwords PRIMARY KEY (user_id),
  CONSTRAINT fk_passwords_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
);

CREATE TABLE identities (
  issuer VARCHAR(500) NOT NULL,
  subject VARCHAR(255) NOT NULL,
  user_id VARCHAR(32) NOT NULL,
  created_at DATETIME NOT NULL,
  CONSTRAINT pk_identities PRIMARY KEY (issuer, subject),
  CONSTRAINT fk_identities_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
);

CREATE TABLE access_tokens (
  id VARCHAR(32) NOT NULL,
  user_id VARCHAR(32) NOT NULL,
  label VARCHAR(200) NOT NULL,
  token_hash VARCHAR(64) NOT NULL,
  created_at DATETIME NOT NULL,
  expires_at DATETIME,
  last_used_at DATETIME,
  revoked_at DATETIME, made_with VARCHAR(32),
  CONSTRAINT pk_access_tokens PRIMARY KEY (id),
  CONSTRAINT fk_access_tokens_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE,
  CONSTRAINT uq_access_tokens_token_hash UNIQUE (token_hash)
);

CREATE TABLE sign_ins (
  id VARCHAR(32) NOT NULL,
  user_id VARCHAR(32) NOT NULL,
  token_hash VARCHAR(64) NOT NULL,
  generation INTEGER NOT NULL,
  address VARCHAR(64),
  created_at DATETIME NOT NULL,
  expires_at DATETIME NOT NULL,
  ends_at DATETIME NOT NULL,
  CONSTRAINT pk_sign_ins PRIMARY KEY (id),
  CONSTRAINT fk_sign_ins_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE,
  CONSTRAINT uq_sign_ins_token_hash UNIQUE (token_hash)
);

CREATE TABLE setup_tokens (
  token_hash VARCHAR(64) NOT NULL,
  user_id VARCHAR(32) NOT NULL,
  expires_at DATETIME NOT NULL,
  created_at DATETIME NOT NULL,
  CONSTRAINT pk_setup_tokens PRIMARY KEY (token_hash),
  CONSTRAINT fk_setup_tokens_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
);

CREATE TABLE audit_events (
  id VARCHAR(32) NOT NULL,
  kind VARCHAR(40) NOT NULL,
  actor_id VARCHAR(32),
  subject_id VARCHAR(32),
  project_id VARCHAR(32),
  address VARCHAR(64),
  details JSON NOT NULL,
  created_at DATETIME NOT NULL,
  CONSTRAINT pk_audit_events PRIMARY KEY (id)
);

CREATE TABLE usage_counts (
  "key" VARCHAR(200) NOT NULL,
  seconds INTEGER NOT NULL,
  bucket BIGINT NOT NULL,
  amount BIGINT NOT NULL,
  counts_until BIGINT NOT NULL,
  CONSTRAINT pk_usage_counts PRIMARY KEY ("key", seconds, bucket)
);

CREATE TABLE project_members (
  project_id VARCHAR(32) NOT NULL,
  user_id VARCHAR(32) NOT NULL,
  role VARCHAR(16) NOT NULL,
  created_at DATETIME NOT NULL,
  CONSTRAINT pk_project_members PRIMARY KEY (project_id, user_id),
  CONSTRAINT fk_project_members_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE,
  CONSTRAINT fk_project_members_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
);

CREATE TABLE keyword_totals (
  number INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  project_id VARCHAR(32) NOT NULL,
  chunks BIGINT NOT NULL,
  terms BIGINT NOT NULL,
  CONSTRAINT fk_keyword_totals_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE,
  CONSTRAINT uq_keyword_totals_project_id UNIQUE (project_id)
);

CREATE VIRTUAL TABLE chunk_texts USING fts5(n1, n2, n3, n4, n5, n6, n8, n11, n16, content='', contentless_delete=1, detail=column, tokenize='ascii');

CREATE VIRTUAL TABLE chunk_terms USING fts5vocab(chunk_texts, row);

CREATE VIRTUAL TABLE chunk_postings USING fts5vocab(chunk_texts, instance);

CREATE TABLE answer_ratings (
  message_id VARCHAR(32) NOT NULL,
  user_id VARCHAR(32) NOT NULL,
  project_id VARCHAR(32) NOT NULL,
  helpful BOOLEAN NOT NULL,
  reason VARCHAR(16),
  comment TEXT,
  created_at DATETIME NOT NULL,
  CONSTRAINT pk_answer_ratings PRIMARY KEY (message_id, user_id),
  CONSTRAINT fk_answer_ratings_message_id FOREIGN KEY(message_id) REFERENCES messages (id) ON DELETE CASCADE,
  CONSTRAINT fk_answer_ratings_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE,
  CONSTRAINT fk_answer_ratings_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
);

CREATE TABLE citation_openings (
  message_id VARCHAR(32) NOT NULL,
  user_id VARCHAR(32) NOT NULL,
  project_id VARCHAR(32) NOT NULL,
  citation_index INTEGER NOT NULL,
  count INTEGER NOT NULL,
  first_opened_at DATETIME NOT NULL,
  last_opened_at DATETIME NOT NULL,
  CONSTRAINT pk_citation_openings PRIMARY KEY (message_id, user_id, citation_index),
  CONSTRAINT fk_citation_openings_message_id FOREIGN KEY(message_id) REFERENCES messages (id) ON DELETE CASCADE,
  CONSTRAINT fk_citation_openings_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE,
  CONSTRAINT fk_citation_openings_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
);

CREATE TABLE message_text_users (
  number INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  user_id VARCHAR(32) NOT NULL,
  CONSTRAINT fk_message_text_users_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE,
  CONSTRAINT uq_message_text_users_user_id UNIQUE (user_id)
);

CREATE TABLE message_text_rows (
  number INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  message_id VARCHAR(32) NOT NULL,
  CONSTRAINT fk_message_text_rows_message_id FOREIGN KEY(message_id) REFERENCES messages (id) ON DELETE CASCADE,
  CONSTRAINT uq_message_text_rows_message_id UNIQUE (message_id)
);

CREATE VIRTUAL TABLE message_texts USING fts5(terms, content='', contentless_delete=1, detail=none, tokenize='ascii');

CREATE TABLE "messages" (
  id VARCHAR(32) NOT NULL,
  project_id VARCHAR(32) NOT NULL,
  session_id VARCHAR(32) NOT NULL,
  position INTEGER DEFAULT '0' NOT NULL,
  role VARCHAR(16) NOT NULL,
  status VARCHAR(16) NOT NULL,
  outcome VARCHAR(16),
  previous_id VARCHAR(32),
  current BOOLEAN NOT NULL,
  shown BOOLEAN NOT NULL,
  searchable BOOLEAN DEFAULT 0 NOT NULL,
  content TEXT NOT NULL,
  asked_by VARCHAR(32),
  owner VARCHAR(200),
  lease_until DATETIME,
  idempotency_key VARCHAR(200),
  overrides JSON,
  finish_reason VARCHAR(16),
  reasoning TEXT,
  search_query TEXT,
  citations JSON,
  confidence DOUBLE,
  notices JSON,
  budget JSON,
  usage JSON,
  failure JSON,
  created_at DATETIME NOT NULL,
  completed_at DATETIME, similarity DOUBLE, placed BOOLEAN DEFAULT 0 NOT NULL, model VARCHAR(200),
  CONSTRAINT pk_messages PRIMARY KEY (id),
  CONSTRAINT fk_messages_previous_id FOREIGN KEY(previous_id) REFERENCES messages (id),
  CONSTRAINT fk_messages_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE,
  CONSTRAINT fk_messages_session_id FOREIGN KEY(session_id) REFERENCES chat_sessions (id) ON DELETE CASCADE,
  CONSTRAINT uq_messages_session_id_idempotency_key UNIQUE (session_id, idempotency_key)
);

CREATE TABLE signing_keys (
  name VARCHAR(40) NOT NULL,
  "key" BLOB NOT NULL,
  CONSTRAINT pk_signing_keys PRIMARY KEY (name)
);

CREATE TABLE pending_erasures (
  message_id VARCHAR(32) NOT NULL,
  document_id VARCHAR(32) NOT NULL,
  title VARCHAR(500) NOT NULL,
  chunk_ids JSON NOT NULL,
  CONSTRAINT pk_pending_erasures PRIMARY KEY (message_id, document_id),
  CONSTRAINT fk_pending_erasures_message_id_messages FOREIGN KEY(message_id) REFERENCES messages (id) ON DELETE CASCADE
);

CREATE TABLE outbox_events (
  id VARCHAR(32) NOT NULL,
  project_id VARCHAR(32),
  event_type VARCHAR(60) NOT NULL,
  body JSON NOT NULL,
  created_at DATETIME NOT NULL,
  CONSTRAINT pk_outbox_events PRIMARY KEY (id)
);

CREATE TABLE event_deliveries (
  sequence INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  event_id VARCHAR(32) NOT NULL,
  destination VARCHAR(40) NOT NULL,
  order_key VARCHAR(40) NOT NULL,
  attempts INTEGER DEFAULT '0' NOT NULL,
  due_at DATETIME,
  CONSTRAINT fk_event_deliveries_event_id FOREIGN KEY(event_id) REFERENCES outbox_events (id) ON DELETE CASCADE
);

CREATE TABLE event_relay_leases (
  name VARCHAR(20) NOT NULL,
  owner VARCHAR(200),
  lease_until DATETIME,
  CONSTRAINT pk_event_relay_leases PRIMARY KEY (name)
);

CREATE TABLE token_calibrations (
  user_id VARCHAR(32) NOT NULL,
  model VARCHAR(200) NOT NULL,
  script VARCHAR(16) NOT NULL,
  samples INTEGER NOT NULL,
  mean DOUBLE NOT NULL,
  variance DOUBLE NOT NULL,
  CONSTRAINT pk_token_calibrations PRIMARY KEY (user_id, model, script),
  CONSTRAINT fk_token_calibrations_user_id_users FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
);

CREATE TABLE document_places (
  project_id VARCHAR(32) NOT NULL,
  place VARCHAR(2000) NOT NULL,
  document_id VARCHAR(32) NOT NULL,
  CONSTRAINT pk_document_places PRIMARY KEY (project_id, place),
  CONSTRAINT fk_document_places_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE,
  CONSTRAINT fk_document_places_document_id FOREIGN KEY(document_id) REFERENCES documents (id) ON DELETE CASCADE
);

CREATE INDEX ix_embedding_spaces_project_id_state ON embedding_spaces (project_id, state);

CREATE INDEX ix_chunks_project_id ON chunks (project_id);

CREATE INDEX ix_memories_project_id_user_id ON memories (project_id, user_id);

CREATE INDEX ix_projects_name ON projects (name);

CREATE INDEX ix_identities_user_id ON identities (user_id);

CREATE INDEX ix_access_tokens_user_id ON access_tokens (user_id);

CREATE INDEX ix_sign_ins_user_id ON sign_ins (user_id);

CREATE INDEX ix_sign_ins_expires_at ON sign_ins (expires_at);

CREATE INDEX ix_setup_tokens_user_id ON setup_tokens (user_id);

CREATE INDEX ix_audit_events_project_id_id ON audit_events (project_id, id);

CREATE INDEX ix_audit_events_subject_id_id ON audit_events (subject_id, id);

CREATE INDEX ix_audit_events_actor_id_id ON audit_events (actor_id, id);

CREATE INDEX ix_usage_counts_counts_until ON usage_counts (counts_until);

CREATE INDEX ix_project_members_user_id ON project_members (user_id);

CREATE UNIQUE INDEX uq_embedding_spaces_project_id_number ON embedding_spaces (project_id, number);

CREATE INDEX ix_documents_status_project_id_queued_at ON documents (status, project_id, queued_at);

CREATE INDEX ix_answer_ratings_user_id ON answer_ratings (user_id);

CREATE INDEX ix_answer_ratings_project_id_helpful ON answer_ratings (project_id, helpful);

CREATE INDEX ix_citation_openings_user_id ON citation_openings (user_id);

CREATE INDEX ix_citation_openings_project_id ON citation_openings (project_id);

CREATE INDEX ix_chat_sessions_project_id_created_by_id ON chat_sessions (project_id, created_by, id);

CREATE INDEX ix_chat_sessions_project_id_created_by_last_activity_at_id ON chat_sessions (project_id, created_by, last_activity_at, id);

CREATE INDEX ix_chat_sessions_project_id_created_by_title_id ON chat_sessions (project_id, created_by, title, id);

CREATE INDEX ix_chat_sessions_project_id_shared_id ON chat_sessions (project_id, shared, id);

CREATE INDEX ix_chat_sessions_project_id_shared_last_activity_at_id ON chat_sessions (project_id, shared, last_activity_at, id);

CREATE INDEX ix_chat_sessions_project_id_shared_title_id ON chat_sessions (project_id, shared, title, id);

CREATE INDEX ix_chat_sessions_created_by_id ON chat_sessions (created_by, id);

CREATE INDEX ix_chat_sessions_created_by_last_activity_at_id ON chat_sessions (created_by, last_activity_at, id);

CREATE INDEX ix_chat_sessions_created_by_title_id ON chat_sessions (created_by, title, id);

CREATE UNIQUE INDEX uq_messages_session_id_position ON messages (session_id, position);

CREATE INDEX ix_messages_status ON messages (status);

CREATE INDEX ix_messages_unsearchable ON messages (id) WHERE NOT searchable;

CREATE INDEX ix_messages_previous_id ON messages (previous_id);

CREATE UNIQUE INDEX uq_messages_current ON messages (previous_id) WHERE current = 1;

CREATE UNIQUE INDEX uq_messages_current_first ON messages (session_id) WHERE current = 1 AND previous_id IS NULL;

CREATE INDEX ix_messages_shown ON messages (session_id, position) WHERE shown = 1;

CREATE INDEX ix_messages_project_id_role_similarity ON messages (project_id, role, similarity);

CREATE INDEX ix_outbox_events_created_at ON outbox_events (created_at);

CREATE INDEX ix_event_deliveries_destination_sequence ON event_deliveries (destination, sequence);

CREATE INDEX ix_event_deliveries_destination_order_key_sequence ON event_deliveries (destination, order_key, sequence);

CREATE INDEX ix_event_deliveries_event_id ON event_deliveries (event_id);

CREATE INDEX ix_document_places_document_id ON document_places (document_id);

CREATE INDEX ix_document_keys_document_id ON document_keys (document_id);

CREATE INDEX ix_memories_user_id ON memories (user_id);

CREATE INDEX ix_documents_project_id_id ON documents (project_id, id);

CREATE INDEX ix_documents_project_id_updated_at_id ON documents (project_id, updated_at, id);

CREATE INDEX ix_documents_project_id_title_id ON documents (project_id, title, id);

CREATE INDEX ix_projects_deleted ON projects (deleted_at) WHERE deleted_at IS NOT NULL;

CREATE TRIGGER message_text_rows_deleted AFTER DELETE ON message_text_rows BEGIN DELETE FROM message_texts WHERE rowid = old.number; END;
