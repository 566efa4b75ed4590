"""The configuration of the GraphQL API, as plain values."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial

from app.quotas import Quota


@dataclass(frozen=True, slots=True)
class GraphQLConfig:
    """Configuration of the GraphQL API; `main` builds it from the settings."""

    max_upload_bytes: int
    max_body_bytes: int = 2_000_000
    request_seconds: float = 30
    persisted_queries: bool = True
    trusted_documents: Mapping[str, str] = field(default_factory=dict[str, str])
    trusted_documents_only: bool = False
    introspection: bool = True
    suggestions: bool = True
    playground: bool = True
    max_message_bytes: int = 2_000_000
    max_socket_operations: int = 100
    ping_seconds: float = 20
    requests: Quota = field(
        default_factory=partial(Quota, "bytes of requests", per_holder=16_000_000, total=64_000_000)
    )
    uploads: Quota = field(default_factory=partial(Quota, "bytes of uploads", per_holder=10**8, total=25 * 10**7))
    unfinished: Quota = field(
        default_factory=partial(Quota, "bytes of unfinished messages", per_holder=16_000_000, total=64_000_000)
    )
    operations: Quota = field(default_factory=partial(Quota, "operations on sockets", per_holder=1_000, total=5_000))
