"""The judgement of an answer: its outcome, missing information, and how far its sources support it. Pure."""
