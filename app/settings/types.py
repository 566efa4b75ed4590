"""Types of settings: how the text of a variable becomes a value, and what is refused."""

from typing import Annotated, Literal

from pydantic import AfterValidator, BeforeValidator, SecretStr
from pydantic_settings import NoDecode

from app import addresses


def _split_commas(value: object) -> object:
    return [part.strip() for part in value.split(",") if part.strip()] if isinstance(value, str) else value


def _blank_to_none(value: object) -> object:
    return None if isinstance(value, str) and not value.strip() else value


def _check_api_key(value: SecretStr | None) -> SecretStr | None:
    """A key without blanks around it: files with secrets often end with a line break, which no header may contain."""
    key = value.get_secret_value().strip() if value else ""
    if not (key.isascii() and key.isprintable()):
        raise ValueError("must be one line of ASCII characters, because it is sent in a header")
    return SecretStr(key) if key else None


def to_upper_case(value: object) -> object:
    """Text in upper case, without blanks around it."""
    return value.strip().upper() if isinstance(value, str) else value


List = Annotated[list[str], NoDecode, BeforeValidator(_split_commas)]
Origins = Annotated[List, AfterValidator(addresses.check_origins)]
Hosts = Annotated[List, AfterValidator(addresses.check_hosts)]
Trusted = Annotated[List, AfterValidator(addresses.check_proxies)]
Text = Annotated[str | None, BeforeValidator(_blank_to_none)]
WebAddress = Annotated[Text, AfterValidator(addresses.check_web_address)]
PublicUrl = Annotated[Text, AfterValidator(addresses.check_public_url)]
OllamaHost = Annotated[Text, AfterValidator(addresses.check_ollama_host)]
Level = Annotated[Literal["DEBUG", "INFO", "WARNING", "ERROR"], BeforeValidator(to_upper_case)]
LogFormat = Annotated[Literal["TEXT", "JSON"], BeforeValidator(to_upper_case)]
Secret = Annotated[SecretStr | None, BeforeValidator(_blank_to_none)]
ApiKey = Annotated[Secret, AfterValidator(_check_api_key)]
