"""Decide whether retrieval applies to a request, and say why. Pure."""

import re
from dataclasses import dataclass

from app import language
from app.phrase_files import read_phrases
from app.statuses import Route

# Small talk is answered from the conversation: there is nothing to look up in "thanks", and a refusal would be rude.
_PHRASES = read_phrases(__file__, "routing.toml")
_SMALL_TALK_PHRASES = _PHRASES.join(_PHRASES.tables["patterns"]["small_talk"])
_SMALL_TALK = _PHRASES.any_of([rf"\W*(?:(?:{_SMALL_TALK_PHRASES})\b\W*)+"], re.IGNORECASE)
_CHINESE_SMALL_TALK = _PHRASES.pattern("small_talk_in_chinese")
_ABOUT_THE_CHAT = _PHRASES.pattern("about_the_chat", re.IGNORECASE | re.DOTALL)
_LONGEST_SMALL_TALK = 12  # words

ROLES = frozenset({"system", "developer", "user", "assistant"})
"""The roles that retrieval supports."""

_DEFAULT = "The question is answered from the project's documents."
NOTHING_FOUND = "Nothing relevant was found, so the answer is a fixed text and no model is called."
"""The reason that is given if the search has found nothing."""


@dataclass(frozen=True, slots=True)
class RoutingDecision:
    """The route, with one sentence that says why."""

    route: Route
    reason: str


def choose_route(
    question: str,
    *,
    enabled_on_server: bool,
    enabled_for_request: bool = True,
    has_index: bool = True,
    has_tools: bool = False,
    has_unknown_roles: bool = False,
    has_non_text: bool = False,
    detect_small_talk: bool = True,
) -> RoutingDecision:
    """RAG, unless retrieval is switched off, cannot apply to such a request, or has nothing to look up.

    `has_unknown_roles`: a message has a role outside of ROLES. `has_non_text`: a user message has a part that is not
    text. `detect_small_talk` False: greetings are searched like anything else. The first reason that applies is given.
    """
    reasons = (
        (not enabled_on_server, "Retrieval is switched off on this server."),
        (not enabled_for_request, "Retrieval is switched off for this request."),
        (not has_index, "The request names no documents to answer from."),
        (has_tools, "The request contains tools, so it is passed to the model unchanged."),
        (
            has_unknown_roles,
            "A message has a role that retrieval does not support, so the request is passed on unchanged.",
        ),
        (has_non_text, "A user message contains more than text, so the request is passed on unchanged."),
        (
            detect_small_talk and is_small_talk(question),
            "This is about the conversation itself, not about the documents.",
        ),
    )
    reason = next((reason for applies, reason in reasons if applies), None)
    return RoutingDecision(Route.RAG, _DEFAULT) if reason is None else RoutingDecision(Route.PASS_THROUGH, reason)


def is_small_talk(question: str) -> bool:
    """Whether a question is a greeting, thanks, or a request to sum up the conversation."""
    if len(language.split_words(question)) <= _LONGEST_SMALL_TALK and (
        _SMALL_TALK.fullmatch(question) or _CHINESE_SMALL_TALK.fullmatch(question)
    ):
        return True
    return len(question) < 200 and _ABOUT_THE_CHAT.fullmatch(question) is not None
