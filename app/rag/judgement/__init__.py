"""What an answer is worth: its outcome, missing information, injected instructions, and notices. Pure."""
