"""Parse documents: `parse_file` in this process, `parse_safely` in a process that can be killed."""

from app.knowledge.parsing.isolation import parse_safely, split_safely
from app.knowledge.parsing.limits import ParsingLimits
from app.knowledge.parsing.reading import parse_file

__all__ = ["ParsingLimits", "parse_file", "parse_safely", "split_safely"]
