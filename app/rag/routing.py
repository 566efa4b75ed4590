"""A request in; whether retrieval applies to it, and why, out. Pure."""

import re
from dataclasses import dataclass
from typing import Literal

from app import language

Route = Literal["RAG", "PASS_THROUGH"]

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


@dataclass(frozen=True, slots=True)
class Routing:
    """The route, and one sentence that says why."""

    route: Route
    reason: str


def route(question: str, *, enabled: bool, enabled_here: bool) -> Routing:
    """RAG, unless retrieval is switched off (for the server or here) or the question is small talk."""
    if not enabled:
        return Routing("PASS_THROUGH", "Retrieval is switched off on this server.")
    if not enabled_here:
        return Routing("PASS_THROUGH", "Retrieval is switched off for this request.")
    if is_small_talk(question):
        return Routing("PASS_THROUGH", "This is about the conversation itself, not about the documents.")
    return Routing("RAG", "The question is answered from the project's documents.")


def is_small_talk(question: str) -> bool:
    """Greetings, thanks, and requests to sum up the conversation."""
    if len(language.words(question)) <= _LONGEST_SMALL_TALK and (
        _SMALL_TALK.fullmatch(question) or _CJK_SMALL_TALK.fullmatch(question)
    ):
        return True
    return len(question) < 200 and _ABOUT_THE_CHAT.fullmatch(question) is not None
