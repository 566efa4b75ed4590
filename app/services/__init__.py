"""The composition root: settings in; the services that the doors call, opened once and closed once, out."""

from app.accounts.members import Member
from app.accounts.members import Role as MemberRole
from app.accounts.recent import Asker
from app.services.allowed import Allowed
from app.services.opening import DRAIN_SECONDS, OWNER_EMAIL, Component, Role, Services, open_services, worst

__all__ = [
    "DRAIN_SECONDS",
    "OWNER_EMAIL",
    "Allowed",
    "Asker",
    "Component",
    "Member",
    "MemberRole",
    "Role",
    "Services",
    "open_services",
    "worst",
]
