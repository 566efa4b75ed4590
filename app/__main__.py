"""`python -m app`, the same as the command `footnote`."""

from app.cli import main

# Parser processes import this module again, under another name.
if __name__ == "__main__":
    main()
