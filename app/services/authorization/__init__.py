"""What one user may do: the services, with the user's roles asked first. Every door goes through here."""

from app.services.authorization.allowed import Allowed

__all__ = ["Allowed"]
