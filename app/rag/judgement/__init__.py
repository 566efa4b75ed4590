"""What an answer is worth: its outcome, missing information, and weak citations. Pure."""
