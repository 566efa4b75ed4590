"""Parsing: turn files into text. Start reading at `formats` and `dispatch`."""
