"""What upkeep is tried with: a database opened and searched by a test, and what commands say."""

from collections.abc import Callable, Generator
from contextlib import closing, contextmanager
from pathlib import Path
from sqlite3 import Connection

from typer.testing import Result

from app.database.sqlite import driver

Run = Callable[..., Result]


@contextmanager
def opened(file: Path) -> Generator[Connection]:
    """The test's own connection, committed at the end."""
    module = driver.choose_driver().module
    with closing(module.connect(str(file))) as connection:
        driver.load_vector_extension(connection)
        yield connection
        connection.commit()


def told(message: str) -> str:
    return f"footnote: {message}\n"


def search(footnote: Run) -> str:
    return footnote("search", "return goods", "-p", "shop", "-n", "1", "--mode", "lexical").stdout
