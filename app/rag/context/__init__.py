"""The context of an answer: which passages fit, the token budget, and the prompt. Pure."""
