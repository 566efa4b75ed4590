"""What one user may do with chat sessions, messages and memories."""
