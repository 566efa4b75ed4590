"""All providers are closed, whatever becomes of the others."""

import pytest

from app.observation.log_observer import LogObserver
from app.providers.ollama.provider import OllamaProvider
from app.providers.registry import ModelRegistry


class Closing(OllamaProvider):
    """A provider that is closed, and may fail to be."""

    def __init__(self, name: str, error: Exception | None = None) -> None:
        super().__init__("http://127.0.0.1:9")
        self.name = name
        self.error = error
        self.closed = False

    async def close(self) -> None:
        await super().close()
        self.closed = True
        if self.error is not None:
            raise self.error


async def test_one_that_cannot_be_closed_keeps_no_other_open(caplog: pytest.LogCaptureFixture) -> None:
    providers = [Closing("first", OSError("no reply")), Closing("second"), Closing("third", ValueError("odd"))]
    await ModelRegistry(providers, (), {}, LogObserver()).close()
    assert [each.closed for each in providers] == [True] * 3
    assert caplog.messages == ["first was not closed: OSError('no reply')", "third was not closed: ValueError('odd')"]
