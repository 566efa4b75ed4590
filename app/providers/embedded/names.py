"""The models of the embedded provider, and the error for any other."""

from app import errors

VECTORS, MULTILINGUAL, ANSWERER = "wordllama", "multilingual", "extractive"
CONTEXT_WINDOW = 32_768
"""Tokens that the answerer is given at most; it has no limit of its own but time."""


def no_such_model(model: str, *known: str) -> errors.ModelNotFound:
    """The error for a model of a kind of which there are only `known` ones."""
    there = " and ".join(repr(name) for name in known)
    return errors.ModelNotFound(f"The embedded provider has no model {model!r} of this kind; it has {there}.")
