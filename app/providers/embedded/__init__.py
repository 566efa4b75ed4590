"""Models in this process that need no key and no network: embedding models and an extractive answerer."""
