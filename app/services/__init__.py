"""The composition root: settings in; the services that the doors call, opened once and closed once, out."""

from app.services.opening import DRAIN_SECONDS, OWNER_EMAIL, Component, Role, Services, open_services, worst

__all__ = ["DRAIN_SECONDS", "OWNER_EMAIL", "Component", "Role", "Services", "open_services", "worst"]
