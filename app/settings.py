"""Settings: read from the environment and `.env` at the start, checked, and handed down as plain values."""

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, DotEnvSettingsSource, NoDecode, SettingsConfigDict

from app import addresses, answer_options, errors, settings_problems


def _commas(value: object) -> object:
    return [part.strip() for part in value.split(",") if part.strip()] if isinstance(value, str) else value


def _blank(value: object) -> object:
    return None if isinstance(value, str) and not value.strip() else value


def _capitals(value: object) -> object:
    return value.strip().upper() if isinstance(value, str) else value


List = Annotated[list[str], NoDecode, BeforeValidator(_commas)]
Origins = Annotated[List, AfterValidator(addresses.origins)]
Hosts = Annotated[List, AfterValidator(addresses.hosts)]
Trusted = Annotated[List, AfterValidator(addresses.proxies)]
Text = Annotated[str | None, BeforeValidator(_blank)]
WebAddress = Annotated[Text, AfterValidator(addresses.web_address)]
PublicUrl = Annotated[Text, AfterValidator(addresses.public_url)]
OllamaHost = Annotated[Text, AfterValidator(addresses.ollama_host)]
Level = Annotated[Literal["DEBUG", "INFO", "WARNING", "ERROR"], BeforeValidator(_capitals)]
Grounding = Annotated[answer_options.Grounding, BeforeValidator(_capitals)]
SearchMode = Annotated[answer_options.SearchMode, BeforeValidator(_capitals)]
CitationStyle = Annotated[answer_options.CitationStyle, BeforeValidator(_capitals)]
ContextPlacement = Annotated[answer_options.ContextPlacement, BeforeValidator(_capitals)]
Secret = Annotated[SecretStr | None, BeforeValidator(_blank)]


def _of_answers(name: str, description: str | None = None) -> Any:
    """The server's default of a setting of answers, as it is declared for all layers."""
    option = answer_options.OPTIONS[name]
    default = getattr(answer_options.AnswerOptions(), name)
    return Field(default, ge=option.least, le=option.most, description=description or option.description)


class Settings(BaseSettings):
    """Every setting with its default; the description stands in the handbook's table."""

    model_config = SettingsConfigDict(
        env_file=".env", env_file_encoding="utf-8", env_ignore_empty=True, extra="ignore", frozen=True
    )

    database_url: Text = Field(
        None, description="Database to use; `sqlite:///FILE`. Default: `footnote.db` in this folder."
    )
    host: str = Field("127.0.0.1", description="Address to listen on.")
    port: int = Field(8000, ge=0, le=65535, description="Port to listen on; 0 takes a free one.")
    sample_project: bool = Field(
        True,
        description="Make a project of Footnote's own handbook, named Handbook, at the first start on a new database, "
        "where nobody has to sign in.",
    )
    public_url: PublicUrl = Field(
        None,
        description="Address at which users reach the server, such as `https://chat.example.org`; links lead there.",
    )
    require_sign_in: bool | None = Field(
        None,
        description="Whether users have to sign in. Default: no on a loopback address that has no other names "
        "(`ALLOWED_HOSTS`, `PUBLIC_URL`) and no proxy in front (`TRUSTED_PROXIES`), else yes.",
    )
    allow_open_access: bool = Field(
        False, description="With `REQUIRE_SIGN_IN=false`, listen on an address that other machines reach."
    )
    redis_url: Secret = Field(
        None, description="Redis server that keeps sign-ins and counts for several processes. Default: the database."
    )
    sign_in_days: float = Field(14, gt=0, le=90, description="Days after which a sign-in that is not used ends.")
    audit_days: float = Field(365, gt=0, le=36500, description="Days that the audit trail keeps who did what.")
    jwt_issuer: Text = Field(None, description="Identity provider whose tokens are taken: the `iss` in them.")
    jwt_jwks_url: Text = Field(None, description="Where its keys are, as JWKS.")
    jwt_audience: Text = Field(None, description="What its tokens must be made for: the `aud` in them.")
    jwt_algorithms: List = Field(
        ["RS256", "ES256", "EdDSA"], description="How its tokens may be signed, with commas between."
    )
    members_by_address: bool = Field(
        False,
        description="Let owners add anybody to a project by address, which tells them who has an account here. Else "
        "they add those with whom they share a project, and the operator others (`footnote member set`).",
    )
    max_requests_per_minute: int | None = Field(1200, ge=1, description="Most requests of a user, where users sign in.")
    max_uploads_per_hour: int | None = Field(
        2000, ge=1, description="Most documents that a user adds, where users sign in."
    )
    max_tokens_per_day: int | None = Field(
        None, ge=1, description="Most tokens of models that a user spends in a day, where users sign in."
    )
    cors_origins: Origins = Field([], description="Web origins that may call the API, with commas between.")
    allowed_hosts: Hosts = Field(
        [],
        description="Names that requests may come by, with commas between, such as `chat.example.org` or "
        "`*.example.org`. Default: loopback names alone on a loopback address, else any.",
    )
    trusted_proxies: Trusted = Field(
        [],
        description="Addresses or networks of proxies in front, with commas between: they alone are believed when they "
        "say where a request came from (`X-Forwarded-For`, `X-Forwarded-Proto`).",
    )
    request_seconds: float = Field(
        30, gt=0, le=3600, description="Longest time for a request to arrive; that again for each megabyte."
    )
    max_connections: int = Field(2000, ge=10, le=1_000_000, description="Most connections that are open at once.")
    max_connections_per_address: int = Field(
        1000, ge=1, le=1_000_000, description="Most connections of one address that is not in `TRUSTED_PROXIES`."
    )
    max_body_bytes: int = Field(2_000_000, ge=1000, description="Largest request, beside the files in it.")
    max_chat_body_bytes: int = Field(10_000_000, ge=1000, description="Largest request at the OpenAI API.")
    max_downloads: int = Field(100, ge=1, le=10_000, description="Most originals that are downloaded at once.")
    max_downloads_per_user: int = Field(10, ge=1, le=10_000, description="Most of them of one user who signs in.")
    persisted_queries: bool = Field(
        True, description="Let clients send a known document by its hash (automatic persisted queries)."
    )
    trusted_documents: Text = Field(None, description="File of documents that clients may name by their ids.")
    trusted_documents_only: bool = Field(False, description="Refuse every document that is not in that file.")
    graphql_introspection: bool = Field(True, description="Let clients read the schema.")
    graphql_suggestions: bool = Field(True, description="Say what a wrong name may have meant.")
    playground: bool = Field(True, description="Serve the playground to browsers.")

    max_message_bytes: int = Field(2_000_000, ge=1000, le=100_000_000, description="Largest WebSocket message.")
    max_socket_operations: int = Field(100, ge=1, le=10_000, description="Operations at once on one WebSocket.")
    ping_seconds: float = Field(
        20, gt=0, le=3600, description="Time between pings on a WebSocket; who does not answer one is gone."
    )

    chat_model: Text = Field(
        None,
        description="Model that answers, as `provider/model`. Default: `embedded/extractive`.",
    )
    primary_model_id: Text = Field(None, description="Another name for `CHAT_MODEL`.")
    embedding_model: str = Field(
        "embedded/wordllama", description="Model of the vectors of new projects, as `provider/model`."
    )
    ollama_host: OllamaHost = Field(None, description="Ollama server, such as `http://127.0.0.1:11434`.")
    ollama_num_ctx: int = Field(8192, ge=512, le=10_000_000, description="Context window to ask of Ollama, in tokens.")
    openai_api_key: Secret = Field(None, description="Key for `openai/…` models.")
    openai_base_url: WebAddress = Field(
        None, description="Any server that speaks the OpenAI protocol. Default: OpenAI's own."
    )
    openrouter_api_key: Secret = Field(None, description="Key for `openrouter/…` models.")
    model_connect_seconds: float = Field(5, gt=0, le=120, description="Wait for a connection to a model server.")
    model_first_token_seconds: float = Field(120, gt=0, le=3600, description="Wait for the first piece of an answer.")
    model_between_tokens_seconds: float = Field(60, gt=0, le=3600, description="Wait between two pieces of an answer.")
    model_whole_answer_seconds: float = Field(
        600, gt=0, le=3600, description="Wait for an answer that an OpenAI client asked to have in one piece."
    )
    model_longest_answer_seconds: float = Field(
        3600, gt=0, le=86_400, description="Longest time of an answer; then it ends, with finish reason `LENGTH`."
    )
    model_requests_at_once: int = Field(
        64,
        ge=1,
        le=10_000,
        description="Requests to one provider that run at once; users and their projects take turns.",
    )

    rerank_url: WebAddress = Field(
        None, description="Server with an HTTP `/rerank` that orders what was found, such as `http://127.0.0.1:8080`."
    )
    rerank_model: Text = Field(None, description="Model to name to the reranker, where it wants one.")
    rerank_api_key: Secret = Field(None, description="Key for the reranker.")
    rerank_seconds: float = Field(
        3, gt=0, le=120, description="Longest wait for the reranker; then the order of the search stands."
    )
    enable_query_reformulation: bool = _of_answers(
        "reformulate", "Let the model rewrite questions into stand-alone queries; never at the OpenAI API."
    )
    reformulation_seconds: float = Field(
        5, gt=0, le=120, description="Longest wait for a rewritten question; then the question itself is searched."
    )

    rag_enabled: bool = _of_answers(
        "enable_rag", "Answer from documents; `false` turns retrieval off everywhere, whoever asks for it."
    )
    grounding: Grounding = _of_answers(
        "grounding",
        "How strictly answers keep to their sources: `GROUNDED`, or `OPEN`. The OpenAI API is always `OPEN`.",
    )
    include_citations: bool = _of_answers("include_citations")
    citation_style: CitationStyle = _of_answers(
        "citation_style", "How the text points to its sources: `NUMBERED`, or `CHUNK`."
    )
    search_mode: SearchMode = _of_answers(
        "search_mode", "What the search for an answer looks at: `HYBRID`, or `LEXICAL` or `VECTOR` alone."
    )
    context_placement: ContextPlacement = _of_answers(
        "context_placement", "Where the passages stand in what is sent: in the `SYSTEM` message, or with the `USER`'s."
    )
    rag_top_k: int = _of_answers("rag_top_k", "Passages that are candidates for the context, in chat sessions.")
    rag_threshold: float | None = _of_answers("rag_threshold")
    rag_context_token_fill_ratio: float = _of_answers(
        "context_token_ratio",
        "Share of the free context window that passages may claim (`contextTokenRatio`); they get more of it where the "
        "answer asks for less. In a chat session `MAX_CONTEXT_TOKENS` caps it, whatever the ratio.",
    )
    rag_max_top_k: int = Field(300, ge=1, le=2000, description="Most passages that are candidates at the OpenAI API.")
    rag_document_node_token_approximation: int = Field(
        500, ge=1, le=100_000, description="Tokens a passage is taken for when the OpenAI API decides on candidates."
    )
    max_context_tokens: int = Field(
        4000,
        ge=100,
        le=1_000_000,
        description="Most tokens of passages in a prompt of a chat session. It wins over the ratio; at the OpenAI API "
        "the ratio alone decides.",
    )
    rag_max_context_chars: int | None = Field(None, ge=400, description="Most characters of passages in a prompt.")
    temperature: float = _of_answers("temperature", "How freely the model words an answer, in chat sessions.")
    max_tokens: int = _of_answers("max_tokens", "Longest answer in chat sessions, in tokens.")

    max_running_answers: int = Field(500, ge=1, le=100_000, description="Most answers that are given at once.")
    max_running_answers_per_session: int = Field(
        1, ge=1, le=100, description="Most answers that are given at once in one chat session."
    )
    max_running_answers_per_user: int = Field(
        100, ge=1, le=100_000, description="Most answers that are given at once to one user."
    )

    memory_min_importance: float = Field(
        0.6, ge=0, le=1, description="Memories must be more important than this to be told to the model."
    )
    memory_max_age_days: float = Field(
        7, gt=0, le=36500, description="Memories older than this are not told to the model."
    )

    max_upload_bytes: int = Field(
        50_000_000, ge=1000, description="Largest document, and most bytes of the files of one request."
    )
    max_queued_documents: int = Field(
        10_000, ge=1, le=10_000_000, description="Most documents that may wait to be read; then no more are taken."
    )
    max_queued_documents_per_project: int = Field(
        5_000, ge=1, le=10_000_000, description="Most documents of one project that may wait to be read."
    )
    parse_seconds: float = Field(60, gt=0, le=3600, description="Longest time to read one document.")
    parse_memory_bytes: int = Field(2_000_000_000, ge=200_000_000, description="Most memory to read one document.")
    log_level: Level = Field("INFO", description="DEBUG, INFO, WARNING or ERROR.")

    @property
    def signs_in(self) -> bool:
        """Whether users have to sign in.

        A server on loopback that has other names too is behind a proxy: then others come from this machine as well.
        """
        own = all(map(addresses.is_loopback, [self.host, *self.known_hosts])) and not self.trusted_proxies
        return not own if self.require_sign_in is None else self.require_sign_in

    @property
    def known_hosts(self) -> list[str]:
        """Names that requests may come by, beside loopback names; without any, all may where others reach this host."""
        bounded = bool(self.allowed_hosts) or addresses.is_loopback(self.host)
        return self.allowed_hosts + (addresses.host_of(self.public_url) if bounded else [])

    @property
    def chosen_chat_model(self) -> str:
        """The model that answers when a session names none."""
        return self.chat_model or self.primary_model_id or "embedded/extractive"


def read_settings() -> Settings:
    """The settings of this process. Raises StartError: one line per wrong variable, with what is allowed."""
    try:
        return Settings()  # pyright: ignore[reportCallIssue]
    except ValidationError as error:
        raise errors.StartError(
            "\n".join(settings_problems.explain(problem, Settings.model_fields) for problem in error.errors())
        ) from error


def mistyped() -> list[str]:
    """A sentence for each name in `.env` that is no setting. (The environment has names of others.)"""
    known = [name.upper() for name in Settings.model_fields]
    return [
        settings_problems.explain_unknown(name.upper(), known)
        for name in DotEnvSettingsSource(Settings).env_vars
        if name.upper() not in known
    ]
