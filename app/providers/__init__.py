"""Language models, embedding models and rerankers, and the servers they run on."""
