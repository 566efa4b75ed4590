-- The tables as of revision 0023, for a new database in PostgreSQL: earlier revisions exist in SQLite only.
-- Text is compared by its bytes, as in SQLite, whatever the server's locale.

CREATE TABLE audit_events (
  id VARCHAR(32) COLLATE "C" NOT NULL,
  kind VARCHAR(40) COLLATE "C" NOT NULL,
  actor_id VARCHAR(32) COLLATE "C",
  subject_id VARCHAR(32) COLLATE "C",
  project_id VARCHAR(32) COLLATE "C",
  address VARCHAR(64) COLLATE "C",
  details JSON NOT NULL,
  created_at TIMESTAMP WITH TIME ZONE NOT NULL,
  CONSTRAINT pk_audit_events PRIMARY KEY (id)
);

CREATE INDEX ix_audit_events_actor_id_id ON audit_events (actor_id, id);

CREATE INDEX ix_audit_events_project_id_id ON audit_events (project_id, id);

CREATE INDEX ix_audit_events_subject_id_id ON audit_events (subject_id, id);

CREATE TABLE projects (
  id VARCHAR(32) COLLATE "C" NOT NULL,
  name VARCHAR(200) COLLATE "C" NOT NULL,
  description TEXT COLLATE "C",
  local_providers_only BOOLEAN NOT NULL,
  no_sources_text TEXT COLLATE "C",
  rejected_text TEXT COLLATE "C",
  retention_days INTEGER,
  answer_options JSON,
  index_version INTEGER NOT NULL,
  created_at TIMESTAMP WITH TIME ZONE NOT NULL,
  updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
  CONSTRAINT pk_projects PRIMARY KEY (id)
);

CREATE INDEX ix_projects_name ON projects (name);

CREATE TABLE signing_keys (
  name VARCHAR(40) COLLATE "C" NOT NULL,
  key BYTEA NOT NULL,
  CONSTRAINT pk_signing_keys PRIMARY KEY (name)
);

CREATE TABLE token_calibrations (
  model VARCHAR(200) COLLATE "C" NOT NULL,
  script VARCHAR(16) COLLATE "C" NOT NULL,
  samples INTEGER NOT NULL,
  mean DOUBLE PRECISION NOT NULL,
  variance DOUBLE PRECISION NOT NULL,
  CONSTRAINT pk_token_calibrations PRIMARY KEY (model, script)
);

CREATE TABLE usage_counts (
  key VARCHAR(200) COLLATE "C" NOT NULL,
  seconds INTEGER NOT NULL,
  bucket BIGINT NOT NULL,
  amount BIGINT NOT NULL,
  counts_until BIGINT NOT NULL,
  CONSTRAINT pk_usage_counts PRIMARY KEY (key, seconds, bucket)
);

CREATE INDEX ix_usage_counts_counts_until ON usage_counts (counts_until);

CREATE TABLE users (
  id VARCHAR(32) COLLATE "C" NOT NULL,
  email VARCHAR(320) COLLATE "C" NOT NULL,
  name VARCHAR(200) COLLATE "C",
  preferred_model VARCHAR(200) COLLATE "C",
  disabled_at TIMESTAMP WITH TIME ZONE,
  sign_in_generation INTEGER DEFAULT '0' NOT NULL,
  created_at TIMESTAMP WITH TIME ZONE NOT NULL,
  CONSTRAINT pk_users PRIMARY KEY (id),
  CONSTRAINT uq_users_email UNIQUE (email)
);

CREATE TABLE access_tokens (
  id VARCHAR(32) COLLATE "C" NOT NULL,
  user_id VARCHAR(32) COLLATE "C" NOT NULL,
  label VARCHAR(200) COLLATE "C" NOT NULL,
  token_hash VARCHAR(64) COLLATE "C" NOT NULL,
  made_with VARCHAR(32) COLLATE "C",
  created_at TIMESTAMP WITH TIME ZONE NOT NULL,
  expires_at TIMESTAMP WITH TIME ZONE,
  last_used_at TIMESTAMP WITH TIME ZONE,
  revoked_at TIMESTAMP WITH TIME ZONE,
  CONSTRAINT pk_access_tokens PRIMARY KEY (id),
  CONSTRAINT uq_access_tokens_token_hash UNIQUE (token_hash),
  CONSTRAINT fk_access_tokens_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
);

CREATE INDEX ix_access_tokens_user_id ON access_tokens (user_id);

CREATE TABLE chat_sessions (
  id VARCHAR(32) COLLATE "C" NOT NULL,
  project_id VARCHAR(32) COLLATE "C" NOT NULL,
  created_by VARCHAR(32) COLLATE "C" NOT NULL,
  shared BOOLEAN NOT NULL,
  title VARCHAR(500) COLLATE "C" NOT NULL,
  pinned BOOLEAN DEFAULT false NOT NULL,
  archived BOOLEAN DEFAULT false NOT NULL,
  created_at TIMESTAMP WITH TIME ZONE NOT NULL,
  updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
  last_activity_at TIMESTAMP WITH TIME ZONE DEFAULT '1970-01-01 00:00:00.000000' NOT NULL,
  model VARCHAR(200) COLLATE "C",
  system_prompt TEXT COLLATE "C",
  document_ids JSON,
  document_filter JSON,
  enable_rag BOOLEAN,
  rag_top_k INTEGER,
  rag_threshold DOUBLE PRECISION,
  rag_dense_weight DOUBLE PRECISION,
  include_citations BOOLEAN,
  grounding VARCHAR(16) COLLATE "C",
  context_token_ratio DOUBLE PRECISION,
  max_tokens INTEGER,
  temperature DOUBLE PRECISION,
  reformulate BOOLEAN,
  search_mode VARCHAR(16) COLLATE "C",
  citation_style VARCHAR(16) COLLATE "C",
  context_placement VARCHAR(16) COLLATE "C",
  prompt_profile VARCHAR(16) COLLATE "C",
  CONSTRAINT pk_chat_sessions PRIMARY KEY (id),
  CONSTRAINT fk_chat_sessions_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE,
  CONSTRAINT fk_chat_sessions_created_by FOREIGN KEY(created_by) REFERENCES users (id) ON DELETE CASCADE
);

CREATE INDEX ix_chat_sessions_created_by_id ON chat_sessions (created_by, id);

CREATE INDEX ix_chat_sessions_created_by_last_activity_at_id ON chat_sessions (created_by, last_activity_at, id);

CREATE INDEX ix_chat_sessions_created_by_title_id ON chat_sessions (created_by, title, id);

CREATE INDEX ix_chat_sessions_project_id_created_by_id ON chat_sessions (project_id, created_by, id);

CREATE INDEX ix_chat_sessions_project_id_created_by_last_activity_at_id ON chat_sessions (project_id, created_by, last_activity_at, id);

CREATE INDEX ix_chat_sessions_project_id_created_by_title_id ON chat_sessions (project_id, created_by, title, id);

CREATE INDEX ix_chat_sessions_project_id_shared_id ON chat_sessions (project_id, shared, id);

CREATE INDEX ix_chat_sessions_project_id_shared_last_activity_at_id ON chat_sessions (project_id, shared, last_activity_at, id);

CREATE INDEX ix_chat_sessions_project_id_shared_title_id ON chat_sessions (project_id, shared, title, id);

CREATE TABLE documents (
  id VARCHAR(32) COLLATE "C" NOT NULL,
  project_id VARCHAR(32) COLLATE "C" NOT NULL,
  title VARCHAR(500) COLLATE "C" NOT NULL,
  title_given BOOLEAN NOT NULL,
  source VARCHAR(2000) COLLATE "C",
  url VARCHAR(2000) COLLATE "C",
  name VARCHAR(500) COLLATE "C",
  media_type VARCHAR(200) COLLATE "C" NOT NULL,
  bytes BIGINT NOT NULL,
  sha256 VARCHAR(64) COLLATE "C" NOT NULL,
  version INTEGER NOT NULL,
  metadata JSON NOT NULL,
  status VARCHAR(16) COLLATE "C" NOT NULL,
  owner VARCHAR(200) COLLATE "C",
  lease_until TIMESTAMP WITH TIME ZONE,
  stage VARCHAR(16) COLLATE "C",
  progress INTEGER NOT NULL,
  chunks_done INTEGER NOT NULL,
  chunks_total INTEGER,
  failure_code VARCHAR(40) COLLATE "C",
  failure_message TEXT COLLATE "C",
  queued_at TIMESTAMP WITH TIME ZONE NOT NULL,
  created_at TIMESTAMP WITH TIME ZONE NOT NULL,
  updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
  CONSTRAINT pk_documents PRIMARY KEY (id),
  CONSTRAINT fk_documents_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE,
  CONSTRAINT uq_documents_project_id_source UNIQUE (project_id, source)
);

CREATE INDEX ix_documents_status_project_id_queued_at ON documents (status, project_id, queued_at);

CREATE TABLE embedding_spaces (
  id VARCHAR(32) COLLATE "C" NOT NULL,
  project_id VARCHAR(32) COLLATE "C" NOT NULL,
  model VARCHAR(200) COLLATE "C" NOT NULL,
  dimensions INTEGER NOT NULL,
  number INTEGER DEFAULT '0' NOT NULL,
  state VARCHAR(16) COLLATE "C" NOT NULL,
  dense_weight DOUBLE PRECISION,
  threshold DOUBLE PRECISION,
  measured_chunks INTEGER DEFAULT '0' NOT NULL,
  owner VARCHAR(200) COLLATE "C",
  lease_until TIMESTAMP WITH TIME ZONE,
  built_to BIGINT DEFAULT '0' NOT NULL,
  problem TEXT COLLATE "C",
  created_at TIMESTAMP WITH TIME ZONE NOT NULL,
  CONSTRAINT pk_embedding_spaces PRIMARY KEY (id),
  CONSTRAINT fk_embedding_spaces_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
);

CREATE INDEX ix_embedding_spaces_project_id_state ON embedding_spaces (project_id, state);

CREATE UNIQUE INDEX uq_embedding_spaces_project_id_number ON embedding_spaces (project_id, number);

CREATE TABLE identities (
  issuer VARCHAR(500) COLLATE "C" NOT NULL,
  subject VARCHAR(255) COLLATE "C" NOT NULL,
  user_id VARCHAR(32) COLLATE "C" NOT NULL,
  created_at TIMESTAMP WITH TIME ZONE NOT NULL,
  CONSTRAINT pk_identities PRIMARY KEY (issuer, subject),
  CONSTRAINT fk_identities_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
);

CREATE INDEX ix_identities_user_id ON identities (user_id);

CREATE TABLE keyword_totals (
  number SERIAL NOT NULL,
  project_id VARCHAR(32) COLLATE "C" NOT NULL,
  chunks BIGINT NOT NULL,
  terms BIGINT NOT NULL,
  CONSTRAINT pk_keyword_totals PRIMARY KEY (number),
  CONSTRAINT uq_keyword_totals_project_id UNIQUE (project_id),
  CONSTRAINT fk_keyword_totals_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
);

CREATE TABLE memories (
  id VARCHAR(32) COLLATE "C" NOT NULL,
  project_id VARCHAR(32) COLLATE "C" NOT NULL,
  user_id VARCHAR(32) COLLATE "C" NOT NULL,
  content TEXT COLLATE "C" NOT NULL,
  importance DOUBLE PRECISION NOT NULL,
  created_at TIMESTAMP WITH TIME ZONE NOT NULL,
  CONSTRAINT pk_memories PRIMARY KEY (id),
  CONSTRAINT fk_memories_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE,
  CONSTRAINT fk_memories_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
);

CREATE INDEX ix_memories_project_id_user_id ON memories (project_id, user_id);

CREATE TABLE message_text_users (
  number SERIAL NOT NULL,
  user_id VARCHAR(32) COLLATE "C" NOT NULL,
  CONSTRAINT pk_message_text_users PRIMARY KEY (number),
  CONSTRAINT uq_message_text_users_user_id UNIQUE (user_id),
  CONSTRAINT fk_message_text_users_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
);

CREATE TABLE passwords (
  user_id VARCHAR(32) COLLATE "C" NOT NULL,
  password_hash VARCHAR(500) COLLATE "C" NOT NULL,
  changed_at TIMESTAMP WITH TIME ZONE NOT NULL,
  CONSTRAINT pk_passwords PRIMARY KEY (user_id),
  CONSTRAINT fk_passwords_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
);

CREATE TABLE project_members (
  project_id VARCHAR(32) COLLATE "C" NOT NULL,
  user_id VARCHAR(32) COLLATE "C" NOT NULL,
  role VARCHAR(16) COLLATE "C" NOT NULL,
  created_at TIMESTAMP WITH TIME ZONE NOT NULL,
  CONSTRAINT pk_project_members PRIMARY KEY (project_id, user_id),
  CONSTRAINT fk_project_members_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE,
  CONSTRAINT fk_project_members_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
);

CREATE INDEX ix_project_members_user_id ON project_members (user_id);

CREATE TABLE setup_tokens (
  token_hash VARCHAR(64) COLLATE "C" NOT NULL,
  user_id VARCHAR(32) COLLATE "C" NOT NULL,
  expires_at TIMESTAMP WITH TIME ZONE NOT NULL,
  created_at TIMESTAMP WITH TIME ZONE NOT NULL,
  CONSTRAINT pk_setup_tokens PRIMARY KEY (token_hash),
  CONSTRAINT fk_setup_tokens_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
);

CREATE INDEX ix_setup_tokens_user_id ON setup_tokens (user_id);

CREATE TABLE sign_ins (
  id VARCHAR(32) COLLATE "C" NOT NULL,
  user_id VARCHAR(32) COLLATE "C" NOT NULL,
  token_hash VARCHAR(64) COLLATE "C" NOT NULL,
  generation INTEGER NOT NULL,
  address VARCHAR(64) COLLATE "C",
  created_at TIMESTAMP WITH TIME ZONE NOT NULL,
  expires_at TIMESTAMP WITH TIME ZONE NOT NULL,
  ends_at TIMESTAMP WITH TIME ZONE NOT NULL,
  CONSTRAINT pk_sign_ins PRIMARY KEY (id),
  CONSTRAINT uq_sign_ins_token_hash UNIQUE (token_hash),
  CONSTRAINT fk_sign_ins_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
);

CREATE INDEX ix_sign_ins_expires_at ON sign_ins (expires_at);

CREATE INDEX ix_sign_ins_user_id ON sign_ins (user_id);

CREATE TABLE chunks (
  id BIGSERIAL NOT NULL,
  project_id VARCHAR(32) COLLATE "C" NOT NULL,
  document_id VARCHAR(32) COLLATE "C" NOT NULL,
  version INTEGER NOT NULL,
  position INTEGER NOT NULL,
  text TEXT COLLATE "C" NOT NULL,
  heading JSON NOT NULL,
  page INTEGER,
  start_offset INTEGER NOT NULL,
  end_offset INTEGER NOT NULL,
  token_count INTEGER NOT NULL,
  CONSTRAINT pk_chunks PRIMARY KEY (id),
  CONSTRAINT fk_chunks_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE,
  CONSTRAINT fk_chunks_document_id FOREIGN KEY(document_id) REFERENCES documents (id) ON DELETE CASCADE,
  CONSTRAINT uq_chunks_document_id_position UNIQUE (document_id, position)
);

CREATE INDEX ix_chunks_project_id ON chunks (project_id);

CREATE TABLE document_keys (
  project_id VARCHAR(32) COLLATE "C" NOT NULL,
  key VARCHAR(200) COLLATE "C" NOT NULL,
  document_id VARCHAR(32) COLLATE "C" NOT NULL,
  sha256 VARCHAR(64) COLLATE "C" NOT NULL,
  CONSTRAINT pk_document_keys PRIMARY KEY (project_id, key),
  CONSTRAINT fk_document_keys_document_id FOREIGN KEY(document_id) REFERENCES documents (id) ON DELETE CASCADE,
  CONSTRAINT fk_document_keys_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
);

CREATE TABLE messages (
  id VARCHAR(32) COLLATE "C" NOT NULL,
  project_id VARCHAR(32) COLLATE "C" NOT NULL,
  session_id VARCHAR(32) COLLATE "C" NOT NULL,
  position INTEGER DEFAULT '0' NOT NULL,
  role VARCHAR(16) COLLATE "C" NOT NULL,
  content TEXT COLLATE "C" NOT NULL,
  status VARCHAR(16) COLLATE "C" NOT NULL,
  previous_id VARCHAR(32) COLLATE "C",
  current BOOLEAN NOT NULL,
  shown BOOLEAN NOT NULL,
  asked_by VARCHAR(32) COLLATE "C",
  owner VARCHAR(200) COLLATE "C",
  lease_until TIMESTAMP WITH TIME ZONE,
  idempotency_key VARCHAR(200) COLLATE "C",
  overrides JSON,
  placed BOOLEAN DEFAULT false NOT NULL,
  outcome VARCHAR(16) COLLATE "C",
  finish_reason VARCHAR(16) COLLATE "C",
  reasoning TEXT COLLATE "C",
  search_query TEXT COLLATE "C",
  citations JSON,
  confidence DOUBLE PRECISION,
  similarity DOUBLE PRECISION,
  notices JSON,
  budget JSON,
  usage JSON,
  failure JSON,
  searchable BOOLEAN DEFAULT false NOT NULL,
  created_at TIMESTAMP WITH TIME ZONE NOT NULL,
  completed_at TIMESTAMP WITH TIME ZONE,
  CONSTRAINT pk_messages PRIMARY KEY (id),
  CONSTRAINT fk_messages_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE,
  CONSTRAINT fk_messages_previous_id FOREIGN KEY(previous_id) REFERENCES messages (id),
  CONSTRAINT fk_messages_session_id FOREIGN KEY(session_id) REFERENCES chat_sessions (id) ON DELETE CASCADE,
  CONSTRAINT uq_messages_session_id_idempotency_key UNIQUE (session_id, idempotency_key)
);

CREATE INDEX ix_messages_previous_id ON messages (previous_id);

CREATE INDEX ix_messages_project_id_role_similarity ON messages (project_id, role, similarity);

CREATE INDEX ix_messages_shown ON messages (session_id, position) WHERE shown;

CREATE INDEX ix_messages_status ON messages (status);

CREATE INDEX ix_messages_unsearchable ON messages (id) WHERE NOT searchable;

CREATE UNIQUE INDEX uq_messages_current ON messages (previous_id) WHERE current;

CREATE UNIQUE INDEX uq_messages_current_first ON messages (session_id) WHERE current AND previous_id IS NULL;

CREATE UNIQUE INDEX uq_messages_session_id_position ON messages (session_id, position);

CREATE TABLE originals (
  document_id VARCHAR(32) COLLATE "C" NOT NULL,
  version INTEGER NOT NULL,
  position INTEGER NOT NULL,
  data BYTEA NOT NULL,
  CONSTRAINT pk_originals PRIMARY KEY (document_id, version, position),
  CONSTRAINT fk_originals_document_id FOREIGN KEY(document_id) REFERENCES documents (id) ON DELETE CASCADE
);

CREATE TABLE paused_vectors (
  document_id VARCHAR(32) COLLATE "C" NOT NULL,
  position INTEGER NOT NULL,
  fingerprint VARCHAR(64) COLLATE "C" NOT NULL,
  data BYTEA NOT NULL,
  CONSTRAINT pk_paused_vectors PRIMARY KEY (document_id, position),
  CONSTRAINT fk_paused_vectors_document_id FOREIGN KEY(document_id) REFERENCES documents (id) ON DELETE CASCADE
);

CREATE TABLE answer_events (
  message_id VARCHAR(32) COLLATE "C" NOT NULL,
  sequence INTEGER NOT NULL,
  payload JSON NOT NULL,
  CONSTRAINT pk_answer_events PRIMARY KEY (message_id, sequence),
  CONSTRAINT fk_answer_events_message_id FOREIGN KEY(message_id) REFERENCES messages (id) ON DELETE CASCADE
);

CREATE TABLE answer_ratings (
  message_id VARCHAR(32) COLLATE "C" NOT NULL,
  user_id VARCHAR(32) COLLATE "C" NOT NULL,
  project_id VARCHAR(32) COLLATE "C" NOT NULL,
  helpful BOOLEAN NOT NULL,
  reason VARCHAR(16) COLLATE "C",
  comment TEXT COLLATE "C",
  created_at TIMESTAMP WITH TIME ZONE NOT NULL,
  CONSTRAINT pk_answer_ratings PRIMARY KEY (message_id, user_id),
  CONSTRAINT fk_answer_ratings_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE,
  CONSTRAINT fk_answer_ratings_message_id FOREIGN KEY(message_id) REFERENCES messages (id) ON DELETE CASCADE,
  CONSTRAINT fk_answer_ratings_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
);

CREATE INDEX ix_answer_ratings_project_id_helpful ON answer_ratings (project_id, helpful);

CREATE INDEX ix_answer_ratings_user_id ON answer_ratings (user_id);

CREATE TABLE citation_openings (
  message_id VARCHAR(32) COLLATE "C" NOT NULL,
  user_id VARCHAR(32) COLLATE "C" NOT NULL,
  citation_index INTEGER NOT NULL,
  project_id VARCHAR(32) COLLATE "C" NOT NULL,
  count INTEGER NOT NULL,
  first_opened_at TIMESTAMP WITH TIME ZONE NOT NULL,
  last_opened_at TIMESTAMP WITH TIME ZONE NOT NULL,
  CONSTRAINT pk_citation_openings PRIMARY KEY (message_id, user_id, citation_index),
  CONSTRAINT fk_citation_openings_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE,
  CONSTRAINT fk_citation_openings_message_id FOREIGN KEY(message_id) REFERENCES messages (id) ON DELETE CASCADE,
  CONSTRAINT fk_citation_openings_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
);

CREATE INDEX ix_citation_openings_project_id ON citation_openings (project_id);

CREATE INDEX ix_citation_openings_user_id ON citation_openings (user_id);

CREATE TABLE compact_logs (
  message_id VARCHAR(32) COLLATE "C" NOT NULL,
  entries JSON NOT NULL,
  CONSTRAINT pk_compact_logs PRIMARY KEY (message_id),
  CONSTRAINT fk_compact_logs_message_id FOREIGN KEY(message_id) REFERENCES messages (id) ON DELETE CASCADE
);

CREATE TABLE message_text_rows (
  number BIGSERIAL NOT NULL,
  message_id VARCHAR(32) COLLATE "C" NOT NULL,
  CONSTRAINT pk_message_text_rows PRIMARY KEY (number),
  CONSTRAINT uq_message_text_rows_message_id UNIQUE (message_id),
  CONSTRAINT fk_message_text_rows_message_id FOREIGN KEY(message_id) REFERENCES messages (id) ON DELETE CASCADE
);


-- The full text of chunks: terms as `<number of the project>x<term>:<times>`.
CREATE TABLE chunk_texts (
  chunk_id BIGINT NOT NULL,
  length INTEGER NOT NULL,
  terms TEXT[] COLLATE "C" NOT NULL,
  CONSTRAINT pk_chunk_texts PRIMARY KEY (chunk_id)
) WITH (toast_tuple_target = 128);

-- The terms are read by their index alone, so they lie apart from the rows that it points to.
ALTER TABLE chunk_texts ALTER COLUMN terms SET STORAGE EXTENDED;

CREATE INDEX ix_chunk_texts_terms ON chunk_texts USING gin (terms) WITH (fastupdate = off);

-- The full text of messages: terms as `<number of the user>x<term>`.
CREATE TABLE message_texts (
  number BIGINT NOT NULL,
  terms TEXT[] COLLATE "C" NOT NULL,
  CONSTRAINT pk_message_texts PRIMARY KEY (number),
  CONSTRAINT fk_message_texts_number FOREIGN KEY(number) REFERENCES message_text_rows (number) ON DELETE CASCADE
) WITH (toast_tuple_target = 128);

CREATE INDEX ix_message_texts_terms ON message_texts USING gin (terms) WITH (fastupdate = off);

-- Vectors of every length; those of a space have the same.
CREATE TABLE chunk_vectors (
  space_id UUID NOT NULL,
  chunk_id BIGINT NOT NULL,
  embedding VECTOR NOT NULL,
  CONSTRAINT pk_chunk_vectors PRIMARY KEY (space_id, chunk_id)
);

-- Beside their row as long as a page has room: a search reads all of them.
ALTER TABLE chunk_vectors ALTER COLUMN embedding SET STORAGE MAIN;
