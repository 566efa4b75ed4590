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

    `body` is sent instead of scores.
    """

    def __init__(
        self,
        likes: str = "",
        *,
        tei: bool = False,
        key: str | None = None,
        faults: Iterable[Fault] = (),
        body: Any = None,
    ) -> None:
        super().__init__(None, faults, byte_by_byte=False)
        self.likes = set(likes.split())
        self.tei, self.key, self.body = tei, key, body

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
        if self.body is not None:
            return JSONResponse(self.body)
        scored = [(index, float(len(self.likes & set(re.findall(r"\w+", text))))) for index, text in enumerate(texts)]
        scored.sort(key=lambda one: -one[1])
        if self.tei:
            return JSONResponse([{"index": index, "score": score} for index, score in scored])
        results = [{"index": index, "relevance_score": score, "document": None} for index, score in scored]
        return JSONResponse({"id": "1", "results": results, "meta": {}})
