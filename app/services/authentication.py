"""Authenticate requests: the one place that decides who sends a request, whatever the API."""

from collections.abc import Mapping
from datetime import datetime

from app import errors
from app.accounts import tokens
from app.accounts.authentication import SIGN_IN_FIRST, Authentication, bearer_credential
from app.accounts.credential_cache import Caller
from app.accounts.identity_provider import claims
from app.accounts.limits.usage import UsageLimits
from app.accounts.links import LinkSigner, SignedLink
from app.database.models import User
from app.observation import request_context


def require_caller(caller: Caller | None) -> Caller:
    """The caller. Raises Unauthenticated if the sender has no credential."""
    if caller is None:
        raise errors.Unauthenticated(SIGN_IN_FIRST)
    return caller


class RequestAuthentication:
    """Determines who sends a request. If sign-in is disabled, a sender without a credential is the local owner."""

    def __init__(
        self, authentication: Authentication, links: LinkSigner, usage: UsageLimits, owner: User, *, required: bool
    ) -> None:
        self._authentication = authentication
        self._links = links
        self._usage = usage
        self._owner = Caller(owner, "OPEN")
        self.required = required

    async def authenticate(self, authorization: str | None, *, any_key: bool = False) -> Caller | None:
        """The sender of a request; None for a sender without a credential if sign-in is required.

        `any_key`: if sign-in is disabled, ignore keys for other servers, which some clients always send.
        Raises Unauthenticated for a wrong, expired or revoked credential, RateLimited after too many requests,
        Unavailable.
        """
        if not authorization:
            return None if self.required else self._record_user(self._owner)
        if any_key and not self.required and not _is_ours(authorization):
            return self._record_user(self._owner)
        caller = self._record_user(await self._authentication.authenticate(bearer_credential(authorization)))
        if self.required:
            await self._usage.spend("requests", caller.user.id)
        return caller

    async def sign_link(self, caller: Caller, path: str) -> SignedLink:
        """A link by which this caller opens a path without a credential, for as long as theirs is valid."""
        return await self._links.sign_path(caller, path)

    async def authenticate_link(self, path: str, query: Mapping[str, str]) -> Caller:
        """The user who created the signed link that is being opened.

        Raises Unauthenticated if it is forged or has expired, RateLimited after too many requests, Unavailable.
        """
        caller = await self._links.read_caller(path, query)
        if caller.via == "OPEN" and self.required:
            raise errors.Unauthenticated(SIGN_IN_FIRST)
        if self.required:
            await self._usage.spend("requests", caller.user.id)
        return self._record_user(caller)

    def _record_user(self, caller: Caller) -> Caller:
        request_context.record_user(caller.user.id)
        return caller

    async def recheck(self, authorization: str | None) -> datetime | None:
        """Check the credential of a long-lived connection; returns when to check it again, None for never.

        Raises Unauthenticated if it is no longer valid, or Unavailable.
        """
        if not self.required:
            return None
        return (await self._authentication.authenticate(bearer_credential(authorization))).recheck_at


def _is_ours(authorization: str) -> bool:
    credential = authorization.partition(" ")[2].strip()
    return tokens.kind_of(credential) is not None or credential.startswith("fn_") or claims.is_jwt(credential)
