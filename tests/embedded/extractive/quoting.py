"""Answers quoted from passages, with the word vectors that choose them."""

from app.providers import base
from app.providers.embedded.extractive import quote_answer
from app.providers.embedded.word_vectors import WordVectors

VECTORS = WordVectors()


def answer(question: str, *texts: str) -> list[str]:
    passages = [base.PromptPassage(number, "T", text, 1 / number) for number, text in enumerate(texts, 1)]
    return quote_answer(question, passages, VECTORS.sum_vectors) or []
