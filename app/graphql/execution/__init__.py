"""Run operations: parse and validate each document once, and execute it in steps."""
