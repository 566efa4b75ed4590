"""One answer, start to end: what to search for, what the prompt holds, and which of the answer's claims stand."""
