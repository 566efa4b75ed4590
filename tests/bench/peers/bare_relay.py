"""The least that carries a stream: read a model's answer over HTTP, and send each piece on over a WebSocket.

`python -m tests.bench.peers.bare_relay MODEL_URL` prints its address. Starlette on uvicorn (uvloop, httptools), like
Footnote, and aiohttp, the quickest of the usual HTTP clients. It asks the model when a client subscribes and sends one
message for each token, in the shape of a GraphQL result. It has no users, database, citations, schema or time limits,
joins no tokens, and forgets an answer that nobody reads.
"""

import asyncio
import json
import socket
import sys
from contextlib import suppress

import aiohttp
import uvicorn
from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect


class BareRelay:
    """A WebSocket endpoint that answers each subscription with a fresh answer of the model."""

    def __init__(self, model_url: str) -> None:
        self._url = f"{model_url}/chat/completions"
        self._http: aiohttp.ClientSession | None = None

    async def serve_socket(self, client: WebSocket) -> None:
        """Serve one socket until its client leaves."""
        await client.accept("graphql-transport-ws")
        async with asyncio.TaskGroup() as answers:
            with suppress(WebSocketDisconnect):
                while True:
                    message = await client.receive_json()
                    if message["type"] == "connection_init":
                        await client.send_json({"type": "connection_ack"})
                    elif message["type"] == "subscribe":
                        answers.create_task(self._relay_answer(client, message["id"]))

    async def _relay_answer(self, client: WebSocket, id: str) -> None:
        if self._http is None:
            self._http = aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0))
        body = {"model": "chat", "stream": True, "messages": [{"role": "user", "content": "Well?"}]}
        sequence = 0
        async with self._http.post(self._url, json=body) as response:
            async for line in response.content:
                if not line.startswith(b"data: {"):
                    continue
                text = json.loads(line[6:])["choices"][0]["delta"].get("content")
                if text:
                    sequence += 1
                    event = {"answerEvents": {"sequence": sequence, "text": text}}
                    await client.send_json({"id": id, "type": "next", "payload": {"data": event}})
        await client.send_json({"id": id, "type": "complete"})


def _main(model_url: str) -> None:
    app = Starlette(routes=[WebSocketRoute("/graphql", BareRelay(model_url).serve_socket)])
    listening = socket.create_server(("127.0.0.1", 0), backlog=1024)
    print(f"http://127.0.0.1:{listening.getsockname()[1]}/graphql", flush=True)
    config = uvicorn.Config(app, log_level="warning", ws="websockets-sansio", ws_ping_interval=None)
    uvicorn.Server(config).run(sockets=[listening])


if __name__ == "__main__":
    _main(sys.argv[1])
