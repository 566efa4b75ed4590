"""The OpenAI API: chat requests from any OpenAI client, answered from a project's documents."""

from app.openai_api.api_config import OpenAIConfig as OpenAIConfig
from app.openai_api.base_urls import BASE_PATHS as BASE_PATHS
from app.openai_api.base_urls import wrong_base_routes as wrong_base_routes
from app.openai_api.refusals import error_response as error_response
from app.openai_api.routes import COUNTING_HEADER as COUNTING_HEADER
from app.openai_api.routes import ROUTE_HEADER as ROUTE_HEADER
from app.openai_api.routes import OpenAIAPI as OpenAIAPI
