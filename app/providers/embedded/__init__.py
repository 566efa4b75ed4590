"""Models in this process that need no key and no network: static word vectors and an extractive answerer."""
