"""What model servers answer with beside models: redirects to others, and bodies that are larger than they look."""

import gzip
import json
import zlib
from collections.abc import AsyncGenerator, Callable
from typing import Any

import pytest
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from app import errors
from app.providers.base import Provider, TextDelta
from app.providers.ollama.provider import OllamaProvider
from app.providers.openai.provider import OpenAIProvider
from tests.servers import ollama, openai
from tests.servers.asking import AT_ONCE, closed_after, failure, pieces
from tests.servers.ollama import OllamaServer
from tests.servers.openai import OpenAIServer
from tests.servers.running import Body, Refusal, StandIn, running

Json = Any
Provide = Callable[[str, str], Provider]
SERVERS: dict[str, Callable[..., StandIn]] = {"openai": OpenAIServer, "ollama": OllamaServer}
CHATS = {"openai": openai.CHAT, "ollama": ollama.CHAT}


def make(provider: str, url: str) -> Provider:
    """The provider of this name."""
    if provider == "openai":
        return OpenAIProvider("stand-in", url, "key", local=True, retries=AT_ONCE)
    return OllamaProvider(url, retries=AT_ONCE)


def _say(_: Body) -> list[str]:
    return ["Well."]


@pytest.fixture
async def provide() -> AsyncGenerator[Provide]:
    """Make providers, which are closed at the end."""
    async with closed_after(make) as closing:
        yield closing


@pytest.mark.parametrize("provider", SERVERS)
async def test_another_host_is_never_sent_what_a_server_is_asked(provide: Provide, provider: str) -> None:
    with running(SERVERS[provider]()) as other:
        elsewhere = other.root.replace("127.0.0.1", "localhost")
        to = Refusal(307, headers={"location": elsewhere + CHATS[provider]})
        with running(SERVERS[provider](faults=[to] * 20)) as server:
            error, came = await failure(provide(provider, server.url).language_model("tiny"))
    assert type(error) is errors.ModelUnavailable
    assert "redirects to another server" in error.message
    assert came == []
    assert other.requests == []


@pytest.mark.parametrize("provider", SERVERS)
async def test_a_redirect_on_the_same_host_is_followed(provide: Provide, provider: str) -> None:
    with running(SERVERS[provider](_say)) as other:
        to = Refusal(307, headers={"location": other.root + CHATS[provider]})
        with running(SERVERS[provider](faults=[to] * 20)) as server:
            found = await pieces(provide(provider, server.url).language_model("tiny"))
    assert "".join(piece.text for piece in found if isinstance(piece, TextDelta)).strip() == "Well."


class _Packed(StandIn):
    """Lists its models in this body."""

    def __init__(self, body: bytes, encoding: str) -> None:
        super().__init__(None, (), byte_by_byte=False)
        self._body, self._encoding = body, encoding

    def routes(self) -> list[Route]:
        return [Route(path, self._list) for path in ("/v1/models", "/api/tags")]

    async def _list(self, request: Request) -> Response:
        return Response(self._body, media_type="application/json", headers={"content-encoding": self._encoding})


def _listed(size: int) -> bytes:
    return json.dumps({"data": [{"id": "m"}], "models": [{"model": "m"}]}).encode().ljust(size)


async def _list_models(provide: Provide, provider: str, body: bytes, encoding: str) -> list[str]:
    with running(_Packed(body, encoding)) as server:
        url = f"{server.root}/v1" if provider == "openai" else server.root
        return [model.name for model in await provide(provider, url).list_models()]


@pytest.mark.parametrize("provider", SERVERS)
async def test_a_compressed_response_is_as_large_as_its_content(provide: Provide, provider: str) -> None:
    for pack, encoding in ((gzip.compress, "gzip"), (zlib.compress, "deflate")):
        assert len(await _list_models(provide, provider, pack(_listed(1_000_000)), encoding)) == 1
        with pytest.raises(errors.ModelIncomplete):
            await _list_models(provide, provider, pack(_listed(9_000_000)), encoding)


@pytest.mark.parametrize("provider", SERVERS)
@pytest.mark.parametrize(
    ("body", "encoding"),
    [(gzip.compress(gzip.compress(_listed(100))), "gzip, gzip"), (b"\x1f\x8bx", "gzip")],
    ids=["twice", "damaged"],
)
async def test_a_response_that_cannot_be_measured_is_refused(
    provide: Provide, provider: str, body: bytes, encoding: str
) -> None:
    with pytest.raises(errors.ModelUnavailable):
        await _list_models(provide, provider, body, encoding)
