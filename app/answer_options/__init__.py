"""Answer options: their declarations, the layers that set them, and the filter of the documents to search."""

from app.answer_options.declarations import MAX_DOCUMENTS as MAX_DOCUMENTS
from app.answer_options.declarations import MAX_MODEL as MAX_MODEL
from app.answer_options.declarations import MAX_SYSTEM_PROMPT as MAX_SYSTEM_PROMPT
from app.answer_options.declarations import OPTION_TYPES as OPTION_TYPES
from app.answer_options.declarations import OPTIONS as OPTIONS
from app.answer_options.declarations import AnswerOption as AnswerOption
from app.answer_options.declarations import AnswerOptions as AnswerOptions
from app.answer_options.declarations import CitationStyle as CitationStyle
from app.answer_options.declarations import ContextPlacement as ContextPlacement
from app.answer_options.declarations import Grounding as Grounding
from app.answer_options.declarations import PromptProfile as PromptProfile
from app.answer_options.declarations import SearchMode as SearchMode
from app.answer_options.layers import OptionLayer as OptionLayer
from app.answer_options.layers import describe_type as describe_type
from app.answer_options.layers import find_issues as find_issues
from app.answer_options.layers import is_of_type as is_of_type
from app.answer_options.layers import resolve_options as resolve_options
from app.answer_options.layers import to_camel_case as to_camel_case
