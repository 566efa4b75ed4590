"""The models of the embedded provider, and the error for any other."""

from app import errors

VECTORS, MULTILINGUAL, ANSWERER = "wordllama", "multilingual", "extractive"
CONTEXT_WINDOW = 32_768
"""The answerer's context window in tokens; in itself, it is limited only by time."""


def no_such_model(model: str, *known: str) -> errors.ModelNotFound:
    """The error for an unknown model; `known` are the models of the same kind."""
    there = " and ".join(f"embedded/{name}" for name in known)
    return errors.ModelNotFound(f"The model “embedded/{model[:100]}” cannot be used for this; there is {there}.")
