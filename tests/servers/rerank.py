"""A stand-in reranker: `/rerank` scores by shared words, in the shape of Cohere or TEI."""

import re
from collections.abc import Iterable
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tests.servers.running import Break, Fault, StandIn, instead, stalled


class RerankServer(StandIn):
    """Scores a text by how many words of `likes` it contains; with `tei` it speaks only TEI's format.

    `body` is sent instead of scores. `max_batch` is the most texts in a request, `max_characters` the longest text.
    """

    def __init__(
        self,
        likes: str = "",
        *,
        tei: bool = False,
        key: str | None = None,
        faults: Iterable[Fault] = (),
        body: Any = None,
        max_batch: int | None = None,
        max_characters: int | None = None,
    ) -> None:
        super().__init__(None, faults, byte_by_byte=False)
        self.likes = set(likes.split())
        self.tei, self.key, self.body = tei, key, body
        self.max_batch, self.max_characters = max_batch, max_characters

    def routes(self) -> list[Route]:
        return [Route("/v1/rerank", self._rerank, methods=["POST"])]

    async def _rerank(self, request: Request) -> Response:
        body = await self.record(request)
        fault = self.fault(body)
        if isinstance(fault, Break):
            await stalled(request)
        elif (other := await instead(fault, request)) is not None:
            return other
        if self.key is not None and request.headers.get("authorization") != f"Bearer {self.key}":
            return JSONResponse({"message": "no such key"}, 401)
        texts = body.get("texts" if self.tei else "documents")
        if texts is None:
            return JSONResponse({"error": "missing field", "error_type": "Validation"}, 422)
        if self.max_batch and len(texts) > self.max_batch:
            message = f"batch size {len(texts)} > maximum allowed batch size {self.max_batch}"
            return JSONResponse({"error": message, "error_type": "Validation"}, 413)
        if self.max_characters and max(map(len, texts)) > self.max_characters:  # as llama.cpp does
            message = "input (3005 tokens) is too large to process. increase the physical batch size"
            return JSONResponse({"error": {"code": 500, "message": message, "type": "server_error"}}, 500)
        if self.body is not None:
            return JSONResponse(self.body)
        scored = [(index, float(len(self.likes & set(re.findall(r"\w+", text))))) for index, text in enumerate(texts)]
        scored.sort(key=lambda one: -one[1])
        if self.tei:
            return JSONResponse([{"index": index, "score": score} for index, score in scored])
        results = [{"index": index, "relevance_score": score, "document": None} for index, score in scored]
        return JSONResponse({"id": "1", "results": results, "meta": {}})
