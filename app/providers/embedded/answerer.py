"""The embedded answerer, which quotes passages. Imported for the first answer, because it compiles many patterns."""

import asyncio
import re
from collections.abc import AsyncGenerator, Collection, Mapping, Sequence
from contextlib import aclosing
from typing import cast, get_args

from app import errors
from app.language import typing_errors
from app.providers import base, completions, request_fields
from app.providers.embedded import extractive, fixed_texts
from app.providers.embedded.names import ANSWERER, CONTEXT_WINDOW, no_such_model
from app.providers.embedded.word_vectors import WordVectors
from app.statuses import FinishReason

# Fields that would change the answer and are not supported, with their harmless values. Temperature, seed and
# penalties are ignored: quotations are not random.
_UNSUPPORTED: Mapping[str, Sequence[object]] = {
    "tools": ([],),
    "functions": ([],),
    "logprobs": (False,),
    "audio": (),
    "modalities": (["text"],),
}

# Three words, or up to 72 characters of a script without spaces.
_GROUP = re.compile(r"(?:\S{1,24}\s*+){1,3}+|\s++")


class ExtractiveModel:
    """A LanguageModel that only quotes: it returns the sentences that answer the question, and cites each."""

    def __init__(self, model: str, vectors: WordVectors) -> None:
        self._model = model
        self._vectors = vectors

    @property
    def name(self) -> str:
        """`embedded/extractive`."""
        return f"embedded/{self._model}"

    @property
    def is_generative(self) -> bool:
        """Always False: it only quotes."""
        return False

    @property
    def parameters(self) -> int | None:
        """Always None: it needs no prompt."""
        return None

    async def stream_answer(self, prompt: base.Prompt, options: base.GenerationOptions) -> AsyncGenerator[base.Piece]:
        """Stream quotations in groups of words; a fixed text if no passage answers, another one without passages."""
        if self._model != ANSWERER:
            raise no_such_model(self._model, ANSWERER)
        _reject_unsupported_fields(options.extra_fields)
        stops = _read_stops(options.extra_fields)
        text, finished = await asyncio.to_thread(self._quote_answer, prompt, options, stops)
        for group in _word_groups(text):
            yield base.TextDelta(group)
            await asyncio.sleep(0)
        yield finished

    async def count_tokens(self, messages: Sequence[base.PromptMessage]) -> int | None:
        """Always None: the ledger shows estimates."""
        return None

    async def relay_request(
        self, request: base.JsonObject, on_behalf_of: tuple[str, str], adaptable: Collection[str] = ()
    ) -> AsyncGenerator[base.JsonObject]:
        """Answer with a fixed text, as chunks or a completion: without passages there is nothing to quote."""
        prompt = _parse_prompt(request)
        limit = request.get("max_completion_tokens") or request.get("max_tokens")
        max_tokens = limit if isinstance(limit, int) else None
        options = base.GenerationOptions(max_tokens, None, CONTEXT_WINDOW, request, on_behalf_of)
        answer = completions.CompletionBuilder(request, self.name)
        async with aclosing(self.stream_answer(prompt, options)) as pieces:
            async for piece in pieces:
                for chunk in answer.add_piece(piece):
                    yield chunk

    async def context_window(self) -> int:
        """Always 32,768."""
        return CONTEXT_WINDOW

    def _quote_answer(
        self, prompt: base.Prompt, options: base.GenerationOptions, stops: Sequence[str]
    ) -> tuple[str, base.Finished]:
        fixed = fixed_texts.texts_for(prompt.question)
        _, project_id = options.on_behalf_of
        if not prompt.passages:
            parts = [fixed.introduction if project_id else fixed.no_project]
        elif not prompt.is_answerable:
            parts = [fixed.not_found]
        else:
            question = typing_errors.correct_typing_errors(prompt.question, [each.text for each in prompt.passages])
            quotations = extractive.quote_answer(
                question, prompt.passages, self._vectors.sum_vectors, prompt.earlier_questions
            )
            parts = quotations or [fixed.not_found]
        limited = self._shorten_to_limit(parts, options.max_tokens)
        text = limited[: min((at for at in map(limited.find, stops) if at >= 0), default=None)]
        whole = text != limited or limited == extractive.join_quotations(parts)
        read = sum(self._vectors.count(message.content) for message in prompt.messages)
        return text, base.Finished(FinishReason.STOP if whole else FinishReason.LENGTH, read, self._vectors.count(text))

    def _shorten_to_limit(self, parts: Sequence[str], max_tokens: int | None) -> str:
        """Join as many whole parts as fit into `max_tokens`, but at least the first words of the first part."""
        for number in range(len(parts), 0, -1):
            text = extractive.join_quotations(parts[:number])
            if max_tokens is None or self._vectors.count(text) <= max_tokens:
                return text
        groups = _word_groups(parts[0])
        while groups and max_tokens is not None and self._vectors.count("".join(groups)) > max_tokens:
            groups.pop()
        return "".join(groups).rstrip()


def _word_groups(text: str) -> list[str]:
    return _GROUP.findall(text)


def _parse_prompt(request: base.JsonObject) -> base.Prompt:
    """The prompt of a request with only text. Raises ModelRefused for pictures, tool messages and the like."""
    found: list[base.PromptMessage] = []
    for at, message in enumerate(cast("Sequence[base.JsonObject]", request["messages"])):
        text, role = request_fields.read_content_text(message.get("content")), message.get("role")
        if text is None or role not in get_args(base.Role):
            text = "The embedded answerer accepts only text from users, assistants and systems."
            raise errors.ModelRefused(text, f"messages[{at}]")
        found.append(base.PromptMessage(cast("base.Role", role), text))
    return base.Prompt(tuple(found), found[-1].content if found else "")


def _read_stops(request: base.JsonObject) -> list[str]:
    """The stop texts, before which the answer must end. Raises ModelRefused if they are malformed."""
    stop = request.get("stop") or ""
    if isinstance(stop, str):
        return [stop] if stop else []
    if isinstance(stop, list) and all(isinstance(each, str) and each for each in cast("list[object]", stop)):
        return cast("list[str]", stop)
    raise errors.ModelRefused("`stop` must be a text or a list of texts, none of them empty.", "stop")


def _reject_unsupported_fields(request: base.JsonObject) -> None:
    refused = (
        name for name, allowed in _UNSUPPORTED.items() if request.get(name) is not None and request[name] not in allowed
    )
    if name := next(refused, None) or request_fields.find_format_field(request):
        raise errors.ModelRefused(f"The embedded answerer only quotes: it cannot do what `{name}` asks for.", name)
