"""The composition root: settings in; the services that the doors call, opened once and closed once, out."""

from app.accounts.credential_cache import Asker
from app.accounts.members import Member
from app.accounts.members import Role as MemberRole
from app.services.authorization import Allowed
from app.services.composition import DRAIN_SECONDS, Component, Role, Services, open_services, worst
from app.services.first_start import OWNER_EMAIL

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
