"""Reading documents: `parse` in this process, `parse_safely` in another one that can be killed."""

from app.knowledge.parsing.isolation import parse_safely, split_safely
from app.knowledge.parsing.limits import Limits
from app.knowledge.parsing.reading import parse

__all__ = ["Limits", "parse", "parse_safely", "split_safely"]
