"""Addresses where no model server answers: the cause is named without the address, and a probable mistake in it."""

import asyncio
import socket
import ssl
from collections.abc import AsyncGenerator, Callable
from pathlib import Path
from typing import Any

import pytest
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from app import errors
from app.providers.base import Provider, TimeLimits
from app.providers.ollama.provider import OllamaProvider
from app.providers.openai.base_urls import find_mistake
from app.providers.openai.provider import OpenAIProvider
from tests.openai_api.api import error
from tests.openai_api.conftest import Start
from tests.servers.asking import AT_ONCE, closed_after, failure
from tests.servers.ollama import OllamaServer
from tests.servers.openai import OpenAIServer
from tests.servers.ports import closed_port
from tests.servers.proxies import HOST, write_certificate
from tests.servers.running import StandIn, running

Provide = Callable[[str], Provider]
BODY = {"messages": [{"role": "user", "content": "Why is the sky blue?"}]}
LIMITS = TimeLimits(connect=1.0)


@pytest.fixture(params=["openai", "ollama"])
async def provide(request: pytest.FixtureRequest) -> AsyncGenerator[Provide]:
    def make(address: str) -> Provider:
        if request.param == "ollama":
            return OllamaProvider(address, limits=LIMITS, retries=AT_ONCE)
        return OpenAIProvider("openai", f"{address}/v1", "key", LIMITS, local=True, retries=AT_ONCE)

    async with closed_after(make) as closing:
        yield closing


async def tell(provider: Provider) -> tuple[str, str]:
    """The causes that an answer and the list of models name."""
    answered, _ = await failure(provider.language_model("tiny"))
    with pytest.raises(errors.AnswerError) as listed:
        await provider.list_models()
    beginning = f"{provider.name} cannot be reached: "
    assert answered.message.startswith(f"tiny at {beginning}")
    assert listed.value.message.startswith(beginning)
    return answered.message.removeprefix(f"tiny at {beginning}"), listed.value.message.removeprefix(beginning)


async def test_a_port_that_nobody_listens_on(provide: Provide) -> None:
    provider = provide(f"http://127.0.0.1:{closed_port()}")
    assert set(await tell(provider)) == {"the connection was refused."}


async def test_a_name_that_is_not_known(provide: Provide) -> None:
    assert set(await tell(provide(f"http://{'x' * 60}.invalid:8080"))) == {"its name is not known."}


async def test_a_server_that_accepts_no_connection(provide: Provide) -> None:
    with socket.socket() as listener, socket.socket() as waiting:
        listener.bind(("127.0.0.1", 0))
        listener.listen(0)
        waiting.connect(listener.getsockname())  # the queue is full
        address = f"http://127.0.0.1:{listener.getsockname()[1]}"
        answered, _ = await failure(provide(address).language_model("tiny"))
    assert answered.message.endswith(" cannot be reached: the connection timed out.")


@pytest.mark.parametrize("trusted", [True, False], ids=["plain", "self-signed"])
async def test_a_server_without_a_certificate_that_is_trusted(provide: Provide, tmp_path: Path, trusted: bool) -> None:
    tls = None
    if not trusted:
        write_certificate(tmp_path)
        tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        tls.load_cert_chain(tmp_path / f"{HOST}.pem", tmp_path / f"{HOST}.key")

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readline()
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", 0, ssl=tls) as server:
        port = server.sockets[0].getsockname()[1]
        causes = await tell(provide(f"https://127.0.0.1:{port}"))
    told = "it does not speak TLS" if trusted else "its certificate is not trusted (self-signed certificate)"
    assert set(causes) == {f"{told}."}


USUAL = "OPENAI_BASE_URL usually ends with /v1"
OLLAMA = "the address of Ollama belongs in OLLAMA_HOST, or must end with /v1 in OPENAI_BASE_URL"
MISTAKES: list[tuple[type[StandIn], str, str]] = [
    (OpenAIServer, "", USUAL),
    (OpenAIServer, "/", USUAL),
    (OpenAIServer, "/api/chat", USUAL),
    (OpenAIServer, "/v1/v1", "OPENAI_BASE_URL has /v1 more than once"),
    (OpenAIServer, "/v1/chat/completions", "OPENAI_BASE_URL must not end with /chat/completions, which is added to it"),
    (OpenAIServer, "/v1/models", "OPENAI_BASE_URL must not end with /models, which is added to it"),
    (OllamaServer, "", USUAL),
    (OllamaServer, "/api", OLLAMA),
]


@pytest.mark.parametrize(("kind", "path", "told"), MISTAKES)
async def test_a_base_url_with_a_mistake_is_no_missing_model(
    start: Start, kind: Callable[[], StandIn], path: str, told: str
) -> None:
    with running(kind()) as server:
        api = await start(openai_base_url=f"{server.root}{path}", chat_model="openai/chat")
        found = error(await api.post(BODY), 404)
        health: Any = (await api.http.get(f"{api.url}/health")).json()["components"]["openai"]
    assert found["message"] == f"There is no chat at openai; {told}."
    assert health["detail"] == f"There is no list of models at openai; {told}."


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("http://127.0.0.1:11434", OLLAMA),
        ("http://127.0.0.1:11434/v1", None),
        ("https://generativelanguage.googleapis.com/v1beta/openai/", None),
        ("https://api.z.ai/api/paas/v4", None),
    ],
)
def test_base_urls_of_well_known_servers(url: str, told: str | None) -> None:
    assert find_mistake(url) == told


async def test_a_page_in_place_of_a_server_names_the_mistake_too(start: Start) -> None:
    class Pages(OpenAIServer):
        def routes(self) -> list[Route]:
            return [Route("/chat/completions", self._page, methods=["POST"]), *super().routes()]

        async def _page(self, _: Request) -> Response:
            return Response("<h1>It works!</h1>", media_type="text/html")

    with running(Pages()) as server:
        api = await start(openai_base_url=server.root, chat_model="openai/chat")
        found = error(await api.post(BODY), 503)
    assert found["message"] == f"The address of chat at openai is not that of a model server; {USUAL}."


async def test_a_model_that_a_server_says_it_does_not_have_is_missing(start: Start) -> None:
    class Unversioned(OpenAIServer):
        def routes(self) -> list[Route]:
            return [Route("/chat/completions", self._missing, methods=["POST"]), *super().routes()]

        async def _missing(self, _: Request) -> Response:
            return JSONResponse({"error": {"message": "The model `chat` does not exist."}}, 404)

    with running(Unversioned()) as server:
        api = await start(openai_base_url=server.root, chat_model="openai/chat")
        found = error(await api.post(BODY), 404)
    assert found["message"] == "There is no chat at openai."


@pytest.mark.parametrize("path", ["/v1", "/api"])
async def test_an_address_of_ollama_with_a_path_of_its_apis(start: Start, path: str) -> None:
    with running(OllamaServer()) as server:
        api = await start(ollama_host=f"{server.url}{path}", chat_model="ollama/tiny")
        found = error(await api.post(BODY), 404)
    assert found["message"] == f"There is no tiny at ollama; OLLAMA_HOST must not end with {path}."
