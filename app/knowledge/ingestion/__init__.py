"""From queued documents to searchable chunks: the queue, its workers, embedding and indexing."""
