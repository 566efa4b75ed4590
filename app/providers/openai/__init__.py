"""Models of any server that speaks the OpenAI API."""
