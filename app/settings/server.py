"""Settings of the server as such: its database, its address, who may use it and how much."""

from pydantic import Field
from pydantic_settings import BaseSettings

from app import default_address
from app.settings.types import Hosts, List, Origins, PublicUrl, Secret, Text, Trusted, WebAddress


class ServerSettings(BaseSettings):
    """The settings that come before models and answers. `Settings` has them all."""

    database_url: Text = Field(
        None,
        description="Database to use, as `sqlite:///FILE` or `postgresql://USER:PASSWORD@HOST/DATABASE`. Default: the "
        "file `footnote.db` in the current folder.",
    )
    host: str = Field(default_address.HOST, description="Address to listen on.")
    port: int = Field(default_address.PORT, ge=0, le=65535, description="Port to listen on; 0 picks a free one.")
    workers: int = Field(
        1, ge=1, le=64, description="Number of processes of `footnote serve` that share the address. Not on Windows."
    )
    pin_workers: bool = Field(
        False,
        description="Whether each process of `footnote serve` stays on its own processor core; for Linux machines "
        "that do nothing else.",
    )
    process_documents: bool = Field(
        True, description="Whether servers process documents; `false` leaves that to `footnote work`."
    )
    sample_project: bool = Field(
        True,
        description="Create the sample project Handbook when a server first starts on a new database, unless users "
        "have to sign in.",
    )
    public_url: PublicUrl = Field(
        None, description="Address that users open, such as `https://chat.example.org`; used in links."
    )
    require_sign_in: bool | None = Field(
        None,
        description="Whether users have to sign in. Default: no on a loopback address without other host names "
        "(`ALLOWED_HOSTS`, `PUBLIC_URL`) and without a proxy (`TRUSTED_PROXIES`), otherwise yes.",
    )
    allow_open_access: bool = Field(
        False, description="Allow `REQUIRE_SIGN_IN=false` on an address that other machines can reach."
    )
    redis_url: Secret = Field(
        None, description="Redis server that stores sign-ins and usage counts. Default: the database stores them."
    )
    sign_in_days: float = Field(14, gt=0, le=90, description="Days after which an unused sign-in expires.")
    audit_days: float = Field(365, gt=0, le=36500, description="Days to keep entries of the audit trail.")
    jwt_issuer: Text = Field(
        None, description="Identity provider whose tokens are accepted, as named in their `iss` claim."
    )
    jwt_jwks_url: WebAddress = Field(None, description="URL of the identity provider's keys, as JWKS.")
    jwt_audience: Text = Field(None, description="Audience that its tokens must name in their `aud` claim.")
    jwt_algorithms: List = Field(
        ["RS256", "ES256", "EdDSA"], description="Signature algorithms that its tokens may use, separated by commas."
    )
    members_by_address: bool = Field(
        False,
        description="Let owners add any user to a project by email address, which reveals who has an account. "
        "Otherwise they can add users with whom they share a project, and the operator adds all others "
        "(`footnote member set`).",
    )
    max_requests_per_minute: int | None = Field(
        1200, ge=1, description="Maximum requests per user, where users sign in."
    )
    max_uploads_per_hour: int | None = Field(
        2000, ge=1, description="Maximum documents added per user, where users sign in."
    )
    max_tokens_per_day: int | None = Field(
        None, ge=1, description="Maximum model tokens spent per user, where users sign in."
    )
    max_characters_per_day: int | None = Field(
        100_000_000,
        ge=1000,
        description="Maximum characters written per user, where users sign in: in questions, chat sessions, ratings "
        "and everything else that is stored except documents. Each change counts as 1,000 more; deleting does not "
        "count.",
    )
    cors_origins: Origins = Field([], description="Web origins that may call the API, separated by commas.")
    allowed_hosts: Hosts = Field(
        [],
        description="Host names accepted in requests, separated by commas, such as `chat.example.org` or "
        "`*.example.org`. Default: only loopback names on a loopback address, otherwise any.",
    )
    trusted_proxies: Trusted = Field(
        [],
        description="Addresses or networks of the proxies in front of the server, separated by commas. Only their "
        "`X-Forwarded-For` and `X-Forwarded-Proto` headers are trusted.",
    )
    request_seconds: float = Field(
        30, gt=0, le=3600, description="Time limit for receiving a request, plus the same again for each megabyte."
    )
    max_connections: int = Field(2000, ge=10, le=1_000_000, description="Maximum open connections.")
    max_connections_per_address: int = Field(
        1000, ge=1, le=1_000_000, description="Maximum open connections per client address, except proxies."
    )
    max_body_bytes: int = Field(2_000_000, ge=1000, description="Maximum size of a request, not counting its files.")
    max_chat_body_bytes: int = Field(10_000_000, ge=1000, description="Maximum size of a request to the OpenAI API.")
    max_downloads: int = Field(100, ge=1, le=10_000, description="Maximum originals downloaded at once.")
    max_downloads_per_user: int = Field(
        10, ge=1, le=10_000, description="Maximum originals downloaded at once per user, where users sign in."
    )
    persisted_queries: bool = Field(
        True, description="Let clients send a known operation by its hash (automatic persisted queries)."
    )
    trusted_documents: Text = Field(None, description="File of operations that clients can refer to by id.")
    trusted_documents_only: bool = Field(False, description="Refuse all operations that are not in that file.")
    graphql_introspection: bool = Field(True, description="Let clients read the schema.")
    graphql_suggestions: bool = Field(True, description="Suggest similar names in errors about unknown ones.")
    page: bool = Field(True, description="Serve the page to browsers.")
    playground: bool = Field(True, description="Serve the playground to browsers.")

    max_message_bytes: int = Field(
        2_000_000,
        ge=1000,
        le=100_000_000,
        description="Maximum size of a WebSocket message; 20 kB until the connection is acknowledged.",
    )
    max_socket_operations: int = Field(100, ge=1, le=10_000, description="Maximum operations at once on one WebSocket.")
    ping_seconds: float = Field(
        20, gt=0, le=3600, description="Time between pings on a WebSocket; unresponsive clients are disconnected."
    )
