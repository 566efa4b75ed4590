"""Projects and their documents: adding, parsing, chunking, indexing and searching them."""
