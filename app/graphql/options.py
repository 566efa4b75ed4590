"""What an operator decides about the door: plain values in, one frozen record out."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Options:
    """How the GraphQL door behaves; `main` makes it of the settings."""

    max_upload_bytes: int
    cors_origins: tuple[str, ...] = ()
