"""Every setting with its default and description, and how they are read."""

from pathlib import Path
from typing import Annotated, Any, Literal, get_origin

from pydantic import BeforeValidator, Field, ValidationError, create_model
from pydantic_settings import DotEnvSettingsSource, SettingsConfigDict

from app import addresses, answer_options, errors
from app.settings import problems
from app.settings.events import EventSettings
from app.settings.types import ApiKey, Level, LogFormat, OllamaHost, Secret, Text, WebAddress, to_upper_case


def _answer_option_fields() -> dict[str, Any]:
    """The server's defaults of answer options, as fields of a settings class, by the names of their variables."""
    found: dict[str, Any] = {}
    for name, option in answer_options.OPTIONS.items():
        if option.variable is not None:
            default = getattr(answer_options.AnswerOptions(), name)
            kind = answer_options.OPTION_TYPES[name]
            kind = kind | None if default is None else kind
            if get_origin(kind) is Literal:
                kind = Annotated[kind, BeforeValidator(to_upper_case)]
            description = option.variable_description or option.description
            field = Field(default, ge=option.minimum, le=option.maximum, description=description)
            found[option.variable.lower()] = (kind, field)
    return found


_AnswerOptionSettings = create_model("_AnswerOptionSettings", __base__=EventSettings, **_answer_option_fields())


class Settings(_AnswerOptionSettings):
    """Every setting with its default. The descriptions appear in the handbook."""

    model_config = SettingsConfigDict(
        env_file=".env", env_file_encoding="utf-8", env_ignore_empty=True, extra="ignore", frozen=True
    )

    chat_model: Text = Field(None, description="Chat model, as `provider/model`. Default: `embedded/extractive`.")
    primary_model_id: Text = Field(None, description="Another name for `CHAT_MODEL`.")
    embedding_model: str = Field("embedded/wordllama", description="Embedding model of new projects.")
    ollama_host: OllamaHost = Field(None, description="Ollama server, such as `http://127.0.0.1:11434`.")
    ollama_num_ctx: int = Field(
        8192, ge=512, le=10_000_000, description="Context window to request from Ollama, in tokens."
    )
    llamacpp_folder: str = Field(".", description="Folder that relative paths of `llamacpp/…` models start from.")
    llamacpp_num_ctx: int = Field(8192, ge=512, le=10_000_000, description="Largest window of these models, in tokens.")
    llamacpp_slots: int = Field(
        2, ge=1, le=64, description="Number of answers that a model can give at once; each takes memory for a window."
    )
    llamacpp_threads: int | None = Field(
        None, ge=1, le=512, description="Threads per model. Default: one per processor, minus one for the server."
    )
    llamacpp_idle_seconds: float = Field(
        900, ge=0, le=1e9, description="Time after which an unused model is unloaded; 0 keeps it loaded."
    )
    openai_api_key: ApiKey = Field(None, description="API key for `openai/…` models.")
    openai_base_url: WebAddress = Field(
        None, description="Base URL of any server that speaks the OpenAI protocol. Default: OpenAI's own."
    )
    openrouter_api_key: ApiKey = Field(None, description="API key for `openrouter/…` models.")
    model_connect_seconds: float = Field(5, gt=0, le=120, description="Time limit for connecting to a model server.")
    model_first_token_seconds: float = Field(
        120, gt=0, le=3600, description="Time limit for the first piece of an answer."
    )
    model_between_tokens_seconds: float = Field(
        60, gt=0, le=3600, description="Time limit for the next piece of an answer."
    )
    model_whole_answer_seconds: float = Field(
        600, gt=0, le=3600, description="Time limit for an answer requested without streaming through the OpenAI API."
    )
    model_longest_answer_seconds: float = Field(
        3600, gt=0, le=86_400, description="Time limit for a whole answer, which then ends with finish reason `LENGTH`."
    )
    model_requests_at_once: int = Field(
        64,
        ge=1,
        le=10_000,
        description="Maximum requests at once to one provider, shared by all `WORKERS`; users and their projects take "
        "turns.",
    )

    rerank_url: WebAddress = Field(
        None, description="Server with an HTTP `/rerank` endpoint that reorders the passages found."
    )
    rerank_model: Text = Field(None, description="Model name to send to the reranker, if it needs one.")
    rerank_api_key: ApiKey = Field(None, description="API key for the reranker.")
    rerank_seconds: float = Field(
        3, gt=0, le=120, description="Time limit for the reranker; after that, the search order is kept."
    )
    reformulation_seconds: float = Field(
        5, gt=0, le=120, description="Time limit for rewriting a question; then the question itself is searched."
    )
    search_cache_seconds: int = Field(
        300,
        ge=0,
        le=86_400,
        description="How long to cache search results and the vectors of questions; 0 turns the cache off.",
    )
    vector_memory_mb: int = Field(
        256,
        ge=0,
        le=1_000_000,
        description="Memory for the vectors of the projects searched last, in MB per process; 100,000 passages take "
        "118 at 256 dimensions. Projects that do not fit are searched in the database, which takes longer; with 0, all "
        "are.",
    )
    vector_index_min_passages: int = Field(
        20_000,
        ge=0,
        le=1_000_000_000,
        description="Projects with at least this many passages get an HNSW index in the background, if the database "
        "is a server; smaller ones are searched exactly. With 0, all are.",
    )
    rag_max_top_k: int = Field(
        300, ge=1, le=2000, description="Maximum passages considered for the context, at the OpenAI API."
    )
    rag_document_node_token_approximation: int = Field(
        500,
        ge=1,
        le=100_000,
        description="Assumed tokens per passage, used to decide how many passages the OpenAI API considers.",
    )
    max_context_tokens: int = Field(
        4000,
        ge=100,
        le=1_000_000,
        description="Maximum tokens of passages in a prompt, in chat sessions, whatever "
        "`RAG_CONTEXT_TOKEN_FILL_RATIO` allows.",
    )
    rag_max_context_chars: int | None = Field(None, ge=400, description="Maximum characters of passages in a prompt.")

    max_running_answers: int = Field(500, ge=1, le=100_000, description="Maximum answers being generated at once.")
    max_running_answers_per_session: int = Field(
        1, ge=1, le=100, description="Maximum answers at once per chat session."
    )
    max_running_answers_per_user: int = Field(100, ge=1, le=100_000, description="Maximum answers at once per user.")

    memory_min_importance: float = Field(
        0.6, ge=0, le=1, description="Only memories more important than this are given to the model."
    )
    memory_max_age_days: float = Field(
        7, gt=0, le=36500, description="Only memories younger than this are given to the model."
    )

    max_upload_bytes: int = Field(
        50_000_000, ge=1000, description="Maximum size of a document, and of all files in one request."
    )
    max_stored_bytes_per_user: int = Field(
        100_000_000_000,
        ge=0,
        description="Maximum bytes of documents and their text in all of a user's projects; further documents are "
        "refused. A project counts toward its first owner. 0: no limit.",
    )
    max_queued_documents: int = Field(
        10_000, ge=1, le=10_000_000, description="Maximum documents waiting to be processed; further ones are refused."
    )
    max_queued_documents_per_project: int = Field(
        5_000, ge=1, le=10_000_000, description="Maximum documents waiting per project."
    )
    parse_seconds: float = Field(
        60,
        gt=0,
        le=3600,
        description="Limit on the processor time for parsing one document; ten times as much real time may pass, as "
        "on a busy machine. On Windows, a limit on real time.",
    )
    parse_memory_bytes: int = Field(2_000_000_000, ge=200_000_000, description="Memory limit for parsing one document.")
    log_level: Level = Field("INFO", description="Log level: DEBUG, INFO, WARNING or ERROR.")
    log_format: LogFormat = Field(
        "TEXT", description="Format of the log: `TEXT` for people, or `JSON` with an object per line for programs."
    )
    access_log: bool = Field(False, description="Log every request.")
    metrics: bool = Field(True, description="Serve metrics for Prometheus at `/metrics`.")
    metrics_token: Secret = Field(
        None,
        description="Bearer token that Prometheus has to send. Where users have to sign in, there are no metrics "
        "without it.",
    )

    otel_exporter_otlp_endpoint: WebAddress = Field(
        None,
        description="Receiver to send traces to, by OTLP over HTTP, such as `http://127.0.0.1:4318`; needs the extra "
        "`telemetry`. Other standard `OTEL_…` variables are read from the environment.",
    )
    otel_exporter_otlp_traces_endpoint: WebAddress = Field(
        None, description="Full URL to send traces to, instead of `/v1/traces` at that receiver."
    )
    otel_sdk_disabled: bool = Field(False, description="Send no traces.")
    otel_instrumentation_genai_capture_message_content: bool = Field(
        False, description="Include questions, and prompts with their passages, in traces."
    )

    @property
    def traces_endpoint(self) -> str | None:
        """The address that traces are sent to; None for no traces."""
        base = self.otel_exporter_otlp_endpoint
        if self.otel_sdk_disabled:
            return None
        return self.otel_exporter_otlp_traces_endpoint or (base and f"{base.rstrip('/')}/v1/traces")

    @property
    def signs_in(self) -> bool:
        """Whether users have to sign in.

        A loopback server with other host names is behind a proxy, which forwards requests from other machines.
        """
        own = all(map(addresses.is_loopback, [self.host, *self.known_hosts])) and not self.trusted_proxies
        return not own if self.require_sign_in is None else self.require_sign_in

    @property
    def known_hosts(self) -> list[str]:
        """Host names accepted besides loopback names. If empty, all are accepted, except on a loopback address."""
        bounded = bool(self.allowed_hosts) or addresses.is_loopback(self.host)
        return self.allowed_hosts + (addresses.hosts_in_url(self.public_url) if bounded else [])

    @property
    def chosen_chat_model(self) -> str:
        """The model that answers if a session does not set one."""
        return self.chat_model or self.primary_model_id or answer_options.AnswerOptions().model

    @property
    def model_requests_per_process(self) -> int:
        """The share of `model_requests_at_once` of each process that serves the address."""
        return max(1, self.model_requests_at_once // self.workers)

    @property
    def answer_options(self) -> answer_options.AnswerOptions:
        """The answer options in effect where no project, session or question sets one."""
        options = answer_options.OPTIONS.items()
        values = {name: getattr(self, option.variable.lower()) for name, option in options if option.variable}
        return answer_options.AnswerOptions(model=self.chosen_chat_model, **values)


def read_settings() -> Settings:
    """Read the settings. Raises StartError with one line per invalid variable that says what is allowed."""
    try:
        return Settings()  # pyright: ignore[reportCallIssue]
    except ValidationError as error:
        raise errors.StartError(
            "\n".join(problems.explain_problem(problem, Settings.model_fields) for problem in error.errors())
        ) from error
    except (OSError, UnicodeDecodeError) as error:
        raise errors.StartError(problems.explain_unreadable(Path.cwd() / ".env", error)) from error


def explain_unknown_names() -> list[str]:
    """A sentence for each unknown name in `.env`. (In the environment, unknown names are normal.)"""
    known = [name.upper() for name in Settings.model_fields]
    return [
        problems.explain_unknown(name.upper(), known)
        for name in DotEnvSettingsSource(Settings).env_vars
        if name.upper() not in known
    ]
