"""Decide whether retrieval applies to a request, and say why. Pure."""

import re
from dataclasses import dataclass
from typing import Literal

from app import language

RouteName = Literal["RAG", "PASS_THROUGH"]

# Small talk is answered from the conversation: there is nothing to look up in "thanks", and a refusal would be rude.
_GREETING = (
    r"hi|hello|hey|good (?:morning|afternoon|evening)|hallo|guten (?:tag|morgen|abend)|bonjour|salut|hola|"
    r"buen[oa]s (?:d[ií]as|tardes|noches)|你好|您好"
)
_THANKS = (
    r"thanks|thank you|thx|many thanks|great|perfect|ok|okay|got it|bye|goodbye|danke|vielen dank|dankeschön|tschüss|"
    r"merci|au revoir|gracias|muchas gracias|adi[oó]s|谢谢|再见"
)
_FILLER = (
    r"very much|so much|a lot|a bunch|schön|sehr|beaucoup|there|everyone|again|for (?:your|the|all) (?:help|answers?)|"
    r"that(?:'s| is) all"
)
_SMALL_TALK = re.compile(rf"\W*(?:(?:{_GREETING}|{_THANKS}|{_FILLER})\b\W*)+", re.IGNORECASE)
_CJK_SMALL_TALK = re.compile(r"\W*(?:你好|您好|谢谢|再见)[\W了你您]*")
_ABOUT_THE_CHAT = re.compile(
    r"\W*(?:please\s+|can you\s+|could you\s+|bitte\s+)*(?:summari[sz]e|recap|sum up|fasse|résume[rz]?|resume)\b"
    r".{0,30}\b(?:our|this|the|unser(?:en)?|diesen|notre|nuestra)\s+"
    r"(?:chat|conversation|discussion|gespräch|unterhaltung|conversación)\b.*",
    re.IGNORECASE | re.DOTALL,
)
_LONGEST_SMALL_TALK = 12


ROLES = frozenset({"system", "developer", "user", "assistant"})
"""Who may speak in a conversation that retrieval understands."""

_DEFAULT = "The question is answered from the project's documents."


@dataclass(frozen=True, slots=True)
class RoutingDecision:
    """The route, with one sentence that says why."""

    route: RouteName
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

    `has_unknown_roles`: a message's role is none of ROLES. `has_non_text`: a user message has a part that is not text.
    `detect_small_talk` False: greetings are searched like anything else. The first reason that holds is the one given.
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
    reason = next((reason for holds, reason in reasons if holds), None)
    return RoutingDecision("RAG", _DEFAULT) if reason is None else RoutingDecision("PASS_THROUGH", reason)


def is_small_talk(question: str) -> bool:
    """Greetings, thanks, and requests to sum up the conversation."""
    if len(language.split_words(question)) <= _LONGEST_SMALL_TALK and (
        _SMALL_TALK.fullmatch(question) or _CJK_SMALL_TALK.fullmatch(question)
    ):
        return True
    return len(question) < 200 and _ABOUT_THE_CHAT.fullmatch(question) is not None
