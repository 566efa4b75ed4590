"""Tests of servers of one or several processes: how they start, share work, and stop."""
