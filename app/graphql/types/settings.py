"""How answers are given and texts are searched: what a chat session or a search may choose between."""

from enum import Enum

import strawberry


@strawberry.enum(description="What a search looks at.")
class SearchMode(Enum):
    """See its description."""

    HYBRID = strawberry.enum_value("HYBRID", description="Words and meaning, fused.")
    LEXICAL = strawberry.enum_value("LEXICAL", description="Words alone (full text).")
    VECTOR = strawberry.enum_value("VECTOR", description="Meaning alone (vectors).")


@strawberry.enum(description="How strictly an answer keeps to its sources.")
class Grounding(Enum):
    """See its description."""

    GROUNDED = strawberry.enum_value("GROUNDED", description="From the sources or not at all.")
    OPEN = strawberry.enum_value("OPEN", description="Sources where they help, general knowledge elsewhere.")


@strawberry.enum(description="How the text of an answer points to its sources.")
class CitationStyle(Enum):
    """See its description."""

    NUMBERED = strawberry.enum_value("NUMBERED", description="`[1]`, numbered by first use.")
    CHUNK = strawberry.enum_value("CHUNK", description="`[document-id:chunk-position]`.")


@strawberry.enum(description="Where the passages stand in what is sent to the model.")
class ContextPlacement(Enum):
    """See its description."""

    SYSTEM = strawberry.enum_value("SYSTEM", description="In the system message.")
    USER = strawberry.enum_value("USER", description="Before the question, in the last user message.")
