"""The services that every API calls, opened once and closed once."""

from app.accounts.credential_cache import Caller
from app.accounts.members import Member
from app.accounts.members import Role as MemberRole
from app.services.access import Services
from app.services.authentication import require_caller
from app.services.authorization.operator_access import OperatorAccess
from app.services.authorization.user_access import UserAccess
from app.services.backend import Backend
from app.services.composition import DRAIN_SECONDS, ProcessRole, open_backend, open_services
from app.services.first_start import OWNER_EMAIL
from app.services.health import Component, HealthStatus, worst

__all__ = [
    "DRAIN_SECONDS",
    "OWNER_EMAIL",
    "Backend",
    "Caller",
    "Component",
    "HealthStatus",
    "Member",
    "MemberRole",
    "OperatorAccess",
    "ProcessRole",
    "Services",
    "UserAccess",
    "open_backend",
    "open_services",
    "require_caller",
    "worst",
]
