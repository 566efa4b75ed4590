"""One answer, start to end: what to search for, what goes into the prompt, and which claims of the answer stand."""
