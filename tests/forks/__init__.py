"""`footnote` as processes of their own that need not load it: importing takes three quarters of a short life."""
