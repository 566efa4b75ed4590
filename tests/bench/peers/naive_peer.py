"""A naive peer: documents, their vectors and answers in the memory of one process, with well-known libraries.

What somebody would write in an afternoon with Starlette, numpy and httpx: no users, no full text, nothing stored, no
budget, no citations. It embeds with the same model as Footnote. `python -m tests.bench.peers.naive_peer MODEL_URL`
prints its port; it runs until killed.
"""

import json
import socket
import sys

import httpx
import numpy
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from app.providers.embedded.word_vectors import WordVectors

_BEST = 5


class Peer:
    """Texts and their vectors. A chat embeds the question, takes the best texts, and asks the model."""

    def __init__(self, model_url: str) -> None:
        self._embedder = WordVectors()
        self._texts: list[str] = []
        self._matrix = numpy.zeros((0, 256), numpy.float32)
        self._model = httpx.AsyncClient(base_url=model_url, timeout=60)

    async def add(self, request: Request) -> JSONResponse:
        """Add texts, each as one passage."""
        texts: list[str] = await request.json()
        self._texts += texts
        self._matrix = numpy.concatenate([self._matrix, self._embedder.unit_vectors(texts)])
        return JSONResponse(len(self._texts))

    async def search(self, request: Request) -> JSONResponse:
        """The best texts for a question."""
        return JSONResponse(self._best(await request.json()))

    async def chat(self, request: Request) -> JSONResponse:
        """The model's answer, with the best texts in the system prompt."""
        question = await request.json()
        messages = [
            {"role": "system", "content": "Answer from these passages:\n\n" + "\n\n".join(self._best(question))},
            {"role": "user", "content": question},
        ]
        answer: list[str] = []
        body = {"model": "chat", "stream": True, "messages": messages}
        async with self._model.stream("POST", "chat/completions", json=body) as response:
            async for line in response.aiter_lines():
                if line.startswith("data: {"):
                    answer.append(json.loads(line[6:])["choices"][0]["delta"].get("content", ""))
        return JSONResponse("".join(answer))

    def _best(self, question: str) -> list[str]:
        scores = self._matrix @ self._embedder.unit_vectors([question])[0]
        best = numpy.argpartition(-scores, min(_BEST, len(scores) - 1))[:_BEST]
        return [self._texts[place] for place in best]


def main() -> None:
    """Serve until killed."""
    peer = Peer(sys.argv[1])
    routes = [
        Route("/documents", peer.add, methods=["POST"]),
        Route("/search", peer.search, methods=["POST"]),
        Route("/chat", peer.chat, methods=["POST"]),
    ]
    listening = socket.create_server(("127.0.0.1", 0))
    print(listening.getsockname()[1], flush=True)
    uvicorn.Server(uvicorn.Config(Starlette(routes=routes), log_level="warning")).run(sockets=[listening])


if __name__ == "__main__":
    main()
