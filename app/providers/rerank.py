"""Rerank texts with any server that has an HTTP `/rerank` endpoint.

Cohere, Jina, vLLM and llama.cpp accept `documents` and return `results` with `relevance_score`; Text Embeddings
Inference accepts `texts` and returns a list with `score`. The first request finds out which form a server uses.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any
from urllib.parse import urlsplit

import httpx
import pydantic

from app.providers import httpx_client
from app.providers.batching import AcceptedSizes, send_in_halves
from app.providers.resilience.error_mapping import ErrorMapper, is_local_url

# A reranker reads only a few hundred tokens of each text.
LONGEST_TEXT = 4000
# A text that the server calls too long is not cut to fewer characters than this.
_SHORTEST_CUT = 200
_OTHER_SHAPE = frozenset({400, 422})


class _Item(pydantic.BaseModel):
    index: int
    relevance_score: pydantic.FiniteFloat = pydantic.Field(
        validation_alias=pydantic.AliasChoices("relevance_score", "score")
    )


class _Items(pydantic.BaseModel):
    results: list[_Item] = pydantic.Field(validation_alias=pydantic.AliasChoices("results", "data"))


_ANSWER: pydantic.TypeAdapter[_Items | list[_Item]] = pydantic.TypeAdapter(_Items | list[_Item])

Shape = Callable[[str | None, str, Sequence[str]], dict[str, Any]]


def _documents_body(model: str | None, query: str, texts: Sequence[str]) -> dict[str, Any]:
    # No optional fields, which some server might reject: by default, all of them score every text.
    named = {"model": model} if model else {}
    return {**named, "query": query, "documents": list(texts)}


def _texts_body(_: str | None, query: str, texts: Sequence[str]) -> dict[str, Any]:
    return {"query": query, "texts": list(texts), "truncate": True}


class HttpReranker:
    """A Reranker. `url` is the address of `/rerank`, with or without that last part."""

    def __init__(self, url: str, model: str | None, api_key: str | None, *, seconds: float) -> None:
        path = urlsplit(url).path.rstrip("/")
        self.name = model or "reranker"
        self.is_local = is_local_url(url)
        self._url = url if path.endswith("/rerank") else f"{url.rstrip('/')}/rerank"
        self._model = model
        self._seconds = seconds
        self._error_mapper = ErrorMapper(
            httpx_client.CLIENT_ERRORS, "RERANK_URL", model or "The reranker", (api_key,) if api_key else ()
        )
        self._http = httpx.AsyncClient(
            **httpx_client.client_options(self._url, api_key, httpx.Timeout(seconds), is_local=self.is_local)
        )
        self._shapes: tuple[Shape, ...] = (_documents_body, _texts_body)
        self._accepted = AcceptedSizes()

    async def rerank(self, query: str, texts: Sequence[str]) -> list[float]:
        """Score each text, in order. Raises an AnswerError, at the latest when time is up."""
        sent = [text[:LONGEST_TEXT] for text in texts]
        async with self._error_mapper.request_within(self._seconds):
            return await send_in_halves(partial(self._score_texts, query), sent, _SHORTEST_CUT, self._accepted)

    async def _score_texts(self, query: str, texts: Sequence[str]) -> list[float]:
        """The scores from a single request."""
        response = await self._post(self._shapes[0], query, texts)
        if response.status_code in _OTHER_SHAPE and len(self._shapes) > 1:
            response = await self._post(self._shapes[1], query, texts)
            if response.is_success:
                self._shapes = self._shapes[1:]
        if not response.is_success:
            raise self._error_mapper.map_status(response.status_code, response.text, response.headers)
        return self._parse_scores(response, len(texts))

    async def _post(self, shape: Shape, query: str, texts: Sequence[str]) -> httpx.Response:
        return await self._http.post(self._url, json=shape(self._model, query, texts))

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    def _parse_scores(self, response: httpx.Response, count: int) -> list[float]:
        try:
            found = _ANSWER.validate_json(response.content)
        except pydantic.ValidationError as error:
            raise self._error_mapper.unexpected_response() from error
        scores = {item.index: item.relevance_score for item in (found if isinstance(found, list) else found.results)}
        if scores.keys() != set(range(count)):
            raise self._error_mapper.unexpected_response()
        return [scores[index] for index in range(count)]
