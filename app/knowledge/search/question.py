"""Find the question in a message: alone, it is a better search query than with the text around it. Pure."""

from app import language
from app.knowledge.index import terms

# In Latin, Greek, Arabic, full-width and other scripts.
_QUESTION_MARKS = ("?", "\uff1f", "\u061f", "\u037e", "\u055e", "\u1367")
_AFTER_A_MARK = "\"'\u201d\u2019\u00bb\u300d\u300f)] \t\n"
# A sentence with a single meaningful word ("What should I do?") asks about the text around it.
_MIN_TERMS = 2


def find_question(message: str) -> str | None:
    """The sentences that end in a question mark, or else the last sentence.

    None if the message is a single sentence, or if the question says too little on its own.
    """
    sentences = [message[start:end] for start, end in language.sentence_spans(message)]
    if len(sentences) < 2:
        return None
    part = " ".join(one for one in sentences if one.rstrip(_AFTER_A_MARK).endswith(_QUESTION_MARKS)) or sentences[-1]
    return part if len(terms.content_terms(part)) >= _MIN_TERMS else None
