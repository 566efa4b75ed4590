"""Choices for answers and searches."""

from enum import Enum

import strawberry


@strawberry.enum(name="SearchMode", description="What a search compares.")
class SearchModeType(Enum):
    HYBRID = strawberry.enum_value("HYBRID", description="Words and meaning, combined.")
    LEXICAL = strawberry.enum_value("LEXICAL", description="Words only (full text).")
    VECTOR = strawberry.enum_value("VECTOR", description="Meaning only (vectors).")


@strawberry.enum(name="Grounding", description="How strictly answers keep to their sources.")
class GroundingType(Enum):
    GROUNDED = strawberry.enum_value("GROUNDED", description="Answers come from the sources or are refused.")
    OPEN = strawberry.enum_value(
        "OPEN", description="Answers use the sources where they help, and general knowledge elsewhere."
    )


@strawberry.enum(name="CitationStyle", description="Form of the citation markers in answers.")
class CitationStyleType(Enum):
    NUMBERED = strawberry.enum_value("NUMBERED", description="`[1]`, numbered in the order of first use.")
    CHUNK = strawberry.enum_value("CHUNK", description="`[document-id:chunk-position]`.")


@strawberry.enum(name="ContextPlacement", description="Where passages are placed in the prompt.")
class ContextPlacementType(Enum):
    SYSTEM = strawberry.enum_value("SYSTEM", description="In the system message.")
    USER = strawberry.enum_value("USER", description="In the last user message, before the question.")
