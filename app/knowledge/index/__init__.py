"""Full text and vectors: what search needs of a database, and how it is kept."""
