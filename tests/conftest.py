"""Fixtures: settings over a database of one test, and the real services on it."""

import os
from collections.abc import AsyncGenerator, Callable
from pathlib import Path

import pytest

from app import services
from app.settings import Settings

# A developer's own settings must not change what the tests see.
for _name in Settings.model_fields:
    os.environ.pop(_name.upper(), None)

MakeSettings = Callable[..., Settings]


@pytest.fixture
def make_settings(tmp_path: Path) -> MakeSettings:
    """Settings over this test's database; arguments override."""

    def make(**values: object) -> Settings:
        url = f"sqlite:///{tmp_path / 'footnote.db'}"
        return Settings.model_validate({"database_url": url, "port": 0, **values})

    return make


@pytest.fixture
async def footnote(make_settings: MakeSettings) -> AsyncGenerator[services.Services]:
    """The whole house without its doors, with the embedded models."""
    async with services.open_services(make_settings(), "serve") as opened:
        yield opened
