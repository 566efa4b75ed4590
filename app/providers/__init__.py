"""Models and where they run: prompts in, streamed text and vectors out."""
