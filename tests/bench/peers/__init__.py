"""What Footnote is measured beside: plain programs that do the same work, or part of it."""
