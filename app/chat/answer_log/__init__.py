"""The durable log of every answer: written in groups, followed by readers, compacted when it is old."""
