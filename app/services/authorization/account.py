"""A user's own account: profile and access tokens."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any

from app import errors
from app.accounts.credential_cache import Caller
from app.database import models
from app.knowledge.storage_limits import read_user_bytes
from app.services.backend import Backend


class AccountAccess:
    """A user's access to their own account."""

    def __init__(self, backend: Backend, user_id: str) -> None:
        self._users = backend.accounts.users
        self._access_tokens = backend.accounts.access_tokens
        self._language_models = backend.models
        self._database = backend.database
        self.max_stored_bytes = backend.knowledge.storage_limits.max_user_bytes
        """How much the user's projects may store; None for no limit."""
        self._user_id = user_id

    async def read_stored_bytes(self) -> int:
        """The bytes stored in the projects that count toward the user's limit."""
        return await self._database.run_read(partial(read_user_bytes, self._user_id))

    async def update_profile(self, changes: Mapping[str, Any]) -> None:
        """Update the fields in `changes`; None clears a field. Raises Invalid."""
        model = changes.get("preferred_model")
        if model is not None and (problem := self._language_models.find_problem(model, "CHAT")):
            raise errors.Invalid.at("preferredModel", "INVALID", problem)
        await self._users.update(self._user_id, changes)

    async def list_tokens(self) -> Sequence[models.AccessToken]:
        """The user's access tokens that have not been revoked, newest first."""
        return await self._access_tokens.tokens_of_user(self._user_id)

    async def tokens_by_ids(self, ids: Sequence[str]) -> Sequence[models.AccessToken | None]:
        """The user's access tokens with these ids, in order."""
        return await self._access_tokens.by_ids(ids, self._user_id)

    async def create_token(
        self, caller: Caller, label: str, expires_at: datetime | None, address: str | None
    ) -> tuple[str, models.AccessToken]:
        """Create an access token; returns it with its row. It expires no later than the caller's own token."""
        return await self._access_tokens.create_for_caller(caller, label, expires_at, address)

    async def revoke_token(self, token_id: str, address: str | None) -> None:
        """Revoke one of the user's access tokens, and all that were created with it. Raises NotFound."""
        await self._access_tokens.revoke(token_id, self._user_id, address)
