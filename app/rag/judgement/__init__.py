"""What an answer is worth: its outcome, missing information, and how far its sources support it. Pure."""
