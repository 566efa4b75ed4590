"""The context of an answer: which passages fit, the token budget, the prompt, and injected instructions in it. Pure."""
