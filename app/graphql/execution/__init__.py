"""How an operation runs: its document, parsed and validated once, and its execution in steps."""
