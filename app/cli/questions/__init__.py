"""Ask and search from the command line."""
