"""Settings: read from the environment and `.env` at the start, validated, and passed down as plain values."""

from app.settings.settings import Settings, explain_unknown_names, read_settings

__all__ = ["Settings", "explain_unknown_names", "read_settings"]
